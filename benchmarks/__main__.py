"""``python -m benchmarks [--seconds S]``: measure the engine and write benchmarks/results.md."""

from __future__ import annotations

import argparse
import datetime
from typing import Final

from benchmarks import bots, engine
from benchmarks.report import RESULTS, without_parts
from benchmarks.timing import machine
from buraco import build_kind
from buraco.bots import bot_levels
from buraco.engine.constants import POLICY_GREEDY, POLICY_MELD_FIRST, POLICY_RANDOM
from buraco.rules import RULE_SETS


def _aims(rates: dict[str, float]) -> list[str]:
    aims = (
        ("actions/s inside, random, `aberto`", rates["inside_actions"], 1_500_000),
        ("random deals/s inside, `aberto`", rates["inside_deals"], 8_000),
        ("greedy deals/s inside, `aberto`", rates["greedy_deals"], 1_000),
        ("compiled against uncompiled, `aberto`, times", rates["inside_actions"] / rates["uncompiled_actions"], 50),
        ("actions/s driven from Python, `aberto`", rates["driven"], 500_000),
        ("driven against OpenSpiel gin rummy driven, times", rates["driven"] / rates["openspiel"], 20),
        ("two threads against one, times", rates["threads"], 1.5),
    )
    lines = ["| figure | measured | aim | |", "|---|---:|---:|---|"]
    for name, value, aim in aims:
        shown = f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
        wanted = f"{aim:,.0f}" if aim >= 100 else f"{aim:g}"
        lines.append(f"| {name} | {shown} | ≥ {wanted} | {'reached' if value >= aim else '**missed**'} |")
    return lines


_HEAD: Final = (
    "| rule set | random deals/s | actions/s inside | melds-first deals/s | greedy deals/s | driven actions/s | "
    "uncompiled actions/s | compiled, times | copies/s |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
)
#: The rule set that the aims speak of.
_AIMED: Final = "aberto"


def _measure(seconds: float) -> tuple[list[str], dict[str, float]]:
    """Measure every rule set; return the rows of the table, and the rates that have aims."""
    slow = engine.uncompiled(list(RULE_SETS))
    rows: list[str] = []
    rates: dict[str, float] = {}
    for name, rules in RULE_SETS.items():
        print(f"benchmarks: {name}", flush=True)
        deals, actions = engine.inside(rules, POLICY_RANDOM, seconds)
        meld_first, _ = engine.inside(rules, POLICY_MELD_FIRST, seconds)
        greedy, _ = engine.inside(rules, POLICY_GREEDY, seconds)
        driven, copies = engine.driven(rules, seconds), engine.copies_per_second(rules, seconds / 2)
        plain = slow[name]["actions"]
        rows.append(
            f"| `{name}` | {deals:,.0f} | {actions:,.0f} | {meld_first:,.0f} | {greedy:,.0f} | {driven:,.0f} | "
            f"{plain:,.0f} | {actions / plain:,.0f} | {copies:,.0f} |"
        )
        if name == _AIMED:
            rates |= {"inside_deals": deals, "inside_actions": actions, "greedy_deals": greedy, "driven": driven}
            rates |= {"uncompiled_actions": plain, "openspiel": engine.openspiel_driven(seconds)}
            rates["threads"] = engine.threads_ratio(rules, 20000)
    return rows, rates


def _report(where: str, seconds: float, rows: list[str], rates: dict[str, float]) -> str:
    """Return the text of results.md."""
    median, worst = engine.closed_pile_ms(RULE_SETS["fechado"], 30, 400)
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`; change no figure by hand. What is compared was measured in one run.",
        "`inside`: whole deals in compiled code on one core; `driven`: a Python loop that asks for the list of legal",
        "actions, chooses one and plays it.",
        "",
        f"Machine: {where}. Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}. "
        f"Command: `python -m benchmarks --seconds {seconds:g}`.",
        "",
        *_aims(rates),
        "",
        f"OpenSpiel's gin rummy: {rates['openspiel']:,.0f} actions/s driven from Python in the same run.",
        f'Closed pile, hands of 30 cards, "may it be taken?" (`fechado`): median {median:.3f} ms, '
        f"worst {worst:.3f} ms (aim: under 10 ms).",
        "",
        *_HEAD,
        *rows,
        "",
        *bots.rows([level for level in bot_levels() if level != "random"]),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure everything and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure and write benchmarks/results.md."
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="least seconds for each rate (default 1)")
    seconds: float = parser.parse_args().seconds
    if build_kind() != "compiled":
        raise SystemExit("benchmarks: the compiled engine is wanted; run `make build`, without BURACO_PURE")
    where = machine()
    print(f"benchmarks: {where}", flush=True)
    text = _report(where, seconds, *_measure(seconds))
    RESULTS.write_text(without_parts(RESULTS, text), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
