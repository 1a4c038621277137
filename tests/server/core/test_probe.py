"""What selected cards would be, asked of positions made by hand."""

from __future__ import annotations

import json
import random

import pytest

from buraco.cards import card_text
from buraco.engine import ACTION_COUNT, Deal, Host, Match, action_meld
from buraco.engine.position import Position
from buraco.engine.shapes import meld_cards
from buraco.errors import BuracoError
from buraco.rules import RULE_SETS
from buraco.server.messages import Probe, ProbeResult
from buraco.server.probe import probe_cards
from buraco.server.reading import read_client
from buraco.server.snapshots import build_view
from tests.unit.making import MELDS, game_sets, run, same_rank, table
from tests.unit.walking import host_of, random_action

OTHERS = ("3d 4d 5d", "3h 4h 5h", "3s 4s 5s")


def at(position: Position) -> Host:
    """Return a host whose deal stands at a position."""
    match = Match(position.rules, position.players, first_dealer=position.dealer)
    host = Host(match)
    host.next_deal()
    host._deal = Deal.from_position(position)
    host._position = host._deal.position()
    return host


def asked(position: Position, cards: str, meld: int | None = None, seat: int = 0) -> ProbeResult:
    return probe_cards(at(position), seat, cards.split(), meld)


def playing(hand: str, rules: str = "aberto", **changes: object) -> Position:
    return table(rules, hand, *OTHERS, phase="play", drew_stock=True, **changes)  # type: ignore[arg-type]


def test_a_clean_run_in_any_order() -> None:
    found = asked(playing("5c 7c 6c Kd Ks"), "7c 5c 6c")
    assert len(found.options) == 1
    option = found.options[0]
    assert (option.kind, option.words, option.clean, option.category) == ("run", ("5c", "6c", "7c"), True, "plain")
    assert (option.legal, option.points, option.bonus, len(option.actions)) == (True, 15, 0, 1)


def test_a_wild_may_lie_in_several_places() -> None:
    found = asked(playing("5c 6c X Kd Ks"), "5c X 6c")
    assert {option.words for option in found.options} == {("X=4", "5c", "6c"), ("5c", "6c", "X=7")}
    assert all(not option.clean and option.legal for option in found.options)


CANASTA = run("c", 3, 9)


@pytest.mark.parametrize(
    ("hand", "cards", "owners", "ends"),
    [
        ("5d 6d 7d", "5d 6d 7d", (0, 1), True),
        ("5d 6d 7d", "5d 6d 7d", (0, 2), True),
        ("5d 6d 7d", "5d 6d 7d", (-1, -1), False),
        ("5d 6d 7d Kd", "5d 6d 7d", (0, 1), False),
    ],
    ids=["morto taken", "other morto is the stock", "a morto comes", "a card is left"],
)
def test_a_meld_with_which_the_seat_goes_out_says_so(
    hand: str, cards: str, owners: tuple[int, int], ends: bool
) -> None:
    position = playing(hand, "fechado", melds=((CANASTA,), ()), owners=owners)
    options = asked(position, cards).options
    assert [(option.legal, option.ends_deal) for option in options] == [(True, ends)]


def test_additions_with_which_the_seat_goes_out_say_so() -> None:
    position = playing("Tc Jc", "fechado", melds=((CANASTA,), ()), owners=(0, 1))
    assert [option.ends_deal for option in asked(position, "Jc Tc", 1).options] == [True]
    assert [option.ends_deal for option in asked(position, "Tc", 1).options] == [False]


def test_what_may_not_be_done_ends_no_deal() -> None:
    options = asked(playing("5d 6d 7d", owners=(0, 1)), "5d 6d 7d").options
    assert [(option.legal, option.ends_deal) for option in options] == [(False, False)]


@pytest.mark.parametrize(("rules", "players"), game_sets())
def test_who_goes_out_is_told_so_before_and_nobody_else(rules: str, players: int) -> None:
    source = random.Random(f"out {rules} {players}")
    host = host_of(rules, players, seed=7)
    while (seat := host.seat) is not None:
        legal = build_view(host, seat).legal
        assert legal is not None
        said = {one.action: one.ends_deal for one in legal.discards}
        action = random_action(legal.actions, source)
        host.act(seat, action, host.state_number)
        if action in said:
            assert said[action] == (host.position().end_kind == "closed")


@pytest.mark.parametrize(("meld", "code"), [(None, "no_meld"), (1, "no_addition")])
def test_more_cards_than_any_meld_holds_are_none_of_one(meld: int | None, code: str) -> None:
    hand = "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Kd Ks Kh Qd Qs"
    found = asked(playing(hand, melds=((run("d", 3, 5),), ())), hand, meld)
    assert (found.options, found.code) == ((), code)


def test_a_whole_large_hand_may_be_asked_about() -> None:
    cards = [card_text(number % 53) for number in range(104)]
    asked_for = {"type": "probe", "id": "a", "version": 1, "cards": cards, "meld": None}
    assert isinstance(read_client(json.dumps(asked_for)), Probe)


def test_a_canasta_tells_its_bonus() -> None:
    found = asked(playing("3c 4c 5c 6c 7c 8c 9c Kd Ks"), "3c 4c 5c 6c 7c 8c 9c")
    assert (found.options[0].category, found.options[0].bonus) == ("clean", RULE_SETS["aberto"].bonus_clean)


def test_cards_that_are_no_meld() -> None:
    found = asked(playing("5c 6d 7c Kd Ks"), "5c 6d 7c")
    assert (found.options, found.code) == ((), "no_meld")
    assert found.text
    assert asked(playing("5c 6c 7c Kd"), "5c 6c").code == "no_meld"


def test_a_set_where_sets_are_not_allowed_has_its_reason() -> None:
    found = asked(playing("7c 7d 7h Kd Ks"), "7c 7d 7h")
    assert (found.code, found.options[0].legal, found.options[0].kind) == ("sets_not_allowed", False, "set")
    assert found.text
    assert found.citation
    burraco = RULE_SETS["burraco"]
    assert asked(playing("7c 7d 7h Kd Ks", "burraco"), "7c 7d 7h").options[0].legal == burraco.sets


def test_out_of_turn_the_shape_is_told_and_the_reason() -> None:
    position = table("aberto", "Kd Ks 9h", "5c 6c 7c Kh", *OTHERS[1:], phase="play", drew_stock=True)
    found = asked(position, "5c 6c 7c", seat=1)
    assert (found.code, found.options[0].words) == ("not_your_turn", ("5c", "6c", "7c"))


def test_a_card_is_added_with_every_place_of_the_wild() -> None:
    melds = ((run("c", 5, 7, "X", 6),), ())
    found = asked(playing("6c 9h Kd Ks", melds=melds), "6c", 1)
    assert {option.words for option in found.options if option.legal} >= {("5c", "6c", "7c", "X=8")}
    assert found.code == ""


def test_several_cards_find_their_order() -> None:
    melds = ((run("c", 5, 7),), ())
    found = asked(playing("9c 8c Tc 4c Kd Ks", melds=melds), "Tc 9c 8c 4c", 1)
    option = found.options[0]
    assert option.words == ("4c", "5c", "6c", "7c", "8c", "9c", "Tc")
    assert (option.legal, len(option.actions), option.category) == (True, 4, "clean")


def test_the_actions_of_an_order_can_be_taken() -> None:
    host = at(playing("9c 8c Tc X Kd Ks", melds=((run("c", 5, 7),), ())))
    for option in probe_cards(host, 0, ["Tc", "9c", "X"], 1).options:
        assert option.legal
        other = at(host.position())
        for action in option.actions:
            other.act(0, action)
        assert other.position().melds[0][0].packed >> 20 == 0


def test_cards_that_do_not_fit_say_why() -> None:
    melds = ((run("c", 5, 7),), ())
    found = asked(playing("9d Kd Ks", melds=melds), "9d", 1)
    assert (found.options, found.code) == ((), "wrong_suit")
    assert asked(playing("9d Kd Ks 8c", melds=melds), "9d 8c", 1).code == "no_addition"


def test_cards_that_fit_but_may_not_all_go_say_why() -> None:
    melds = ((run("c", 5, 7),), ())
    found = asked(playing("8c 9c", melds=melds, owners=(0, 1), mortos_gone=2), "8c 9c", 1)
    assert (found.code, found.options[0].legal) == ("turn_could_not_end", False)
    assert (found.options[0].words[-1], bool(found.citation)) == ("9c", True)
    assert asked(playing("8c 9c", melds=melds), "8c 9c", 1).code == ""


def test_a_set_takes_its_rank_and_one_wild() -> None:
    melds = ((same_rank("7c 7d 7h"),), ())
    found = asked(playing("7s X 2c Kd Ks", "burraco", melds=melds), "7s X", 1)
    assert any(option.legal and option.kind == "set" for option in found.options)
    assert asked(playing("X 2c Kd Ks", "burraco", melds=melds), "X 2c", 1).code != ""


@pytest.mark.parametrize(
    ("cards", "meld", "code"),
    [("9s", None, "not_held"), ("5c 5c", None, "not_held"), ("5c", 2, "no_such_meld"), ("zz", None, "card_text")],
)
def test_what_cannot_be_asked(cards: str, meld: int | None, code: str) -> None:
    with pytest.raises(BuracoError) as error:
        asked(playing("5c 6c 7c Kd", melds=((run("c", 5, 7),), ())), cards, meld)
    assert error.value.code == code
    assert error.value.message


@pytest.mark.parametrize(("rules", "players"), game_sets())
def test_every_legal_meld_and_addition_is_found_by_its_cards(rules: str, players: int) -> None:
    source = random.Random(f"{rules} {players}")
    host = host_of(rules, players, seed=11)
    for _ in range(120):
        seat = host.seat
        if seat is None:
            return
        view = build_view(host, seat)
        assert view.legal is not None
        melds = [action for action in view.legal.actions if action in MELDS]
        for action in source.sample(melds, min(2, len(melds))):
            cards = [card_text(card) for card in meld_cards(action_meld(action))]
            source.shuffle(cards)
            options = probe_cards(host, seat, cards, None).options
            assert action in {option.actions[0] for option in options if option.legal}
        adds = source.sample(view.legal.adds, min(2, len(view.legal.adds)))
        for add in adds:
            options = probe_cards(host, seat, [add.card], add.meld).options
            assert (add.action,) in {option.actions for option in options if option.legal}
        host.act(seat, random_action(view.legal.actions, source))


def test_the_legal_actions_by_kinds_are_all_of_them() -> None:
    source, host = random.Random(5), host_of("fechado", seed=2)
    while (seat := host.seat) is not None:
        legal = build_view(host, seat).legal
        assert legal is not None
        plain = [n for n, yes in enumerate((legal.draw, legal.pile, legal.keep, legal.reject)) if yes]
        kinds = plain + [one.action for one in legal.discards] + [one.action for one in legal.adds]
        melds = [action for action in legal.actions if action in MELDS]
        assert sorted(kinds + melds) == list(legal.actions)
        assert legal.melds == len(melds)
        assert all(0 <= action < ACTION_COUNT for action in legal.actions)
        assert legal.duties
        assert all(duty.text for duty in legal.duties)
        host.act(seat, random_action(legal.actions, source))


def test_the_duty_of_a_draw_names_the_pile_only_where_it_may_be_taken() -> None:
    source, host, seen = random.Random(5), host_of("fechado", seed=2), set()
    while (seat := host.seat) is not None:
        view = build_view(host, seat)
        assert view.legal is not None
        codes = [duty.code for duty in view.legal.duties]
        if view.phase == "draw":
            assert codes == ["must_draw" if view.legal.pile else "must_draw_stock"]
            seen.add((view.legal.pile, view.pile_count > 0))
        assert ("discard" in codes) == (view.phase == "play"), "only then may melds be laid and a card discarded"
        host.act(seat, random_action(view.legal.actions, source))
    assert seen == {(True, True), (False, True), (False, False)}
