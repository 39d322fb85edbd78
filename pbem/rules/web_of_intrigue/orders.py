"""Orders as players write them, and as moves: `{special_1: {enact: inflation, points: 3}, move: d5}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS, Bid, Enact, HouseGuess, Move

T = TypeVar("T")

SUBJECTS: Final = ("square", "squares", "row", "column", "player")
STAY: Final = "stay"


def read_move(facts: Facts, order: Json) -> Move:
    """Return an order that fits the schema as a move; names become ids where they are known.

    Names are read without regard to case, punctuation and "the": "Queen Victoria", "queen_victoria".

    Source: rules 3 and 8; ruling 1.2.
    """
    fields = _fields(order)
    first, second, third = (_enact(facts, fields.get(place)) for place in SPECIALS)
    one, two, three = (_bid(facts, fields.get(place)) for place in BIDS)
    guess, goal = fields.get("guess"), fields.get("move")
    return Move(
        specials=(first, second, third),
        bids=(one, two, three),
        guess=_guess(facts, _fields(guess)) if guess is not None else None,
        goal=None if goal is None or _word(goal) == STAY else _word(goal),
    )


def write_move(move: Move) -> dict[str, Json]:
    """Return a move as an order, in the order of the phases."""
    order: dict[str, Json] = {}
    for place, action in move.actions():
        points: dict[str, Json] = {} if action.points is None else {"points": action.points}
        match action:
            case Bid():
                order[place] = {"for": action.target, **points}
            case Enact():
                order[place] = {"enact": action.special, **write_subjects(action), **points}
    if move.guess is not None:
        order["guess"] = {"player": move.guess.player, "house": move.guess.house}
    if move.goal is not None or not order:
        order["move"] = move.goal or STAY
    return order


def write_subjects(action: Enact) -> dict[str, Json]:
    """Return what a special acts on, by the names of the fields; only what is given."""
    given = {name: getattr(action, name) for name in SUBJECTS}
    told: dict[str, Json] = {name: value for name, value in given.items() if value is not None}
    return told | ({"squares": list[Json](action.squares)} if action.squares is not None else {})


def three(items: Sequence[T]) -> tuple[T | None, T | None, T | None]:
    """Return up to three items as the three specials or bids of a move."""
    first, second, third, *_ = [*items, None, None, None]
    return first, second, third


def _enact(facts: Facts, value: Json) -> Enact | None:
    if value is None:
        return None
    fields = _fields(value)
    squares, row = fields.get("squares"), fields.get("row")
    return Enact(
        special=facts.find_tile(str(fields.get("enact"))),
        points=_points(fields),
        square=_word(fields["square"]) if "square" in fields else None,
        squares=tuple(map(_word, squares)) if isinstance(squares, list) else None,
        row=row if isinstance(row, int) else None,
        column=_word(fields["column"]) if "column" in fields else None,
        player=_seat(fields["player"]) if "player" in fields else None,
    )


def _bid(facts: Facts, value: Json) -> Bid | None:
    if value is None:
        return None
    fields = _fields(value)
    return Bid(facts.find_tile(str(fields.get("for"))), _points(fields))


def _guess(facts: Facts, fields: Mapping[str, Json]) -> HouseGuess:
    return HouseGuess(_seat(fields.get("player")), facts.find_house(str(fields.get("house"))))


def _points(fields: Mapping[str, Json]) -> int | None:
    points = fields.get("points")
    return points if isinstance(points, int) else None


def _seat(value: Json) -> Seat:
    """Return the seat that is meant by 7, "7", "p7" or "Player 7"."""
    return Seat(_word(value).removeprefix("player").strip().removeprefix("p"))


def _word(value: Json) -> str:
    return str(value).strip().casefold()


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
