"""What an environment shows of its table: the position in the project's notation, or a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from buraco.notation import format_position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from buraco.engine.deal import Deal
    from buraco.env.episode import Episode

__all__ = ["RENDER_MODES", "checked_mode", "rendered", "table_text"]

RENDER_MODES: Final = ("ansi", "human", "rgb_array")


def checked_mode(mode: str | None) -> str | None:
    """Return a render mode as it was given. Raises ValueError for one that is not there."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"there is no render mode {mode!r}; there are {', '.join(RENDER_MODES)}")
    return mode


def table_text(deal: Deal) -> str:
    """Return a whole deal in the notation of positions (docs/notation.md), a line for each part.

    `buraco.notation.parse_position` reads it again.
    """
    return format_position(deal.position()).replace("; ", ";\n")


def rendered(mode: str | None, episode: Episode) -> str | NDArray[np.uint8] | None:
    """Return what a mode shows of an episode; ``human`` prints the text and returns None."""
    if mode == "rgb_array":
        # Only here: nothing else needs Pillow.
        from buraco.env.picture import table_picture

        return table_picture(episode.deal, episode.totals)
    if mode == "ansi":
        return table_text(episode.deal)
    if mode == "human":
        print(table_text(episode.deal), flush=True)
    return None
