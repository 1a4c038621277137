"""What the server counts, for Prometheus. A registry of its own: two servers in one process do not meet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

__all__ = ["CONTENT_TYPE", "TABLE_STATES", "Metrics"]

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
TABLE_STATES: Final = ("open", "running", "finished")
"""The states of the tables that are counted: before a match, while one is on, after it."""

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The counters, gauges and histograms of one server."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.requests = Counter(
            "buraco_http_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self.request_seconds = Histogram(
            "buraco_http_request_seconds", "Time of a request.", ("route",), buckets=_SECONDS, registry=registry
        )
        self.messages = Counter("buraco_messages", "Messages of clients, by kind.", ("kind",), registry=registry)
        self.refusals = Counter("buraco_refusals", "Messages that were refused, by code.", ("code",), registry=registry)
        self.reply_seconds = Histogram(
            "buraco_reply_seconds", "From a message to its reply.", buckets=_SECONDS, registry=registry
        )
        self.sent = Counter("buraco_messages_sent", "Messages to clients.", registry=registry)
        self.closes = Counter(
            "buraco_socket_closes", "Sockets closed by the server, by code.", ("code",), registry=registry
        )
        self.sockets = Gauge("buraco_sockets", "Open sockets.", registry=registry)
        self.tables = Gauge("buraco_tables", "Tables in memory, by state.", ("state",), registry=registry)
        self.processes = Gauge("buraco_processes", "Processes that serve the same tables.", registry=registry)
        self.certain = Gauge(
            "buraco_processes_heard", "Whether it is known who is connected to the other processes.", registry=registry
        )
        self.commits = Counter("buraco_commits", "Transactions of the tables.", registry=registry)
        self.appends = Counter("buraco_appends", "Changes of tables that were made durable.", registry=registry)
        self.bots = Counter("buraco_bot_actions", "Actions that bots thought about.", ("level",), registry=registry)
        self.bots_shortened = Counter(
            "buraco_bot_shortened", "Searches that got less time since many wanted to.", ("level",), registry=registry
        )
        self.bot_ms = Counter(
            "buraco_bot_granted_ms",
            "Milliseconds of a turn that bots were given, for each action; a search uses a share.",
            ("level",),
            registry=registry,
        )
        self.bot_failures = Counter(
            "buraco_bot_failures", "Bots that gave no legal action, by code.", ("code",), registry=registry
        )
        self.bots_thinking = Gauge("buraco_bots_thinking", "Bots that think now.", registry=registry)
        self.bots_waiting = Gauge("buraco_bots_waiting", "Bots that wait for a worker.", registry=registry)
        self.errors = Counter("buraco_errors", "Faults of the server itself, by kind.", ("kind",), registry=registry)

    def committed(self, appends: int) -> None:
        """Count a transaction that carried so many appends."""
        self.commits.inc()
        self.appends.inc(appends)

    def failed(self, appends: int) -> None:
        """Count a transaction that the database did not take."""
        self.errors.labels("storage").inc(appends)

    def bot_asked(self, level: str, ms: int, *, shortened: bool) -> None:
        """Count a bot that begins to think."""
        self.bots.labels(level).inc()
        self.bot_ms.labels(level).inc(ms)
        if shortened:
            self.bots_shortened.labels(level).inc()

    def bot_failed(self, code: str) -> None:
        """Count a bot that gave no legal action."""
        self.bot_failures.labels(code).inc()

    def watch_bots(self, thinking: Callable[[], float], waiting: Callable[[], float]) -> None:
        """Ask how many bots think and wait whenever the metrics are read."""
        self.bots_thinking.set_function(thinking)
        self.bots_waiting.set_function(waiting)

    def watch_sockets(self, count: Callable[[], float]) -> None:
        """Ask for the number of open sockets whenever the metrics are read."""
        self.sockets.set_function(count)

    def watch_site(self, processes: Callable[[], float], certain: Callable[[], float]) -> None:
        """Ask how many processes live, and whether all of them are heard, whenever the metrics are read."""
        self.processes.set_function(processes)
        self.certain.set_function(certain)

    def watch_tables(self, count: Callable[[str], float]) -> None:
        """Ask for the number of tables in each state whenever the metrics are read."""
        for state in TABLE_STATES:
            self.tables.labels(state).set_function(partial(count, state))

    def text(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self.registry)
