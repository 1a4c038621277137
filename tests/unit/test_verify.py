"""The verification of shuffles: an honest server passes, and every way to cheat is found where it was done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from buraco.cards import card_text
from buraco.engine import PUBLIC_SEED, DealSeeds, Host, Match
from buraco.engine.match import Cut, lifted_count
from buraco.errors import ParseError, RecordError
from buraco.notation import (
    DealWitness,
    Finding,
    Record,
    SeatRecord,
    Witness,
    finding_json,
    format_record,
    parse_record,
    parse_witness,
    record_from_json,
    record_json,
    record_of,
    replay,
    restore,
    schema,
    verify,
    witness_json,
)
from buraco.notation.witness import WITNESS_TEXT_MAX
from buraco.rules import get_rules
from tests.unit.fair_match import BOT_SEAT, SILENT_SEAT, FairTable, fair_record, secret, with_deal
from tests.unit.making import game_sets


def codes(findings: Sequence[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def only(findings: Sequence[Finding]) -> Finding:
    assert len(findings) == 1, codes(findings)
    return findings[0]


def with_packs(record: Record) -> Record:
    """Return the record with every pack told, as it was dealt."""
    for step in replay(record):
        if step.start is not None:
            record = with_deal(record, step.deal, pack=step.start.pack)
    return record


def swapped(pack: Sequence[int], one: int, other: int) -> tuple[int, ...]:
    cards = list(pack)
    cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


# An honest server.


@pytest.mark.parametrize(("rules", "players"), game_sets())
def test_an_honest_match_verifies_by_its_record_and_by_what_everyone_kept(rules: str, players: int) -> None:
    table = FairTable(rules, players)
    record = table.play()
    witnesses = [table.witness(seat, record) for seat in range(-1, players)]
    assert verify(record) == ()
    assert verify(record, witnesses) == ()
    assert verify(parse_record(format_record(record)), witnesses) == ()
    assert verify(with_packs(record)) == ()


def test_the_record_of_a_fair_match_comes_back_from_both_forms() -> None:
    for rules, players in (("classico", 4), ("burraco", 2)):
        record = fair_record(rules, players)
        assert parse_record(format_record(record)) == record
        form = json.loads(json.dumps(record_json(record)))
        Draft202012Validator(schema("record")).validate(form)
        assert record_from_json(form) == record
        assert not record.seed


def test_the_record_says_which_seats_gave_a_seed_and_how_far_the_cut_aimed() -> None:
    lines = format_record(fair_record("classico")).splitlines()
    assert sum(line.startswith("player_seed 0: ") for line in lines) == 2
    assert not any(line.startswith((f"player_seed {BOT_SEAT}", f"player_seed {SILENT_SEAT}")) for line in lines)
    assert any(line.startswith("cut: ") and line.endswith(" aim 21") for line in lines)


def test_a_match_stopped_in_a_deal_verifies_once_its_seed_is_revealed() -> None:
    record = fair_record(last=5)
    assert record.deals[-1].outcome is None
    assert verify(record) == ()


def test_a_fair_match_is_not_played_on_from_its_record() -> None:
    with pytest.raises(RecordError) as caught:
        restore(fair_record(last=5))
    assert caught.value.code == "record_seed"


def test_a_record_takes_the_seeds_of_its_deals_only() -> None:
    seeds = DealSeeds("k7", 1, secret(1), (None,) * 4)
    host = Host(Match(get_rules("aberto"), seed=seeds.deal_seed, name="k7", own_seeds=True))
    start = host.next_deal(seed=seeds.deal_seed)
    seats = [SeatRecord("a")] * 4
    for wrong in ([], [replace(seeds, deal=2)], [replace(seeds, match="k8")], [seeds, replace(seeds, deal=2)]):
        with pytest.raises(ValueError, match="seeds"):
            record_of(host, [start], seats, seeds=wrong)
    assert record_of(host, [start], seats, seeds=[seeds]).deals[0].commitment == seeds.commitment.hex()
    own = Host(Match(get_rules("aberto"), seed=1))
    with pytest.raises(ValueError, match="seeds"):
        record_of(own, [own.next_deal()], seats, seeds=[seeds])


# A server that cheats and writes an honest-looking record.


class StackedPack(FairTable):
    """Deals other cards than the seeds give: in deal 2 the ace of a hand changes places with a card of the stock."""

    def pack(self, deal: int) -> tuple[int, ...]:
        honest = super().pack(deal)
        return swapped(honest, 5, 100) if deal == 2 else honest


def test_a_pack_that_is_written_as_it_was_stacked_is_found_at_its_cards() -> None:
    table = StackedPack("aberto")
    record = table.play(with_packs=True)
    finding = only(verify(record))
    honest = FairTable.pack(table, 2)
    assert (finding.code, finding.deal, finding.card, finding.fault) == ("pack", 2, 6, True)
    assert finding.seat == (record.deals[1].dealer + 1 + 5) % 4
    assert dict(finding.values)["found"] == card_text(honest[100])
    assert dict(finding.values)["expected"] == card_text(honest[5])
    assert finding.text() == (
        f"Deal 2: card 6 of the pack, dealt to seat {finding.seat}, is {card_text(honest[100])}, but the seeds give "
        f"{card_text(honest[5])}. Wrong cards in this pack: 2."
    )


def test_a_stacked_pack_that_is_not_written_cannot_have_been_played() -> None:
    class Stacked(FairTable):
        def pack(self, deal: int) -> tuple[int, ...]:
            return tuple(reversed(super().pack(deal)))

    finding = only(verify(Stacked("aberto").play()))
    assert (finding.code, finding.deal) == ("replay", 1)
    assert "deal 1, turn" in finding.text()


@pytest.mark.parametrize(
    ("index", "place"),
    [(43, "dealt to seat"), (44, "of morto 1"), (55, "of morto 2"), (66, "the up-card"), (67, "number 1 of the stock")],
)
def test_a_finding_says_where_the_card_was_dealt(index: int, place: str) -> None:
    record = with_packs(fair_record("burraco"))
    pack = record.deals[0].pack
    assert pack is not None
    other = next(at for at in range(index + 1, len(pack)) if pack[at] != pack[index])
    found = verify(with_deal(record, 1, pack=swapped(pack, index, other)))[0]
    assert (found.code, found.card) == ("pack", index + 1)
    assert place in found.text()


def test_a_pack_that_lacks_a_card_is_found() -> None:
    record = with_packs(fair_record())
    found = verify(with_deal(record, 1, pack=(record.deals[0].pack or ())[:-1]))
    assert codes(found) == ["pack", "replay"]
    assert dict(found[0].values)["found"] == "-"


def test_a_seed_that_was_changed_after_the_commitment_is_found() -> None:
    class Changed(FairTable):
        late = False

        def server_seed(self, deal: int) -> bytes:
            return secret("better", deal) if self.late and deal == 2 else super().server_seed(deal)

    table = Changed("aberto")
    committed = table.seeds(2).commitment.hex()
    table.late = True
    record = with_deal(table.play(), 2, commitment=committed)
    finding = only(verify(record))
    assert (finding.code, finding.deal) == ("commitment_broken", 2)
    assert dict(finding.values)["expected"] == committed


def test_a_seed_drawn_after_the_players_gave_theirs_is_found_by_anyone_who_kept_the_commitment() -> None:
    class Late(FairTable):
        def server_seed(self, deal: int) -> bytes:
            return secret("better", deal)

    table = Late("aberto")
    record = table.play()
    assert verify(record) == ()
    shown = FairTable("aberto").seeds(1).commitment.hex()
    seen = DealWitness(number=1, commitment=shown)
    finding = only(verify(record, [Witness(table.name, -1, (seen,))]))
    assert (finding.code, finding.deal) == ("witness_commitment", 1)
    assert dict(finding.values) == {"found": record.deals[0].commitment, "expected": shown}


def test_a_seed_that_was_asked_for_without_a_commitment_is_found() -> None:
    table = FairTable("aberto")
    record = table.play()
    seen = DealWitness(number=1, player_seed=record.deals[0].player_seeds[0])
    assert only(verify(record, [Witness(table.name, 0, (seen,))])).code == "witness_late"


def test_a_seed_of_a_player_that_is_written_but_was_not_used_is_found() -> None:
    class Ignoring(FairTable):
        def dealt_seed(self, deal: int) -> bytes:
            seeds = self.seeds(deal)
            return replace(seeds, player_seeds=(None, *seeds.player_seeds[1:])).deal_seed

    record = Ignoring("aberto").play(with_packs=True)
    found = verify(record)
    assert {(finding.code, finding.deal) for finding in found} >= {("pack", 1), ("pack", 2)}
    assert codes(verify(with_deal(with_deal(record, 1, pack=None), 2, pack=None))) == ["dealer", "replay"]


def test_a_seed_of_a_player_that_is_left_out_of_the_record_is_found_by_that_player() -> None:
    class Ignoring(FairTable):
        def seeds(self, deal: int) -> DealSeeds:
            seeds = super().seeds(deal)
            return replace(seeds, player_seeds=(None, *seeds.player_seeds[1:]))

    table = Ignoring("aberto")
    record = table.play()
    assert verify(record) == ()
    found = verify(record, [table.witness(0, record)])
    assert {(finding.code, finding.seat) for finding in found} == {("witness_seed", 0), ("witness_seeds", 0)}
    assert "the seed that seat 0 gave is not in the record" in " ".join(finding.text() for finding in found)


@pytest.mark.parametrize("more", [1, -1])
def test_a_cut_other_than_the_seeds_give_is_found(more: int) -> None:
    record = fair_record("classico")
    cut = record.deals[0].cut
    assert cut is not None
    found = verify(with_deal(record, 1, cut=replace(cut, count=cut.count + more)))
    assert codes(found)[0] == "cut"
    assert (found[0].deal, found[0].seat) == (1, cut.seat)
    assert dict(found[0].values) == {
        "aim": str(cut.aim),
        "found": str(cut.count + more),
        "expected": str(cut.count),
    }


def test_a_cut_that_would_pay_cannot_hide_its_aim() -> None:
    record = fair_record("classico")
    cut = record.deals[0].cut
    assert cut is not None
    assert "cut_aim_missing" in codes(verify(with_deal(record, 1, cut=replace(cut, aim=-1))))
    other = next(aim for aim in range(1, 100) if _lifted(record, aim) == 22)
    lie = with_deal(record, 1, cut=Cut(cut.seat, 22, 100, other))
    assert "cut" not in codes(verify(lie))
    kept = Witness(record.name, cut.seat, (DealWitness(number=1, cut_aim=cut.aim),))
    assert "witness_aim" in codes(verify(lie, [kept]))


def _lifted(record: Record, aim: int) -> int:
    seed = FairTable("classico").seeds(1).deal_seed
    return lifted_count(record.rules, seed, record.name, 1, aim)


def test_an_aim_beyond_the_pack_is_a_finding() -> None:
    record = fair_record("classico")
    cut = record.deals[0].cut
    assert cut is not None
    assert codes(verify(with_deal(record, 1, cut=replace(cut, aim=500)))) == ["evidence", "replay"]


@pytest.mark.parametrize("rules", ["aberto", "classico", "burraco"])
def test_another_first_dealer_than_the_draw_gives_is_found(rules: str) -> None:
    record = fair_record(rules)
    lie = replace(record, first_dealer=(record.first_dealer + 1) % 4)
    found = verify(lie)
    assert codes(found) == ["dealer", "replay"]
    assert dict(found[0].values)["expected"] == str(record.first_dealer)


def test_other_cards_of_the_draw_for_the_dealer_are_found() -> None:
    record = fair_record("burraco")
    seat, card = record.dealer_rounds[0][0]
    rounds = (((seat, (card + 1) % 52), *record.dealer_rounds[0][1:]), *record.dealer_rounds[1:])
    assert codes(verify(replace(record, dealer_rounds=rounds)))[0] == "dealer"


def test_a_dealer_that_was_chosen_is_told_and_no_fault() -> None:
    record = fair_record()
    finding = only(verify(replace(record, dealer_drawn=False)))
    assert (finding.code, finding.fault) == ("dealer_chosen", False)


def test_a_seed_that_is_not_revealed_is_found() -> None:
    record = with_packs(fair_record())
    finding = only(verify(with_deal(record, 2, revealed_seed="")))
    assert (finding.code, finding.deal) == ("reveal_missing", 2)
    hidden = with_deal(record, 1, revealed_seed="")
    assert "reveal_missing" in codes(verify(hidden))


def test_a_deal_without_a_commitment_is_found() -> None:
    finding = only(verify(with_deal(fair_record(), 1, commitment="")))
    assert (finding.code, finding.deal) == ("commitment_missing", 1)


def test_a_record_without_any_evidence_does_not_verify() -> None:
    record = replace(fair_record(), seed="00" * 32, dealer_drawn=False)
    bare = replace(record, deals=tuple(replace(deal, commitment="", revealed_seed="") for deal in record.deals))
    assert codes(verify(bare))[0] == "no_evidence"
    assert codes(verify(replace(record, deals=(), winner=""))) == ["no_evidence"]


def test_a_seed_of_the_match_does_not_pass_for_those_of_the_deals() -> None:
    found = verify(replace(fair_record(), seed="00" * 32))
    assert {("pack", 1), ("pack", 2)} <= {(finding.code, finding.deal) for finding in found}


def test_a_seed_used_again_is_found() -> None:
    class Lazy(FairTable):
        def server_seed(self, deal: int) -> bytes:
            return secret("always", deal * 0)

    finding = only(verify(Lazy("aberto").play()))
    assert (finding.code, finding.deal, dict(finding.values)) == ("seed_again", 2, {"other": "1"})


def test_a_bot_with_a_seed_of_its_own_is_found() -> None:
    class Helped(FairTable):
        def client_seed(self, deal: int, seat: int) -> bytes | None:
            return secret("tried", deal) if seat == BOT_SEAT else super().client_seed(deal, seat)

    found = verify(Helped("aberto").play())
    assert [(finding.code, finding.deal, finding.seat) for finding in found] == [("bot_seed", 1, 1), ("bot_seed", 2, 1)]


def test_the_public_constant_in_disguise_is_found() -> None:
    record = fair_record()
    seeds = record.deals[0].player_seeds
    finding = only(verify(with_deal(record, 1, player_seeds=(*seeds[:SILENT_SEAT], PUBLIC_SEED.hex()))))
    assert (finding.code, finding.seat) == ("public_seed", SILENT_SEAT)


def test_a_deal_to_which_no_player_gave_a_seed_is_told_and_no_fault() -> None:
    class Silent(FairTable):
        def client_seed(self, deal: int, seat: int) -> bytes | None:
            return None if deal == 1 else super().client_seed(deal, seat)

    record = Silent("aberto").play()
    assert parse_record(format_record(record)) == record
    finding = only(verify(record))
    assert (finding.code, finding.deal, finding.fault) == ("no_player_seed", 1, False)


# What players kept.


def test_a_hand_other_than_the_player_was_dealt_is_found() -> None:
    table = FairTable("aberto")
    record = table.play()
    hands = next(step.position.hands for step in replay(record) if step.kind == "deal")
    for seat, hand in enumerate(hands):
        assert verify(record, [Witness(table.name, seat, (DealWitness(number=1, hand=hand),))]) == ()
        other = hands[(seat + 1) % 4]
        found = only(verify(record, [Witness(table.name, seat, (DealWitness(number=1, hand=other),))]))
        assert (found.code, found.deal, found.seat) == ("witness_hand", 1, seat)


def test_a_deal_begun_twice_is_found() -> None:
    table = FairTable("aberto")
    record = table.play()
    first = DealSeeds(table.name, 1, secret("first try"), (None,) * 4)
    seen = (DealWitness(number=1, commitment=first.commitment.hex()), *table.witness(0, record).deals)
    assert codes(verify(record, [Witness(table.name, 0, seen)])) == ["witness_commitment"]


@pytest.mark.parametrize(("hand", "fault"), [(None, False), ((1, 2, 3), True)])
def test_a_deal_that_is_not_in_the_record_is_a_fault_once_it_was_dealt(
    hand: tuple[int, ...] | None, fault: bool
) -> None:
    seen = DealWitness(number=3, commitment="ab" * 32, hand=hand)
    finding = only(verify(fair_record(), [Witness("k7-31", 0, (seen,))]))
    assert (finding.code, finding.deal, finding.fault) == ("witness_deal", 3, fault)


@pytest.mark.parametrize("witness", [Witness("k7-32", 0, ()), Witness("k7-31", 3, ())])
def test_a_witness_of_another_match_or_seat_is_found(witness: Witness) -> None:
    assert only(verify(fair_record(players=2, rules="fechado"), [witness])).code == "witness_match"


def test_a_witness_comes_back_from_its_text() -> None:
    table = FairTable("classico")
    record = table.play()
    for seat in range(-1, 4):
        kept = table.witness(seat, record)
        kept = replace(kept, deals=(*kept.deals, DealWitness(number=2, hand=(52, 0, 0))))
        form = witness_json(kept)
        Draft202012Validator(schema("witness")).validate(form)
        assert parse_witness(json.dumps(form)) == kept


@pytest.mark.parametrize(
    "change",
    [
        {"format": "buraco-record"},
        {"version": 2},
        {"version": True},
        {"match": 5},
        {"match": "x" * 3000},
        {"seat": 4},
        {"seat": True},
        {"seat": "0"},
        {"deals": {}},
        {"deals": [[]]},
        {"deals": [{"number": 0}]},
        {"deals": [{}]},
        {"deals": [{"number": 1, "commitment": "xyz"}]},
        {"deals": [{"number": 1, "player_seeds": ["ab"]}]},
        {"deals": [{"number": 1, "player_seeds": "ab"}]},
        {"deals": [{"number": 1, "hand": ["1h"]}]},
        {"deals": [{"number": 1, "hand": [5]}]},
        {"deals": [{"number": 1, "cut_aim": -1}]},
        {"deals": [{"number": 1, "time": 5}]},
        {"colour": "red"},
    ],
)
def test_a_witness_in_a_wrong_form_is_refused(change: dict[str, object]) -> None:
    form = {"format": "buraco-witness", "version": 1, "match": "m", "deals": [], **change}
    with pytest.raises(ParseError) as caught:
        parse_witness(json.dumps(form))
    assert caught.value.code == "witness_form"


@pytest.mark.parametrize("text", ["", "[]", "5", "{", "[" * 9000, "x" * (WITNESS_TEXT_MAX + 1)])
def test_a_text_that_is_no_witness_is_refused(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_witness(text)
    assert caught.value.code == "witness_form"


# Findings, and hostile records.


def test_a_finding_in_json_has_its_sentence_and_no_empty_number() -> None:
    form = finding_json(Finding(code="seed_again", deal=2, values=(("other", "1"),)))
    assert form["text"] == "Deal 2: the server used its seed of deal 1 again, which everybody knew by then."
    assert (form["deal"], form["seat"], form["card"], form["fault"], form["other"]) == (2, None, None, True, "1")


@pytest.mark.parametrize(
    "changes",
    [
        {"revealed_seed": "zz"},
        {"revealed_seed": "ab"},
        {"player_seeds": ("ab" * 32,)},
        {"player_seeds": ("x",) * 4},
        {"player_seeds": ("",) * 5},
    ],
)
def test_evidence_that_no_reader_would_take_is_a_finding(changes: dict[str, Any]) -> None:
    found = verify(with_deal(fair_record(), 1, **changes))
    assert codes(found) == ["evidence", "replay"]
    assert all(finding.fault and finding.text() for finding in found)


_HEX = st.sampled_from(["", "00" * 32, "ff" * 32, PUBLIC_SEED.hex(), secret("server", 1).hex()])
_CARDS = st.lists(st.integers(0, 52), max_size=110).map(tuple)
_CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "commitment": _HEX,
    "revealed_seed": _HEX,
    "player_seeds": st.just(()) | st.lists(_HEX, min_size=4, max_size=4).map(tuple),
    "pack": st.none() | _CARDS,
    "dealer": st.integers(0, 3),
    "totals": st.tuples(st.integers(), st.integers()),
    "cut": st.none() | st.builds(Cut, st.integers(0, 3), st.integers(0), st.integers(0), st.integers(-1)),
    "turns": st.just(()),
    "outcome": st.none(),
}
_DEAL_CHANGES = st.fixed_dictionaries({}, optional=_CHANGES)
_SEEN = st.builds(
    DealWitness,
    number=st.integers(1, 4),
    commitment=_HEX,
    player_seed=_HEX,
    cut_aim=st.integers(-1, 200),
    player_seeds=st.none() | st.lists(_HEX, max_size=5).map(tuple),
    hand=st.none() | _CARDS,
)
_WITNESSES = st.lists(st.builds(Witness, st.sampled_from(["k7-31", "x"]), st.integers(-1, 3), st.tuples(_SEEN, _SEEN)))


@pytest.fixture(scope="module")
def honest() -> Callable[[str], Record]:
    known = {rules: fair_record(rules, last=10) for rules in ("aberto", "classico", "burraco")}
    return known.__getitem__


@settings(max_examples=60)
@given(
    rules=st.sampled_from(["aberto", "classico", "burraco"]),
    first=_DEAL_CHANGES,
    second=_DEAL_CHANGES,
    seed=_HEX,
    drawn=st.booleans(),
    name=st.sampled_from(["k7-31", "", "é", "x" * 2000]),
    witnesses=_WITNESSES,
)
def test_a_hostile_record_gives_findings_and_never_an_exception(
    honest: Callable[[str], Record],
    rules: str,
    first: dict[str, Any],
    second: dict[str, Any],
    seed: str,
    drawn: bool,
    name: str,
    witnesses: list[Witness],
) -> None:
    record = with_deal(with_deal(honest(rules), 1, **first), 2, **second)
    record = replace(record, seed=seed, dealer_drawn=drawn, name=name)
    found = verify(record, witnesses)
    for finding in found:
        assert finding.text()
        assert json.dumps(finding_json(finding))
    changed = any(getattr(record.deals[0], key) != getattr(honest(rules).deals[0], key) for key in first)
    if changed and not any(finding.fault for finding in found):
        # Only what says nothing of the cards may be changed without being found.
        assert {key for key in first if getattr(record.deals[0], key) != getattr(honest(rules).deals[0], key)} <= {
            "pack"
        }


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | _HEX,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
_SEEN_FORMS = st.fixed_dictionaries(
    {"number": st.integers(1, 3) | _JSON},
    optional={
        name: _JSON | _HEX | st.lists(_HEX) for name in ("commitment", "player_seed", "player_seeds", "hand", "cut_aim")
    },
)
_WITNESS_FORMS = st.fixed_dictionaries(
    {"format": st.just("buraco-witness"), "version": st.just(1), "match": st.just("k7-31") | _JSON},
    optional={"seat": st.integers(-1, 5) | _JSON, "deals": st.lists(_SEEN_FORMS) | _JSON},
)


@given(text=st.text(max_size=40) | _JSON.map(json.dumps) | _WITNESS_FORMS.map(json.dumps))
def test_the_reader_of_witnesses_raises_only_a_parse_error(text: str) -> None:
    try:
        witness = parse_witness(text)
    except ParseError:
        return
    assert parse_witness(json.dumps(witness_json(witness))) == witness
