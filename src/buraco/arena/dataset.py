"""Decisions of bots as rows of a data set: the columns, what fills them, and the way back from a row to a view.

Nothing here needs PyArrow but `arrow_schema`; the files are the business of `buraco simulate --dataset`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from buraco.bots import Decision
from buraco.engine import MeldState, PileCard, Position, SeatView
from buraco.errors import BuracoError
from buraco.rules import RuleSet

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "DATASET_COLUMNS",
    "HIDDEN_CARD",
    "Column",
    "arrow_schema",
    "column_table",
    "decision_row",
    "outcome_columns",
    "view_of_row",
]

HIDDEN_CARD: Final = -1
"""What stands in ``pile`` for a card that the seat may not see."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name``; its ``type``: int8 ... int32, float32, bool, text, or "list of" one of these; its
    ``part``: where, view, choice or outcome; its meaning; and whether a row may have none (``optional``)."""

    name: str
    type: str
    part: str
    meaning: str
    optional: bool = False


DATASET_COLUMNS: Final[tuple[Column, ...]] = (
    Column("deal", "int32", "where", "number of the deal, from 1"),
    Column("decision", "int32", "where", "number of the decision in its deal, from 0"),
    Column("seat", "int8", "where", "the seat that decides; its side is `seat % 2`"),
    Column("bot", "text", "where", "the level that plays the seat"),
    Column("dealer", "int8", "view", "the seat that dealt"),
    Column("turn_count", "int32", "view", "turns finished so far"),
    Column("phase", "text", "view", "`draw`, `choice`, `play`, `top`, `opening` or `discard`"),
    Column("hand", "list of int8", "view", "the cards of the seat's hand, sorted, twins repeated"),
    Column("hand_counts", "list of int8", "view", "for each seat, how many cards it holds"),
    Column("known", "list of list of int8", "view", "for each seat, the cards of its hand that everyone knows"),
    Column("melds_0", "list of int32", "view", "the melds of side 0, packed, in the order of their numbers"),
    Column("meld_turns_0", "list of int32", "view", "the turn in which all cards of each were tabled, -1: several"),
    Column("melds_1", "list of int32", "view", "the melds of side 1"),
    Column("meld_turns_1", "list of int32", "view", "as `meld_turns_0`"),
    Column("pile", "list of int8", "view", "the cards of the pile, bottom first; -1: covered"),
    Column("pile_seats", "list of int8", "view", "who discarded each, -1: nobody"),
    Column("pile_turns", "list of int32", "view", "in which turn, -1: in none"),
    Column("stock_count", "int16", "view", "cards in the stock"),
    Column("morto_owner", "list of int8", "view", "for each morto -1: it waits; a side; 2: it became the stock"),
    Column("mortos_gone", "int8", "view", "how many mortos have gone"),
    Column("unplayed", "list of bool", "view", "for each seat: took a morto by its discard, has not had a turn since"),
    Column("barred_card", "int8", "view", "the card that may not be discarded in this turn, or -1"),
    Column("top_card", "int8", "view", "the top of a closed pile, now in the hand, that must be used, or -1"),
    Column("top_slot", "int8", "view", "the number of the meld that it must go to, or -1"),
    Column("rest_waits", "bool", "view", "the rest of that pile waits until the opening minimum is reached"),
    Column("opening_need", "list of int32", "view", "for each side, the opening minimum in force, 0: none"),
    Column("opened", "list of bool", "view", "for each side, whether it may add to its melds"),
    Column("laid_points", "int32", "view", "points tabled in this turn while the opening is not met"),
    Column("drew_stock", "bool", "view", "whether this turn drew from the stock"),
    Column("tabled", "bool", "view", "whether this turn tabled a card"),
    Column("took_single", "bool", "view", "whether this turn took a pile of one card"),
    Column("quiet_turns", "int32", "view", "turns running that count towards a stalemate"),
    Column("drawn_card", "int8", "view", "the first stock card while it may be rejected, or -1"),
    Column("rejected", "bool", "view", "whether it was rejected"),
    Column("legal", "list of int16", "choice", "the ids of all legal actions, ascending"),
    Column("action", "int16", "choice", "the id of the chosen one"),
    Column("reasons", "list of text", "choice", "the codes of up to three reasons, the weightiest first"),
    Column("evaluation", "float32", "choice", "points that the bot expects of it, if it says", optional=True),
    Column("alternatives", "list of int16", "choice", "up to five others that it weighed, the best first"),
    Column("alternative_evaluations", "list of float32", "choice", "the evaluation of each"),
    Column("score_0", "int32", "outcome", "points of side 0 in the deal"),
    Column("score_1", "int32", "outcome", "points of side 1"),
    Column("end_kind", "text", "outcome", "how the deal ended: `closed`, `stock` or `stalemate`"),
    Column("out_seat", "int8", "outcome", "who went out, or -1"),
    Column("turns", "int32", "outcome", "turns of the deal"),
    Column("actions", "int32", "outcome", "decisions of the deal"),
    Column("mortos_0", "int8", "outcome", "mortos that side 0 took"),
    Column("mortos_1", "int8", "outcome", "mortos that side 1 took"),
    Column("canastas_0", "list of text", "outcome", "the categories of side 0's canastas"),
    Column("canastas_1", "list of text", "outcome", "the categories of side 1's canastas"),
)
"""Every column of a data set, in order."""

# Members of a position that go into a column of their name as they are.
_PLAIN: Final = (
    *("dealer", "turn_count", "phase", "hand_counts", "known", "stock_count", "morto_owner", "mortos_gone"),
    *("unplayed", "barred_card", "top_card", "top_slot", "rest_waits", "opening_need", "opened", "laid_points"),
    *("drew_stock", "tabled", "took_single", "quiet_turns", "drawn_card", "rejected"),
)


def outcome_columns() -> tuple[str, ...]:
    """Return the names of the columns that are alike in all rows of a deal and tell how it ended."""
    return tuple(column.name for column in DATASET_COLUMNS if column.part == "outcome")


def decision_row(view: SeatView, bot: str, decision: Decision) -> dict[str, object]:
    """Return what a row holds of a decision: all but ``deal``, ``decision`` and the outcome.

    ``view`` is that of the seat to act, in a deal that began at 0 points; ``bot`` the level that decided.
    """
    position = view.position
    row: dict[str, object] = {name: getattr(position, name) for name in _PLAIN}
    row |= {"seat": view.seat, "bot": bot, "hand": view.hand, "legal": view.legal}
    for side, melds in enumerate(position.melds):
        row[f"melds_{side}"] = [meld.packed for meld in melds]
        row[f"meld_turns_{side}"] = [meld.turn for meld in melds]
    row["pile"] = [HIDDEN_CARD if entry.card is None else entry.card for entry in position.pile]
    row["pile_seats"] = [entry.seat for entry in position.pile]
    row["pile_turns"] = [entry.turn for entry in position.pile]
    row |= {"action": decision.action, "reasons": [reason.code for reason in decision.reasons]}
    row["evaluation"] = decision.evaluation
    row["alternatives"] = [other.action for other in decision.alternatives]
    row["alternative_evaluations"] = [other.evaluation for other in decision.alternatives]
    return row


def view_of_row(row: Row, rules: RuleSet) -> SeatView:
    """Return the view that the seat of a row had.

    ``row``: the columns of the view, ``seat`` and ``legal``, as `pyarrow` gives them by ``to_pylist``; ``rules``: the
    rules of the data set. A bot that is asked with it sees what the seat saw.
    """
    seat, players = row["seat"], len(row["hand_counts"])
    plain = {name: _frozen(row[name]) for name in _PLAIN}
    owners = plain["morto_owner"]
    melds = [
        tuple(MeldState(*pair) for pair in zip(row[f"melds_{side}"], row[f"meld_turns_{side}"], strict=True))
        for side in (0, 1)
    ]
    pile = zip(row["pile"], row["pile_seats"], row["pile_turns"], strict=True)
    position = Position(
        rules=rules,
        players=players,
        seat=seat,
        hands=tuple(tuple(row["hand"]) if index == seat else None for index in range(players)),
        melds=(melds[0], melds[1]),
        pile=tuple(PileCard(None if card == HIDDEN_CARD else card, who, turn) for card, who, turn in pile),
        stock=() if plain["stock_count"] == 0 else None,
        mortos=(None if owners[0] == -1 else (), None if owners[1] == -1 else ()),
        **plain,
    )
    return SeatView(position, seat, tuple(row["legal"]))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value


def column_table() -> str:
    """Return the columns as a table in Markdown, as docs/dataset.md shows them."""
    head = ["| column | type | part | meaning |", "|---|---|---|---|"]
    rows = [
        f"| `{column.name}` | {column.type}{' or none' if column.optional else ''} | {column.part} | {column.meaning} |"
        for column in DATASET_COLUMNS
    ]
    return "\n".join([*head, *rows])


def arrow_schema(metadata: Mapping[str, str] | None = None) -> pyarrow.Schema:
    """Return the columns as a schema of PyArrow. Raises BuracoError (code ``dataset_missing``) without PyArrow."""
    try:
        import pyarrow
    except ImportError:
        raise BuracoError("dataset_missing", "--dataset needs PyArrow: pip install 'buraco[env]'") from None
    types: dict[str, Callable[[], Any]] = {
        "int8": pyarrow.int8,
        "int16": pyarrow.int16,
        "int32": pyarrow.int32,
        "float32": pyarrow.float32,
        "bool": pyarrow.bool_,
        "text": pyarrow.string,
    }
    fields: Sequence[Any] = [
        pyarrow.field(column.name, _arrow_type(column.type, types, pyarrow.list_), nullable=column.optional)
        for column in DATASET_COLUMNS
    ]
    return pyarrow.schema(fields, metadata)


def _arrow_type(name: str, types: Mapping[str, Callable[[], Any]], list_of: Callable[[Any], Any]) -> Any:
    inner = name.removeprefix("list of ")
    return types[name]() if inner == name else list_of(_arrow_type(inner, types, list_of))
