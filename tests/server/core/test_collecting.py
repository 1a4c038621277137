"""Garbage collection in short pieces: old objects are not looked at again, and yet nothing is kept for ever."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from buraco.server.collecting import collect_everything, short_collections

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def only_what_a_test_asks_for() -> Iterator[None]:
    """No collection begins by itself."""
    gc.disable()
    yield
    gc.enable()


class _Circle:
    """An object that refers to itself, which only a collection can end."""

    def __init__(self) -> None:
        self.itself = self


async def test_what_lived_through_a_whole_collection_is_set_aside_until_the_server_ends() -> None:
    before = gc.get_freeze_count()
    with short_collections():
        gc.collect(0)
        assert gc.get_freeze_count() == before, "a young collection sets nothing aside"
        gc.collect()
        assert gc.get_freeze_count() > before
        assert not gc.get_objects(2), "the next one has nothing old to look at"
    assert gc.get_freeze_count() == 0


async def test_a_circle_that_was_set_aside_is_found_by_the_one_that_looks_at_everything() -> None:
    circle = _Circle()
    seen = weakref.ref(circle)
    with short_collections():
        gc.collect()
        del circle
        gc.collect()
        assert seen() is not None
        assert collect_everything() > 0
        assert seen() is None
        assert not gc.get_objects(2), "what is left is set aside again"


async def test_a_server_leaves_the_collection_of_its_process_as_it_was() -> None:
    callbacks = list(gc.callbacks)
    with short_collections():
        assert len(gc.callbacks) == len(callbacks) + 1
    assert gc.callbacks == callbacks
