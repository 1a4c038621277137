"""Lessons: a first deal on the real engine, with cards that are the same each time and steps that are explained."""

from __future__ import annotations

from buraco.server.lessons.progress import Progress, progress_of
from buraco.server.lessons.script import OWN_SEAT, Part, Script, all_scripts, script_of

__all__ = ["OWN_SEAT", "Part", "Progress", "Script", "all_scripts", "progress_of", "script_of"]
