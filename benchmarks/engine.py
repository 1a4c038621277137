"""Rates of the engine: inside, driven from Python, copied, in threads; the uncompiled build and OpenSpiel beside it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.timing import best_rate
from buraco import build_kind
from buraco.engine import Deal
from buraco.engine.constants import ACTION_PILE, PHASE_DRAW, POLICY_GREEDY, POLICY_MELD_FIRST, POLICY_RANDOM
from buraco.engine.deal import play_many
from buraco.rules import RULE_SETS, RuleSet

__all__ = [
    "closed_pile_ms",
    "copies_per_second",
    "driven",
    "inside",
    "openspiel_driven",
    "table_of",
    "threads_ratio",
    "uncompiled",
]


def table_of(rules: RuleSet) -> Deal:
    """Return a deal with the most players the rules allow."""
    return Deal(rules, max(rules.player_counts))


def inside(rules: RuleSet, policy: int, seconds: float) -> tuple[float, float]:
    """Return deals and actions per second of `play_many` on one core."""
    table = table_of(rules)
    total = play_many(table, policy, 1, 200)
    actions_per_deal = total[2] / 200

    def work(number: int) -> float:
        play_many(table, policy, 1, number)
        return number

    deals = best_rate(work, seconds).per_second
    return deals, deals * actions_per_deal


def driven(rules: RuleSet, seconds: float) -> float:
    """Return actions per second of random play driven from Python: the list of legal actions, a choice, the action."""

    def work(number: int) -> float:
        source, actions = random.Random(1), 0
        for seed in range(number):
            deal = Deal(rules, max(rules.player_counts), seed=seed)
            legal, apply, draw = deal.legal, deal.apply_unchecked, source.random
            options = legal()
            while options:
                apply(options[int(draw() * len(options))])
                actions += 1
                options = legal()
        return actions

    return best_rate(work, seconds).per_second


def openspiel_driven(seconds: float) -> float:
    """Return actions per second of OpenSpiel's gin rummy, driven the same way."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")

    def work(number: int) -> float:
        source, actions = random.Random(1), 0
        for _ in range(number):
            state = game.new_initial_state()
            draw = source.random
            while not state.is_terminal():
                options = state.legal_actions()
                state.apply_action(options[int(draw() * len(options))])
                actions += 1
        return actions

    return best_rate(work, seconds).per_second


def copies_per_second(rules: RuleSet, seconds: float) -> float:
    """Return copies of a deal in mid-play per second."""
    deal = table_of(rules)
    for step in range(60):
        if deal.over:
            break
        deal.apply(deal.choose(POLICY_GREEDY, step))
    copy = deal.copy

    def work(number: int) -> float:
        for _ in range(number):
            copy()
        return number

    return best_rate(work, seconds).per_second


def threads_ratio(rules: RuleSet, deals: int) -> float:
    """Return how many times the work of one thread two threads do in the same time (the same deals each)."""

    def run(count: int) -> float:
        tables = [table_of(rules) for _ in range(count)]
        threads = [threading.Thread(target=play_many, args=(table, POLICY_RANDOM, 1, deals)) for table in tables]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - begin

    one, two = min(run(1) for _ in range(5)), min(run(2) for _ in range(5))
    return 2 * one / two


def closed_pile_ms(rules: RuleSet, hand: int, tries: int) -> tuple[float, float]:
    """Return the median and worst milliseconds to answer "may this pile be taken?" with a hand of ``hand`` cards.

    Positions: hands as they come from a shuffled pack, two melds on the table from earlier play where there are any.
    """
    times = []
    for seed in range(tries):
        deal = Deal(rules.replace(hand_size=hand, player_counts=(2,)), 2, seed=seed)
        for step in range(14):
            if deal.over:
                break
            deal.apply(deal.choose(POLICY_RANDOM if step % 2 else POLICY_MELD_FIRST, seed + step))
        while not deal.over and (deal.phase != PHASE_DRAW or deal.pile_count == 0):
            deal.apply(deal.choose(POLICY_RANDOM, seed))
        if deal.over or deal.hand_count(deal.seat) < hand - 3:
            continue
        begin = time.perf_counter()
        deal.check(ACTION_PILE)
        times.append((time.perf_counter() - begin) * 1000)
    times.sort()
    return times[len(times) // 2], times[-1]


def uncompiled(rule_names: list[str]) -> dict[str, dict[str, float]]:
    """Return the rates of the uncompiled build, measured by this module in a process of the development environment."""
    command = [str(Path(".venv/bin/python").absolute()), "-m", "benchmarks.engine", *rule_names]
    done = subprocess.run(command, env={**os.environ, "BURACO_PURE": "1"}, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    if answer.pop("build") != "uncompiled":
        raise SystemExit("the uncompiled build was not the one that ran")
    return answer


def _main(names: list[str]) -> None:
    rates: dict[str, Any] = {"build": build_kind()}
    for name in names:
        rules = RULE_SETS[name]
        table = table_of(rules)
        begin = time.perf_counter()
        actions = sum(play_many(table, POLICY_RANDOM, seed, 1)[2] for seed in range(1, 9))
        spent = time.perf_counter() - begin
        rates[name] = {"deals": 8 / spent, "actions": actions / spent}
    print(json.dumps(rates))


if __name__ == "__main__":
    _main(sys.argv[1:])
