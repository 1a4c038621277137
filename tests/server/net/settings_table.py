"""The rows of the table of settings in ``docs/server.md``.

``python -m tests.server.net.settings_table`` writes them, to be put there after a change.
"""

from __future__ import annotations

import sys

from buraco.server.settings import flag_of, setting_fields, variable_of

__all__ = ["rows"]


def rows() -> list[str]:
    """Return one row for each setting, in order."""
    made = []
    for one in setting_fields():
        usual = "the user's data folder" if one.name == "data" else _shown(one.default)
        made.append(f"| `{flag_of(one.name)}` | `{variable_of(one.name)}` | {usual} | {one.metadata['help']} |")
    return made


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value}" if value not in ("", ()) else ""


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows()) + "\n")
