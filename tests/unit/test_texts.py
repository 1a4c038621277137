"""The machinery of the texts: languages that are wished for, plural forms, messages that say themselves anew."""

from __future__ import annotations

import copy
import pickle
import re
import string
import unicodedata
from pathlib import Path

import pytest

from buraco import texts as package
from buraco.engine.codes import CODES
from buraco.server.deciding import PHRASES
from buraco.server.problems import STATUS_OF
from buraco.texts import (
    PLURAL_CATEGORIES,
    Message,
    UnknownText,
    has_text,
    in_language,
    is_plural,
    joined,
    languages,
    match_language,
    message,
    plural_categories,
    plural_category,
    text,
    texts,
)
from buraco.texts.matching import nearest_language

OURS = ("bg", "en", "es", "it", "pt-BR", "ru")


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ("it", "it"),
        ("IT", "it"),
        ("it-CH", "it"),
        ("it_IT.UTF-8", "it"),
        ("ru_RU.KOI8-R", "ru"),
        ("es_ES@euro", "es"),
        ("bg_BG.UTF-8@calendar", "bg"),
        ("pt_PT.UTF-8", "pt-BR"),
        ("pt", "pt-BR"),
        ("pt-br", "pt-BR"),
        ("es-419,es;q=0.9,en;q=0.8", "es"),
        ("de-DE,de;q=0.9,it;q=0.5,en;q=0.7", "en"),
        ("de, ru ;q=0.2 , bg; q=0.3", "bg"),
        ("it;q=0, ru;q=0.1", "ru"),
        ("it;q=nonsense, ru;q=0.1", "ru"),
        ("*", "en"),
        ("de, *;q=0.5", "en"),
    ],
)
def test_a_wish_is_met_by_the_nearest_language(wish: str, found: str) -> None:
    assert nearest_language(wish, OURS) == found


@pytest.mark.parametrize(
    "wish",
    ["", "C", "C.UTF-8", "POSIX", "de", "de-AT, fr", "ita", "it;q=0", "-", "it--", "\0", ";;,,==", "ру", "../en"],
)
def test_what_no_language_of_ours_meets_is_no_wish(wish: str) -> None:
    assert nearest_language(wish, OURS) is None


def test_only_so_much_of_a_hostile_header_is_read() -> None:
    assert nearest_language("de," * 49 + "it", OURS) == "it"
    assert nearest_language("de," * 50 + "it", OURS) is None
    assert nearest_language("x" * 1_000_000, OURS) is None


def test_of_several_wishes_the_first_counts_that_can_be_met() -> None:
    assert match_language("xx", None, "", "en-GB") == "en"
    assert match_language("en", languages()[0]) == "en"
    assert match_language() == "en"


RUSSIAN = {
    "one": (1, 21, 101, 1001),
    "few": (2, 3, 4, 22, 104, 1302),
    "many": (0, 5, 11, 12, 14, 20, 111, 112, 500, 1011),
}


@pytest.mark.parametrize(("category", "numbers"), RUSSIAN.items())
def test_russian_has_three_forms_for_whole_numbers(category: str, numbers: tuple[int, ...]) -> None:
    assert {plural_category("ru", number) for number in numbers} == {category}
    assert {plural_category("ru", -number) for number in numbers} == {category}


@pytest.mark.parametrize("language", ["en", "bg", "it", "es", "pt-BR"])
def test_the_other_languages_tell_one_from_more(language: str) -> None:
    assert plural_category(language, 1) == plural_category(language, -1) == "one"
    assert {plural_category(language, number) for number in (2, 5, 11, 21, 101, 104, 2000)} == {"other"}


def test_nothing_is_singular_in_portuguese_alone() -> None:
    assert [plural_category(language, 0) for language in ("pt-BR", "en", "bg", "it", "es")] == ["one", *["other"] * 4]


def test_round_millions_are_many_where_they_are_followed_by_a_word() -> None:
    assert [plural_category(one, 3_000_000) for one in ("it", "es", "pt-BR", "en", "bg")] == [
        *["many"] * 3,
        "other",
        "other",
    ]


# Languages and texts of their own, so that these tests need no text of ours.


@pytest.fixture
def toy_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    english = {
        "toy.cards.one": "{n} card",
        "toy.cards.other": "{n} cards",
        "toy.only": "English only: {n}",
        "toy.told": "told: {what}",
    }
    russian = {
        "toy.cards.one": "{n} карта",
        "toy.cards.few": "{n} карты",
        "toy.cards.many": "{n} карт",
        "toy.cards.other": "{n} карты",
        "toy.told": "сказано: {what}",
    }
    known = {"en": english, "ru": russian}

    def toy(language: str = "en") -> dict[str, str]:
        if language not in known:
            raise UnknownText("unknown_language", "no such language")
        return known[language]

    monkeypatch.setattr(package, "texts", toy)


@pytest.mark.usefixtures("toy_texts")
def test_a_text_has_the_form_that_goes_with_its_number() -> None:
    assert [text("toy.cards", n=number) for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    told = [text("toy.cards", "ru", n=number) for number in (1, 2, 5, 21, 104, 111)]
    assert told == ["1 карта", "2 карты", "5 карт", "21 карта", "104 карты", "111 карт"]


@pytest.mark.usefixtures("toy_texts")
def test_a_text_with_forms_is_one_text() -> None:
    assert has_text("toy.cards")
    assert is_plural("toy.cards", "ru")
    assert not is_plural("toy.told")


@pytest.mark.usefixtures("toy_texts")
def test_english_stands_in_for_a_text_that_a_language_lacks() -> None:
    assert text("toy.only", "ru", n=3) == "English only: 3"
    assert not has_text("toy.only", "ru")


@pytest.mark.usefixtures("toy_texts")
@pytest.mark.parametrize(
    ("key", "language", "code"),
    [
        ("toy.none", "ru", "unknown_text"),
        ("toy.told", "xx", "unknown_language"),
        ("toy.told", "ru", "missing_parameter"),
        ("toy.cards", "ru", "missing_parameter"),
    ],
)
def test_what_is_missing_is_named_in_every_language(key: str, language: str, code: str) -> None:
    with pytest.raises(UnknownText) as caught:
        text(key, language)
    assert caught.value.code == code


@pytest.mark.usefixtures("toy_texts")
def test_a_message_is_english_and_says_itself_in_another_language() -> None:
    told = message("toy.told", what=message("toy.cards", n=5))
    assert told == "told: 5 cards"
    assert in_language(told, "ru") == "сказано: 5 карт"
    assert type(in_language(told)) is str


@pytest.mark.usefixtures("toy_texts")
def test_messages_and_plain_texts_are_joined_to_one_message() -> None:
    told = joined("; ", ("7h", message("toy.cards", n=1), "X"))
    assert told == "7h; 1 card; X"
    assert in_language(told, "ru") == "7h; 1 карта; X"
    assert joined(", ", ()) == ""


@pytest.mark.usefixtures("toy_texts")
def test_a_plain_text_is_the_same_in_every_language() -> None:
    assert in_language("plain", "ru") == "plain"


@pytest.mark.usefixtures("toy_texts")
def test_a_message_goes_to_another_process_and_can_be_copied() -> None:
    told = joined(" ", (message("toy.told", what=message("toy.cards", n=2)), "end"))
    for again in (pickle.loads(pickle.dumps(told)), copy.copy(told), copy.deepcopy(told)):
        assert isinstance(again, Message)
        assert in_language(again, "ru") == "сказано: 2 карты end"


@pytest.mark.usefixtures("toy_texts")
def test_a_message_without_its_text_or_value_is_never_made() -> None:
    with pytest.raises(UnknownText):
        message("toy.none")
    with pytest.raises(UnknownText):
        message("toy.told")


# The files.


def named(template: str) -> set[str]:
    """Return the placeholders of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def whole(language: str) -> dict[str, set[str]]:
    """Return the placeholders of every text of a language; the plural forms of one are one text."""
    known = texts(language)
    found: dict[str, set[str]] = {}
    for key, template in known.items():
        stem, _, last = key.rpartition(".")
        plural = last in PLURAL_CATEGORIES and is_plural(stem, language)
        found.setdefault(stem if plural else key, set()).update(named(template))
    return found


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_texts_with_the_same_placeholders(language: str) -> None:
    english, other = whole("en"), whole(language)
    assert sorted(set(english) ^ set(other)) == []
    assert {key: names for key, names in other.items() if names != english[key]} == {}


#: Words that are the same as in English; all others of a text have to be translated.
SHARED_WORDS = {
    "bg": {"ctrl", "end", "enter", "esc", "home", "shift"},
    "es": {
        "bot",
        "bots",
        "canasta",
        "canastas",
        "chat",
        "ctrl",
        "esc",
        "h",
        "joker",
        "jokers",
        "min",
        "no",
        "ok",
        "s",
        "total",
    },
    "it": {
        *("account", "bot", "browser", "chat", "ctrl", "database", "esc", "h", "home", "menu", "min", "no", "ok"),
        *("password", "s"),
    },
    "pt-BR": {
        *("canasta", "chat", "ctrl", "end", "enter", "esc", "fechado", "h", "home", "joker", "jokers", "menu", "min"),
        *("morto", "mortos", "ok", "s", "shift", "total"),
    },
    "ru": {"ctrl", "end", "enter", "esc", "home", "shift"},
}


def words_of(template: str) -> set[str]:
    """Return the words of a text without its placeholders, in small letters."""
    plain = "".join(literal for literal, _, _, _ in string.Formatter().parse(template))
    return {word.lower() for word in re.findall(r"[^\W\d_]+", plain)}


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_no_text_is_left_in_english(language: str) -> None:
    english = texts("en")
    # The terms themselves may be alike; `test_terms` looks at them.
    told_alike = {key: told for key, told in texts(language).items() if english.get(key) == told}
    same = {key: told for key, told in told_alike.items() if not key.startswith("term.")}
    assert {key: told for key, told in same.items() if words_of(told) - SHARED_WORDS[language]} == {}


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_or_holds_what_cannot_be_seen(language: str) -> None:
    for key, told in texts(language).items():
        assert told.strip(), key
        # A line break, an invisible letter, or a turn of the writing direction.
        assert [letter for letter in told if unicodedata.category(letter) in ("Cc", "Cf", "Cn", "Co", "Cs")] == [], key


@pytest.mark.parametrize("language", languages())
def test_a_text_with_forms_has_those_that_its_language_needs_and_no_others(language: str) -> None:
    known = texts(language)
    for key in known:
        stem, _, last = key.rpartition(".")
        if last == "other" and is_plural(stem, language):
            found = {name for name in PLURAL_CATEGORIES if f"{stem}.{name}" in known}
            assert set(plural_categories(language)) <= found <= {*plural_categories(language), "many"}, stem


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("number", [1, 2, 5, 21, 104])
def test_a_counted_text_of_the_terminal_is_told_for_every_number(language: str, number: int) -> None:
    told = text("cli.verify.holds", language, n=number)
    assert str(number) in told or number == 1
    assert told == texts(language)[f"cli.verify.holds.{plural_category(language, number)}"].format(n=number)


@pytest.mark.parametrize("language", languages())
def test_every_refusal_problem_phrase_and_reason_has_a_text_in_every_language(language: str) -> None:
    keys = [f"code.{code}" for code in CODES if code != "legal"]
    keys += [f"phrase.{phrase}" for phrase in PHRASES]
    keys += [f"http.title.{status}" for status in {*STATUS_OF.values(), 422}]
    assert [key for key in keys if not has_text(key, language)] == []


SOURCES = Path(package.__file__).parents[1]
ASKED = re.compile(r'\b(?:text|message|text_of)\(\s*"([a-z0-9_]+(?:\.[a-z0-9_]+)+)"')


def test_every_text_that_the_program_asks_for_is_there() -> None:
    asked = {key for path in SOURCES.rglob("*.py") for key in ASKED.findall(path.read_text(encoding="utf-8"))}
    assert len(asked) > 100
    assert sorted(key for key in asked if not has_text(key)) == []
