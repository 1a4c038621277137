"""The record of a finished match of a table, and its result as the database keeps it."""

from __future__ import annotations

from dataclasses import replace

from buraco.engine import Host
from buraco.notation import Record, SeatRecord, record_json_text, record_of
from buraco.server.matchplay import Play
from buraco.server.replaying import Fold
from buraco.server.shown import Result
from buraco.server.store import ResultSeat, SavedResult

__all__ = ["ended_deals", "match_record", "saved_result"]


def match_record(fold: Fold, play: Play, result: Result) -> Record | None:
    """Return the record of a match that is over, with its seeds; None if no card of it was dealt.

    A match that was not played to its end has no winner as a record means it; its tags ``result`` and ``won_by`` tell.
    """
    if play.host is None:
        return None
    tags = {"table": fold.options.table, "match": str(result.match), "result": result.kind}
    if result.kind != "played" and result.winner is not None:
        tags["won_by"] = f"side {result.winner}"
    return _record(fold, play, play.host, tags)


def ended_deals(fold: Fold) -> Record | None:
    """Return the record of the match that is on with the deals that have ended, whose seeds are revealed; None if there
    are none. Nothing of the deal that is on is in it. A lesson has no seeds and no record.
    """
    play = fold.play
    if play is None or play.host is None or not fold.running or fold.options.lesson is not None:
        return None
    count = len(play.host.results)
    if count == 0:
        return None
    record = _record(fold, play, play.host, {"table": fold.options.table, "match": str(fold.match)})
    return replace(record, deals=record.deals[:count])


def _record(fold: Fold, play: Play, host: Host, tags: dict[str, str]) -> Record:
    return record_of(
        host,
        play.starts,
        [_seat_record(fold, seat) for seat in range(play.players)],
        tags=tags,
        times_ms=play.times_ms,
        seeds=play.seeds[: len(play.starts)],
    )


def _seat_record(fold: Fold, seat: int) -> SeatRecord:
    seating = fold.seats[seat]
    if seating.kind == "person":
        return SeatRecord(fold.people[seating.member].name, fold.bot_level(seat) if seating.cause else "")
    return SeatRecord(seating.level, seating.level)


def saved_result(fold: Fold) -> SavedResult | None:
    """Return the result of the match that has just ended, for the database; None if none has, or no card was dealt.

    A lesson is nobody's result.
    """
    play, result = fold.play, fold.result
    if play is None or result is None or fold.options.lesson is not None:
        return None
    record = match_record(fold, play, result)
    if record is None:
        return None
    return SavedResult(
        match=result.match,
        ended_ms=fold.now_ms,
        kind=result.kind,
        winner=result.winner,
        totals=result.totals,
        players=play.players,
        rules_name=fold.rules.name,
        public=fold.options.public,
        record=record_json_text(record),
        seats=tuple(_result_seat(fold, seat) for seat in range(play.players)),
    )


def _result_seat(fold: Fold, seat: int) -> ResultSeat:
    seating = fold.seats[seat]
    if seating.kind != "person":
        return ResultSeat(seat=seat, token_id=None, account_id=None, name=seating.level, bot=seating.level)
    person = fold.people[seating.member]
    bot = fold.bot_level(seat) if seating.cause else ""
    return ResultSeat(seat=seat, token_id=person.token_id, account_id=person.account_id, name=person.name, bot=bot)
