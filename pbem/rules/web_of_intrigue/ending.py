"""The end of the game: everything is shown to everybody (ruling 26)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.events import ALL, Event, Seat
from pbem.rules.kit.ruled import Happened
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.scoring import spell_target
from pbem.rules.web_of_intrigue.state import Square, State


class HousesRevealed(Happened, releases=("houses", "squares")):
    """The game is over: who was who, and where everybody stood."""

    houses: Mapping[Seat, str]
    squares: Mapping[Seat, Square]


class TotalsRevealed(Happened, releases=("target", "suggestions", "totals", "bonuses", "transfers")):
    """The game is over: the victory target, the suggestions, and all points with their parts."""

    target: str
    suggestions: Mapping[Seat, int]
    totals: Mapping[Seat, int]
    objects: Mapping[Seat, int]
    bonuses: Mapping[Seat, int]
    transfers: Mapping[Seat, int]


class GuessesRevealed(Happened, releases=("guesses",)):
    """The game is over: all guesses of a seat, oldest first, in words."""

    seat: Seat
    guesses: tuple[str, ...]


class WebRevealed(Happened, releases=("tiles",)):
    """The game is over: where every tile lies."""

    tiles: Mapping[Square, str]


def reveal_all(facts: Facts, state: State) -> Iterator[Event]:
    """Yield what all are told when the game is over: everything (ruling 26)."""
    players = state.players
    houses = {seat: facts.name(player.house) for seat, player in players.items()}
    squares = {seat: player.square for seat, player in players.items()}
    yield HousesRevealed(houses=houses, squares=squares, to=ALL)
    yield TotalsRevealed(
        target=spell_target(state),
        suggestions={seat: player.suggestion for seat, player in players.items()},
        totals={seat: player.total for seat, player in players.items()},
        objects={seat: player.objects for seat, player in players.items()},
        bonuses={seat: player.bonus for seat, player in players.items()},
        transfers={seat: player.transfers for seat, player in players.items()},
        to=ALL,
    )
    for seat, player in players.items():
        guesses = tuple(
            f"turn {guess.turn}: {guess.player} is {facts.name(guess.house)}"
            f" ({'right' if guess.right else 'wrong'}{', by a special' if guess.free else ''})"
            for guess in player.guesses
        )
        yield GuessesRevealed(seat=seat, guesses=guesses, to=ALL)
    yield WebRevealed(tiles={one: facts.name(state.web[one]) for one in facts.grid.squares}, to=ALL)
