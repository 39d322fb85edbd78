"""The board and the cards, built from the data tables and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.interface import Json
from pbem.rules.rose_king.state import Card, Square


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        squares: All squares, row by row from the north-west corner.
        near: The squares that share a side with each square.
        leaps: Where each card leads from each square; left out where it leads off the board.
        crown_start: The square of the crown at the start.
        deck: All power cards, in card order (direction, then distance).
        hand_limit: Cards dealt to each seat, and the most one may hold.
        heroes: Heroes of each seat.
        tokens: Tokens in the common pool.
    """

    squares: tuple[Square, ...]
    near: Mapping[Square, tuple[Square, ...]]
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
    board, power = _table(data, "board"), _table(data, "power_cards")
    size = _whole(board, "size")
    places = {(x, y): Square(f"{chr(ord('A') + x)}{y + 1}") for y in range(size) for x in range(size)}
    kinds = {
        Card(f"{name}{distance}"): (dx * distance, dy * distance)
        for name, dx, dy in _directions(power)
        for distance in _distances(power)
    }
    facts = Facts(
        squares=tuple(places.values()),
        near={
            square: tuple(places[to] for dx, dy in _SIDES if (to := (x + dx, y + dy)) in places)
            for (x, y), square in places.items()
        },
        leaps={
            square: {
                card: places[to] for card, (dx, dy) in kinds.items() if (to := (x + dx, y + dy)) in places
            }
            for (x, y), square in places.items()
        },
        crown_start=Square(str(board.get("crown_start"))),
        deck=tuple(card for card in kinds for _ in range(_whole(power, "copies"))),
        hand_limit=_whole(_table(data, "hands"), "limit"),
        heroes=_whole(_table(data, "hero_cards"), "per_player"),
        tokens=_whole(_table(data, "power_tokens"), "total"),
    )
    _check(facts, _whole(power, "total"))
    return facts


_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _check(facts: Facts, total: int) -> None:
    """Raise ValueError where the facts do not add up.

    Two full hands must fit into the deck; then a draw never fails, for who draws holds less than a full hand.
    """
    if len(facts.deck) != total:
        raise ValueError(
            f"power_cards: expected directions x distances x copies = total {total}, got {len(facts.deck)}"
        )
    if (most := len(facts.deck) // 2) < facts.hand_limit:
        raise ValueError(f"hands: expected limit {most} at most, half of the deck, got {facts.hand_limit}")
    if facts.crown_start not in facts.near:
        raise ValueError(f"board: expected crown_start on the board, got {facts.crown_start}")
    if not 1 <= facts.tokens <= len(facts.squares):
        raise ValueError(
            f"power_tokens: expected 1 to {len(facts.squares)}, one a square at most, got {facts.tokens}"
        )


def _table(data: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    match data.get(name):
        case dict(found):
            return found
    raise ValueError(f"{name}: expected a table, got {data.get(name)!r}")


def _whole(table: Mapping[str, Json], name: str) -> int:
    found = table.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ValueError(f"{name}: expected a whole number, got {found!r}")
    return found


def _distances(power: Mapping[str, Json]) -> tuple[int, ...]:
    match power.get("distances"):
        case list(found):
            return tuple(one for one in found if isinstance(one, int))
    raise ValueError(f"distances: expected a list of whole numbers, got {power.get('distances')!r}")


def _directions(power: Mapping[str, Json]) -> tuple[tuple[str, int, int], ...]:
    """Return name, columns to the east and rows to the south of every direction, in card order."""
    match power.get("directions"):
        case list(found):
            return tuple(_direction(one) for one in found)
    raise ValueError(f"directions: expected a list, got {power.get('directions')!r}")


def _direction(one: Json) -> tuple[str, int, int]:
    match one:
        case {"name": str(name), "east": int(east), "south": int(south)}:
            return name, east, south
    raise ValueError(f"directions: expected name, east and south, got {one!r}")
