"""Orders as players write them, and as moves: `{special_1: {enact: inflation, points: 3}, move: d5}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.words import listing
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import PLACES, SPECIALS, Bid, Enact, HouseGuess, Move

SUBJECTS: Final = ("square", "squares", "row", "column", "player")
STAY: Final = "stay"


def read_move(facts: Facts, order: Json) -> Move:
    """Return an order that fits the schema as a move; names become ids where they are known.

    Names are read without regard to case, punctuation and "the": "Queen Victoria", "queen_victoria".

    Source: rules 3 and 8; ruling 1.2.
    """
    fields = _fields(order)
    actions = {
        place: (_enact if place in SPECIALS else _bid)(facts, _fields(fields[place]))
        for place in PLACES
        if fields.get(place) is not None
    }
    guess, goal = fields.get("guess"), _word(fields.get("move") or STAY)
    return Move(
        actions=actions,
        guess=_guess(facts, _fields(guess)) if guess is not None else None,
        goal=None if goal == STAY else goal,
    )


def write_move(move: Move) -> dict[str, Json]:
    """Return a move as an order, in the order of the phases."""
    order: dict[str, Json] = {}
    for place, action in move.actions.items():
        match action:
            case Bid():
                order[place] = {"for": action.tile, "points": action.points}
            case Enact():
                order[place] = {"enact": action.tile, **write_subjects(action), "points": action.points}
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


def spell_subjects(action: Enact) -> str:
    """Return what a special acts on in words: "squares d5 and e6"; "" for nothing."""
    return ", ".join(
        f"{name} {listing(value) if isinstance(value, list) else value}"
        for name, value in write_subjects(action).items()
    )


def _enact(facts: Facts, fields: Mapping[str, Json]) -> Enact | Bid:
    squares, row = fields.get("squares"), fields.get("row")
    words = {name: _word(value) for name, value in fields.items()}
    return Enact(
        tile=facts.find_tile(str(fields.get("enact"))),
        points=_points(fields),
        square=words.get("square"),
        squares=tuple(map(_word, squares)) if isinstance(squares, list) else None,
        row=row if isinstance(row, int) else None,
        column=words.get("column"),
        player=_seat(fields["player"]) if "player" in fields else None,
    )


def _bid(facts: Facts, fields: Mapping[str, Json]) -> Enact | Bid:
    return Bid(facts.find_tile(str(fields.get("for"))), _points(fields))


def _guess(facts: Facts, fields: Mapping[str, Json]) -> HouseGuess:
    return HouseGuess(_seat(fields.get("player")), facts.find_house(str(fields.get("house"))))


def _points(fields: Mapping[str, Json]) -> int:
    points = fields.get("points")
    return points if isinstance(points, int) else 0


def _seat(value: Json) -> Seat:
    """Return the seat that is meant by 7, "7", "p7" or "Player 7"."""
    return Seat(_word(value).removeprefix("player").strip().removeprefix("p"))


def _word(value: Json) -> str:
    return str(value).strip().casefold()


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
