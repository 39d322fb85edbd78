"""Claiming stones: which cards are free for one, when one may be moved, and which one pays."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.events import ALL, Event, Seat
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.table import Table


def most_on_cards(facts: Facts, players: int) -> int:
    """Return how many stones of one seat may lie on cards at the same time.

    Source: rulebook, "Place a claiming stone", second and third paragraph.
    """
    return facts.most_on_cards[players]


def may_place(reserve: int, lying: int, most: int) -> bool:
    """Tell whether a seat may put one more stone on a card.

    Args:
        reserve: Its stones that lie before it.
        lying: Its stones on cards.
        most: The most that may lie on cards.

    Source: rulebook, "Place a claiming stone", second and third paragraph.
    """
    return reserve > 0 and lying < most


def may_move(reserve: int, lying: int, most: int) -> bool:
    """Tell whether a seat may move a stone: it has some on cards and can place no more.

    Source: rulebook, "Place a claiming stone", last paragraph.
    """
    return lying > 0 and not may_place(reserve, lying, most)


def paying_card(lying: Sequence[Card], wanted: Sequence[Card]) -> Card | None:
    """Return the card from which a seat gives up a stone when its reserve is empty; None if it must choose.

    Args:
        lying: The cards under its stones.
        wanted: The cards that it named for this, first one first.

    Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph and example.
    """
    named = next((card for card in wanted if card in lying), None)
    return named or (lying[0] if len(lying) == 1 else None)


def place_stone(
    facts: Facts, table: Table, seat: Seat, wanted: Sequence[Card], lift: Sequence[Card]
) -> tuple[Table, Event] | str:
    """Put a stone on the first card that is free for one, from the reserve or else from another card.

    Returns:
        The table with what happened, or why no stone can be put there.

    Source: rulebook, "Place a claiming stone".
    """
    mine, reserve = table.lying(seat), table.stocks[seat].reserve
    most = most_on_cards(facts, len(table.stocks))
    free = table.free()
    card = next((one for one in wanted if one in free), None)
    if card is None:
        return _not_free(table, wanted)
    if may_place(reserve, len(mine), most):
        placed = events.StonePlaced(seat=seat, card=card, reserve=reserve - 1, to=ALL)
        return table.with_stone(card, seat).stocked(seat, reserve=-1), placed
    if not may_move(reserve, len(mine), most):
        return "you have no claiming stone left"
    source = next((one for one in lift if one in mine), None)
    if source is None:
        why = "you can place no further stone, only move one"
        return f"{why}: from: [X] must say which, on {' or '.join(mine)}"
    moved = events.StoneMoved(seat=seat, card_from=source, card_to=card, to=ALL)
    return table.without_stone(source).with_stone(card, seat), moved


def take_back_own(table: Table, card: Card, seat: Seat) -> tuple[Table, Event]:
    """Take the own stone on a card that was taken back into the reserve.

    Source: rulebook, "Taking a Land card covered by a claiming stone", first paragraph.
    """
    back = events.StoneTakenBack(seat=seat, card=card, to=ALL)
    return table.without_stone(card).stocked(seat, reserve=1), back


def pay(table: Table, seat: Seat, card: Card, source: Card | None) -> tuple[Table, Event]:
    """Remove a stone from the game for a card under the stone of another seat, which has it back.

    Args:
        table: The table.
        seat: Who took the card.
        card: The card.
        source: The card from which the stone is given up if the reserve is empty.

    Raises:
        ValueError: There is no stone to pay.

    Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph.
    """
    owner = table.stones[card]
    if table.stocks[seat].reserve:
        source = None
        paid = table.stocked(seat, reserve=-1, removed=1)
    elif source is not None:
        paid = table.without_stone(source).stocked(seat, removed=1)
    else:
        raise ValueError(f"expected a stone of {seat} to pay for {card} with, got none")
    after = paid.without_stone(card).stocked(owner, reserve=1)
    left = after.scene(seat).spare
    broken = events.ClaimBroken(seat=seat, owner=owner, card=card, paid_from=source, left=left, to=ALL)
    return after, broken


def _not_free(table: Table, wanted: Sequence[Card]) -> str:
    """Say why no stone can be put on any of some cards."""
    owners = [(card, table.stones.get(card)) for card in wanted[:3]]
    reasons = [
        f"a stone of {owner} lies on {card}" if owner else f"{card} does not lie on the table then"
        for card, owner in owners
    ]
    more = f", and so on for {len(wanted) - 3} more" if len(wanted) > 3 else ""
    return f"{'; '.join(reasons)}{more}"
