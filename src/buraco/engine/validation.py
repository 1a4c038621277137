"""What makes a position impossible: every fault, each as a sentence."""

from __future__ import annotations

from collections import Counter
from typing import Final

from buraco.cards import CARD_COUNT, card_text
from buraco.engine.position import END_KINDS, MELDS_MAX, PHASES, TOTAL_LIMIT, Position, public_hand, visible_cards
from buraco.engine.shapes import cards_points, meld_cards, shape_faults, unpack
from buraco.engine.shuffle import ordered_pack
from buraco.errors import PositionError

__all__ = ["faults"]

# More than any deal comes to: an opening minimum rises by up to 10,000 points with every turn that fails.
_COUNT_LIMIT: Final = 999_999_999


def faults(position: Position) -> tuple[str, ...]:
    """Name every fault of a position (see `buraco.engine.position.validate`)."""
    shape = _shape(position)
    if shape:
        # Nothing else can be said safely about a position whose tuples have the wrong lengths.
        return tuple(shape)
    found = _numbers(position) + _cards_exist(position)
    if found:
        return tuple(found)
    return tuple(
        _melds(position) + _hands(position) + _mortos(position) + _pack(position) + _phase(position) + _duties(position)
    )


def _shape(position: Position) -> list[str]:
    found = []
    if position.players not in position.rules.player_counts:
        found.append(f"{position.players} players: the rules are for {_either(position.rules.player_counts)}")
    per_seat = ("hands", "hand_counts", "known", "unplayed")
    for name in per_seat:
        if len(getattr(position, name)) != position.players:
            found.append(f"{name} has {len(getattr(position, name))} entries for {position.players} players")
    for name in ("totals", "melds", "mortos", "morto_owner", "opening_need", "opened"):
        if len(getattr(position, name)) != 2:
            found.append(f"{name} has {len(getattr(position, name))} entries instead of two")
    return found


def _either(numbers: tuple[int, ...]) -> str:
    return " or ".join(str(number) for number in numbers)


def _numbers(position: Position) -> list[str]:
    found = []
    for name in ("dealer", "seat"):
        if not 0 <= getattr(position, name) < position.players:
            found.append(f"{name} {getattr(position, name)}: seats are 0 to {position.players - 1}")
    if not -1 <= position.out_seat < position.players:
        found.append(f"out_seat {position.out_seat}: seats are 0 to {position.players - 1}, or -1")
    if position.phase not in PHASES:
        found.append(f"there is no phase {position.phase!r}")
    if position.end_kind not in END_KINDS:
        found.append(f"there is no end {position.end_kind!r}")
    counts = {name: getattr(position, name) for name in ("turn_count", "stock_count", "laid_points", "quiet_turns")}
    counts |= {f"hand_counts of seat {seat}": count for seat, count in enumerate(position.hand_counts)}
    counts |= {f"opening_need of side {side}": need for side, need in enumerate(position.opening_need)}
    found += [f"{name} is {count}" for name, count in counts.items() if not 0 <= count <= _COUNT_LIMIT]
    if any(abs(total) > TOTAL_LIMIT for total in position.totals):
        found.append(f"totals {position.totals[0]} and {position.totals[1]} are out of range")
    if any(owner not in (-1, 0, 1, 2) for owner in position.morto_owner):
        found.append("the owner of a morto is -1, a side, or 2 for the stock")
    if any(not -1 <= entry.seat < position.players for entry in position.pile):
        found.append("a card of the pile was discarded by a seat that is not there")
    return found


def _cards_exist(position: Position) -> list[str]:
    cards: list[int] = []
    for hand in (*position.hands, *position.known, position.stock, *position.mortos):
        cards += hand or ()
    cards += [entry.card for entry in position.pile if entry.card is not None]
    cards += [card for card in (position.barred_card, position.top_card, position.drawn_card) if card != -1]
    return [f"no card has the number {card}" for card in sorted({card for card in cards if not 0 <= card < CARD_COUNT})]


def _melds(position: Position) -> list[str]:
    found = []
    for side, melds in enumerate(position.melds):
        if len(melds) > MELDS_MAX:
            found.append(f"side {side} has {len(melds)} melds; at most {MELDS_MAX} can be numbered")
        ranks: Counter[int] = Counter()
        for number, meld in enumerate(melds):
            name = f"meld {number + 1} of side {side}"
            try:
                shape = unpack(meld.packed)
            except PositionError as error:
                found.append(f"{name}: {error.message}")
                continue
            found += [f"{name}: {fault}" for fault in shape_faults(position.rules, shape)]
            found += _meld_turn(position, name, meld.turn)
            ranks[shape.rank] += not shape.is_run
        if position.rules.one_set_per_rank and any(count > 1 for count in ranks.values()):
            found.append(f"side {side} has two sets of one rank")
    return found


def _meld_turn(position: Position, name: str, turn: int) -> list[str]:
    if not -1 <= turn <= position.turn_count:
        return [f"{name}: tabled in turn {turn}, but this is turn {position.turn_count}"]
    return []


def _hands(position: Position) -> list[str]:
    found = []
    for seat in range(position.players):
        hand, count = position.hands[seat], position.hand_counts[seat]
        if hand is not None and len(hand) != count:
            found.append(f"seat {seat} holds {len(hand)} cards, but its count is {count}")
        if hand is not None and list(hand) != sorted(hand):
            found.append(f"the hand of seat {seat} is not sorted")
        extra = Counter(position.known[seat]) - Counter(public_hand(position, seat))
        if extra:
            found.append(f"everyone knows {_names(extra)} in the hand of seat {seat}, but it is not there")
        if hand is None and len(public_hand(position, seat)) > count:
            found.append(f"everyone knows more cards in the hand of seat {seat} than it holds")
        if count == 0 and not position.over:
            found.append(f"seat {seat} has no card, but the deal goes on")
    return found


def _names(cards: Counter[int]) -> str:
    return " ".join(card_text(card) for card in sorted(cards.elements()))


def _mortos(position: Position) -> list[str]:
    found = []
    owner = position.morto_owner
    if owner[0] == owner[1] and owner[0] in (0, 1):
        found.append(f"side {owner[0]} has taken both mortos")
    if owner[0] == -1 and owner[1] != -1:
        found.append("the second morto is gone before the first")
    if 2 in owner and not position.rules.stock_refill:
        found.append("a morto became the stock, which the rules do not allow")
    if position.mortos_gone != sum(one != -1 for one in owner):
        found.append(f"{position.mortos_gone} mortos are gone, but their owners say otherwise")
    for index, morto in enumerate(position.mortos):
        if morto is None:
            continue
        wanted = position.rules.morto_size if owner[index] == -1 else 0
        if len(morto) != wanted:
            found.append(f"morto {index + 1} has {len(morto)} cards instead of {wanted}")
    for seat in range(position.players):
        found += _unplayed(position, seat)
    return found


def _unplayed(position: Position, seat: int) -> list[str]:
    if not position.unplayed[seat]:
        return []
    found = []
    if seat & 1 not in position.morto_owner:
        found.append(f"seat {seat} has an unplayed morto, but its side has taken none")
    if position.hand_counts[seat] != position.rules.morto_size:
        found.append(f"seat {seat} has an unplayed morto, but not its {position.rules.morto_size} cards")
    if seat == position.seat and not position.over:
        found.append(f"seat {seat} has an unplayed morto, but it is its turn")
    partner = (seat + 2) % position.players
    if partner != seat and position.unplayed[partner] and seat < partner:
        found.append(f"both players of side {seat & 1} have an unplayed morto")
    return found


def _pack(position: Position) -> list[str]:
    found = []
    pack = Counter(ordered_pack(position.rules))
    if position.stock is not None and len(position.stock) != position.stock_count:
        found.append(f"the stock has {len(position.stock)} cards, but its count is {position.stock_count}")
    try:
        seen = visible_cards(position)
        melded = sum(unpack(meld.packed).size for melds in position.melds for meld in melds)
    except PositionError:
        return found
    for card in sorted(seen - pack):
        found.append(f"{card_text(card)} lies {seen[card]} times on view, but the pack has {pack[card]}")
    waiting = sum(owner == -1 for owner in position.morto_owner) * position.rules.morto_size
    total = sum(position.hand_counts) + position.stock_count + len(position.pile) + waiting + melded
    if total != pack.total():
        found.append(f"the cards add up to {total}, but the pack has {pack.total()}")
    return found


def _phase(position: Position) -> list[str]:
    found = []
    rules, phase = position.rules, position.phase
    if position.over != (position.end_kind != "none"):
        found.append(f"phase {phase!r} does not go with the end {position.end_kind!r}")
    if (position.out_seat >= 0) != (position.end_kind == "closed"):
        found.append("a seat has gone out if, and only if, the deal was closed")
    if position.out_seat >= 0 and position.hand_counts[position.out_seat]:
        found.append(f"seat {position.out_seat} went out with cards in its hand")
    if any(not -1 <= entry.turn <= position.turn_count for entry in position.pile):
        found.append(f"a card of the pile was discarded in a turn to come; this is turn {position.turn_count}")
    if phase == "draw" and position.stock_count == 0:
        found.append("no turn begins with an empty stock")
    if phase == "choice":
        if not rules.first_turn_option or position.turn_count:
            found.append("the first card can be rejected in the first turn only, and where the rules have the option")
    if position.rejected and (phase == "choice" or (phase == "draw" and not position.turn_count)):
        found.append("the first card was rejected already")
    if phase == "draw" and position.drew_stock:
        found.append("drew_stock does not go with phase 'draw'")
    if phase == "top" and not rules.pile_closed:
        found.append("only the top card of a closed pile must be used at once")
    if phase == "opening" and rules.opening != "at_once":
        found.append("the rules have no opening that must be completed at once")
    if phase == "discard" and rules.opening != "over_turn":
        found.append("only after a failed opening nothing but the discard is left")
    if position.rejected and not rules.first_turn_option:
        found.append("the first card was rejected, which the rules do not allow")
    return found


def _duties(position: Position) -> list[str]:
    found = []
    if position.phase in ("draw", "choice"):
        names = ("tabled", "took_single", "rest_waits", "laid_points")
        found += [f"{name} does not go with phase {position.phase!r}" for name in names if getattr(position, name)]
    if (position.phase == "top") != (position.top_card >= 0):
        found.append("a top card must be used in phase 'top', and only there")
    if position.top_card < 0 and position.top_slot >= 0:
        found.append("top_slot needs a top card")
    if position.rest_waits and not (position.rules.pile_closed and position.phase == "opening"):
        found.append("rest_waits goes with a closed pile and phase 'opening' only")
    if position.top_slot >= len(position.melds[position.side]) or position.top_slot < -1:
        found.append(f"top_slot {position.top_slot}: the side has no such meld")
    found += _held(position, "top_card", position.top_card)
    found += _held(position, "drawn_card", position.drawn_card)
    if position.barred_card >= 0 and not (position.rules.single_card_barred and position.took_single):
        found.append("a card is barred only after a pile of one card was taken, where the rules bar it")
    if position.drawn_card >= 0 and position.phase != "choice":
        found.append("drawn_card goes with phase 'choice' only")
    if position.drawn_card < 0 and position.phase == "choice" and position.hands[position.seat] is not None:
        found.append("phase 'choice' needs drawn_card")
    found += _opening(position)
    return found


def _held(position: Position, name: str, card: int) -> list[str]:
    hand = position.hands[position.seat]
    if card >= 0 and hand is not None and card not in hand:
        return [f"{name} {card_text(card)} is not in the hand of seat {position.seat}"]
    return []


def _opening(position: Position) -> list[str]:
    found = []
    for side in (0, 1):
        if position.opening_need[side] and position.rules.opening == "none":
            found.append(f"side {side} has an opening minimum, but the rules have none")
        highest = max(position.rules.opening_minimum, position.rules.opening_vulnerable_minimum)
        if position.rules.opening == "at_once" and position.opening_need[side] > highest:
            found.append(
                f"side {side} needs {position.opening_need[side]} points to open, the rules ask {highest} at most"
            )
        if position.opening_need[side] and position.opened[side]:
            found.append(f"side {side} has opened, but a minimum is in force")
        if not position.opening_need[side] and not position.opened[side]:
            found.append(f"side {side} has not opened, but no minimum is in force")
        if position.opening_need[side] and position.melds[side]:
            found += _unfinished_opening(position, side)
    own = position.side
    if position.phase == "opening" and not position.opening_need[own]:
        found.append("phase 'opening' needs a minimum in force")
    if position.phase == "opening" and not position.melds[own]:
        found.append("phase 'opening' begins with a meld")
    if position.phase == "discard" and (position.melds[own] or not position.opening_need[own]):
        found.append("phase 'discard' follows a failed opening: its side has a minimum in force and no melds")
    if position.laid_points and not (position.opening_need[own] and position.melds[own]):
        found.append("laid_points counts the melds of an opening whose minimum is not reached; there is none")
    return found


def _unfinished_opening(position: Position, side: int) -> list[str]:
    """Name the faults of melds whose minimum is still to be reached: they lie there since this turn only."""
    if side != position.side or position.phase not in ("play", "top", "opening"):
        return [f"side {side} has melds, but an opening minimum of {position.opening_need[side]} is in force"]
    melds = position.melds[side]
    if any(meld.turn != position.turn_count for meld in melds):
        return [f"melds of an opening whose minimum is not reached are of this turn: write @{position.turn_count}"]
    points = sum(cards_points(position.rules, meld_cards(meld.packed)) for meld in melds)
    need = position.opening_need[side]
    if points >= need:
        return [f"the melds of side {side} are worth {points} points, so no minimum of {need} is left"]
    if points != position.laid_points:
        return [f"laid_points is {position.laid_points}, but the melds of the opening are worth {points}"]
    return []
