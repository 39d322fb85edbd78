"""Victory points at the end of a turn, and the end of the game (rules 7 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.core.events import ALL, Seat, only
from pbem.core.interface import Outcome
from pbem.rules.kit.ranking import find_ahead
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.course import Course
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import fine, in_force
from pbem.rules.web_of_intrigue.state import Player, State, TileId, held_by


def count_points(course: Course) -> None:
    """Add the turn's income to everybody's points; in a snapshot it replaces the last one.

    Source: rules 9; ruling 2.
    """
    facts, options = course.facts, course.before.options
    numbers, adds_up = in_force(facts.numbers, options), options.vp == "total"
    incomes = {seat: income(facts, course.owners, seat) for seat in course.players}
    paid = {
        seat: guess_bonuses(facts, course.owners, course.players, seat, numbers.one_in)
        for seat in course.players
    }
    fines = {seat: fine(numbers, options, player, course.turn) for seat, player in course.players.items()}
    for seat, player in course.players.items():
        course.change(
            seat,
            objects=incomes[seat] + player.objects * adds_up,
            bonus=sum(paid[seat].values()) - fines[seat] + player.bonus * adds_up,
            bonuses=paid[seat],
        )
    points = {seat: player.objects for seat, player in course.players.items()}
    course.tell(events.ObjectsCounted(income=incomes, points=points, to=ALL))
    for seat, player in course.players.items():
        for other, amount in paid[seat].items():
            course.tell(events.BonusCounted(seat=seat, player=other, amount=amount, to=only(seat)))
        if fines[seat]:
            course.tell(events.WrongGuessPaid(seat=seat, amount=fines[seat], to=only(seat)))
        parts = same_fields(player, "total", "objects", "bonus", "transfers")
        course.tell(events.TotalCounted(seat=seat, to=only(seat), **parts))


def income(facts: Facts, owners: Mapping[TileId, Seat], seat: Seat) -> int:
    """Return the victory points of the objects that a seat controls.

    Source: rules 9.
    """
    return facts.vp(held_by(owners, seat))


def guess_bonuses(
    facts: Facts, owners: Mapping[TileId, Seat], players: Mapping[Seat, Player], seat: Seat, one_in: int
) -> dict[Seat, int]:
    """Return a seat's bonus for each player whose House it has guessed; 0 if they guessed each other.

    Args:
        facts: The facts.
        owners: Who controls each controlled object now.
        players: Everybody's side, with the guesses of this turn.
        seat: Whose bonus.
        one_in: It gets one point for so many that the other's objects are worth, rounded down.

    Source: rules 7; rulings 3 (a quarter of what that player's objects are worth now) and 4.
    """
    known = players[seat].known
    return {
        other: 0 if seat in players[other].known else income(facts, owners, other) // one_in
        for other in players
        if other in known
    }


def victory_target(state: State) -> Fraction | None:
    """Return the number of points to surpass, or None if there is none.

    Source: rules 9; ruling 27, the exact mean of all suggestions.
    """
    match state.options.target:
        case "none":
            return None
        case "secret":
            said = [player.suggestion for player in state.players.values()]
            return Fraction(sum(said), len(said))
        case number:
            return Fraction(number)


def spell_target(state: State) -> str:
    """Return the victory target in digits, such as "275" or "274 1/3"."""
    target = victory_target(state)
    if target is None:
        return "none"
    whole, rest = divmod(target, 1)
    return f"{whole} {rest}" if rest else str(whole)


def find_outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on.

    Source: rules 9; rulings 2 (a last turn) and 28 (ties).
    """
    target = victory_target(state)
    above = [seat for seat, player in state.players.items() if target is not None and player.total > target]
    if above:
        listed = " and ".join(above)
        reason = f"{listed} surpassed the victory target of {spell_target(state)} in turn {state.turn - 1}"
        return _decide(state, above, reason)
    if 0 < state.options.turns < state.turn:
        return _decide(state, list(state.players), f"turn {state.turn - 1} was the last one")
    return None


def _decide(state: State, seats: list[Seat], reason: str) -> Outcome:
    """Name the winners: most points, then most from objects, then shared.

    Source: ruling 28.
    """
    scores = {seat: player.total for seat, player in state.players.items()}
    objects = {seat: player.objects for seat, player in state.players.items()}
    winners, last = find_ahead(seats, ("points", scores), ("points from objects", objects))
    decided_by = last or "points" if len(winners) == 1 else "a shared victory"
    return Outcome(reason, winners, scores, decided_by)
