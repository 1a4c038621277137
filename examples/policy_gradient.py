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

import numpy as np
from numpy.typing import NDArray

from buraco.arena import CurvePoint, curve_svg, estimate
from buraco.engine import ACTION_COUNT, Deal, seed_bytes, shuffled_pack
from buraco.engine.constants import OBSERVATION_SIZE
from buraco.engine.observation import observe
from buraco.engine.observation_parts import part
from buraco.rules import RuleSet, load_toml

Floats = NDArray[np.float64]
HAND = part("hand")


@dataclass
class Step:
    """A decision: the legal actions, the chances that they had, which one it was, and what was seen."""

    legal: NDArray[np.int64]
    chances: Floats
    chosen: int
    seen: Floats


class Policy:
    """One row of weights for each action of the engine, and one number in it for each kind of card."""

    def __init__(self) -> None:
        self.weights = np.zeros((ACTION_COUNT, HAND.size + 1))
        self._buffer = np.zeros(OBSERVATION_SIZE, np.int16)

    def choose(self, deal: Deal, source: np.random.Generator) -> Step:
        """Draw one of the legal actions: the rest is masked by not being asked."""
        observe(deal, deal.seat, self._buffer)
        seen = np.append(self._buffer[HAND.first : HAND.first + HAND.size].astype(float), 1.0)
        legal = np.array(deal.legal())
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


def play(policy: Policy, rules: RuleSet, seed: int, number: int, source: np.random.Generator) -> tuple[int, list[Step]]:
    """Play a deal against `random`, at either seat in turn; return the lead in points and the policy's decisions."""
    pack = shuffled_pack(rules, seed_bytes(seed), "policy gradient", number + 1)
    deal, seat = Deal.from_pack(rules, 2, pack, dealer=number % 2), number // 2 % 2
    steps: list[Step] = []
    while not deal.over:
        if deal.seat == seat:
            steps.append(policy.choose(deal, source))
            deal.apply(int(steps[-1].legal[steps[-1].chosen]))
        else:
            deal.apply(int(source.choice(deal.legal())))
    return deal.score(seat) - deal.score(1 - seat), steps


def main() -> None:
    """Read the options, learn, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4000, help="how many deals to learn from")
    parser.add_argument("--test-deals", type=int, default=1000, help="how many deals to measure with")
    parser.add_argument("--rate", type=float, default=0.05, help="how far each deal moves the weights")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and all draws")
    parser.add_argument("--picture", type=Path, help="write the learning curve into this SVG file")
    options = parser.parse_args()
    rules = load_toml((Path(__file__).parent / "toy.toml").read_text(encoding="utf-8"))
    source, policy = np.random.default_rng(options.seed), Policy()
    usual, leads, curve = 0.0, list[int](), list[CurvePoint]()
    stretch = max(options.deals // 10, 2)
    for number in range(options.deals):
        lead, steps = play(policy, rules, options.seed, number, source)
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
    found = estimate(play(policy, rules, options.seed + 1, number, source)[0] for number in range(options.test_deals))
    print(f"fresh deals: {found.mean:+.1f} points a deal, 95 % interval {found.low:+.1f} to {found.high:+.1f}")


if __name__ == "__main__":
    main()
