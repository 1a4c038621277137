"""Deals under any sequence of requests: legal and refused actions, copies, positions, all in any order."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from buraco.engine.constants import ACTION_COUNT, ACTION_RUN
from buraco.engine.deal import Deal
from buraco.engine.position import validate
from buraco.engine.shuffle import ordered_pack
from buraco.errors import IllegalAction
from buraco.rules import RULE_SETS, RuleSet
from tests.build import COMPILED
from tests.property.states import without_generator
from tests.property.walks import cards_of
from tests.toy import TOYS

EXAMPLES: Final = 40 if COMPILED else 5
STEPS: Final = 150 if COMPILED else 60
#: A few rule sets with duties of their own, and the toys, whose deals reach their ends in a few steps.
MACHINE_RULES: Final = ("aberto", "classico", "fechado", "burraco", "fechado-50", *TOYS)


def rules_named(name: str) -> RuleSet:
    """Return a rule set or a toy."""
    return TOYS[name] if name in TOYS else RULE_SETS[name]


class DealMachine(RuleBasedStateMachine):
    """One deal, its copies, and a list of what was done since each copy."""

    rules_name = "aberto"

    @initialize(seed=st.integers(0, 2**31 - 1), raised=st.booleans(), which=st.integers(0, 1))
    def deal_cards(self, seed: int, raised: bool, which: int) -> None:
        rules = rules_named(self.rules_name)
        players = rules.player_counts[which % len(rules.player_counts)]
        self.deal = Deal(rules, players, seed % players, (rules.opening_vulnerable_from if raised else 0, 0), seed)
        self.pack = Counter(ordered_pack(rules))
        self.kept: list[tuple[Deal, tuple[object, ...], list[int]]] = []

    def do(self, action: int) -> None:
        """Carry out an action and note it."""
        self.deal.apply(action)
        for _, _, done in self.kept:
            done.append(action)

    @precondition(lambda self: not self.deal.over)
    @rule(pick=st.integers(0, 10_000))
    def play_anything(self, pick: int) -> None:
        legal = self.deal.legal()
        self.do(legal[pick % len(legal)])

    @precondition(lambda self: not self.deal.over)
    @rule(pick=st.integers(0, 10_000))
    def table_something(self, pick: int) -> None:
        legal = self.deal.legal()
        tabling = [action for action in legal if action >= ACTION_RUN] or legal
        self.do(tabling[pick % len(tabling)])

    @precondition(lambda self: not self.deal.over)
    @rule(policy=st.integers(0, 2), seed=st.integers(0, 1000))
    def play_by_policy(self, policy: int, seed: int) -> None:
        self.do(self.deal.choose(policy, seed))

    @rule(action=st.integers(-2, ACTION_COUNT + 2))
    def ask_for_anything(self, action: int) -> None:
        before = self.deal.dump()
        if self.deal.check(action) == 0:
            self.do(action)
            return
        with pytest.raises(IllegalAction) as refused:
            self.deal.apply(action)
        assert refused.value.code == self.deal.refusal(action)
        assert self.deal.dump() == before

    @precondition(lambda self: len(self.kept) < 3)
    @rule()
    def keep_a_copy(self) -> None:
        copy = self.deal.copy()
        self.kept.append((copy, copy.dump(), []))

    @precondition(lambda self: bool(self.kept))
    @rule()
    def play_a_copy_to_here(self) -> None:
        copy, dump, done = self.kept.pop()
        assert copy.dump() == dump
        for action in done:
            copy.apply(action)
        assert without_generator(copy) == without_generator(self.deal)

    @rule()
    def go_on_from_the_position(self) -> None:
        position = self.deal.position()
        assert validate(position) == ()
        again = Deal.from_position(position)
        assert without_generator(again) == without_generator(self.deal)
        self.deal = again

    @invariant()
    def no_card_is_lost(self) -> None:
        assert cards_of(self.deal) == self.pack

    @invariant()
    def somebody_can_act_until_the_end(self) -> None:
        legal = self.deal.legal()
        assert bool(legal) != self.deal.over
        assert legal == sorted(set(legal))
        assert all(self.deal.check(action) == 0 for action in legal)


@pytest.mark.parametrize("name", MACHINE_RULES)
def test_a_deal_keeps_its_promises_under_any_requests(name: str) -> None:
    machine = type("Machine", (DealMachine,), {"rules_name": name})
    run_state_machine_as_test(machine, settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS))
