"""One word per concept in every language: the terms stand once (``term.``), and all texts keep to them."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from buraco.texts import languages, texts

OTHERS: Final = ("pt-BR", "it", "es", "ru", "bg")
#: How the words of some terms begin in any form: where an English text has the term, so has the text of the language.
STEMS: Final = MappingProxyType(
    {
        "stock": {"pt-BR": "monte", "it": "tallone", "es": "mazo", "ru": "колод", "bg": "талон"},
        "pile": {"pt-BR": "lixo", "it": "scart", "es": "pozo", "ru": "сброс", "bg": "пакет"},
        "morto": {"pt-BR": "morto", "it": "pozzett", "es": "muerto", "ru": "морто", "bg": "морт[оа]"},
        "canasta": {"pt-BR": "canastra", "it": "burrac", "es": "canasta", "ru": "канаст", "bg": "канаст"},
        "clean": {"pt-BR": "limp", "it": "pulit", "es": "limpi", "ru": "чист", "bg": "чист"},
        "dirty": {"pt-BR": "suj", "it": "sporc", "es": "suci", "ru": "грязн", "bg": "мръсн"},
        "wild": {"pt-BR": "curinga", "it": "matt[ae]|pinell", "es": "comod[ií]n", "ru": "дик", "bg": "свободн"},
        "joker": {"pt-BR": "joker", "it": "jolly", "es": "joker", "ru": "джокер", "bg": "жокер"},
    }
)
#: Texts that say it without the word, or of something that has a name of its own.
FREE: Final = MappingProxyType(
    {
        # Nothing but what is there is named in it.
        "web.panel.running.no_canasta": OTHERS,
        # "wild" is a word of the notation here.
        "typed.after_card": OTHERS,
        # What is typed is English.
        "cli.help.rules": OTHERS,
        # The sentence is about the first card that is drawn, or says of what it comes without it.
        "code.no_choice": ("pt-BR", "it", "es"),
        "duty.must_draw": ("it",),
        "duty.use_top_meld": ("ru", "bg"),
        "field.single_card_barred.label": ("ru", "bg"),
        "field.wild_changes_ends.label": ("bg",),
        "web.table.do.pile.one": ("it",),
        "web.table.do.pile.other": ("it",),
        # "if there is nothing to refill it with"
        "field.stock_end_count.text": ("ru",),
        "rule.end.stock_empty": ("ru",),
        "rule.end.stock_left.one": ("ru",),
        "rule.end.stock_left.other": ("ru",),
        # The thirteen and fourteen clean cards have names of their own.
        "field.bonus_clean_13.label": ("pt-BR",),
        "field.bonus_clean_14.label": ("pt-BR", "it", "es"),
        "field.clean_13_from_ace.label": ("pt-BR",),
        "field.big_canasta_at_once.text": ("pt-BR",),
        "cli.table.short.clean_13": ("pt-BR",),
        "cli.table.short.clean_14": ("pt-BR", "es"),
        "category.clean_13": ("pt-BR",),
        "category.clean_14": ("pt-BR",),
        "web.table.category.clean_13": ("pt-BR",),
        "web.table.category.clean_14": ("pt-BR",),
    }
)
#: Words that belong to other languages, or mean the concept where we have another word for it. Names of fields and of
#: games are no words.
FOREIGN: Final = MappingProxyType(
    {
        "en": r"pozzett|pinell|muerto|canastra|lixo|curinga|comod[ií]n|jolly",
        "pt-BR": r"pozzett|pinell|muerto|canasta|comodín|tallone|escalera|jolly|pozo\b",
        "it": r"\bmorto\b|muerto|canast|lixo|curinga|comod[ií]n|\bjoker\b|pozo\b|mazo\b",
        "es": r"\bmorto\b|pozzett|pinell|canastra|lixo|curinga|jolly|trinca|\bmonte\b",
        "ru": r"пинелл|прикуп|кучк|\bстопк",
        "bg": r"пинел|джокер|купчин",
    }
)
#: Texts about what a source calls something.
SOURCES: Final = re.compile(r"source\.|decision\.|rule_set\.|web\.home\.title")
_NAMES: Final = re.compile(r"\{\w+\}|\b\w+_\w+\b")
_GLOSSARY: Final = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"


def _terms(language: str) -> dict[str, str]:
    return {key.removeprefix("term."): told for key, told in texts(language).items() if key.startswith("term.")}


def _glossary() -> list[list[str]]:
    lines = _GLOSSARY.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return rows[1:]


def _words(told: str) -> str:
    return _NAMES.sub(" ", told)


def test_the_glossary_has_the_terms_of_the_catalogues_first() -> None:
    assert set(languages()) == {"en", *OTHERS}
    rows = _glossary()
    for column, language in ((0, "en"), *((number, one) for number, one in enumerate(OTHERS, 2))):
        told = [re.sub(r"\s*\(.*?\)", "", row[column]) for row in rows]
        assert told == list(_terms(language).values()), language


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("term", STEMS)
def test_a_text_has_the_term_of_its_language_where_the_english_one_has_it(term: str, language: str) -> None:
    stem = STEMS[term][language]
    assert re.match(stem, _terms(language)[term], re.IGNORECASE)
    told, lacking, count = texts(language), [], 0
    for key, english in texts("en").items():
        if key not in told or SOURCES.match(key) or not re.search(rf"\b{term}s?\b", _words(english), re.IGNORECASE):
            continue
        count += 1
        free = language in FREE.get(key, ())
        if not free and not re.search(stem, told[key], re.IGNORECASE):
            lacking.append((key, english, told[key]))
    assert count >= 10
    assert lacking == []


@pytest.mark.parametrize("language", languages())
def test_a_text_has_no_term_of_another_language(language: str) -> None:
    foreign = re.compile(FOREIGN[language], re.IGNORECASE)
    told = [(key, one) for key, one in texts(language).items() if not SOURCES.match(key)]
    assert [(key, one) for key, one in told if foreign.search(_words(one))] == []


def test_every_exception_is_one() -> None:
    english = texts("en")
    for key, exempt in FREE.items():
        terms = [term for term in STEMS if re.search(rf"\b{term}s?\b", _words(english[key]), re.IGNORECASE)]
        for language in exempt:
            assert any(not re.search(STEMS[term][language], texts(language)[key], re.IGNORECASE) for term in terms), (
                key,
                language,
            )
