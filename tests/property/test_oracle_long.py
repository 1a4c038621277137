"""The long comparison resumes, tells what it did and fails when something differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco.cli.holding import held_file
from scripts.oracle_long import compare_chunk, main
from tests.property.oracle_compare import Tally


def test_a_run_without_differences_succeeds_and_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--count", "1200", "--workers", "1", "--seed", "3", "--state", str(tmp_path / "state.json")]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "seed 3: 1200 melds and additions in 1 chunks, 0 of them finished before" in first
    assert "0 differences" in first
    assert main(command) == 0
    again = capsys.readouterr().out
    assert "1 of them finished before" in again
    assert first.splitlines()[2:] == again.splitlines()[1:]


def test_a_second_run_on_a_file_of_finished_chunks_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with held_file(state), pytest.raises(SystemExit) as caught:
        main(["--count", "40", "--workers", "1", "--state", str(state)])
    told = f"another run writes {state}; wait until it has ended, or name another --state"
    assert str(caught.value) == f"oracle_long: {told}"
    assert list(tmp_path.iterdir()) == []


def test_another_seed_begins_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--count", "40", "--workers", "1", "--state", str(tmp_path / "state.json"), "--seed"]
    main([*command, "1"])
    main([*command, "2"])
    assert "seed 2: 40 melds and additions in 1 chunks, 0 of them finished before" in capsys.readouterr().out


def test_a_difference_fails_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    command = ["--count", "40", "--workers", "1", "--state", str(state)]
    main(command)
    state.write_text(state.read_text().replace('"differences": []', '"differences": ["aberto: planted"]'))
    assert main(command) == 1
    assert "aberto: planted\n1 differences" in capsys.readouterr().out


def test_a_chunk_is_fixed_by_its_seed_and_number() -> None:
    assert compare_chunk(1, 2, 300) == compare_chunk(1, 2, 300)
    assert compare_chunk(1, 2, 300).kinds != compare_chunk(1, 3, 300).kinds


def test_a_tally_survives_its_plain_form() -> None:
    tally = compare_chunk(5, 0, 100)
    assert Tally.from_plain(tally.plain()) == tally
