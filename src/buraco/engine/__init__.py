"""The engine: deals at C speed, and around them positions, views, events, hosts, matches and score sheets."""

from __future__ import annotations

from buraco.engine.codes import CODES, END_KINDS, MELD_CATEGORIES, PHASES, POLICIES, code_name
from buraco.engine.constants import ACTION_COUNT
from buraco.engine.deal import Deal, play_many
from buraco.engine.determinize import determinize
from buraco.engine.door import action_meld, add_action, decode_add, meld_action
from buraco.engine.events import Event, to_json
from buraco.engine.fair import PUBLIC_SEED, DealSeeds, commitment_of, deal_seed, player_seed
from buraco.engine.happenings import result_meld
from buraco.engine.host import Act, Host, Refusal
from buraco.engine.match import Cut, DealerDraw, DealResult, DealStart, Match
from buraco.engine.pairs import play_pairs
from buraco.engine.position import MeldState, PileCard, Position, hide, validate
from buraco.engine.scoresheet import ScoreLine, ScoreSheet, score_sheet
from buraco.engine.shapes import MeldShape, unpack
from buraco.engine.shuffle import SEED_BYTES, ordered_pack, seed_bytes, shuffled_pack
from buraco.engine.view import SeatView, view_of

__all__ = [
    "ACTION_COUNT",
    "CODES",
    "END_KINDS",
    "MELD_CATEGORIES",
    "PHASES",
    "POLICIES",
    "PUBLIC_SEED",
    "SEED_BYTES",
    "Act",
    "Cut",
    "Deal",
    "DealResult",
    "DealSeeds",
    "DealStart",
    "DealerDraw",
    "Event",
    "Host",
    "Match",
    "MeldShape",
    "MeldState",
    "PileCard",
    "Position",
    "Refusal",
    "ScoreLine",
    "ScoreSheet",
    "SeatView",
    "action_meld",
    "add_action",
    "code_name",
    "commitment_of",
    "deal_seed",
    "decode_add",
    "determinize",
    "hide",
    "meld_action",
    "ordered_pack",
    "play_many",
    "play_pairs",
    "player_seed",
    "result_meld",
    "score_sheet",
    "seed_bytes",
    "shuffled_pack",
    "to_json",
    "unpack",
    "validate",
    "view_of",
]
