"""No field without a test in which it alone changes."""

from __future__ import annotations

import pytest

from buraco.rules import FIELD_NAMES
from tests.rules import test_fields_match, test_fields_play, test_fields_score
from tests.rules.one_field import fields_of

TESTED = {
    field
    for module in (test_fields_play, test_fields_score, test_fields_match)
    for name, test in vars(module).items()
    if name.startswith("test_")
    for field in fields_of(test)
}


@pytest.mark.parametrize("field", FIELD_NAMES)
def test_every_field_is_changed_alone_in_a_test(field: str) -> None:
    assert field in TESTED


def test_no_test_names_a_field_that_is_not_there() -> None:
    assert TESTED <= set(FIELD_NAMES)
