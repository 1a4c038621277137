"""Lets OpenSpiel's search over information sets (IS-MCTS) play a toy rule set against `random`.

    .venv/bin/python examples/openspiel_ismcts.py --deals 40 --simulations 60

It needs buraco[openspiel]. Before each simulation the hidden cards are spread anew, in agreement with all that the
seat has seen. Each shuffle is played twice, with the seats changed. What comes out: the lead in points a deal with
its 95 % interval. The same --seed plays the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from buraco.arena import estimate
from buraco.engine import seed_bytes, shuffled_pack
from buraco.env.openspiel import BuracoGame, load_game, resampler
from buraco.rules import load_toml


def play(
    game: BuracoGame, pack: tuple[int, ...], seat: int, bot: ismcts.ISMCTSBot, source: np.random.RandomState
) -> int:
    """Play a deal of a pack, the bot at a seat, and return its lead in points."""
    state = game.new_initial_state()
    for card in pack:
        state.apply_action(card)
    while not state.is_terminal():
        mine = state.current_player() == seat
        state.apply_action(int(bot.step(state) if mine else source.choice(state.legal_actions())))
    return int(state.returns()[seat])


def main() -> None:
    """Read the options, play, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=40, help="how many shuffles are played, each twice")
    parser.add_argument("--simulations", type=int, default=60, help="how many for a decision")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffles and all draws")
    options = parser.parse_args()
    if min(options.deals, options.simulations) < 1 or not 0 <= options.seed < 2**32:
        parser.error("--deals and --simulations take a number from 1 on, --seed one from 0 to 4294967295")
    rules = load_toml((Path(__file__).parent / "toy.toml").read_text(encoding="utf-8"))
    game, source = load_game(rules), np.random.RandomState(options.seed)
    evaluator = mcts.RandomRolloutEvaluator(1, source)
    bot = ismcts.ISMCTSBot(game, evaluator, 200.0, options.simulations, random_state=source)
    bot.set_resampler(resampler(options.seed))
    leads = []
    for number in range(options.deals):
        pack = shuffled_pack(rules, seed_bytes(options.seed), "search", number + 1)
        leads.append(sum(play(game, pack, seat, bot, source) for seat in (0, 1)))
    found = estimate(leads, 2)
    print(f"IS-MCTS against random, {options.deals} shuffles played twice: {found.mean:+.1f} points a deal", end="")
    print("" if found.low is None else f", 95 % interval {found.low:+.1f} to {found.high:+.1f}")


if __name__ == "__main__":
    main()
