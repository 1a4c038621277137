"""What a record tells about its shuffles: the seeds of a deal, and the order of the pack that is played."""

from __future__ import annotations

from buraco.engine.fair import DealSeeds
from buraco.engine.shuffle import shuffled_pack
from buraco.errors import BuracoError, RecordError
from buraco.notation.record import DealRecord, Record
from buraco.texts import Message, message

__all__ = ["deal_seeds", "drawn_by_deals", "played_pack"]


def drawn_by_deals(record: Record) -> bool:
    """Say whether every deal of a record was drawn from seeds of its own, not from one seed of the match."""
    return not record.seed and any(deal.commitment or deal.revealed_seed for deal in record.deals)


def deal_seeds(record: Record, deal: DealRecord) -> DealSeeds | None:
    """Return the seeds that a deal's evidence tells; None where the server's seed is not revealed.

    Raises RecordError (code ``record_seed``) for evidence that no reader would take: no hexadecimal digits, seeds for
    another number of seats, a name with a line end.
    """
    if not deal.revealed_seed:
        return None
    given = deal.player_seeds or ("",) * record.players
    try:
        if len(given) != record.players:
            raise BuracoError("record_seed", message("record.form.seeds", wanted=record.players, count=len(given)))
        own = tuple(bytes.fromhex(seed) if seed else None for seed in given)
        return DealSeeds(record.name, deal.number, bytes.fromhex(deal.revealed_seed), own)
    except BuracoError as error:
        raise RecordError("record_seed", _at(deal, error.message)) from None
    except ValueError as error:
        raise RecordError("record_seed", _at(deal, str(error))) from None


def played_pack(record: Record, deal: DealRecord) -> tuple[int, ...] | None:
    """Return the order of the pack with which a deal of a record is played: the one that it tells, else the one from
    the seed of the match, else the one from the deal's own seeds; None where it has none of them.

    Raises RecordError (code ``record_seed``).
    """
    if deal.pack is not None:
        return deal.pack
    seeds = None if record.seed else deal_seeds(record, deal)
    try:
        seed = bytes.fromhex(record.seed) if seeds is None else seeds.deal_seed
        return shuffled_pack(record.rules, seed, record.name, deal.number) if seed else None
    except (BuracoError, ValueError) as error:
        told = error.message if isinstance(error, BuracoError) else str(error)
        raise RecordError("record_seed", _at(deal, told)) from None


def _at(deal: DealRecord, reason: str) -> Message:
    return message("record.at", place=message("record.deal", deal=deal.number), reason=reason)
