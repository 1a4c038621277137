"""Plays deals at random in the environment of PettingZoo (docs/env.md): the loop that every training begins with.

    .venv/bin/python examples/random_rollout.py --rules fechado --deals 5

It needs buraco[env]. What comes out: for each deal how it ended, what each side got, and how many actions it took, of
how many legal ones each; with --watch the table after every turn. The same --seed plays the same.
"""

from __future__ import annotations

import argparse

import numpy as np

from buraco.env import aec
from buraco.rules import RULE_SETS


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", choices=list(RULE_SETS), default="aberto", help="under which rules")
    parser.add_argument("--deals", type=int, default=5, help="how many deals")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and all draws")
    parser.add_argument("--watch", action="store_true", help="show the table after every turn")
    options = parser.parse_args()
    if options.deals < 1 or options.seed < 0:
        parser.error("--deals takes a number from 1 on, --seed one from 0 on")
    env = aec(options.rules, render_mode="ansi")
    source = np.random.default_rng(options.seed)
    for number in range(options.deals):
        # One seed for the first deal; the others follow from it.
        env.reset(seed=options.seed if number == 0 else None)
        actions = choices = 0
        before = env.agent_selection
        for agent in env.agent_iter():
            if options.watch and agent != before:
                print(env.render())
                before = agent
            observation, _, ended, _, info = env.last()
            if ended:
                result = info["deal"]
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            actions, choices = actions + 1, choices + len(legal)
            env.step(int(source.choice(legal)))
        left, right = result["scores"]
        print(f"deal {number + 1}: {left} to {right} points ({result['end_kind']}), ", end="")
        print(f"{actions} actions of {choices / actions:.1f} legal ones each")


if __name__ == "__main__":
    main()
