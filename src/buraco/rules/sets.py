"""The ten rule sets.

``docs/rules-sources.md`` says which text each source number is; ``buraco.rules.citations`` names the paragraph of
every cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from buraco.errors import RulesError
from buraco.rules.near import near_hint
from buraco.rules.ruleset import RuleSet
from buraco.texts import message

__all__ = ["DEFAULT_RULES", "RULE_SETS", "get_rules"]

_ABERTO: Final = RuleSet(
    name="aberto",
    title="Buraco Aberto",
    player_counts=(4,),
    wild_move="player",
    first_turn_option=True,
    single_card_barred=True,
    opening="at_once",
    opening_vulnerable_minimum=75,
    close_morto="taken",
    close_by_meld=False,
    bonus_clean_13=500,
    bonus_clean_14=1000,
    morto_penalty_waived=True,
    unplayed_morto="penalty_unless_partner_out",
    target_points=3000,
)

# Clean 13 and 14 are no categories of their own here: they score the 200 of any clean canasta.
_CLASSICO: Final = RuleSet(
    name="classico",
    title="Buraco (classic)",
    player_counts=(4,),
    sets=True,
    wild_move="free",
    natural_two_pressed=True,
    first_turn_option=True,
    opening="over_turn",
    opening_minimum=50,
    opening_vulnerable_minimum=75,
    opening_penalty=15,
    cut_bonus=100,
    close_morto="taken",
    unplayed_morto="smaller",
    first_dealer="cut",
)

_ABERTO_104: Final = RuleSet(
    name="aberto-104",
    title="Aberto without jokers",
    joker_count=0,
    bonus_clean_13=500,
    bonus_clean_14=1000,
    unplayed_morto="penalty",
    tie_break="starter",
)

_ABERTO_SUJO: Final = RuleSet(
    name="aberto-sujo",
    title="Aberto Sujo",
    value_joker=30,
    value_two=20,
    sets=True,
    aces_both_ends=False,
    direct_morto=False,
    close_canasta="any",
    close_by_meld=False,
    bonus_clean_13=500,
    tie_break="starter",
)

_FECHADO: Final = RuleSet(
    name="fechado",
    title="Fechado",
    sets=True,
    pile_closed=True,
    stalemate="none",
    bonus_clean_13=500,
    bonus_clean_14=1000,
    unplayed_morto="penalty",
    tie_break="starter",
)

_FECHADO_STCL: Final = _FECHADO.replace(
    name="fechado-stcl", title="Fechado STCL (runs only, clean to close)", sets=False
)

_FECHADO_SUJO: Final = _FECHADO.replace(name="fechado-sujo", title="Fechado Sujo", close_canasta="any")

_BURRACO: Final = RuleSet(
    name="burraco",
    title="Burraco (Italian)",
    value_joker=30,
    value_two=20,
    sets=True,
    aces_both_ends=False,
    run_length_max=13,
    wild_move="low",
    wild_changes_ends=True,
    natural_two_pressed=True,
    up_card=True,
    single_card_barred=True,
    close_morto="taken",
    close_canasta="any",
    close_by_meld=False,
    closing_discard_wild=False,
    stock_end_count=2,
    stalemate="one_card_pile",
    turn_cap=4,
    first_dealer="lowest_card",
)

_FECHADO_50: Final = RuleSet(
    name="fechado-50",
    title="Buraco Fechado with jokers at 50",
    value_joker=50,
    wild_move="low",
    pile_closed=True,
    closed_top_wild="new_meld",
    close_morto="taken",
    stalemate="none",
    bonus_clean_13=500,
    bonus_clean_14=1000,
    clean_13_from_ace=True,
    big_canasta_at_once=True,
    target_points=0,
    deal_count=1,
    tie_break="draw",
)

_BURRACO_FIBUR: Final = _BURRACO.replace(
    name="burraco-fibur",
    title="Burraco (Italian federation tournaments)",
    one_set_per_rank=True,
    run_length_max=14,
    stock_refill=False,
    bonus_semi_clean=150,
    target_points=2005,
)

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            _ABERTO,
            _CLASSICO,
            _ABERTO_104,
            _ABERTO_SUJO,
            _FECHADO,
            _FECHADO_STCL,
            _FECHADO_SUJO,
            _BURRACO,
            _FECHADO_50,
            _BURRACO_FIBUR,
        )
    }
)
"""The ten rule sets by their names."""

DEFAULT_RULES: Final = next(iter(RULE_SETS))
"""The name of the rule set that is played unless another is asked for: the first of the table."""


def get_rules(name: str) -> RuleSet:
    """Return the rule set of that name.

    Raises RulesError (code ``unknown_rules``), with near matches, for a name that none of the ten has.
    """
    if name not in RULE_SETS:
        raise RulesError(
            "unknown_rules", message("error.unknown_rules", name=str(name)[:60], near=near_hint(name, RULE_SETS))
        )
    return RULE_SETS[name]
