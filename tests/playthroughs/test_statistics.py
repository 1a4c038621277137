"""The page of statistics comes from the tool that says so, and from the engine as it is now."""

from __future__ import annotations

import functools
import re

import pytest

from buraco.engine.codes import POLICIES
from buraco.rules import RULE_SETS
from scripts import deal_statistics, terminate
from tests.build import COMPILED

ROW = re.compile(r"\| `[a-z0-9-]+` \|( -?[0-9]+(\.[0-9]+)? \|){8}")


def page() -> str:
    """The page as it lies in the documents."""
    return deal_statistics.FILE.read_text(encoding="utf-8")


def test_the_sample_on_the_page_is_what_the_engine_plays_now() -> None:
    recorded = deal_statistics.recorded_sample(page())
    if COMPILED:
        assert recorded == deal_statistics.sample()
    else:
        (line,) = deal_statistics.rows("greedy", deal_statistics.SAMPLE_DEALS, ["burraco"])
        assert line in recorded.splitlines()


def test_the_page_is_built_as_the_tool_builds_it() -> None:
    lines = page().splitlines()
    assert page().startswith(deal_statistics.INTRODUCTION)
    for policy, count in deal_statistics.FULL_DEALS.items():
        at = lines.index(f"## {policy.capitalize()} play: {count:,} deals of each")
        assert tuple(lines[at + 2 : at + 4]) == deal_statistics.HEADER
        table = lines[at + 4 : at + 4 + len(RULE_SETS)]
        assert [line.split("`")[1] for line in table] == list(RULE_SETS)
        for line in table:
            assert ROW.fullmatch(line), line
            longest, *ends = (float(cell) for cell in line.split("|")[4:8])
            assert longest < terminate.ACTION_LIMIT / 4
            assert sum(ends) == pytest.approx(100, abs=0.02)


@pytest.mark.parametrize("policy", POLICIES)
def test_parts_of_a_run_add_up_to_the_whole(policy: str) -> None:
    whole = terminate.figures("burraco", policy, 5, 30)
    parts = terminate.figures("burraco", policy, 5, 10)
    parts.merge(terminate.figures("burraco", policy, 15, 20))
    assert parts == whole
    assert whole.ends.total() == whole.deals == 30


def test_several_processes_play_the_same_deals() -> None:
    *_, last = terminate.run("fechado", "random", 40, 2, first=3)
    assert last == terminate.figures("fechado", "random", 3, 40)


def test_mean_and_deviation_are_those_of_the_scores() -> None:
    found = terminate.Figures(deals=2, score_sum=40, score_squares=1000)
    # Four scores, two a deal: their mean is 10, the mean of their squares 250.
    assert found.mean_score == 10
    assert found.score_deviation == pytest.approx(150**0.5)


def test_an_endless_deal_is_named_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminate, "play_bounded", functools.partial(terminate.play_bounded, limit=5))
    with pytest.raises(terminate.Endless, match=r"classico: no end after 5 actions \(4 players, random, seed 8\)"):
        terminate.figures("classico", "random", 8, 1)
    assert terminate.main(["--deals", "1", "--rules", "classico"]) == 1


def test_the_command_says_that_all_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminate.main(["--deals", "20", "--rules", "aberto", "fechado", "--policy", "greedy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["aberto greedy", "fechado greedy"]
    assert all("20 deals ended" in line for line in lines)
