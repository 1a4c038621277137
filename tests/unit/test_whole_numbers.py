"""Whatever takes a seat, a seed, an action or a count takes whole numbers: part of one is refused, not cut off."""

from __future__ import annotations

import copy
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from buraco.bots import Limit, make_bot
from buraco.engine import (
    POLICIES,
    Deal,
    DealSeeds,
    Host,
    Match,
    action_meld,
    add_action,
    code_name,
    commitment_of,
    deal_seed,
    decode_add,
    determinize,
    hide,
    meld_action,
    play_many,
    play_pairs,
    result_meld,
    score_sheet,
    seed_bytes,
    shuffled_pack,
    unpack,
    view_of,
)
from buraco.engine.batch import Batch, dealer_of, seed_of
from buraco.engine.constants import ACTION_ADD, ACTION_RUN, MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.observation import legal_words, observe
from buraco.engine.shuffle import Draws
from buraco.env import aec, single
from buraco.env.vector import VectorEnv
from buraco.notation import action_json, decode_action, format_action, format_meld, meld_words
from tests.toy import TOY_OPEN as RULES

SEED = bytes(range(32))
MELD = action_meld(ACTION_RUN)
CUT = RULES.replace(cut_bonus=100, cut_bonus_count=5)

Taking = Callable[[Any], object]


def deal() -> Deal:
    return Deal(RULES, 2, seed=3)


def host() -> Host:
    made = Host(Match(RULES, 2, seed=1, first_dealer=1))
    made.next_deal()
    return made


def acted() -> Host:
    """A host whose seat to act may take something back."""
    made = host()
    while not made.can_undo(made.seat or 0):
        made.act(made.seat or 0, made.view(made.seat).legal[-1])
    return made


def batch(tables: int = 3, **changed: Any) -> Batch:
    wanted: dict[str, Any] = {"players": 2, "count": tables, "seed": 0, "first": 0, "parts": tables} | changed
    buffers = {"masks": ("Q", MASK_WORDS), "counts": ("i", 1), "seats": ("b", 1), "deals": ("q", 1), "dones": ("B", 1)}
    buffers |= {"scores": ("i", 2), "rewards": ("i", 2)}
    for name, (kind, size) in buffers.items():
        wanted[name] = array(kind, bytes(array(kind).itemsize * size * tables))
    return Batch(RULES, **wanted)


def batch_of(**changed: Any) -> tuple[Any, ...]:
    return batch(1, **changed).deal(0).dump()


def changed(act: Callable[[Deal], object]) -> object:
    one = deal()
    act(one)
    return one.dump()


def observed(seat: Any, first: Any = 0) -> array[int]:
    out = array("h", bytes(2 * (OBSERVATION_SIZE + 8)))
    observe(deal(), seat, out, first)
    return out


def worded(first: Any) -> array[int]:
    words = array("Q", bytes(8 * (MASK_WORDS + 8)))
    legal_words(deal(), words, first)
    return words


def drawn(**more: Any) -> array[int]:
    actions = array("q", bytes(24))
    batch().random_legal(more.get("seed", 0), actions, more.get("part", 0))
    return actions


def stepped(part: Any) -> tuple[Any, ...]:
    tables = batch()
    actions = array("q", bytes(24))
    for index in range(3):
        tables.random_legal(1, actions, index)
    tables.step(actions, part)
    return tuple(tables.deal(index).dump() for index in range(3))


def undone(**given: Any) -> tuple[Any, ...]:
    made = acted()
    wanted: dict[str, Any] = {"seat": made.seat, "number": made.state_number, "count": 1} | given
    made.undo(**wanted)
    return made.acts, made.events(None)


def begun(**given: Any) -> Any:
    return Match(CUT, 2, seed=1).begin_deal(**given).cut


# Of each door that takes a whole number: its name, a number that it takes, and what it comes to with a number.
DOORS: dict[str, tuple[int, Taking]] = {
    "Deal players": (2, lambda number: Deal(RULES, number).dump()),
    "Deal dealer": (1, lambda number: Deal(RULES, 2, number).dump()),
    "Deal totals": (1, lambda number: Deal(RULES, 2, 0, (number, 0)).totals),
    "Deal seed": (1, lambda number: Deal(RULES, 2, seed=number).dump()),
    "Deal.from_pack dealer": (1, lambda n: Deal.from_pack(RULES, 2, shuffled_pack(RULES, SEED, "m", 1), n).dump()),
    "Deal.check": (0, lambda number: deal().check(number)),
    "Deal.refusal": (0, lambda number: deal().refusal(number)),
    "Deal.apply": (0, lambda number: changed(lambda one: one.apply(number))),
    "Deal.apply_unchecked": (0, lambda number: changed(lambda one: one.apply_unchecked(number))),
    "Deal.score": (1, lambda number: deal().score(number)),
    "Deal.seed": (1, lambda number: changed(lambda one: one.seed(number))),
    "Deal.choose": (1, lambda number: deal().choose(number, 1)),
    "Deal.choose seed": (1, lambda number: deal().choose(0, number)),
    "Deal.scored": (POLICIES.index("club"), lambda number: deal().scored(number)),
    "Deal.playout": (1, lambda number: changed(lambda one: one.playout(number, 1))),
    "Deal.playout seed": (1, lambda number: changed(lambda one: one.playout(0, number))),
    "Deal.hand": (1, lambda number: deal().hand(number)),
    "Deal.hand_count": (1, lambda number: deal().hand_count(number)),
    "Deal.known": (1, lambda number: deal().known(number)),
    "Deal.meld_list": (1, lambda number: deal().meld_list(number)),
    "Deal.meld_turns": (1, lambda number: deal().meld_turns(number)),
    "Deal.morto_cards": (1, lambda number: deal().morto_cards(number)),
    "play_many policy": (1, lambda number: play_many(deal(), number, 1, 2)),
    "play_many seed": (1, lambda number: play_many(deal(), 0, number, 2)),
    "play_many count": (1, lambda number: play_many(deal(), 0, 1, number)),
    "play_pairs players": (2, lambda number: play_pairs(RULES, number, (0, 1))),
    "play_pairs policies": (1, lambda number: play_pairs(RULES, 2, (0, number))),
    "play_pairs seed": (1, lambda number: play_pairs(RULES, 2, (0, 1), seed=number)),
    "play_pairs count": (1, lambda number: play_pairs(RULES, 2, (0, 1), count=number)),
    "play_pairs totals": (1, lambda number: play_pairs(RULES, 2, (0, 1), totals=(number, 0))),
    "observe": (1, observed),
    "observe first": (1, lambda number: observed(0, number)),
    "legal_words": (1, worded),
    "Batch players": (2, lambda number: batch_of(players=number)),
    "Batch count": (1, lambda number: batch_of(count=number)),
    "Batch seed": (1, lambda number: batch_of(seed=number)),
    "Batch first": (1, lambda number: batch_of(first=number)),
    "Batch parts": (1, lambda number: batch_of(parts=number)),
    "Batch.deal": (1, lambda number: batch().deal(number).dump()),
    "Batch.step part": (1, stepped),
    "Batch.random_legal seed": (1, lambda number: drawn(seed=number)),
    "Batch.random_legal part": (1, lambda number: drawn(part=number)),
    "seed_of": (1, lambda number: seed_of(number, 0, 0)),
    "seed_of table": (1, lambda number: seed_of(0, number, 0)),
    "seed_of number": (1, lambda number: seed_of(0, 0, number)),
    "dealer_of players": (2, lambda number: dealer_of(number, 1, 0)),
    "dealer_of table": (1, lambda number: dealer_of(4, number, 0)),
    "dealer_of number": (1, lambda number: dealer_of(4, 0, number)),
    "action_meld": (ACTION_RUN, action_meld),
    "meld_action": (MELD, meld_action),
    "add_action slot": (1, lambda number: add_action(number, 0, 0, 0)),
    "add_action card": (1, lambda number: add_action(0, number, 0, 0)),
    "add_action how": (1, lambda number: add_action(0, 0, number, 0)),
    "add_action high": (1, lambda number: add_action(0, 0, 0, number)),
    "decode_add": (ACTION_ADD, decode_add),
    "result_meld": (ACTION_RUN, lambda number: result_meld(deal().position(), number)),
    "unpack": (MELD, unpack),
    "code_name": (1, code_name),
    "seed_bytes": (1, seed_bytes),
    "commitment_of": (1, lambda number: commitment_of(SEED, "m", number)),
    "deal_seed": (1, lambda number: deal_seed(SEED, "m", number, (None, None))),
    "DealSeeds": (1, lambda number: DealSeeds("m", number, SEED, (None, None)).commitment),
    "DealSeeds.with_player_seed": (
        1,
        lambda number: DealSeeds("m", 1, SEED, (None, None)).with_player_seed(number, SEED).waiting,
    ),
    "shuffled_pack": (1, lambda number: shuffled_pack(RULES, SEED, "m", number)),
    "Draws.below": (7, lambda number: Draws(SEED, b"").below(number)),
    "score_sheet": (1, lambda number: score_sheet(deal(), number)),
    "hide": (1, lambda number: hide(deal().position(), number)),
    "view_of": (1, lambda number: view_of(deal(), number)),
    "view_of state_number": (1, lambda number: view_of(deal(), 0, number)),
    "determinize": (1, lambda number: determinize(view_of(deal(), 1), number).dump()),
    "Match players": (2, lambda number: Match(RULES, number).players),
    "Match seed": (1, lambda number: Match(RULES, 2, seed=number).seed),
    "Match first_dealer": (1, lambda number: Match(RULES, 2, first_dealer=number).dealer),
    "Match.begin_deal cut_aim": (3, lambda number: begun(cut_aim=number)),
    "Match.begin_deal cut_count": (3, lambda number: begun(cut_count=number)),
    "Host.view": (1, lambda number: host().view(number)),
    "Host.events": (1, lambda number: host().events(number)),
    "Host.events since": (1, lambda number: host().events(0, number)),
    "Host.why seat": (1, lambda number: host().why(number, 0)),
    "Host.why action": (1, lambda number: host().why(0, number)),
    "Host.act seat": (0, lambda number: host().act(number, 0)),
    "Host.act action": (0, lambda number: host().act(0, number)),
    "Host.act number": (1, lambda number: host().act(0, 0, number)),
    "Host.can_undo": (1, lambda number: host().can_undo(number)),
    "Host.undo seat": (acted().seat or 0, lambda number: undone(seat=number)),
    "Host.undo number": (acted().state_number, lambda number: undone(number=number)),
    "Host.undo count": (1, lambda number: undone(count=number)),
    "decode_action": (1, decode_action),
    "format_action": (1, format_action),
    "action_json": (1, action_json),
    "format_meld": (MELD, format_meld),
    "meld_words": (MELD, meld_words),
    "Limit ms": (1, lambda number: Limit(ms=number)),
    "Limit nodes": (1, lambda number: Limit(nodes=number)),
    "make_bot seed": (1, lambda number: make_bot("random", number).choose(view_of(deal(), deal().seat), Limit())),
    "make_bot threads": (1, lambda number: make_bot("random", threads=number).level),
    "aec players": (2, lambda number: aec(RULES, number).possible_agents),
    "aec deals": (1, lambda number: aec(RULES, 2, number).possible_agents),
    "single players": (2, lambda number: str(single(RULES, number).observation_space)),
    "single seat": (1, lambda number: str(single(RULES, 2, seat=number).observation_space)),
    "single nodes": (1, lambda number: str(single(RULES, 2, nodes=number).observation_space)),
    "VectorEnv players": (2, lambda number: VectorEnv(RULES, number, count=1).players),
    "VectorEnv count": (1, lambda number: VectorEnv(RULES, 2, count=number).count),
    "VectorEnv seed": (1, lambda number: VectorEnv(RULES, 2, count=1, seed=number).seed),
    "VectorEnv first": (1, lambda number: VectorEnv(RULES, 2, count=1, first=number).first),
    "VectorEnv threads": (1, lambda number: VectorEnv(RULES, 2, count=1, threads=number).threads),
    "VectorEnv.deal": (0, lambda number: VectorEnv(RULES, 2, count=1).deal(number).dump()),
    "VectorEnv.random_legal": (1, lambda number: list(VectorEnv(RULES, 2, count=1).random_legal(number))),
}


@pytest.mark.parametrize("name", DOORS)
def test_what_is_no_whole_number_is_refused_and_named(name: str) -> None:
    number, take = DOORS[name]
    for wrong in (number + 0.5, float(number), str(number), float("nan"), [number]):
        with pytest.raises(TypeError, match="is a whole number, not"):
            take(wrong)


@pytest.mark.parametrize("name", DOORS)
def test_a_number_of_numpy_is_as_good_as_one_of_python(name: str) -> None:
    number, take = DOORS[name]
    wanted = take(number)
    for kind in (np.int64, np.uint32) if number < 128 else (np.int64,):
        found = take(kind(number))
        # As text too: a number of NumPy that was kept would say what it is.
        assert (found, repr(found)) == (wanted, repr(wanted))


@pytest.mark.parametrize("name", [name for name, (number, _) in DOORS.items() if number == 1])
def test_true_is_the_number_1_and_is_never_kept_as_a_word(name: str) -> None:
    number, take = DOORS[name]
    wanted, found = take(number), take(True)
    assert (found, repr(found)) == (wanted, repr(wanted))


def test_a_refused_number_changes_nothing() -> None:
    made = acted()
    before = (made.state_number, made.acts, made.events(None), made.position(), copy.copy(made.match.deal()).dump())
    for wrong in (
        lambda: made.act(0, 0.5),  # type: ignore[arg-type]
        lambda: made.act(0.5, 0),  # type: ignore[arg-type]
        lambda: made.undo(made.seat, None, 0.5),  # type: ignore[arg-type]
        lambda: made.view(0.5),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            wrong()
    assert before == (
        made.state_number,
        made.acts,
        made.events(None),
        made.position(),
        copy.copy(made.match.deal()).dump(),
    )


@pytest.mark.parametrize("number", [-1, 1000])
def test_a_number_that_is_no_code_has_no_name(number: int) -> None:
    with pytest.raises(ValueError, match="code"):
        code_name(number)
