"""Open sockets that are judged: whoever may no longer be there is sent away, also when asked for in the meantime."""

from __future__ import annotations

import asyncio

from buraco.server.limits import Connections
from buraco.server.peers import Alone
from buraco.server.sockets import Sockets
from tests.server.core.playing import run


def test_a_socket_that_was_judged_too_early_is_judged_again() -> None:
    async def go() -> None:
        sockets = Sockets(Connections(9, 9, 9), Alone())
        judged, go_on = asyncio.Event(), asyncio.Event()
        barred = False

        async def ana() -> tuple[int, str] | None:
            return (4003, "barred") if barred else None

        async def bob() -> tuple[int, str] | None:
            judged.set()
            await go_on.wait()
            return None

        kick = sockets.open("ana", ana)
        sockets.open("bob", bob)
        sockets.judge_all()
        await judged.wait()
        barred = True
        sockets.judge_all()
        go_on.set()
        told: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        kick.listen(lambda code, reason: told.set_result((code, reason)))
        assert await told == (4003, "barred")
        again: list[tuple[int, str]] = []
        kick.listen(lambda code, reason: again.append((code, reason)))
        assert again == [(4003, "barred")], "whoever listens late hears of it at once"

    run(go)
