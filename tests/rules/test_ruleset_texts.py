"""The texts: one for every code, field, value, rule and problem, and a loader that names what is missing."""

from __future__ import annotations

import pytest

from buraco.engine.codes import CODES
from buraco.errors import BuracoError
from buraco.rules import CODE_TOPICS, FIELD_NAMES, FIELD_SPECS, SECTIONS
from buraco.texts import UnknownText, has_text, languages, text, texts

REFUSALS = [code for code in CODES if code != "legal"]


def test_english_is_there() -> None:
    assert "en" in languages()
    assert len(texts("en")) > 300


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_code_has_a_text_of_one_or_two_sentences(code: str) -> None:
    told = text(f"code.{code}")
    assert told.endswith(".")
    assert 1 <= told.count(". ") + 1 <= 2


def test_no_refusal_text_or_topic_is_for_an_unknown_code() -> None:
    told = {key.removeprefix("code.") for key in texts() if key.startswith("code.")}
    assert set(REFUSALS) <= told
    assert set(CODE_TOPICS) == set(REFUSALS)


@pytest.mark.parametrize("field", FIELD_NAMES)
def test_every_field_has_a_label_a_meaning_and_words_for_its_choices(field: str) -> None:
    spec = FIELD_SPECS[field]
    assert text(f"field.{field}.label")
    assert text(f"field.{field}.text").endswith(".")
    told = {key.rpartition(".")[2] for key in texts() if key.startswith(f"value.{field}.")}
    assert told == ({"2", "4", "2-4"} if spec.kind == "counts" else set(spec.choices))
    assert not spec.unit or has_text(f"unit.{spec.unit}")


def test_no_field_text_is_for_an_unknown_field() -> None:
    assert {key.split(".")[1] for key in texts() if key.startswith("field.")} == set(FIELD_NAMES)


def test_every_section_has_a_heading() -> None:
    assert all(has_text(f"section.{section}") for section in SECTIONS)


def test_placeholders_are_filled() -> None:
    assert text("unit.cards", n=7) == "7 cards"


@pytest.mark.parametrize(
    ("key", "language", "code"),
    [
        ("code.nothing", "en", "unknown_text"),
        ("code", "en", "unknown_text"),
        ("", "en", "unknown_text"),
        ("code.must_draw", "xx", "unknown_language"),
        ("code.must_draw", "../en", "unknown_language"),
        ("unit.cards", "en", "missing_parameter"),
    ],
)
def test_what_is_missing_is_named(key: str, language: str, code: str) -> None:
    with pytest.raises(UnknownText) as caught:
        text(key, language=language)
    assert caught.value.code == code
    assert str(caught.value) == caught.value.message
    assert isinstance(caught.value, BuracoError)
    assert isinstance(caught.value, KeyError)


def test_texts_are_read_only() -> None:
    with pytest.raises(TypeError):
        texts()["code.must_draw"] = "no"  # type: ignore[index]
