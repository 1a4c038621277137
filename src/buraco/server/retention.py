"""What is kept for a stated time only, and the housekeeping that sees to it and to an administrator's orders."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from buraco.errors import BuracoError
from buraco.server.admin import BAN, DISCONNECT, END, UNBAN, Order, Orders
from buraco.server.forgetting import forget_person, forget_strays
from buraco.server.parts import Parts
from buraco.server.store import StorageError
from buraco.server.terms import CLOSE_NOT_ALLOWED
from buraco.texts import message as text_of

__all__ = ["Tidied", "carry_out", "end_housekeeping", "housekeeping", "tidy"]

_DAY_MS: Final = 86_400_000
_LOOK_MS: Final = 1_000
_TIDY_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Tidied:
    """How much went: logs of tables, guests, results of matches."""

    logs: int = 0
    guests: int = 0
    results: int = 0


async def tidy(parts: Parts) -> Tidied:
    """Remove what the settings keep no longer: logs of tables that were closed, guests who were last there before a
    stated time, results of matches of which everybody is gone, or that are too old; and what is left of people who were
    deleted."""
    settings, now = parts.settings, parts.clock.now_ms()
    archive = parts.archive
    logs = await _all(parts, lambda: archive.remove_logs(now - settings.keep_tables_days * _DAY_MS))
    guests = await _all(parts, lambda: _remove_guests(parts, now - settings.keep_guests_days * _DAY_MS))
    await _all(parts, lambda: forget_strays(parts))
    days = settings.keep_results_days
    results = await _all(parts, lambda: archive.remove_results(now - days * _DAY_MS if days else None))
    tidied = Tidied(logs, guests, results)
    if tidied != Tidied():
        parts.log.info("tidied", count=logs, guests=guests, results=results)
    return tidied


async def _all(parts: Parts, remove: Callable[[], Awaitable[int]]) -> int:
    """Remove one batch after the other, and let others work between them."""
    count = 0
    while not parts.state.stopping and (removed := await remove()):
        count += removed
    return count


async def _remove_guests(parts: Parts, before_ms: int) -> int:
    gone = 0
    for person_id in await parts.people.old_guests(before_ms):
        person = await parts.people.find(person_id)
        if person is not None:
            await forget_person(parts, person)
            gone += 1
    return gone


async def carry_out(parts: Parts, orders: Orders) -> int:
    """Carry out the orders that wait; return how many there were."""
    waiting = await orders.open()
    for order in waiting:
        try:
            await _obey(parts, order)
            outcome = "done"
        except StorageError:
            # It waits, as everything does, until the database can be written again.
            raise
        except BuracoError as error:
            outcome = error.code
        await orders.done(order.order_id, outcome, parts.clock.now_ms())
        parts.log.info("order", code=order.kind, error="" if outcome == "done" else outcome)
    return len(waiting)


async def _obey(parts: Parts, order: Order) -> None:
    if order.kind == END:
        await parts.service.end(order.target)
    elif order.kind in (BAN, UNBAN):
        await parts.people.set_banned(order.target, order.kind == BAN)
        if order.kind == BAN:
            barred = (order.target, *(bot.person_id for bot in await parts.people.bots_of(order.target)))
            for person_id in barred:
                parts.sockets.close_person(person_id, CLOSE_NOT_ALLOWED, "barred from this server")
    elif order.kind == DISCONNECT:
        parts.sockets.close_person(order.target, CLOSE_NOT_ALLOWED, "the token ended")
    else:
        raise BuracoError("unknown_order", text_of("server.no_order", kind=order.kind))


async def housekeeping(parts: Parts, orders: Orders) -> None:
    """Look for orders every second and tidy every hour, until the server ends. A fault of the database is logged and
    does not end it."""
    tidied_ms = parts.clock.now_ms() - _TIDY_MS
    while not parts.state.ending.is_set():
        try:
            if parts.peers.leads():
                await carry_out(parts, orders)
            if parts.peers.leads() and parts.clock.now_ms() - tidied_ms >= _TIDY_MS:
                tidied_ms = parts.clock.now_ms()
                await tidy(parts)
        except (SQLAlchemyError, BuracoError, OSError) as error:
            parts.metrics.errors.labels(type(error).__name__).inc()
            parts.log.error("housekeeping_failed", exc_info=error)
        await _pause(parts)


async def _pause(parts: Parts) -> None:
    """Wait a second, or until the server ends."""
    over = asyncio.Event()
    timer = parts.clock.call_at(parts.clock.now_ms() + _LOOK_MS, over.set)
    waiting = [asyncio.ensure_future(event.wait()) for event in (over, parts.state.ending)]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()
        for one in waiting:
            one.cancel()


async def end_housekeeping(parts: Parts) -> None:
    """Let the housekeeping finish what it is at, while the database is still open; harmless when repeated."""
    parts.state.stopping = True
    parts.state.ending.set()
    task = parts.state.housekeeping
    if task is not None:
        await asyncio.wait({task}, timeout=parts.settings.stop_s)
        task.cancel()
        await asyncio.wait({task})
