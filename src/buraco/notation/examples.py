"""Drawn examples for a rules page: small situations made from the fields of a rule set, each judged by the engine.

Which situations there are is the same for all rules: a situation whose cards the pack does not hold, or whose rule does
not exist, is left out. What comes of each, legal or refused and why, only the engine says.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from buraco.cards import JOKER, RANKS, card_text, parse_cards
from buraco.engine import Deal, MeldState, PileCard, Position, ordered_pack
from buraco.engine.scoresheet import meld_bonus, meld_category
from buraco.engine.shapes import cards_points, shape_faults, unpack
from buraco.errors import BuracoError
from buraco.notation.actions import parse_action
from buraco.notation.melds import meld_from_words, meld_words
from buraco.notation.referee import Judgement, judge
from buraco.rules import TOPIC_SECTIONS, PageSection, RuleSet

__all__ = ["Example", "ExampleGroup", "examples", "placed_examples"]

_TURN: Final = 40
_OTHER_HAND: Final = 3
_STOCK_MIN: Final = 4
_OWNERS: Final = MappingProxyType({"waiting": (-1, -1), "taken": (0, 1), "theirs": (1, 2)})
#: The suits in the order in which situations name them.
_SUITS: Final = "hscd"


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """Cards of an example that lie together, as words of the notation (``X=6`` for a wild).

    ``role``: ``meld`` (on the table before), ``pile`` (bottom first), ``hand`` (other cards of the hand), ``played``,
    ``after`` (what lies then; several where the player may choose), ``worth`` (cards and their value). ``category`` and
    ``points`` are those of a canasta with its bonus, or of the cards; -1 where they do not matter.
    """

    role: str
    words: tuple[str, ...]
    category: str = ""
    points: int = -1


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a rule: its name (the text ``example.<name>`` says what is seen), the topic that it shows.

    ``judgement`` is what the referee says of the play, None where nothing is played (values, canastas). ``returned``:
    it is legal, but with it cards that lay on the table come back to the hand.
    """

    name: str
    topic: str
    groups: tuple[ExampleGroup, ...]
    judgement: Judgement | None = None
    returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A situation: seat 0 holds ``hand`` and does ``action`` after the actions ``first``.

    Suits are written ``h s c d`` for the first to fourth of the pack, ``W`` and ``V`` are two different wilds.
    ``mortos`` is a key of ``_OWNERS``; ``need`` the opening minimum in force. ``shown`` are the cards that are
    drawn as played.
    """

    name: str
    topic: str
    action: str
    hand: str
    shown: str = ""
    melds: tuple[str, ...] = ()
    pile: str = ""
    first: tuple[str, ...] = ()
    mortos: str = "waiting"
    need: int = 0
    draws: bool = False


def _run_words(low: int, size: int, wild_last: bool = False) -> str:
    """Return the words of a run in the first suit from slot ``low``, its last card perhaps a wild."""
    slots = [RANKS[(slot - 1) % 13] for slot in range(low, low + size)]
    words = [f"{rank}h" for rank in slots]
    if wild_last:
        words[-1] = f"W={slots[-1]}"
    return " ".join(words)


def _canasta(rules: RuleSet, *, dirty: bool = False) -> str:
    size = rules.canasta_size
    return _run_words(3 if size <= 12 else 15 - size, size, wild_last=dirty)


def _meld_cases(rules: RuleSet) -> Iterator[_Case]:
    rest = " Jc Qs"
    runs = (("run", "5h 6h 7h"), ("run_gap", "5h 6h 8h"), ("run_suits", "5h 6h 7s"))
    aces = (("ace_low", "Ah 2h 3h"), ("ace_high", "Qh Kh Ah"), ("ace_round", "Kh Ah 2h 3h"))
    for name, cards in (*runs, *aces):
        yield _Case(name=name, topic="runs", hand=cards + rest, shown=cards, action=f"meld {cards}")
    whole = _run_words(1, 14)
    yield _Case(name="aces_both", topic="aces_both_ends", hand=whole + rest, shown=whole, action=f"meld {whole}")
    yield _Case(name="set", topic="sets", hand="7h 7s 7c Jc Qs", shown="7h 7s 7c", action="meld 7h 7s 7c")
    if rules.sets:
        yield _Case(
            name="set_wild", topic="set_shape", hand="7h 7s W Jc Qs", shown="7h 7s W=7", action="meld 7h 7s W=7"
        )
        yield _Case(
            name="set_twice",
            topic="one_set_per_rank",
            melds=("7h 7s 7c",),
            hand="7h 7s 7d Jc Qs",
            shown="7h 7s 7d",
            action="meld 7h 7s 7d",
        )


def _wild_cases(_: RuleSet) -> Iterator[_Case]:
    yield _Case(name="wild", topic="one_wild", hand="5h W 7h Jc Qs", shown="5h W=6 7h", action="meld 5h W=6 7h")
    added = (
        ("wild_second", "one_wild", "5h 6h W=7", "V"),
        ("two_home", "natural_two", "3h 4h 2h=5", "5h"),
        ("wild_moves", "wild_move", "5h W=6 7h", "6h"),
        ("wild_rests", "wild_move", "W=4 5h 6h", "7h"),
        ("wild_changes", "wild_changes_ends", "W=4 5h 6h 7h", "9h"),
        ("two_pressed", "natural_two_pressed", "2h 3h 4h", "6h"),
    )
    natural = "2h 3h 4h W=5"
    yield _Case(
        name="two_natural", topic="natural_two", hand="2h 3h 4h W Jc Qs", shown=natural, action=f"meld {natural}"
    )
    for name, topic, meld, card in added:
        yield _Case(name=name, topic=topic, melds=(meld,), hand=f"{card} Jc Qs Kd", shown=card, action=f"add 1 {card}")


def _pile_cases(rules: RuleSet) -> Iterator[_Case]:
    heap = "Kc 4d 8h"
    yield _Case(name="pile_use", topic="pile_closed", pile=heap, hand="6h 7h Jc Qs", action="pile", draws=True)
    yield _Case(name="pile_no_use", topic="pile_closed", pile=heap, hand="4s 9c Jc Qs", action="pile", draws=True)
    if rules.pile_closed:
        yield _Case(
            name="pile_wild",
            topic="closed_top_wild",
            pile="Kc 4d W",
            melds=("5h 6h 7h",),
            hand="4s 9d Jc",
            action="pile",
            draws=True,
        )
    else:
        yield _Case(
            name="pile_single",
            topic="single_card_barred",
            pile="9c",
            hand="4s Jc Qs",
            shown="9c",
            first=("pile",),
            action="discard 9c",
            draws=True,
        )


#: Melds that an opening is made of, one after the other until they reach the minimum.
_OPENING_MELDS: Final = ("Qh Kh Ah", "Qs Ks As", "Qc Kc Ac", "Qd Kd Ad", "9h Th Jh", "9s Ts Js", "9c Tc Jc", "9d Td Jd")


def _opening_cases(rules: RuleSet) -> Iterator[_Case]:
    needs = [need for need in (rules.opening_minimum, rules.opening_vulnerable_minimum) if need]
    if rules.opening == "none" or not needs:
        return
    melds: list[str] = []
    points = 0
    for meld in _OPENING_MELDS:
        if points < min(needs):
            melds.append(meld)
            points += cards_points(rules, parse_cards(meld))
    yield _Case(
        name="opening_enough",
        topic="opening",
        hand=" ".join((*melds, "3c 5d")),
        shown=" ".join(melds),
        first=tuple(f"meld {meld}" for meld in melds[:-1]),
        action=f"meld {melds[-1]}",
        need=min(needs),
    )
    short = "3h 4h 5h"
    # Over a turn the test comes with the discard.
    late = rules.opening == "over_turn"
    yield _Case(
        name="opening_short",
        topic="opening",
        hand=f"{short} 9c Jd Ks",
        shown=short,
        first=(f"meld {short}",) if late else (),
        action="discard 9c" if late else f"meld {short}",
        need=max(needs),
    )


def _end_cases(rules: RuleSet) -> Iterator[_Case]:
    clean, dirty = _canasta(rules), _canasta(rules, dirty=True)
    last = "5s 6s 7s"
    yield _Case(name="morto_meld", topic="direct_morto", hand=last, shown=last, action=f"meld {last}")
    yield _Case(name="morto_discard", topic="morto", hand="Kd", shown="Kd", action="discard Kd")
    closing = (
        ("close_clean", "close_canasta", clean, "Kd", "taken"),
        ("close_dirty", "close_canasta", dirty, "Kd", "taken"),
        ("close_none", "close_canasta", "5h 6h 7h", "Kd", "taken"),
        ("close_no_morto", "close_morto", clean, "Kd", "theirs"),
        ("close_wild", "closing_discard_wild", clean, "W", "taken"),
    )
    for name, topic, meld, card, mortos in closing:
        yield _Case(
            name=name, topic=topic, melds=(meld,), hand=card, shown=card, action=f"discard {card}", mortos=mortos
        )
    yield _Case(
        name="close_meld",
        topic="close_by_meld",
        melds=(clean,),
        hand=last,
        shown=last,
        action=f"meld {last}",
        mortos="taken",
    )


class _Table:
    """The cards of a rule set by the words of the situations."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.pack = Counter(ordered_pack(rules))
        named = [suit for suit in _SUITS if suit in rules.pack_suits]
        self._suits = {word: named[index] for index, word in enumerate(_SUITS) if index < len(named)}
        twos = [f"2{suit}" for suit in named[1:]] if "2" in rules.pack_ranks else []
        wilds = [card_text(JOKER)] if rules.joker_count else []
        self._wilds = dict(zip("WV", [*wilds, *twos], strict=False))

    def text(self, words: str) -> str:
        """Return words with the suits and wilds of the pack. Raises KeyError where it has none."""
        return " ".join(self._word(word) for word in words.split())

    def _word(self, word: str) -> str:
        if word[0] in "WV" and (len(word) == 1 or word[1] == "="):
            return self._wilds[word[0]] + word[1:]
        if len(word) > 1 and word[0] in RANKS and word[1] in _SUITS:
            return word[0] + self._suits[word[1]] + word[2:]
        return word

    def meld(self, words: str, turn: int = -1) -> MeldState:
        """Return a meld of words."""
        return MeldState(meld_from_words(self.text(words).split()), turn)


def _position(table: _Table, case: _Case) -> Position | None:
    """Return the deal of a situation, everything else out of the way; None where the pack has not the cards."""
    rules = table.rules
    melds = tuple(table.meld(words) for words in case.melds)
    hand = tuple(sorted(parse_cards(table.text(case.hand))))
    pile = parse_cards(table.text(case.pile))
    left = table.pack.copy()
    left.subtract((*hand, *pile, *(card for meld in melds for card in unpack(meld.packed).cards)))
    if min(left.values()) < 0:
        return None
    rest = sorted(left.elements())
    owners = _OWNERS[case.mortos]
    if 2 in owners and not rules.stock_refill:
        return None
    players = max(rules.player_counts)
    waiting = [rules.morto_size if owner == -1 else 0 for owner in owners]
    if len(rest) < sum(waiting) + (players - 1) * _OTHER_HAND + _STOCK_MIN:
        return None
    mortos = [tuple(rest.pop(0) for _ in range(size)) for size in waiting]
    hands = [hand, *(tuple(rest.pop(0) for _ in range(_OTHER_HAND)) for _ in range(players - 1))]
    turns = range(_TURN - len(pile), _TURN)
    return Position(
        rules=rules,
        players=players,
        dealer=players - 1,
        seat=0,
        phase="draw" if case.draws else "play",
        turn_count=_TURN,
        hands=tuple(hands),
        hand_counts=tuple(len(one) for one in hands),
        known=((),) * players,
        melds=(melds, ()),
        pile=tuple(PileCard(card, at % players, at) for card, at in zip(pile, turns, strict=True)),
        stock=tuple(rest),
        stock_count=len(rest),
        mortos=(mortos[0], mortos[1]),
        morto_owner=owners,
        mortos_gone=sum(owner != -1 for owner in owners),
        unplayed=(False,) * players,
        drew_stock=not case.draws,
        opening_need=(case.need, 0),
        opened=(case.need == 0, True),
    )


def _played(table: _Table, case: _Case) -> Example | None:
    position = _position(table, case)
    if position is None:
        return None
    deal = Deal.from_position(position)
    for text in case.first:
        deal.apply(parse_action(table.text(text)))
    tabled = len(deal.meld_list(0))
    found = judge(deal.position(), table.text(case.action))
    words = tuple(table.text(case.shown).split())
    groups = [ExampleGroup("meld", meld_words(meld.packed)) for meld in position.melds[0]]
    if case.pile:
        groups.append(ExampleGroup("pile", tuple(table.text(case.pile).split())))
    if case.pile and not case.first:
        groups.append(ExampleGroup("hand", tuple(table.text(case.hand).split())))
    if words:
        points = cards_points(table.rules, parse_cards(table.text(_bare(case.shown)))) if case.need else -1
        groups.append(ExampleGroup("played", words, points=points))
    if case.action.startswith("add"):
        grown = [one.position.melds[0][0].packed for one in found if one.position is not None]
        groups += [ExampleGroup("after", meld_words(meld)) for meld in dict.fromkeys(grown)]
    after = found[0].position
    return Example(case.name, case.topic, tuple(groups), found[0], after is not None and len(after.melds[0]) < tabled)


def _bare(words: str) -> str:
    return " ".join(word.partition("=")[0] for word in words.split())


#: Canastas by what they show: name, topic, first slot, number of cards (0: that of a canasta), wild at the end, built
#: up over several turns.
_CANASTAS: Final = (
    ("bonus_dirty", "bonus_dirty", 3, 0, True, False),
    ("bonus_clean", "bonus_clean", 3, 0, False, False),
    ("bonus_semi_clean", "bonus_semi_clean", 3, -1, True, False),
    ("bonus_thirteen", "bonus_clean_13", 1, 13, False, False),
    ("bonus_from_two", "clean_13_from_ace", 2, 13, False, False),
    ("bonus_fourteen", "bonus_clean_14", 1, 14, False, False),
    ("bonus_later", "big_canasta_at_once", 1, 13, False, True),
)


def _scored(table: _Table) -> Iterator[Example]:
    rules = table.rules
    for name, topic, low, size, dirty, later in _CANASTAS:
        if later and not rules.big_canasta_at_once:
            continue
        count = size if size > 0 else rules.canasta_size - size
        start = low if low + count <= 15 else max(1, 15 - count)
        try:
            meld = table.meld(_run_words(start, count, wild_last=dirty), -1 if later else _TURN)
        except (KeyError, BuracoError):
            continue
        if count > 14 or shape_faults(rules, unpack(meld.packed)):
            continue
        category = meld_category(rules, meld)
        group = ExampleGroup("meld", meld_words(meld.packed), category, meld_bonus(rules, category))
        yield Example(name, topic, (group,))


def _valued(table: _Table) -> Iterator[Example]:
    rules = table.rules
    groups = []
    for words in ("W", "2h", "Ah", "Kh 8h", "7h 3h"):
        try:
            cards = parse_cards(table.text(words))
        except KeyError:
            continue
        if all(table.pack[card] for card in cards):
            texts = tuple(card_text(card) for card in cards)
            groups.append(ExampleGroup("worth", texts, points=cards_points(rules, cards[:1])))
    unlike = {group.words: group for group in groups}
    yield Example("values", "value_joker", tuple(unlike.values()))


@functools.lru_cache(maxsize=64)
def examples(rules: RuleSet) -> tuple[Example, ...]:
    """Return the examples of a rule set, in the order of its page."""
    table = _Table(rules)
    found: list[Example] = list(_valued(table))
    for cases in (_meld_cases, _wild_cases, _pile_cases, _opening_cases, _end_cases):
        for case in cases(rules):
            try:
                example = _played(table, case)
            except (KeyError, BuracoError):
                # The pack has no such suit, wild or meld, or the rules do not let it come to this.
                continue
            if example is not None:
                found.append(example)
    return (*found, *_scored(table))


def placed_examples(section: PageSection, shown: Iterable[Example]) -> tuple[tuple[Example, ...], ...]:
    """Return the examples of a section of a rules page, one tuple for each of its statements."""
    places: list[list[Example]] = [[] for _ in section.statements]
    for example in shown:
        if TOPIC_SECTIONS[example.topic] == section.name:
            # A rule that says only that there is no such thing names not every topic of it.
            fitting = [index for index, one in enumerate(section.statements) if example.topic in one.topics]
            places[fitting[0] if fitting else -1].append(example)
    return tuple(map(tuple, places))
