"""Players that choose from what a seat may see: their protocol, their levels, and the reasons that they give."""

from __future__ import annotations

from buraco.bots.basic import PolicyBot
from buraco.bots.club import HeuristicBot
from buraco.bots.protocol import ALTERNATIVES_MAX, REASONS_MAX, Alternative, Bot, Decision, Limit, Reason
from buraco.bots.registry import DEFAULT_LEVEL, HINT_LEVEL, bot_levels, check_level, make_bot, policy_of

__all__ = [
    "ALTERNATIVES_MAX",
    "DEFAULT_LEVEL",
    "HINT_LEVEL",
    "REASONS_MAX",
    "Alternative",
    "Bot",
    "Decision",
    "HeuristicBot",
    "Limit",
    "PolicyBot",
    "Reason",
    "bot_levels",
    "check_level",
    "make_bot",
    "policy_of",
]
