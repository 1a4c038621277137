"""Several processes that serve the same tables: who does what by itself, and what is thought of whoever is not heard.

The line between them and the list of those that live are in memory here, and the clock is turned by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from buraco.errors import BuracoError
from buraco.server import signals
from buraco.server.logs import make_log
from buraco.server.peers import Alone, Someone
from buraco.server.roster import Living
from buraco.server.site import Site, SiteTimes
from buraco.server.store import StorageError
from tests.server.core.playing import run

TIMES = SiteTimes(beat_s=0.001, start_s=0.2)
TABLES = tuple(f"table-{number}" for number in range(200))
ANA, BOB = Someone("ana"), Someone("bob", "account")


@dataclass
class Place:
    """Where processes meet: a line that carries at once, or nothing, and the list of those that live."""

    sites: dict[str, TestedSite] = field(default_factory=dict)
    living: dict[str, Living] = field(default_factory=dict)
    now_s: float = 0.0
    cut: bool = False
    database_away: bool = False

    def carry(self, sender: str, data: bytes) -> None:
        """Carry a signal to everybody, its sender among them."""
        for one in list(self.sites.values()):
            if not self.cut and one.on_line and self.sites[sender].on_line:
                one.hear(data)


class _Wire:
    def __init__(self, place: Place, name: str) -> None:
        self._place = place
        self._name = name

    def start(self) -> None:
        tested = self._place.sites[self._name]
        tested.on_line = True
        tested.joined()

    def send(self, data: bytes) -> None:
        self._place.carry(self._name, data)

    async def close(self) -> None:
        self._place.sites[self._name].on_line = False


class _Roster:
    def __init__(self, place: Place, own: Living) -> None:
        self._place = place
        self.own = own

    async def look(self) -> tuple[Living, ...]:
        if self._place.database_away:
            raise StorageError("storage", "away")
        return tuple(one for name, one in sorted(self._place.living.items()) if name != self.own.process_id)

    async def beat(self) -> tuple[Living, ...]:
        self._place.living[self.own.process_id] = self.own
        return await self.look()

    async def leave(self) -> None:
        self._place.living.pop(self.own.process_id, None)


class TestedSite:
    """A process with what it heard."""

    __test__ = False

    def __init__(self, place: Place, name: str, key_mark: str = "k") -> None:
        self.place = place
        self.news: list[tuple[str, int]] = []
        self.people: list[str] = []
        self.kicked: list[tuple[str, int, str]] = []
        self.forgotten: list[str] = []
        self.anew = self.judged = 0
        self.on_line = False
        place.sites[name] = self

        def make_wire(hear: Callable[[bytes], None], joined: Callable[[], None]) -> _Wire:
            self.hear, self.joined = hear, joined
            return _Wire(place, name)

        roster = _Roster(place, Living(name, key_mark))
        self.site = Site(roster, make_wire, b"key", make_log(), lambda: place.now_s, TIMES)  # type: ignore[arg-type]

    async def start(self) -> None:
        """Join the others."""
        await self.site.start(self, self)

    def close_here(self, person_id: str, code: int, reason: str) -> int:
        """Note it."""
        self.kicked.append((person_id, code, reason))
        return 0

    def judge_all(self) -> None:
        """Note it."""
        self.judged += 1

    def heard_news(self, table_id: str, version: int) -> None:
        """Note it."""
        self.news.append((table_id, version))

    def heard_people(self, table_id: str) -> None:
        """Note it."""
        self.people.append(table_id)

    def heard_all(self) -> None:
        """Note it."""
        self.anew += 1

    def heard_forgotten(self, person_id: str) -> None:
        """Note it."""
        self.forgotten.append(person_id)


async def several(count: int) -> tuple[Place, list[Site], list[TestedSite]]:
    """Return so many processes that know each other."""
    place = Place()
    tested = [TestedSite(place, f"p{number}") for number in range(count)]
    for one in tested:
        await one.start()
    await until(lambda: all(one.site.living_count == count and one.site.certain() for one in tested))
    return place, [one.site for one in tested], tested


async def until(holds: Callable[[], bool]) -> None:
    """Let the processes beat until something holds."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0)


async def end(sites: list[Site]) -> None:
    """End all."""
    for one in sites:
        await one.close()


def drivers(table_id: str, sites: list[Site]) -> list[str]:
    """Return which processes do what a table does by itself."""
    return [one.process_id for one in sites if one.drives(table_id)]


def test_a_process_without_others_does_everything() -> None:
    alone = Alone()
    assert alone.drives("x")
    assert alone.leads()
    assert alone.alone()
    assert alone.certain()
    assert not alone.several
    assert alone.people_at("x") == ()


def test_each_table_is_driven_by_one_and_all_get_their_share() -> None:
    async def case() -> None:
        _, sites, _ = await several(3)
        shares = {one.process_id: 0 for one in sites}
        for table_id in TABLES:
            (driver,) = drivers(table_id, sites)
            shares[driver] += 1
        assert min(shares.values()) > len(TABLES) // 6, shares
        assert [one.leads() for one in sites] == [True, False, False]
        await end(sites)

    run(case)


def test_a_table_is_driven_where_somebody_is() -> None:
    async def case() -> None:
        _, sites, tested = await several(3)
        for table_id in TABLES:
            sites[1].here(table_id, (ANA,))
            assert drivers(table_id, sites) == ["p1"]
            assert sites[0].people_at(table_id) == (ANA,)
            sites[2].here(table_id, (BOB,))
            assert drivers(table_id, sites) in (["p1"], ["p2"])
            sites[1].here(table_id, ())
            assert drivers(table_id, sites) == ["p2"]
        assert tested[0].people.count(TABLES[0]) == 3
        sites[2].here(TABLES[0], (BOB,))
        assert tested[0].people.count(TABLES[0]) == 3, "what has not changed is not told"
        await end(sites)

    run(case)


def test_what_a_process_leaves_is_done_by_the_others_at_once() -> None:
    async def case() -> None:
        _, sites, _ = await several(2)
        theirs = next(table_id for table_id in TABLES if drivers(table_id, sites) == ["p1"])
        sites[1].here("x", (ANA,))
        await sites[1].leave()
        assert not sites[1].drives(theirs)
        assert sites[0].drives(theirs)
        assert sites[0].people_at("x") == ()
        assert sites[0].alone()
        await end(sites)

    run(case)


def test_a_killed_process_is_missed_and_its_tables_are_taken_over() -> None:
    async def case() -> None:
        place, sites, tested = await several(3)
        sites[1].here("x", (ANA,))
        theirs = next(table_id for table_id in TABLES if drivers(table_id, sites) == ["p1"])
        tested[1].on_line = False
        left = [sites[0], sites[2]]
        # It is silent, and whoever was there may still be.
        place.now_s += TIMES.silent_s + 1
        await until(lambda: all(one._own_heard_s == place.now_s for one in left))
        assert [one.certain() for one in left] == [False, False]
        assert drivers(theirs, left) == []
        assert left[0].people_at("x") == (ANA,)
        # It counts as dead.
        sites[1]._task and sites[1]._task.cancel()
        await until(lambda: sites[1]._task is None or sites[1]._task.done())
        del place.living["p1"]
        await until(lambda: all(one.certain() for one in left))
        assert len(drivers(theirs, left)) == 1
        assert left[0].people_at("x") == ()
        await end(sites)

    run(case)


def test_without_redis_a_process_drives_where_somebody_is_and_nothing_else() -> None:
    async def case() -> None:
        place, sites, tested = await several(2)
        sites[0].here("x", (ANA,))
        sites[1].here("x", (BOB,))
        place.cut = True
        place.now_s += TIMES.silent_s + 1
        assert [one.certain() for one in sites] == [False, False]
        assert drivers("x", sites) == ["p0", "p1"], "the database decides between them"
        assert all(drivers(table_id, sites) == [] for table_id in TABLES)
        assert sites[0].look_s() == TIMES.look_uncertain_s
        assert [one.leads() for one in sites] == [True, False]
        sites[0].here("x", ())
        place.cut = False
        anew, judged = tested[1].anew, [one.judged for one in tested]
        for one in tested:
            one.joined()
        await until(lambda: all(one.certain() for one in sites))
        assert drivers("x", sites) == ["p1"]
        assert sites[1].people_at("x") == ()
        assert tested[1].anew > anew
        assert all(one.judged > before for one, before in zip(tested, judged, strict=True))
        assert sites[0].look_s() == TIMES.look_s
        await end(sites)

    run(case)


def test_a_process_alone_needs_no_redis() -> None:
    async def case() -> None:
        place = Place(cut=True)
        one = TestedSite(place, "p0")
        await one.start()
        assert one.site.certain()
        assert all(one.site.drives(table_id) for table_id in TABLES)
        place.now_s += 100
        await until(one.site.certain)
        place.database_away = True
        place.now_s += 100
        assert not one.site.certain(), "another may have come"
        place.database_away = False
        await until(one.site.certain)
        await one.site.close()

    run(case)


def test_a_newcomer_waits_until_it_knows_who_is_where() -> None:
    async def case() -> None:
        place, sites, tested = await several(1)
        sites[0].here("x", (ANA,))
        tested[0].on_line = False
        late = TestedSite(place, "p1")
        await late.start()
        assert not late.site.certain()
        assert not any(late.site.drives(table_id) for table_id in (*TABLES, "x"))
        tested[0].on_line = True
        tested[0].joined()
        await until(late.site.certain)
        assert late.site.people_at("x") == (ANA,)
        await end([*sites, late.site])

    run(case)


def test_a_process_with_another_key_is_refused() -> None:
    async def case() -> None:
        place, sites, _ = await several(1)
        with pytest.raises(BuracoError) as error:
            await TestedSite(place, "p1", "another").start()
        assert error.value.code == "token_key"
        await end(sites)

    run(case)


def test_sockets_are_judged_anew_when_another_may_have_asked_unheard_for_their_end() -> None:
    async def go() -> None:
        place, sites, tested = await several(2)
        before = tested[1].judged
        place.cut = True
        sites[0].kick("ana", 4003, "logged out everywhere")
        place.cut = False
        assert tested[1].kicked == []
        # What was lost was noticed at once, so that nobody was silent long enough to be missed.
        tested[0].joined()
        assert sites[1].certain()
        assert tested[1].judged > before
        await end(sites)

    run(go)


def test_news_of_one_go_are_told_together_and_only_to_others() -> None:
    async def case() -> None:
        _, sites, tested = await several(2)
        sites[0].changed("x", 1)
        sites[0].changed("y", 7)
        sites[0].changed("x", 2)
        assert tested[1].news == []
        await asyncio.sleep(0)
        assert sorted(tested[1].news) == [("x", 2), ("y", 7)]
        assert tested[0].news == []
        sites[0].kick("ana", 4003, "out")
        sites[0].forgotten("ana")
        assert (tested[1].kicked, tested[1].forgotten) == ([("ana", 4003, "out")], ["ana"])
        assert (tested[0].kicked, tested[0].forgotten) == ([], [])
        await end(sites)

    run(case)


@pytest.mark.parametrize("data", [b"", b"\xc1", b"{}", b"\x81\xa4type\xa3new", b"\x80", b"\x93\x01\x02\x03"])
def test_what_is_no_signal_changes_nothing(data: bytes) -> None:
    assert signals.decode(data) is None

    async def case() -> None:
        _, sites, tested = await several(2)
        tested[0].hear(data)
        assert sites[0].certain()
        await end(sites)

    run(case)


@pytest.mark.parametrize(
    "signal",
    [
        signals.Beat(process="p"),
        signals.Hello(process="p"),
        signals.Bye(process="p"),
        signals.Everybody(process="p", tables={"x": (ANA, BOB)}),
        signals.Here(process="p", table="x", people=(BOB,)),
        signals.News(process="p", versions={"x": 3}),
        signals.KickPerson(process="p", person="ana", code=4003, reason="out"),
        signals.Forgotten(process="p", person="ana"),
    ],
)
def test_a_signal_comes_as_it_was_sent(signal: signals.Signal) -> None:
    assert signals.decode(signals.encode(signal)) == signal
