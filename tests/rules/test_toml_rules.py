"""House rules as TOML and rule sets as JSON: round trips, every fault named, nothing but the documented errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco.errors import ParseError, RulesError
from buraco.rules import (
    FIELD_NAMES,
    FIELD_SPECS,
    RULE_SETS,
    TEXT_LENGTH_MAX,
    RuleSet,
    from_json,
    get_rules,
    json_schema,
    load_toml,
    problems,
    to_json,
    to_toml,
)
from tests.toy import TOYS

ALL = {**RULE_SETS, **TOYS}


def _reasons(content: str) -> tuple[str, ...]:
    with pytest.raises(RulesError) as caught:
        load_toml(content)
    assert caught.value.code == "impossible_rules"
    return caught.value.reasons


@pytest.mark.parametrize("name", ALL)
def test_rules_come_back_from_toml_and_json(name: str) -> None:
    rules = ALL[name]
    assert load_toml(to_toml(rules)) == rules
    assert from_json(to_json(rules)) == rules
    assert from_json(json.dumps(to_json(rules))) == rules
    jsonschema.validate(to_json(rules), json_schema())


@given(st.data())
def test_house_rules_come_back_from_toml_and_json(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from(sorted(ALL)))
    values = to_json(ALL[base]) | {"player_counts": ALL[base].player_counts}
    for field in data.draw(st.lists(st.sampled_from(FIELD_NAMES), max_size=4)):
        spec = FIELD_SPECS[field]
        drawn = {
            "boolean": st.booleans(),
            "choice": st.sampled_from(spec.choices or ("",)),
            "text": st.sampled_from(["home", 'quo"te\\', "né", "none"]),
            "integer": st.integers(spec.low, max(spec.low, min(spec.high, 200))),
            "optional_integer": st.none() | st.integers(0, 500),
        }
        changed = values | {field: data.draw(drawn.get(spec.kind, st.just(values[field])))}
        if not problems(changed):
            values = changed
    rules = RuleSet(**values)  # type: ignore[arg-type]
    assert load_toml(to_toml(rules)) == rules
    assert from_json(to_json(rules)) == rules


def test_a_base_alone_is_that_rule_set() -> None:
    assert load_toml('base = "aberto"') == get_rules("aberto")


def test_changed_fields_give_house_rules_with_a_name_of_their_own() -> None:
    rules = load_toml(
        'base = "aberto"\n[fields]\ntarget_points = 1500\nbonus_semi_clean = 150\nbonus_clean_13 = "none"'
    )
    assert (rules.name, rules.title) == ("aberto-house", "Buraco Aberto, house rules")
    assert (rules.target_points, rules.bonus_semi_clean, rules.bonus_clean_13) == (1500, 150, None)
    named = load_toml('base = "aberto"\nname = "home"\ntitle = "At home"\n[fields]\nplayer_counts = [2, 4]')
    assert (named.name, named.title, named.player_counts) == ("home", "At home", (2, 4))


def test_without_a_base_every_field_has_its_default() -> None:
    rules = load_toml('name = "plain"\ntitle = "Plain"')
    assert rules == RuleSet(name="plain", title="Plain")
    assert _reasons("") == ("name is missing.", "title is missing.")


def test_every_fault_is_named_at_once() -> None:
    reasons = _reasons(
        'base = "aberta"\nhand_size = 12\ncolour = 1\nname = "home"\n'
        '[fields]\nname = "twice"\nhand_sizes = 12\nsets = "yes"\ntie_break = "coin"\nmorto_size = true\n'
    )
    for word in (
        "aberto",
        "[fields]",
        "colour",
        "twice",
        "hand_sizes",
        "sets must",
        "tie_break must",
        "morto_size must",
    ):
        assert any(word in reason for reason in reasons), word
    assert len(reasons) == 8


def test_impossible_mixes_are_named_with_wrong_values() -> None:
    reasons = _reasons('base = "aberto"\n[fields]\npile_closed = true\nturn_cap = 1.5')
    assert len(reasons) == 3
    assert _reasons('base = "aberto"\nfields = 5') == ("fields must be a table, not 5.",)
    assert len(_reasons("base = 7\n[fields]\nhand_size = 1")) == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("= 1", "toml_syntax"),
        ("a = " + "[" * 5000, "toml_syntax"),
        ("a = " + "9" * 5000, "toml_syntax"),
        ("a = 1\na = 2", "toml_syntax"),
        ("#" * (TEXT_LENGTH_MAX + 1), "text_too_long"),
        ("a = 2020-99-99", "toml_syntax"),
        (".".join(["a"] * 8000) + " = 1", "toml_syntax"),
    ],
)
def test_what_is_no_toml_is_a_parse_error(content: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        load_toml(content)
    assert caught.value.code == code
    assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "json_syntax"),
        ("[" * 15_000, "json_syntax"),
        ("9" * 5000, "json_syntax"),
        ('{"name": "a", "name": "b"}', "json_syntax"),
        ('{"hand_size": NaN}', "json_syntax"),
        ('{"hand_size": -Infinity}', "json_syntax"),
        ("[]", "json_no_object"),
        ("null", "json_no_object"),
        (" " * (TEXT_LENGTH_MAX + 1), "text_too_long"),
    ],
)
def test_what_is_no_json_object_is_a_parse_error(content: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        from_json(content)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("read", "content", "words"),
    [
        (from_json, '{"name": "a", "title": "b", "name": "c"}', "the member 'name' is there twice"),
        (from_json, '{"hand_size": ' + "9" * 5000 + "}", "a huge number"),
        (load_toml, "hand_size = " + "9" * 5000, "a huge number"),
    ],
)
def test_a_syntax_error_says_what_is_wrong_and_not_how_the_program_reads(
    read: Callable[[str], RuleSet], content: str, words: str
) -> None:
    with pytest.raises(ParseError, match=words):
        read(content)


def test_json_must_have_every_field_and_no_other() -> None:
    data = to_json(get_rules("aberto"))
    del data["sets"]
    with pytest.raises(RulesError) as caught:
        from_json(data | {"seats": True, "hand_size": None})
    reasons = caught.value.reasons
    assert "sets is missing." in reasons
    assert any("'seats'" in reason and "sets" in reason for reason in reasons)
    assert any(reason.startswith("hand_size must be a whole number") for reason in reasons)
    assert len(reasons) == 3


@pytest.mark.parametrize("value", [True, 1.0, "11", None, [11], {}, -1, 10**30])
def test_the_schema_and_the_reader_refuse_the_same_values(value: object) -> None:
    data = to_json(get_rules("aberto")) | {"hand_size": value}
    with pytest.raises(RulesError):
        from_json(data)
    # JSON Schema takes 1.0 for an integer, and 11.0 only differs in how it is written.
    if value != 1.0 or value is True:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, json_schema())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pack_ranks", "A2345"),
        ("pack_ranks", "A345"),
        ("pack_suits", "cd"),
        ("pack_suits", "dc"),
        ("pack_suits", ""),
        ("player_counts", [2]),
        ("player_counts", [4, 2]),
        ("name", "home-2"),
        ("name", "Home"),
        ("bonus_clean_13", None),
        ("opening", "over_turn"),
        ("opening", "never"),
    ],
)
def test_the_schema_knows_the_values_of_each_kind(field: str, value: object) -> None:
    data: dict[str, Any] = {**to_json(get_rules("burraco")), field: value}
    valid = jsonschema.Draft202012Validator(json_schema()).is_valid(data)
    own = problems(data | {"player_counts": tuple(data["player_counts"])})
    assert valid == (not any(reason.startswith(f"{field} must") or "small letters" in reason for reason in own))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*FIELD_NAMES, "x", ""]), _JSON, max_size=6), st.booleans())
def test_any_json_object_gives_rules_or_a_rules_error(changes: dict[str, Any], whole: bool) -> None:
    data = (to_json(get_rules("classico")) if whole else {}) | changes
    counts = data.get("player_counts")
    values = data | {"player_counts": tuple(counts)} if isinstance(counts, list) else data
    if set(data) == set(FIELD_NAMES) and not problems(values):
        assert to_json(from_json(data)) == data
    else:
        with pytest.raises(RulesError):
            from_json(data)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")))
def test_any_text_gives_rules_or_a_documented_error(content: str) -> None:
    for read in (load_toml, from_json):
        with pytest.raises((ParseError, RulesError)):
            read(content)


_TOML_VALUES = st.sampled_from(
    [
        "true",
        "1",
        "-5",
        "1.5",
        "nan",
        '"none"',
        '"high"',
        "[2, 4]",
        "[true]",
        "{a = 1}",
        "0x" + "f" * 5000,
        "2020-01-01",
    ]
)


@given(
    st.dictionaries(st.sampled_from([*FIELD_NAMES, "wild_moves", "a.b.c"]), _TOML_VALUES, max_size=5),
    st.sampled_from(['base = "fechado"', 'base = "x"', "base = []", ""]),
)
def test_any_toml_of_fields_gives_rules_or_a_rules_error(changes: dict[str, str], head: str) -> None:
    content = "\n".join([head, "[fields]", *(f"{name} = {value}" for name, value in changes.items())])
    try:
        reasons = problems(load_toml(content))
    except RulesError as error:
        reasons = error.reasons
        assert reasons
    assert all(len(reason) < 500 for reason in reasons)


def test_a_hostile_table_gets_a_bounded_answer() -> None:
    many = "[fields]\n" + "\n".join(f"k{number} = 1" for number in range(1500))
    assert len(_reasons(many)) == 100
    with pytest.raises(RulesError) as caught:
        from_json({f"k{number}": 1 for number in range(5000)})
    assert len(caught.value.reasons) == 100
