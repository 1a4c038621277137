"""What the tests of the server's outer layers share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"
