"""The line to Redis (or Valkey): what the processes of a site shout to each other, and allowances that they share.

Everything here may be lost or away at any time, and is said to be; nothing waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from buraco.errors import BuracoError
from buraco.server.logs import Log
from buraco.texts import message as text_of

__all__ = ["Wire", "ping"]

_CONNECT_S: Final = 2.0
_ANSWER_S: Final = 5.0
_QUEUE_MAX: Final = 10_000

# An allowance that fills up with time, told by the moment at which it will be full again: `KEYS[1]`. `ARGV`: how many
# microseconds one takes to come back, and how many may be taken at once. The clock is that of Redis.
_TAKE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local one, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + one
if full - now > one * burst then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return 1
"""


def _client(url: str) -> Redis:
    """Return a client that has not connected yet. Raises BuracoError (code ``redis_url``)."""
    options: dict[str, Any] = {
        "socket_connect_timeout": _CONNECT_S,
        "socket_timeout": _ANSWER_S,
        "socket_keepalive": True,
        "retry": Retry(NoBackoff(), 0),
    }
    try:
        return Redis.from_url(url, **options)
    except (ValueError, TypeError):
        # No message repeats the address: it may hold a password.
        raise BuracoError("redis_url", text_of("server.redis_url", name="--redis / BURACO_REDIS")) from None


async def ping(url: str) -> None:
    """Ask whether Redis answers. Raises BuracoError: ``redis_url``, ``redis`` (it does not; the message says why)."""
    client = _client(url)
    try:
        await client.ping()
    except (RedisError, OSError) as error:
        raise BuracoError("redis", " ".join(str(error).split()) or type(error).__name__) from None
    finally:
        await client.aclose()


class Wire:
    """A line that comes back by itself. ``hear`` gets what is shouted on the channel, ``joined`` is called whenever the
    line has come (back), so that everything can be said anew. It is tried again after ``retry_s``, and an allowance is
    waited for no longer than ``limit_s``. Raises BuracoError (code ``redis_url``)."""

    def __init__(
        self,
        url: str,
        channel: str,
        hear: Callable[[bytes], None],
        joined: Callable[[], None],
        log: Log,
        retry_s: float,
        limit_s: float,
    ) -> None:
        self._client = _client(url)
        self._channel = channel
        self._hear = hear
        self._joined = joined
        self._log = log
        self._retry_s = retry_s
        self._limit_s = limit_s
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(_QUEUE_MAX)
        self._tasks: list[asyncio.Task[None]] = []
        self._missed = False
        self.connected = asyncio.Event()

    def start(self) -> None:
        """Begin to listen and to send."""
        self._tasks = [
            asyncio.create_task(self._listen(), name="redis listens"),
            asyncio.create_task(self._send_all(), name="redis sends"),
        ]

    async def close(self) -> None:
        """Send what is still to be sent, if it goes at once, and end."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CONNECT_S):
                if self.connected.is_set():
                    await self._queue.join()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._client.aclose()

    def send(self, data: bytes) -> None:
        """Shout something, soon; while the line is away it is dropped, and what is too much is missed."""
        if not self.connected.is_set():
            return
        if self._queue.full():
            self._missed = True
        else:
            self._queue.put_nowait(data)

    async def take(self, key: str, per_s: float, burst: float) -> bool:
        """Take from an allowance that all processes share; say whether it was there. Without an answer it was."""
        if not self.connected.is_set():
            return True
        try:
            async with asyncio.timeout(self._limit_s):
                taken = await self._client.eval(_TAKE, 1, key, str(1_000_000 / per_s), str(burst))
        except (RedisError, OSError, TimeoutError):
            return True
        return bool(taken)

    async def _listen(self) -> None:
        told = False
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError, TimeoutError) as error:
                if self.connected.is_set() or not told:
                    self._log.warning("redis_lost", error=type(error).__name__)
                    told = True
            self._drop()
            await asyncio.sleep(self._retry_s)

    async def _listen_once(self) -> None:
        async with self._client.pubsub() as heard:
            await heard.subscribe(self._channel)
            while True:
                got = await heard.get_message(timeout=None)
                if got is None:
                    continue
                if got["type"] == "subscribe":
                    self.connected.set()
                    self._log.info("redis_joined")
                    self._joined()
                elif got["type"] == "message":
                    self._hear(got["data"])

    def _drop(self) -> None:
        """Forget what was to be sent: it says nothing that is still right when the line is back."""
        self.connected.clear()
        while not self._queue.empty():
            self._queue.get_nowait()
            self._queue.task_done()

    async def _send_all(self) -> None:
        while True:
            data = await self._queue.get()
            try:
                await self._client.publish(self._channel, data)
            except (RedisError, OSError, TimeoutError):
                # The others miss something now: they hear everything anew once it goes again.
                self._missed = True
            else:
                # Not before there is room for everything.
                if self._missed and self._queue.empty():
                    self._missed = False
                    self._joined()
            finally:
                self._queue.task_done()
