"""What a seat may know of a deal, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from buraco.engine.arguments import whole_number
from buraco.engine.position import Position, hide

__all__ = ["SeatView", "seen_in", "view_of"]


class _Viewable(Protocol):
    def position(self) -> Position: ...

    def legal(self) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class SeatView:
    """A deal as one seat, or a spectator (``seat`` None), may see it.

    ``position`` holds no hidden card (rules §2 item 15); ``legal`` the ids of the seat's legal actions, ascending, and
    empty when it is not its turn; ``state_number`` the number of the host's state that the view shows.
    """

    position: Position
    seat: int | None
    legal: tuple[int, ...] = ()
    state_number: int = 0

    @property
    def to_act(self) -> bool:
        """Whether it is this seat's turn."""
        return bool(self.legal)

    @property
    def hand(self) -> tuple[int, ...]:
        """The seat's own cards, sorted; none for a spectator."""
        return () if self.seat is None else self.position.hands[self.seat] or ()


def view_of(deal: _Viewable, seat: int | None, state_number: int = 0) -> SeatView:
    """Return the view that a seat, or a spectator (None), has of a deal.

    Raises PositionError (code ``no_seat``), TypeError for what is no whole number.
    """
    return seen_in(deal.position(), deal, seat, state_number)


def seen_in(
    position: Position, deal: _Viewable, seat: int | None, state_number: int, *, hands_open: bool = False
) -> SeatView:
    """Return what `view_of` does where the whole ``position`` of the deal is at hand already; ``hands_open``: see
    `hide`."""
    seat = None if seat is None else whole_number("a seat", seat)
    shown = hide(position, seat, hands_open=hands_open)
    acting = seat is not None and seat == shown.seat and not shown.over
    legal = tuple(deal.legal()) if acting else ()
    return SeatView(shown, seat, legal, whole_number("the number of a state", state_number))
