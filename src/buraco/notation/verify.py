"""Verifies the shuffles of a game record: draws again, from the seeds that it reveals, whatever was drawn.

A `Finding` that is a fault says that something was not as it was committed to, or cannot be checked although it should;
one that is none says what the evidence cannot show. ``docs/fair-shuffle.md`` describes both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from buraco.cards import card_text
from buraco.engine.fair import PUBLIC_SEED, DealSeeds
from buraco.engine.match import draw_dealer, lifted_count
from buraco.engine.shuffle import shuffled_pack
from buraco.errors import BuracoError, RecordError
from buraco.notation.evidence import deal_seeds, played_pack
from buraco.notation.record import DealRecord, Record
from buraco.notation.replay import replay
from buraco.notation.witness import DealWitness, Witness
from buraco.rules import RuleSet
from buraco.texts import DEFAULT_LANGUAGE, in_language, text

__all__ = ["Finding", "finding_json", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the verification found.

    ``code`` is a stable string, ``deal`` counts from 1 (0: the match), ``seat`` is -1 where it is about none, ``card``
    the number of a card in the pack from 1, first to be dealt first (0: none). ``fault`` says that the record does not
    hold; without it the finding is something that the evidence cannot show. ``values`` fill the sentence.
    """

    code: str
    deal: int = 0
    seat: int = -1
    card: int = 0
    fault: bool = True
    values: tuple[tuple[str, str], ...] = ()

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Return the sentence for people. Raises UnknownText (code ``unknown_language``)."""
        values = {"deal": str(self.deal), "seat": str(self.seat), "card": str(self.card), **self._told(language)}
        if "place" in values:
            values["place"] = text(f"shuffle.place.{values['place']}", language, **values)
        return text(f"shuffle.{self.code}", language, **values)

    def _told(self, language: str) -> dict[str, str]:
        """Return the values in a language; the text itself ends the sentence that a reason is."""
        return {
            name: in_language(value, language).removesuffix("." if name == "reason" and self.code == "replay" else "")
            for name, value in self.values
        }


def finding_json(finding: Finding, language: str = DEFAULT_LANGUAGE) -> dict[str, object]:
    """Return a finding as plain JSON values, with its sentence; null where a number says nothing."""
    return {
        "code": finding.code,
        "deal": finding.deal or None,
        "seat": finding.seat if finding.seat >= 0 else None,
        "card": finding.card or None,
        "fault": finding.fault,
        **{name: value for name, value in finding._told(language).items() if name != "place"},
        "text": finding.text(language),
    }


def verify(record: Record, witnesses: Sequence[Witness] = ()) -> tuple[Finding, ...]:
    """Return everything that does not hold in the shuffles of a record, and what its evidence cannot show.

    The commitments, the packs, the cuts and the draw for the first dealer are made again; the match is played again
    with the packs that the record has. Each witness is held against the record. The shuffles hold if no finding is a
    fault. Raises nothing for a record and witnesses that their readers gave.
    """
    if not any(deal.commitment or deal.revealed_seed for deal in record.deals):
        return (Finding(code="no_evidence"), *_played(record), *_witnessed(record, witnesses))
    found: list[Finding] = []
    for deal in record.deals:
        try:
            seeds = deal_seeds(record, deal)
        except RecordError as error:
            found.append(Finding(code="evidence", deal=deal.number, values=(("reason", error.message),)))
            continue
        found += _dealer(record, seeds) if deal.number == 1 else ()
        found += _deal(record, deal, seeds)
    return (*found, *_repeated(record), *_played(record), *_witnessed(record, witnesses))


def _dealer(record: Record, seeds: DealSeeds | None) -> Iterator[Finding]:
    if not record.dealer_drawn:
        yield Finding(code="dealer_chosen", seat=record.first_dealer, fault=False)
    elif seeds is not None:
        draw = draw_dealer(record.rules, record.players, seeds.deal_seed, record.name)
        if (draw.dealer, draw.rounds) != (record.first_dealer, record.dealer_rounds):
            values = (("found", str(record.first_dealer)), ("expected", str(draw.dealer)))
            yield Finding(code="dealer", seat=record.first_dealer, values=values)


def _deal(record: Record, deal: DealRecord, seeds: DealSeeds | None) -> Iterator[Finding]:
    if not deal.commitment:
        yield Finding(code="commitment_missing", deal=deal.number)
    if not deal.revealed_seed:
        yield Finding(code="reveal_missing", deal=deal.number)
    yield from _given(record, deal)
    if seeds is None:
        return
    committed = seeds.commitment.hex()
    if deal.commitment and committed != deal.commitment:
        values = (("found", committed), ("expected", deal.commitment))
        yield Finding(code="commitment_broken", deal=deal.number, values=values)
    yield from _pack(record, deal, seeds)
    yield from _cut(record, deal, seeds)


def _given(record: Record, deal: DealRecord) -> Iterator[Finding]:
    """Find seeds of players that are none: of a bot, or the public constant, which would look like a say."""
    for seat, (seed, who) in enumerate(zip(deal.player_seeds, record.seats, strict=False)):
        if seed and who.bot:
            yield Finding(code="bot_seed", deal=deal.number, seat=seat)
        if seed == PUBLIC_SEED.hex():
            yield Finding(code="public_seed", deal=deal.number, seat=seat)
    if not any(deal.player_seeds):
        yield Finding(code="no_player_seed", deal=deal.number, fault=False)


def _pack(record: Record, deal: DealRecord, seeds: DealSeeds) -> Iterator[Finding]:
    try:
        played = played_pack(record, deal) or ()
    except RecordError:
        # The replay says what is wrong with the seed of the match.
        return
    drawn = shuffled_pack(record.rules, seeds.deal_seed, record.name, deal.number)
    wrong = [index for index, cards in enumerate(zip_longest(played, drawn)) if cards[0] != cards[1]]
    if wrong:
        first = wrong[0]
        place, values = _place(record, deal.dealer, first)
        values |= {"found": _card(played, first), "expected": _card(drawn, first), "count": str(len(wrong))}
        seat = int(values["seat"]) if place == "hand" else -1
        told = (("place", place), *values.items())
        yield Finding(code="pack", deal=deal.number, seat=seat, card=first + 1, values=told)


def _cut(record: Record, deal: DealRecord, seeds: DealSeeds) -> Iterator[Finding]:
    # Where a cut is missing, or one too many, the replay finds it.
    if record.rules.cut_bonus == 0 or deal.cut is None:
        return
    seat, aim = deal.cut.seat, deal.cut.aim
    if aim < 0:
        yield Finding(code="cut_aim_missing", deal=deal.number, seat=seat)
        return
    try:
        lifted = lifted_count(record.rules, seeds.deal_seed, record.name, deal.number, aim)
    except BuracoError as error:
        yield Finding(code="evidence", deal=deal.number, seat=seat, values=(("reason", error.message),))
        return
    if lifted != deal.cut.count:
        values = (("aim", str(aim)), ("found", str(deal.cut.count)), ("expected", str(lifted)))
        yield Finding(code="cut", deal=deal.number, seat=seat, values=values)


def _repeated(record: Record) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for deal in record.deals:
        before = seen.setdefault(deal.revealed_seed, deal.number) if deal.revealed_seed else deal.number
        if before != deal.number:
            yield Finding(code="seed_again", deal=deal.number, values=(("other", str(before)),))


def _played(record: Record) -> Iterator[Finding]:
    """Play the record again: cards that were played, but not dealt, are found here."""
    deal = 0
    try:
        for step in replay(record):
            deal = step.deal + 1 if step.kind == "end" else step.deal
    except RecordError as error:
        number = min(max(deal, 1), len(record.deals)) if error.code not in ("record_match", "record_winner") else 0
        yield Finding(code="replay", deal=number, values=(("reason", error.message),))


def _place(record: Record, dealer: int, index: int) -> tuple[str, dict[str, str]]:
    """Return where the card of that index is dealt: a text of the place, and the values that it needs."""
    rules, players = record.rules, record.players
    hands = players * rules.hand_size
    if index < hands:
        return "hand", {"seat": str((dealer + 1 + index) % players)}
    index -= hands
    if index < 2 * rules.morto_size:
        return "morto", {"number": str(index // rules.morto_size + 1)}
    index -= 2 * rules.morto_size
    if rules.up_card and index == 0:
        return "up_card", {}
    return "stock", {"number": str(index + 1 - rules.up_card)}


def _hand(rules: RuleSet, players: int, dealer: int, pack: Sequence[int], seat: int) -> list[int]:
    """Return the cards that a seat is dealt: one at a time clockwise, from the dealer's left."""
    first = (seat - dealer - 1) % players
    return sorted(pack[first : players * rules.hand_size : players])


def _card(pack: Sequence[int], index: int) -> str:
    return card_text(pack[index]) if index < len(pack) else "-"


def _witnessed(record: Record, witnesses: Sequence[Witness]) -> Iterator[Finding]:
    for witness in witnesses:
        seat = witness.seat
        if witness.match != record.name or seat >= record.players:
            yield Finding(code="witness_match", seat=seat)
            continue
        for seen in witness.deals:
            if seen.number > len(record.deals):
                # Before the cards are dealt a match may end, as when somebody leaves.
                yield Finding(code="witness_deal", deal=seen.number, seat=seat, fault=seen.hand is not None)
            else:
                yield from _seen(record, record.deals[seen.number - 1], seat, seen)


def _seen(record: Record, deal: DealRecord, seat: int, seen: DealWitness) -> Iterator[Finding]:
    told = deal.player_seeds or ("",) * record.players
    if seen.player_seed and not seen.commitment:
        yield Finding(code="witness_late", deal=deal.number, seat=seat)
    if seen.commitment and seen.commitment != deal.commitment:
        values = (("found", deal.commitment or "-"), ("expected", seen.commitment))
        yield Finding(code="witness_commitment", deal=deal.number, seat=seat, values=values)
    if seen.player_seeds is not None and seen.player_seeds != told:
        yield Finding(code="witness_seeds", deal=deal.number, seat=seat)
    if seat < 0:
        return
    if seen.player_seed and seen.player_seed not in told[seat : seat + 1]:
        yield Finding(code="witness_seed", deal=deal.number, seat=seat)
    if seen.cut_aim >= 0 and (deal.cut is None or (deal.cut.seat, deal.cut.aim) != (seat, seen.cut_aim)):
        yield Finding(code="witness_aim", deal=deal.number, seat=seat, values=(("aim", str(seen.cut_aim)),))
    yield from _seen_hand(record, deal, seat, seen)


def _seen_hand(record: Record, deal: DealRecord, seat: int, seen: DealWitness) -> Iterator[Finding]:
    if seen.hand is None:
        return
    try:
        pack = played_pack(record, deal)
    except RecordError:
        return
    hand = _hand(record.rules, record.players, deal.dealer, pack or (), seat)
    if sorted(seen.hand) != hand:
        found, expected = (" ".join(card_text(card) for card in sorted(cards)) for cards in (hand, seen.hand))
        values = (("found", found or "-"), ("expected", expected))
        yield Finding(code="witness_hand", deal=deal.number, seat=seat, values=values)
