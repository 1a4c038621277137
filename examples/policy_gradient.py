"""Learns a toy rule set against `random` by a policy gradient (REINFORCE), in NumPy alone.

    .venv/bin/python examples/policy_gradient.py --picture curve.svg

It needs buraco[env]. The policy is a softmax over the legal actions; an action's logit is linear in the cards of
the hand. What comes out: how far ahead of `random` it is after each stretch of deals, the curve as a picture, and
at the end the lead over fresh deals with its 95 % interval. The same --seed learns the same.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from buraco.arena import CurvePoint, curve_svg, estimate
from buraco.engine import ACTION_COUNT
from buraco.env import part, single
from buraco.rules import load_toml

Floats = NDArray[np.float64]


@dataclass
class Step:
    """A decision: the legal actions, the chances that they had, which one it was, and what was seen."""

    legal: NDArray[np.int64]
    chances: Floats
    chosen: int
    seen: Floats

    @property
    def action(self) -> int:
        """The action that was chosen."""
        return int(self.legal[self.chosen])


class Policy:
    """One row of weights for each action of the engine, and one number in it for each kind of card."""

    def __init__(self) -> None:
        self.weights = np.zeros((ACTION_COUNT, part("hand").size + 1))

    def choose(self, observation: dict[str, Any], source: np.random.Generator) -> Step:
        """Draw one of the actions that the mask allows."""
        seen = np.append(observation["observation"]["hand"].astype(float), 1.0)
        legal = np.flatnonzero(observation["action_mask"])
        logits = self.weights[legal] @ seen
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        return Step(legal, chances, int(source.choice(len(legal), p=chances)), seen)

    def learn(self, steps: list[Step], advantage: float, rate: float) -> None:
        """Make what was done likelier if it went better than usual, else less likely."""
        for step in steps:
            slope = -step.chances
            slope[step.chosen] += 1
            self.weights[step.legal] += rate * advantage * np.outer(slope, step.seen)


def play(
    env: gymnasium.Env[dict[str, Any], Any], policy: Policy, source: np.random.Generator, seed: int | None
) -> tuple[int, list[Step]]:
    """Play the next deal, or the first one of a seed; return the lead in points and the decisions."""
    observation, info = env.reset(seed=seed)
    steps: list[Step] = []
    # Now and then the bot is through before the agent's first turn; then nothing was decided.
    while not info["deals"]:
        steps.append(policy.choose(observation, source))
        observation, _, _, _, info = env.step(steps[-1].action)
    left, right = info["deals"][-1]["scores"]
    return left - right, steps


def main() -> None:
    """Read the options, learn, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4000, help="how many deals to learn from")
    parser.add_argument("--test-deals", type=int, default=1000, help="how many deals to measure with")
    parser.add_argument("--rate", type=float, default=0.05, help="how far each deal moves the weights")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and all draws")
    parser.add_argument("--picture", type=Path, help="write the learning curve into this SVG file")
    options = parser.parse_args()
    if min(options.deals, options.test_deals) < 2 or options.seed < 0 or not 0 < options.rate <= 1:
        parser.error("--deals and --test-deals take a number from 2 on, --seed one from 0 on, --rate one up to 1")
    if options.picture is not None and not options.picture.parent.is_dir():
        parser.error(f"--picture: there is no folder {options.picture.parent}")
    rules = load_toml((Path(__file__).parent / "toy.toml").read_text(encoding="utf-8"))
    env, policy = single(rules, bots="random", illegal="error"), Policy()
    source = np.random.default_rng(options.seed)
    usual, leads, curve = 0.0, list[int](), list[CurvePoint]()
    stretch = max(options.deals // 10, 2)
    for number in range(options.deals):
        lead, steps = play(env, policy, source, options.seed if number == 0 else None)
        policy.learn(steps, (lead - usual) / 100, options.rate)
        usual += 0.02 * (lead - usual)
        leads.append(lead)
        if len(leads) == stretch:
            found = estimate(leads)
            curve.append(CurvePoint(number + 1, found.mean, found.mean - (found.low or 0)))
            print(f"{number + 1:6} deals: {found.mean:+7.1f} points a deal")
            leads.clear()
    if options.picture is not None:
        title = f"{rules.title}: points a deal more than random"
        options.picture.write_text(curve_svg(curve, title, "deals learned from", "points a deal"), encoding="utf-8")
        print(f"picture: {options.picture}")
    # Other cards than those that it learned from.
    fresh = (options.seed + 1 if number == 0 else None for number in range(options.test_deals))
    found = estimate(play(env, policy, source, seed)[0] for seed in fresh)
    print(f"fresh deals: {found.mean:+.1f} points a deal, 95 % interval {found.low:+.1f} to {found.high:+.1f}")


if __name__ == "__main__":
    main()
