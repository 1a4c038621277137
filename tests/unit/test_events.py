"""Events as JSON: plain values, cards as texts."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

from buraco.cards import parse_card, parse_cards
from buraco.engine import events
from buraco.engine.position import PileCard
from buraco.engine.scoresheet import ScoreLine, ScoreSheet
from tests.unit.making import run, same_rank


def test_a_card_is_a_text_and_no_card_is_null() -> None:
    drawn = events.CardDrawn(number=3, audience=1, seat=1, card=parse_card("7h"))
    assert events.to_json(drawn) == {"event": "card_drawn", "number": 3, "audience": 1, "seat": 1, "card": "7h"}
    started = events.DealStarted(
        number=0, deal=1, dealer=0, seat=1, totals=(0, 5), up_card=-1, hand_counts=(11, 11), stock_count=64
    )
    assert events.to_json(started)["up_card"] is None
    assert events.to_json(started)["totals"] == [0, 5]


def test_a_meld_says_where_its_wild_lies() -> None:
    laid = events.MeldLaid(number=0, seat=0, action=57, meld=0, packed=run("h", 3, 6, "X", 5).packed)
    assert events.to_json(laid)["packed"] == {"kind": "run", "cards": ["3h", "4h", "X", "6h"], "low": 3, "wild": 2}
    laid = events.MeldLaid(number=0, seat=0, action=57, meld=0, packed=same_rank("7s 7d", "2c").packed)
    assert events.to_json(laid)["packed"] == {"kind": "set", "cards": ["7d", "7s", "2c"], "low": None, "wild": 2}


def test_a_pile_says_who_discarded_each_card() -> None:
    taken = events.PileTaken(number=0, seat=1, count=2, pile=(PileCard(0, -1, -1), PileCard(1, 0, 4)))
    assert events.to_json(taken)["pile"] == [
        {"card": "Ac", "seat": -1, "turn": -1},
        {"card": "2c", "seat": 0, "turn": 4},
    ]


def test_the_end_of_a_deal_carries_hands_and_sheets() -> None:
    sheets = (ScoreSheet(0, (ScoreLine("out", 100, seat=0),)), ScoreSheet(1, ()))
    ended = events.DealEnded(
        number=9,
        deal=1,
        end_kind="closed",
        out_seat=0,
        hands=((), parse_cards("7h X")),
        sheets=sheets,
        scores=(100, 0),
        totals=(100, 0),
    )
    found = json.loads(json.dumps(events.to_json(ended)))
    assert found["event"] == "deal_ended"
    assert found["hands"] == [[], ["7h", "X"]]
    assert [sheet["total"] for sheet in found["sheets"]] == [100, 0]
    assert found["sheets"][0]["lines"][0]["kind"] == "out"


def test_every_kind_of_event_has_a_name_of_its_own() -> None:
    names = [name for name in events.__all__ if isinstance(getattr(events, name), type) and name != "Event"]
    assert len({events.kind_of(getattr(events, name)) for name in names}) == len(names) > 20


def test_rounds_of_the_draw_for_the_first_dealer() -> None:
    found = events.FirstDealerFound(number=1, rounds=(((0, 5), (1, 52)),), dealer=0)
    assert events.to_json(found)["rounds"] == [[{"seat": 0, "card": "6c"}, {"seat": 1, "card": "X"}]]


def test_an_event_cannot_be_changed() -> None:
    ended = events.MatchEnded(number=0, winner=None, totals=(0, 0))
    with pytest.raises(FrozenInstanceError):
        ended.winner = 1  # type: ignore[misc]
