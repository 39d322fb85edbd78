"""The board and the cards, built from the data tables and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.interface import Json
from pbem.rules.kit.tables import checked, same, wrong
from pbem.rules.rose_king.state import Card, Square


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        squares: All squares, row by row from the north-west corner.
        near: The squares that share a side with each square.
        ways: The columns to the east and the rows to the south that each card moves the crown.
        leaps: Where each card leads from each square; left out where it leads off the board.
        crown_start: The square of the crown at the start.
        deck: All power cards, in card order (direction, then distance).
        hand_limit: Cards dealt to each seat, and the most one may hold.
        heroes: Heroes of each seat.
        tokens: Tokens in the common pool.
    """

    squares: tuple[Square, ...]
    near: Mapping[Square, tuple[Square, ...]]
    ways: Mapping[Card, tuple[int, int]]
    leaps: Mapping[Square, Mapping[Card, Square]]
    crown_start: Square
    deck: tuple[Card, ...]
    hand_limit: int
    heroes: int
    tokens: int

    def in_order(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return cards in card order."""
        return tuple(sorted(cards, key=self.deck.index))


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/rose_king.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: manual page 2, board and power cards.
    """
    board, power = checked(data, "board"), checked(data, "power_cards")
    size = board["size"]
    places = {(x, y): Square(f"{chr(ord('A') + x)}{y + 1}") for y in range(size) for x in range(size)}
    ways = {
        Card(f"{way['name']}{distance}"): (way["east"] * distance, way["south"] * distance)
        for way in power["directions"]
        for distance in power["distances"]
    }
    facts = Facts(
        squares=tuple(places.values()),
        near={
            square: tuple(places[to] for dx, dy in _SIDES if (to := (x + dx, y + dy)) in places)
            for (x, y), square in places.items()
        },
        ways=ways,
        leaps={
            square: {
                card: places[to] for card, (dx, dy) in ways.items() if (to := (x + dx, y + dy)) in places
            }
            for (x, y), square in places.items()
        },
        crown_start=Square(board["crown_start"]),
        deck=tuple(card for card in ways for _ in range(power["copies"])),
        hand_limit=checked(data, "hands")["limit"],
        heroes=checked(data, "hero_cards")["per_player"],
        tokens=checked(data, "power_tokens")["total"],
    )
    _check(facts, power["total"])
    return facts


_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _check(facts: Facts, total: int) -> None:
    """Raise ValueError where the facts do not add up.

    Two full hands must fit into the deck; then a draw never fails, for who draws holds less than a full hand.
    """
    same("power_cards.total: directions x distances x copies", total, len(facts.deck))
    if (most := len(facts.deck) // 2) < facts.hand_limit:
        wrong("hands.limit", f"{most} at most, half of the deck", facts.hand_limit)
    if facts.crown_start not in facts.near:
        wrong("board.crown_start", "a square of the board", facts.crown_start)
    if not 1 <= facts.tokens <= len(facts.squares):
        wrong("power_tokens.total", f"1 to {len(facts.squares)}, one a square at most", facts.tokens)
