"""Bots against each other: paired deals, what they come to, and bots in processes of their own."""

from __future__ import annotations

from buraco.arena.answering import answer_arena
from buraco.arena.chart import CurvePoint, bars_svg, curve_svg
from buraco.arena.dataset import DATASET_COLUMNS, Column, view_of_row
from buraco.arena.executors import open_pool
from buraco.arena.external import BotFault, ExternalBot
from buraco.arena.plan import Plan
from buraco.arena.players import Player, parse_player
from buraco.arena.ratings import Rating, ratings, scores_of
from buraco.arena.results import Result, load_result, result_form, summary_form
from buraco.arena.running import Outcome, run
from buraco.arena.statistics import Estimate, estimate
from buraco.arena.stopping import Sprt

__all__ = [
    "DATASET_COLUMNS",
    "BotFault",
    "Column",
    "CurvePoint",
    "Estimate",
    "ExternalBot",
    "Outcome",
    "Plan",
    "Player",
    "Rating",
    "Result",
    "Sprt",
    "answer_arena",
    "bars_svg",
    "curve_svg",
    "estimate",
    "load_result",
    "open_pool",
    "parse_player",
    "ratings",
    "result_form",
    "run",
    "scores_of",
    "summary_form",
    "view_of_row",
]
