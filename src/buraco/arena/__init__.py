"""Bots against each other: paired deals, what they come to, and bots in processes of their own."""

from __future__ import annotations

from buraco.arena.external import BotFault, ExternalBot

__all__ = ["BotFault", "ExternalBot"]
