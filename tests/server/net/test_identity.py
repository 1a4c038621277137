"""Tokens and the key that signs them."""

from __future__ import annotations

import hmac
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco.errors import BuracoError
from buraco.server.identity import TOKEN_MAX, Claim, TokenSigner, cookie_name, load_key, new_id, token_of

KEY = bytes(range(32))


@pytest.fixture
def signer() -> TokenSigner:
    return TokenSigner(KEY)


def test_no_identifier_begins_like_an_option_of_a_command() -> None:
    # A letter in 64 is a hyphen: without care about thirty of these would.
    assert not [made for made in (new_id() for _ in range(2_000)) if made.startswith("-")]


def test_a_token_says_what_it_was_issued_for(signer: TokenSigner) -> None:
    person = new_id()
    assert signer.read(signer.issue(person, 3, 1_700_000_000)) == Claim(person, 3, 1_700_000_000)


def test_a_token_holds_for_its_own_key_only(signer: TokenSigner) -> None:
    assert TokenSigner(bytes(32)).read(signer.issue(new_id(), 0, 1)) is None


def test_no_changed_letter_of_a_token_is_accepted(signer: TokenSigner) -> None:
    token = signer.issue(new_id(), 0, 1_700_000_000)
    for index, letter in enumerate(token):
        other = "A" if letter != "A" else "B"
        changed = token[:index] + other + token[index + 1 :]
        # The last letter of 32 bytes in base 64 has two bits that say nothing; the text has to be the same anyway.
        assert signer.read(changed) is None, index


@given(st.text(max_size=TOKEN_MAX + 50))
def test_any_text_is_read_as_no_token(text: str) -> None:
    assert TokenSigner(KEY).read(text) is None


@given(st.text(alphabet="b1.0AZaz_-9", max_size=120))
def test_text_that_looks_like_a_token_is_none(text: str) -> None:
    assert TokenSigner(KEY).read(f"b1.{text}") is None


def test_signatures_are_compared_in_constant_time(signer: TokenSigner, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bytes, bytes]] = []

    def compare(left: bytes, right: bytes) -> bool:
        asked.append((left, right))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert signer.read(signer.issue(new_id(), 0, 1)) is None
    assert len(asked) == 1


def test_a_short_key_is_refused() -> None:
    with pytest.raises(BuracoError) as caught:
        TokenSigner(bytes(31))
    assert caught.value.code == "token_key"


def test_the_key_is_made_once_and_readable_for_its_owner_only(tmp_path: Path) -> None:
    first = load_key(tmp_path / "data", {})
    path = tmp_path / "data" / "token.key"
    assert load_key(tmp_path / "data", {}) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["token.key"]


def test_the_variable_wins_over_the_file(tmp_path: Path) -> None:
    assert load_key(tmp_path, {"BURACO_TOKEN_KEY": "ab" * 32}) == bytes.fromhex("ab" * 32)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "xy" * 32, "ab" * 31])
def test_a_key_file_without_a_key_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "token.key").write_text(text, encoding="ascii")
    with pytest.raises(BuracoError) as caught:
        load_key(tmp_path, {})
    assert caught.value.code == "token_key"
    assert "token.key" in caught.value.message


def test_a_header_wins_over_the_cookie() -> None:
    cookies = {"buraco": "c", "__Host-buraco": "s"}
    assert token_of({"authorization": "Bearer h"}, cookies, secure=False) == ("h", False)
    assert token_of({"authorization": "Basic h"}, cookies, secure=False) == ("c", True)
    assert token_of({}, cookies, secure=True) == ("s", True)
    assert token_of({}, {}, secure=True) == ("", False)


def test_the_secure_cookie_is_bound_to_the_host() -> None:
    assert cookie_name(secure=True).startswith("__Host-")
