"""Whole deals: no card is lost, each deal ends, and together they meet all that the rules speak of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Final

import pytest

from buraco.engine.codes import CODES, PHASES
from buraco.engine.constants import ACTION_COUNT, ACTION_REJECT, ACTION_RUN, POLICY_GREEDY, POLICY_RANDOM
from buraco.engine.deal import Deal
from buraco.engine.position import Position
from buraco.engine.shuffle import ordered_pack
from buraco.rules import RULE_SETS, RuleSet
from scripts.terminate import ACTION_LIMIT, Endless, play_bounded, table_of
from tests.build import COMPILED
from tests.property.states import GAMES
from tests.property.walks import STYLES, Walk, all_codes, cards_of, is_rare, walks

#: Walks of each game; uncompiled too few to meet everything.
WALKS: Final = 6 * len(STYLES) if COMPILED else 3
#: Deals by the random and by the greedy policy that must end; 100,000 and 20,000 by ``scripts/terminate.py``.
ENDING_DEALS: Final = (150, 50) if COMPILED else (2, 2)
#: Every so many states all actions are asked about, besides the rare states.
ASKED_EVERY: Final = 50 if COMPILED else 200

#: The codes that no walk meets; ``tests/unit/test_engine_codes.py`` says why, and shows each that can be shown.
NEVER_MET: Final = {"no_stock_to_reject", "too_many_melds", "close_wild_discard"}
#: What so many walks need not meet in every game, and a game in which they do.
RARE: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        "close_needs_morto": ("aberto", 4),
        "close_needs_canasta": ("fechado-sujo", 2),
        "close_needs_clean": ("aberto-104", 2),
        "close_needs_discard": ("burraco", 4),
        "wild_is_natural": ("fechado", 2),
        "close refused": ("fechado", 4),
        "closed by a meld": ("fechado", 2),
        "morto direct": ("fechado", 2),
    }
)
CLOSE_REFUSED: Final = {"close_needs_morto", "close_needs_canasta", "close_needs_clean", "close_needs_discard"}

_Condition = Callable[[RuleSet], object]


def _always(_rules: RuleSet) -> bool:
    return True


#: Codes that only some rules can give, and which.
CODE_NEEDS: Final[Mapping[str, _Condition]] = MappingProxyType(
    {
        # Every turn ends with a discard, so only the first ones can find no pile.
        "pile_empty": lambda rules: not rules.up_card,
        "must_choose": lambda rules: rules.first_turn_option,
        "pile_unusable": lambda rules: rules.pile_closed,
        "must_use_top": lambda rules: rules.pile_closed,
        "top_needs_new_meld": lambda rules: rules.pile_closed and rules.closed_top_wild == "new_meld",
        "top_other_meld": lambda rules: rules.pile_closed,
        "top_out_of_reach": lambda rules: rules.pile_closed,
        "top_turn_could_not_end": lambda rules: rules.pile_closed,
        "opening_melds_only": lambda rules: rules.opening == "at_once",
        "opening_short": lambda rules: rules.opening == "at_once",
        "discard_only": lambda rules: rules.opening == "over_turn",
        "sets_not_allowed": lambda rules: not rules.sets,
        "rank_has_set": lambda rules: rules.one_set_per_rank,
        "wrong_rank": lambda rules: rules.sets,
        "aces_both_ends": lambda rules: not rules.aces_both_ends,
        "run_too_long": lambda rules: rules.run_length_max == 13,
        "wild_may_not_move_there": lambda rules: rules.wild_move != "free",
        "card_barred": lambda rules: rules.single_card_barred,
        "no_direct_morto": lambda rules: not rules.direct_morto,
        # A side without a morto may take one as long as none became the stock.
        "close_needs_morto": lambda rules: rules.close_morto == "taken" and rules.stock_refill,
        "close_needs_canasta": lambda rules: rules.close_canasta == "any",
        "close_needs_clean": lambda rules: rules.close_canasta == "clean",
        "close_needs_discard": lambda rules: not rules.close_by_meld,
    }
)
#: What happens in deals, and under which rules.
EVENT_NEEDS: Final[Mapping[str, _Condition]] = MappingProxyType(
    {
        "end closed": _always,
        "end stock": _always,
        "end stalemate": lambda rules: rules.stalemate != "none",
        "closed by a discard": _always,
        "closed by a meld": lambda rules: rules.close_by_meld,
        "morto direct": lambda rules: rules.direct_morto,
        "morto indirect": _always,
        "stock refilled": lambda rules: rules.stock_refill,
        "first card rejected": lambda rules: rules.first_turn_option,
        "opened": lambda rules: rules.opening != "none",
        "opening failed at the discard": lambda rules: rules.opening == "over_turn",
        "opening failed with an empty hand": lambda rules: rules.opening == "over_turn",
        "close refused": _always,
    }
)
PHASE_NEEDS: Final[Mapping[str, _Condition]] = MappingProxyType(
    {
        "choice": lambda rules: rules.first_turn_option,
        "top": lambda rules: rules.pile_closed,
        "opening": lambda rules: rules.opening == "at_once",
        "discard": lambda rules: rules.opening == "over_turn",
    }
)


@dataclass
class Seen:
    """What walks met: refusal codes, phases and events."""

    codes: set[str] = field(default_factory=set)
    phases: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)

    def walk(self, walk: Walk) -> None:
        """Play a walk and note what it meets."""
        before = walk.deal().position()
        for number, (action, deal) in enumerate(walk.steps()):
            after = deal.position()
            self.phases.add(PHASES[deal.phase])
            self.events |= events_of(before, action, after)
            if number % ASKED_EVERY == 0 or is_rare(deal):
                self.codes.update(CODES[code] for code in set(all_codes(deal)) - {0})
            before = after
        self.codes.add(deal.refusal(ACTION_COUNT))
        if self.codes & CLOSE_REFUSED:
            self.events.add("close refused")


def events_of(before: Position, action: int, after: Position) -> set[str]:
    """Return what an action brought about, by the names of `EVENT_NEEDS`."""
    tabled = action >= ACTION_RUN
    side, found = before.side, set()
    if after.over and not before.over:
        found.add(f"end {after.end_kind}")
        if after.end_kind == "closed":
            found.add("closed by a meld" if tabled else "closed by a discard")
    if side in after.morto_owner and side not in before.morto_owner:
        found.add("morto direct" if tabled else "morto indirect")
    if after.morto_owner.count(2) > before.morto_owner.count(2):
        found.add("stock refilled")
    if action == ACTION_REJECT:
        found.add("first card rejected")
    if before.opening_need[side] and not after.opening_need[side]:
        found.add("opened")
    if after.opening_need[side] > before.opening_need[side]:
        found.add("opening failed with an empty hand" if tabled else "opening failed at the discard")
    return found


def expected(name: str, players: int, met: set[str]) -> set[str]:
    """Return what of this must be met in a game."""
    return {one for one in met if RARE.get(one, (name, players)) == (name, players)}


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_walks_meet_what_the_rules_speak_of_and_nothing_else(name: str, players: int) -> None:
    rules, seen = RULE_SETS[name], Seen()
    for walk in islice(walks(rules, players), WALKS):
        seen.walk(walk)
    codes = {code for code in CODES[1:] if CODE_NEEDS.get(code, _always)(rules)} - NEVER_MET
    phases = {phase for phase in PHASES if PHASE_NEEDS.get(phase, _always)(rules)}
    events = {event for event, condition in EVENT_NEEDS.items() if condition(rules)}
    assert seen.codes <= codes
    assert seen.phases <= phases
    assert seen.events <= events
    if COMPILED:
        assert seen.codes >= expected(name, players, codes)
        assert seen.phases == phases
        assert seen.events >= expected(name, players, events)


def test_every_code_phase_and_event_must_be_met_in_some_game() -> None:
    for one in {*CODES[1:], *PHASES, *EVENT_NEEDS} - NEVER_MET:
        condition = {**CODE_NEEDS, **EVENT_NEEDS, **PHASE_NEEDS}.get(one, _always)
        assert any(expected(name, players, {one}) and condition(RULE_SETS[name]) for name, players in GAMES), one


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_no_step_loses_or_doubles_a_card(name: str, players: int) -> None:
    pack = Counter(ordered_pack(RULE_SETS[name]))
    for walk in islice(walks(RULE_SETS[name], players, first_seed=1000), len(STYLES) if COMPILED else 2):
        for deal in walk.states():
            assert cards_of(deal) == pack


@pytest.mark.parametrize("name", RULE_SETS)
def test_deals_end_long_before_the_limit_of_actions(name: str) -> None:
    rules = RULE_SETS[name]
    for policy, count in zip((POLICY_RANDOM, POLICY_GREEDY), ENDING_DEALS, strict=True):
        for seed in range(count):
            deal = Deal(rules, *table_of(rules, seed), seed)
            assert play_bounded(deal, policy) < ACTION_LIMIT // 4
            assert deal.over


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", RULE_SETS)
def test_deals_end_whatever_the_way_of_playing(name: str, style: str) -> None:
    rules = RULE_SETS[name]
    for seed in range(3 if COMPILED else 1):
        walk = Walk(rules, rules.player_counts[0], style, seed)
        assert sum(1 for _ in islice(walk.steps(), ACTION_LIMIT)) < ACTION_LIMIT // 4


def test_a_deal_that_does_not_end_is_named() -> None:
    with pytest.raises(Endless, match="no end after 10 actions"):
        play_bounded(Deal(RULE_SETS["aberto"], seed=1), POLICY_RANDOM, limit=10)
