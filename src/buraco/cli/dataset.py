"""The decisions of simulated deals in a Parquet file, made part by part so that an interrupted run goes on.

A part is a file of its own with a fixed number of deals, beside the data set in the folder ``NAME.parts``. Neither the
number of workers nor an interruption changes a part, and the data set is the parts one after the other.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco.arena.dataset import arrow_schema, decision_row, outcome_columns
from buraco.arena.executors import in_order, open_pool
from buraco.arena.plan import software
from buraco.arena.results import differences
from buraco.bots import Decision
from buraco.cli.common import EXIT_INPUT, EXIT_USAGE, CommandError, fail, os_reason, refuse_special
from buraco.cli.holding import only_run
from buraco.cli.simulation import Plan, PlayedDeal, play_deal
from buraco.engine import SeatView
from buraco.rules import to_json

if TYPE_CHECKING:
    import pyarrow.parquet

__all__ = ["FORMAT", "GROUP_ROWS", "VERSION", "Dataset", "part_deals"]

FORMAT: Final = "buraco-dataset"
VERSION: Final = 1
"""The version of the columns; it changes when an old reader would misread a new file."""

GROUP_ROWS: Final = 50_000
"""A row group of the data set has this many rows or a few more: what the memory has to hold at a time."""

_KEY: Final = b"buraco"
_ACTS: Final = ("turn_count", "seat", "action")


def part_deals(plan: Plan) -> int:
    """Return how many deals a part has: a little work that an interruption may lose."""
    return 2 if plan.searches else 25


@dataclass(frozen=True, slots=True)
class Dataset:
    """The data set of a plan in a file, or what there is of it yet.

    ``keep_acts``: whether the deals that it yields have their actions. Every method raises CommandError: ``file``,
    ``dataset_in_use`` (another run writes the file), ``dataset_settings`` (it is of other settings or another
    software), ``dataset_file`` (it is damaged, or none of ours), ``dataset_nodes`` (its bots would go by the clock),
    ``dataset_missing`` without PyArrow.
    """

    plan: Plan
    path: Path
    keep_acts: bool = False

    def deals(self, workers: int) -> Generator[PlayedDeal, None, None]:
        """Yield every deal of the plan in order: those of the file or its parts, then those that are played now.

        When it has yielded all of them the file is whole and the parts are gone. Closing the generator ends the
        workers after the parts that they are at; whole parts stay.
        """
        if self.plan.searches and self.plan.nodes is None:
            fail(
                "dataset_nodes", "a level that searches goes by the clock; give it --nodes, so that it can be repeated"
            )
        arrow_schema()
        if _exists(self.path):
            yield from self._finished()
            return
        with only_run(self.path, "dataset_in_use", folder=self._folder):
            # Another run may have finished the file before this one held it.
            if _exists(self.path):
                yield from self._finished()
                return
            yield from self._played(workers)
            self._join()
            self._clear()

    def _finished(self) -> Iterator[PlayedDeal]:
        yield from _read(self.path, self, 0, self.plan.deals)
        self._clear()

    def rows(self) -> int:
        """Return the number of rows of the finished file."""
        with _reading(self.path), _opened(self.path) as file:
            return int(file.metadata.num_rows)

    @property
    def _folder(self) -> Path:
        return self.path.with_name(f"{self.path.name}.parts")

    def _parts(self) -> list[tuple[Path, int, int]]:
        """Return of each part its file, the number of its first deal, and how many it has."""
        size, deals = part_deals(self.plan), self.plan.deals
        folder = self._folder
        return [
            (folder / f"part-{one // size:07}.parquet", one, min(size, deals - one)) for one in range(0, deals, size)
        ]

    def _played(self, workers: int) -> Iterator[PlayedDeal]:
        with _writing(self.path):
            # That the file can be written is found out before anything is played.
            probe = _unfinished(self.path)
            probe.touch()
            probe.unlink()
        parts = self._parts()
        there = {part for part, _, _ in parts if _exists(part)}
        for part in sorted(there):
            with _reading(part), _opened(part) as file:
                _check(part, file, self)
        wanted = [(self.plan, *part, _form_text(self.plan)) for part in parts if part[0] not in there]
        with open_pool("local", max(1, min(workers, len(wanted)))) as pool:
            fresh = in_order(pool, iter(wanted), _play_part)
            for part, first, count in parts:
                if part not in there and (failure := next(fresh)) is not None:
                    raise CommandError(*failure)
                yield from _read(part, self, first, count)

    def _join(self) -> None:
        """Put the parts one after the other into the file."""
        import pyarrow

        waiting: list[Any] = []
        with _saved(self.path, _form_text(self.plan), self._folder) as writer:
            parts = self._parts()
            for number, (part, _, _) in enumerate(parts, 1):
                with _reading(part), _opened(part) as file:
                    waiting.append(file.read())
                if number == len(parts) or sum(table.num_rows for table in waiting) >= GROUP_ROWS:
                    table = pyarrow.concat_tables(waiting)
                    writer.write_table(table, row_group_size=table.num_rows)
                    waiting.clear()

    def _clear(self) -> None:
        """Remove the parts, and what workers that were ended left half written; nothing else in their folder."""
        if not self._folder.is_dir():
            return
        with _writing(self._folder):
            for path in [*self._folder.glob("part-*.parquet"), *self._folder.glob(".*.part")]:
                path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                self._folder.rmdir()


def _form(plan: Plan) -> dict[str, Any]:
    """Return what a file says of itself: what was to be played, and by which software, whatever its build."""
    by = {name: value for name, value in software().items() if name != "engine"}
    settings = {
        "rules": to_json(plan.rules),
        "bots": list(plan.bots),
        "deals": plan.deals,
        "seed": plan.seed,
        "nodes": plan.nodes,
    }
    return {"format": FORMAT, "version": VERSION, "software": by, "settings": settings}


def _form_text(plan: Plan) -> str:
    return json.dumps(_form(plan), ensure_ascii=False)


def _play_part(plan: Plan, path: Path, first: int, count: int, form: str) -> tuple[str, str, int] | None:
    """Play the deals of a part and write its file, whole or not at all; return what keeps it from being written.

    Code, message and exit code of the error, which could not pass from a process to another as it is.
    """
    import pyarrow

    table = pyarrow.concat_tables([_deal_table(plan, index) for index in range(first, first + count)])
    try:
        with _saved(path, form, path.parent) as writer:
            writer.write_table(table, row_group_size=table.num_rows)
    except CommandError as error:
        return error.code, error.message, error.exit_code
    return None


def _deal_table(plan: Plan, index: int) -> Any:
    """Play a deal and return its rows as a table of PyArrow."""
    import pyarrow

    rows: list[dict[str, object]] = []

    def watch(view: SeatView, level: str, decision: Decision) -> None:
        rows.append(decision_row(view, level, decision) | {"deal": index + 1, "decision": len(rows)})

    deal = play_deal(plan, index, watch=watch)
    outcome: dict[str, object] = {name: getattr(deal, name) for name in ("end_kind", "out_seat", "turns", "actions")}
    for side in (0, 1):
        outcome |= {f"score_{side}": deal.scores[side], f"mortos_{side}": deal.mortos[side]}
        outcome[f"canastas_{side}"] = deal.canastas[side]
    for row in rows:
        row |= outcome
    return pyarrow.Table.from_pylist(rows, schema=arrow_schema())


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{os.getpid()}.part")


@contextlib.contextmanager
def _saved(path: Path, form: str, folder: Path) -> Generator[Any, None, None]:
    """Give a writer of a Parquet file, which takes its name once it is whole; until then it lies among the parts.

    So what a process that was killed leaves goes with them.
    """
    import pyarrow.parquet

    unfinished = _unfinished(folder / path.name)
    schema = arrow_schema({_KEY.decode(): form})
    with _writing(path):
        try:
            options = {"compression": "zstd", "write_page_checksum": True}
            with pyarrow.parquet.ParquetWriter(unfinished, schema, **options) as writer:
                yield writer
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def _writing(path: Path) -> Generator[None, None, None]:
    try:
        yield
    except (OSError, ValueError) as error:
        fail("file", f"cannot write {path}: {os_reason(error)}; name another file or folder", EXIT_INPUT)


@contextlib.contextmanager
def _reading(path: Path) -> Generator[None, None, None]:
    import pyarrow

    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, pyarrow.ArrowException):
        fail("dataset_file", _no_dataset(path), EXIT_INPUT)


def _exists(path: Path) -> bool:
    """Say whether a file of this name is there. Raises CommandError (code ``file``) for a folder, a pipe or device, or
    a bad name."""
    refuse_special(path)
    with _writing(path):
        try:
            folder = stat.S_ISDIR(path.stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return False
        if folder:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return True


def _no_dataset(path: Path) -> str:
    way_out = "remove it to have it played anew, or name another file"
    return f"{path} is damaged, or no data set that `buraco simulate` wrote; {way_out}"


def _opened(path: Path) -> pyarrow.parquet.ParquetFile:
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)


def _check(path: Path, file: pyarrow.parquet.ParquetFile, dataset: Dataset) -> None:
    """Raise CommandError unless a file belongs to the plan. Raises KeyError or ValueError for one that is not ours."""
    form, wanted = json.loads((file.metadata.metadata or {})[_KEY]), _form(dataset.plan)
    if form["format"] != FORMAT or not file.schema_arrow.equals(arrow_schema()):
        raise ValueError("another format")
    changed = differences(form["settings"], json.loads(json.dumps(wanted["settings"])))
    # The other parts are of the same software as this one.
    gone = path if path == dataset.path else path.parent
    way_out = "repeat the run with those settings" if changed else f"remove {gone} to have it played anew"
    changed += differences(form["software"], wanted["software"], "software.")
    if changed:
        way_out += ", or name another file"
        fail("dataset_settings", f"{path} is of other settings: {'; '.join(changed)}; {way_out}", EXIT_USAGE)


def _read(path: Path, dataset: Dataset, first: int, count: int) -> Iterator[PlayedDeal]:
    """Yield the deals of a file, which must be those from number ``first`` on, each with all of its rows."""
    columns = ["deal", "decision", *_ACTS, *(name for name in outcome_columns() if name not in _ACTS)]
    number = first
    with contextlib.ExitStack() as stack:
        with _reading(path):
            file = stack.enter_context(_opened(path))
            _check(path, file, dataset)
            groups = file.metadata.num_row_groups
        for group in range(groups):
            with _reading(path):
                deals = list(_deals_of(file.read_row_group(group, columns), number, dataset.keep_acts))
            yield from deals
            number += len(deals)
    if number != first + count:
        fail("dataset_file", _no_dataset(path), EXIT_INPUT)


def _deals_of(table: Any, number: int, keep_acts: bool) -> Iterator[PlayedDeal]:
    """Yield the deals of a table from number ``number`` on. Raises ValueError if a row is missing or doubled."""
    starts = [row for row, decision in enumerate(table["decision"].to_pylist()) if decision == 0]
    for start, end in zip(starts, [*starts[1:], table.num_rows], strict=True):
        rows = table.slice(start, end - start)
        told = rows.slice(0, 1).to_pylist()[0]
        whole = rows["decision"].to_pylist() == list(range(told["actions"]))
        if not whole or set(rows["deal"].to_pylist()) != {number + 1}:
            raise ValueError("rows are missing or doubled")
        acts = zip(*(rows[name].to_pylist() for name in _ACTS), strict=True) if keep_acts else ()
        yield PlayedDeal(
            index=number,
            scores=(told["score_0"], told["score_1"]),
            turns=told["turns"],
            actions=told["actions"],
            end_kind=told["end_kind"],
            out_seat=told["out_seat"],
            mortos=(told["mortos_0"], told["mortos_1"]),
            canastas=(tuple(told["canastas_0"]), tuple(told["canastas_1"])),
            acts=tuple((turn, seat, action) for turn, seat, action in acts),
        )
        number += 1
