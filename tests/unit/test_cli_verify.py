"""The command verify: what it says of an honest record and of a lie, its exit codes, its JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from buraco.notation import DealWitness, Record, Witness, format_record, record_json_text, witness_json
from tests.unit.fair_match import FairTable, fair_record
from tests.unit.terminal import Outcome, json_of


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[str], str]:
    """Write a text into a file and return its path."""

    def save(text: str) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.txt"
        path.write_text(text, "utf-8")
        return str(path)

    return save


def lie() -> Record:
    """Return a record whose first deal has two cards swapped."""
    record = FairTable("aberto").play(with_packs=True)
    pack = list(record.deals[0].pack or ())
    pack[0], pack[-1] = pack[-1], pack[0]
    return replace(record, deals=(replace(record.deals[0], pack=tuple(pack)), *record.deals[1:]))


def test_an_honest_record_holds_in_either_form_and_from_a_pipe(
    ran: Callable[..., Outcome], saved: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = fair_record()
    for text in (format_record(record), record_json_text(record)):
        result = ran("verify", saved(text))
        assert (result.code, result.err) == (0, "")
        assert "Deal 1: every card follows from the seed that the server committed to and those of seats 0 and 2." in (
            result.out
        )
        assert result.out.endswith("The shuffles hold: 2 deals.\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(format_record(record).encode())))
    assert ran("verify", "-").code == 0
    assert json_of(ran("verify", saved(format_record(record)), "--json")) == {
        "holds": True,
        "deals": 2,
        "findings": [],
    }


def test_a_lie_is_named_by_deal_and_card_and_ends_with_exit_code_1(
    ran: Callable[..., Outcome], saved: Callable[[str], str]
) -> None:
    path = saved(format_record(lie()))
    result = ran("verify", path)
    assert result.code == 1
    assert "fault: Deal 1: card 1 of the pack, dealt to seat " in result.out
    assert "Deal 2: every card follows" in result.out
    assert "The shuffles do not hold: " in result.out
    told = json_of(ran("verify", path, "--json"))
    assert told["holds"] is False
    first = told["findings"][0]
    assert (first["code"], first["deal"], first["card"], first["fault"]) == ("pack", 1, 1, True)
    assert first["found"] != first["expected"]


def test_what_the_evidence_cannot_show_is_a_note_and_no_fault(
    ran: Callable[..., Outcome], saved: Callable[[str], str]
) -> None:
    result = ran("verify", saved(format_record(replace(fair_record(), dealer_drawn=False))))
    assert result.code == 0
    assert result.out.startswith("note: The first dealer, seat ")


def test_a_record_without_evidence_does_not_verify(ran: Callable[..., Outcome], saved: Callable[[str], str]) -> None:
    record = fair_record(with_packs=True)
    bare = [replace(deal, commitment="", revealed_seed="", player_seeds=()) for deal in record.deals]
    path = saved(format_record(replace(record, seed="00" * 32, dealer_drawn=False, deals=tuple(bare))))
    result = ran("verify", path)
    assert result.code == 1
    assert result.out == "This record holds no evidence of a fair shuffle, so nothing can be checked.\n"
    told = json_of(ran("verify", path, "--json"))
    assert (told["holds"], [one["code"] for one in told["findings"]]) == (False, ["no_evidence"])


def test_a_record_that_does_not_replay_has_faults_even_without_evidence(
    ran: Callable[..., Outcome], saved: Callable[[str], str]
) -> None:
    record = fair_record()
    bare = [replace(deal, commitment="", revealed_seed="", player_seeds=()) for deal in record.deals]
    path = saved(format_record(replace(record, seed="00" * 32, dealer_drawn=False, deals=tuple(bare))))
    result = ran("verify", path)
    assert result.code == 1
    assert "The shuffles do not hold: " in result.out


def test_a_witness_is_held_against_the_record(ran: Callable[..., Outcome], saved: Callable[[str], str]) -> None:
    record = fair_record()
    path = saved(format_record(record))
    honest = saved(json.dumps(witness_json(FairTable("aberto").witness(0, record))))
    shown = Witness(record.name, -1, (DealWitness(number=2, commitment="ab" * 32),))
    other = saved(json.dumps(witness_json(shown)))
    assert ran("verify", path, "--witness", honest).code == 0
    result = ran("verify", path, "--witness", honest, "--witness", other)
    assert result.code == 1
    assert "fault: Deal 2: the witness was shown another commitment" in result.out


@pytest.mark.parametrize(
    ("text", "code"), [("buraco-record 1\nname: x", "record_text"), ("{}", "record_form"), ("hello", "record_text")]
)
def test_what_is_no_record_ends_with_exit_code_3(
    ran: Callable[..., Outcome], saved: Callable[[str], str], text: str, code: str
) -> None:
    path = saved(text)
    result = ran("verify", path)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("buraco: ")
    assert json_of(ran("verify", path, "--json"))["error"]["code"] == code


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_is_no_record_is_named_with_what_a_record_is(
    ran: Callable[..., Outcome], saved: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    path, why = saved("hello"), "is no record of a match: line 1: a record begins with 'buraco-record 1'"
    assert json_of(ran(command, path, "--json"))["error"]["message"] == f"{path} {why}"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert json_of(ran(command, "-", "--json"))["error"]["message"] == f"standard input {why}"
    told = json_of(ran(command, "buraco-record 1\nhello", "--json"))["error"]["message"]
    assert told.startswith("the text is no record of a match: line 2: ")


def test_a_file_that_is_not_there_or_no_witness_ends_with_exit_code_3(
    ran: Callable[..., Outcome], saved: Callable[[str], str]
) -> None:
    assert json_of(ran("verify", "nowhere.txt", "--json"))["error"]["code"] == "file"
    path = saved(format_record(fair_record()))
    error = json_of(ran("verify", path, "--witness", path, "--json"))["error"]
    assert (error["code"], error["exit_code"]) == ("witness_form", 3)
    assert error["message"].startswith(f"{path} is no witness of a match: ")


def test_the_command_alone_is_wrong_usage(ran: Callable[..., Outcome]) -> None:
    assert ran("verify").code == 2
