"""Solves a tiny rule set by counterfactual regret minimization in OpenSpiel, and computes how exploitable that is.

    .venv/bin/python examples/openspiel_cfr.py --packs 8 --rounds 40 --picture exploitability.svg

It needs buraco[openspiel]. Eleven cards, two players, hands of two; chance chooses one of --packs shuffles, so that
the whole tree can be walked. What comes out: the exploitability (in points a deal: what best answers gain against
the strategy, the mean of both seats) of playing at random, on the way, and at the end, beside that of sampled
regret minimization. The same --seed finds the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr
from open_spiel.python.policy import UniformRandomPolicy

from buraco.arena import CurvePoint, curve_svg
from buraco.env.openspiel import load_game
from buraco.rules import load_toml


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=int, default=8, help="how many shuffles chance chooses from")
    parser.add_argument("--rounds", type=int, default=40, help="rounds of CFR+ over the whole tree")
    parser.add_argument("--samples", type=int, default=400, help="rounds of external sampling")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffles and the samples")
    parser.add_argument("--picture", type=Path, help="write the curve into this SVG file")
    options = parser.parse_args()
    if min(options.packs, options.rounds, options.samples) < 1 or not 0 <= options.seed < 2**31:
        parser.error("--packs, --rounds and --samples take a number from 1 on, --seed one from 0 to 2147483647")
    if options.picture is not None and not options.picture.parent.is_dir():
        parser.error(f"--picture: there is no folder {options.picture.parent}")
    return options


def main() -> None:
    """Read the options, solve, measure."""
    options = _options()
    toy = load_toml((Path(__file__).parent / "toy.toml").read_text(encoding="utf-8"))
    tiny = toy.replace(
        name="tiny",
        title="Tiny toy",
        pack_ranks="A2345",
        hand_size=2,
        canasta_size=3,
        pile_closed=True,
        close_canasta="any",
        stalemate="none",
        stock_refill=False,
    )
    game = load_game(tiny, packs=options.packs, seed=options.seed, compact=True)
    start = exploitability.exploitability(game, UniformRandomPolicy(game))
    print(f"at random: {start:.2f} points a deal")
    solver, curve = cfr.CFRPlusSolver(game), [CurvePoint(0, start)]
    for number in range(1, options.rounds + 1):
        solver.evaluate_and_update_policy()
        if number % max(options.rounds // 5, 1) == 0:
            curve.append(CurvePoint(number, exploitability.exploitability(game, solver.average_policy())))
            print(f"CFR+, {number:4} rounds: {curve[-1].y:.2f}")
    # The sampling of OpenSpiel draws from NumPy's own generator.
    np.random.seed(options.seed)
    kind = external_sampling_mccfr.AverageType.SIMPLE
    sampled = external_sampling_mccfr.ExternalSamplingSolver(game, kind)
    for _ in range(options.samples):
        sampled.iteration()
    found = exploitability.exploitability(game, sampled.average_policy())
    print(f"external sampling, {options.samples} rounds: {found:.2f}")
    print(f"solved: {curve[-1].y:.2f} points a deal, {curve[-1].y / start:.1%} of that at random")
    if options.picture is not None:
        title = f"{tiny.title}, {options.packs} packs: exploitability by CFR+"
        options.picture.write_text(curve_svg(curve, title, "rounds", "points a deal"), encoding="utf-8")
        print(f"picture: {options.picture}")


if __name__ == "__main__":
    main()
