"""The long comparison of the engine with the independent oracle of the tests.

    python scripts/oracle_long.py --count 5000000 --workers 2

``--count`` random melds and additions, under the ten rule sets and under house rules for every mix of the fields about
runs and wilds; for every thousand of them one random hand (all its legal actions, the table after each and the score)
and, where the rules have them, one closed pile and one opening. Finished chunks are kept in ``--state``, so that the
same command resumes; another seed or count begins anew. Exit code 0: no difference; 1: differences, all printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from buraco.cli.common import CommandError
from buraco.cli.holding import only_run

if TYPE_CHECKING:
    from tests.property.oracle_compare import Tally

__all__ = ["compare_chunk", "main"]

ROOT: Final = Path(__file__).resolve().parent.parent
CHUNK_SIZE: Final = 20_000
MELDS_PER_DEAL: Final = 1_000
#: Of this many melds one is compared under house rules.
HOUSE_SHARE: Final = 4


def _reach_tests() -> None:
    """Make the package of the tests importable: it is not installed."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


def compare_chunk(seed: int, chunk: int, count: int) -> Tally:
    """Compare one chunk; seed and number of the chunk fix what is compared."""
    _reach_tests()
    from buraco.rules import RULE_SETS
    from tests.property.oracle_compare import compare_deal, compare_melds
    from tests.property.oracle_duties import compare_opening, compare_pile
    from tests.property.oracle_random import HOUSE_RULES

    random = Random(f"{seed}/{chunk}")
    ten = list(RULE_SETS.values())
    house = count // HOUSE_SHARE
    tally = compare_melds(ten, random, count - house)
    tally.add(compare_melds(random.sample(HOUSE_RULES, len(HOUSE_RULES)), random, house))
    for index in range(count // MELDS_PER_DEAL):
        rules = ten[(chunk + index) % len(ten)]
        tally.add(compare_deal(rules, random))
        if rules.pile_closed:
            tally.add(compare_pile(rules, random))
        if rules.opening != "none":
            tally.add(compare_opening(rules, random))
    return tally


def _chunks(count: int) -> Iterator[tuple[int, int]]:
    for start in range(0, count, CHUNK_SIZE):
        yield start // CHUNK_SIZE, min(CHUNK_SIZE, count - start)


def _read_state(path: Path, run: dict[str, int]) -> dict[int, Tally]:
    """Return the finished chunks of the same run; none when the file tells of another one."""
    from tests.property.oracle_compare import Tally

    if not path.is_file():
        return {}
    state = json.loads(path.read_text())
    if state.get("run") != run:
        return {}
    return {int(chunk): Tally.from_plain(plain) for chunk, plain in state["chunks"].items()}


def _write_state(path: Path, run: dict[str, int], done: dict[int, Tally]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({"run": run, "chunks": {chunk: tally.plain() for chunk, tally in done.items()}}))
    # One step, so that an interrupt leaves the old file or the new one.
    fresh.replace(path)


def _compare(seed: int, count: int, workers: int, path: Path) -> Tally:
    from tests.property.oracle_compare import Tally

    run = {"seed": seed, "count": count, "chunk_size": CHUNK_SIZE}
    done = _read_state(path, run)
    waiting = [(chunk, size) for chunk, size in _chunks(count) if chunk not in done]
    total = len(done) + len(waiting)
    print(
        f"seed {seed}: {count} melds and additions in {total} chunks, {len(done)} of them finished before", flush=True
    )
    with ProcessPoolExecutor(workers) as pool:
        running = {pool.submit(compare_chunk, seed, chunk, size): chunk for chunk, size in waiting}
        for future in as_completed(running):
            done[running[future]] = future.result()
            _write_state(path, run, done)
            different = sum(len(tally.differences) for tally in done.values())
            print(f"{len(done) * 100 // total:3} %  {len(done)}/{total} chunks, {different} differences", flush=True)
    result = Tally()
    for chunk in sorted(done):
        result.add(done[chunk])
    return result


def _report(tally: Tally) -> None:
    print(f"compared {tally.compared}, of them legal {tally.legal} ({tally.legal * 100 // max(tally.compared, 1)} %)")
    for name, number in sorted(tally.kinds.items()):
        print(f"  {name}: {number}")
    named = {name: number for name, number in tally.rule_sets.items() if not name.startswith("house-")}
    for name, number in sorted(named.items()):
        print(f"  {name}: {number}")
    print(f"  house rules: {tally.rule_sets.total() - sum(named.values())}")
    for difference in tally.differences:
        print(difference)
    print(f"{len(tally.differences)} differences")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 0 without differences, else 1."""
    parser = argparse.ArgumentParser(description="Compare the engine with the independent oracle of the tests.")
    parser.add_argument("--count", type=int, default=5_000_000, help="melds and additions (default 5000000)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything random (default 1)")
    parser.add_argument(
        "--state", type=Path, default=ROOT / ".data" / "oracle_long.json", help="file of finished chunks"
    )
    options = parser.parse_args(arguments)
    if options.count < 1 or options.workers < 1:
        parser.error("--count and --workers are at least 1")
    _reach_tests()
    try:
        with only_run(options.state, "state_in_use", kind="--state"):
            tally = _compare(options.seed, options.count, options.workers, options.state)
    except CommandError as error:
        raise SystemExit(f"oracle_long: {error.message}") from None
    _report(tally)
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
