"""What is wrong with orders, as far as their owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_intrigue.facts import Facts, Special
from pbem.rules.web_of_intrigue.moves import Bid, Enact, HouseGuess, Move
from pbem.rules.web_of_intrigue.names import (
    OTHERS_ONLY,
    OTHERWISE,
    misfit_subjects,
    misnamed_house,
    misnamed_line,
    misnamed_player,
    misnamed_square,
    near_name,
)
from pbem.rules.web_of_intrigue.orders import write_subjects
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, View
from pbem.rules.web_of_intrigue.words import spell_turn


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return everything that is wrong with orders if their owner were asked now.

    Source: rules 2, 3.1, 5 and 8; rulings 8, 11, 15 to 17 and 24.
    """
    if view.own is None or view.over:
        return out_of_play(is_over=view.over)
    return tuple(_Checking(facts, view, view.own).problems(move))


class _Checking(NamedTuple):
    """One seat's orders against its own view."""

    facts: Facts
    view: View
    own: Own

    def problems(self, move: Move) -> Iterator[Problem]:
        """Yield what is wrong, in the order of the phases."""
        for place, action in move.actions.items():
            yield from self._tile(place, action)
            if isinstance(action, Enact) and TileId(action.tile) in self.facts.specials:
                yield from self._subjects(place, action, self.facts.specials[TileId(action.tile)])
        yield from self._once(move)
        yield from self._points(move)
        if move.guess is not None:
            yield from self._guess(move.guess)
        if move.goal is not None:
            yield from self._square(("move",), move.goal)

    def _tile(self, place: str, action: Enact | Bid) -> Iterator[Problem]:
        """Check that an action names a tile of the kind that it is for, in the diamond (rules 5 and 8)."""
        tile, facts, view = TileId(action.tile), self.facts, self.view
        known: Collection[TileId] = facts.objects
        seen: Collection[TileId] = view.objects
        field, kind = "for", "object"
        way = f"Enact it: {{enact: {tile}, points: {action.points}}} as one of the specials."
        if isinstance(action, Enact):
            known, seen = facts.specials, view.specials
            field, kind = "enact", "special"
            way = f"Bid for it: {{for: {tile}, points: {action.points}}} as one of the bids."
        path = (place, field)
        if tile in known:
            yield from () if tile in seen else (self._out_of_sight(path, tile, seen),)
        elif tile in facts.objects or tile in facts.specials:
            is_seen = tile in view.objects or tile in view.specials
            yield Problem(
                path, f"{facts.name(tile)} is {OTHERWISE[kind]}", way if is_seen else "", lasting=True
            )
        else:
            yield self._unknown(path, tile, kind, [facts.name(one) for one in known], seen)

    def _out_of_sight(self, path: tuple[str, ...], tile: TileId, seen: Iterable[TileId]) -> Problem:
        """Say that a tile is not in the diamond; obscured or elsewhere, nobody can tell (ruling 11)."""
        last = [(spot.turn, square) for square, spot in self.view.memory.items() if spot.tile == tile]
        hints = [f"You last saw it on {square} {spell_turn(turn)}." for turn, square in [*sorted(last)][-1:]]
        hints += _nearest(self.facts.name(one) for one in seen)
        return Problem(path, f"you do not see {self.facts.name(tile)} in your diamond", " ".join(hints))

    def _unknown(
        self, path: tuple[str, ...], text: str, kind: str, names: list[str], seen: Iterable[TileId]
    ) -> Problem:
        """Say that nothing has a name; of what may be meant it is said if it is not seen."""
        if text.strip() == UNSEEN:
            return Problem(path, "an obscured tile cannot be named", "Wait until your next report.")
        if (tile := self.view.web.get(Square(text.strip().casefold()))) not in (None, UNSEEN):
            what = f"{text} is a square, and a tile is wanted"
            return Problem(path, what, f"The tile there is {self.facts.name(str(tile))}.")
        meant, near = near_name(text, names), [self.facts.name(one) for one in seen]
        hints = [f"Did you mean {meant}?"] if meant else []
        if meant and meant not in near:
            hints = [f"You may mean {meant}, which you do not see in your diamond.", *_nearest(near)]
        return Problem(path, f"there is no {kind} {text!r}", " ".join(hints), lasting=True)

    def _subjects(self, place: str, action: Enact, special: Special) -> Iterator[Problem]:
        """Check that a special has what it works on, and nothing else."""
        yield from misfit_subjects(place, action, special, self.view.others)
        if special.effect.subject in write_subjects(action):
            yield from self._subject(place, action, special)

    def _subject(self, place: str, action: Enact, special: Special) -> Iterator[Problem]:
        grid, view, path = self.facts.grid, self.view, (place, special.effect.subject)
        match special.effect.subject:
            case "square":
                reveals = special.effect.kind == "reveal_tile"
                anywhere = reveals and view.options.reveal_reach == "anywhere"
                yield from self._square(path, str(action.square), anywhere=anywhere, is_tile=not reveals)
            case "squares":
                squares = action.squares or ()
                for number, square in enumerate(squares):
                    yield from self._square((*path, number), square, is_tile=True)
                if len(set(squares)) < len(squares):
                    yield Problem(path, f"{squares[0]} is named twice", "Name two squares.")
            case "row":
                seen = sorted({int(square[1:]) for square in self._clear_squares()})
                yield from self._line(path, action.row or 0, grid.rows, seen)
            case "column":
                letters = sorted({square[0] for square in self._clear_squares()})
                yield from self._line(path, str(action.column), grid.columns, letters)
            case "player":
                yield from misnamed_player(path, Seat(str(action.player)), view.me, view.players, OTHERS_ONLY)

    def _line(
        self, path: tuple[str, str], line: int | str, lines: Sequence[int | str], seen: Sequence[int | str]
    ) -> Iterator[Problem]:
        """Check a row or a column: it is one, and some tile of it is seen."""
        kind = path[1]
        if wrong := tuple(misnamed_line(path, line, lines)):
            yield from wrong
        elif line not in seen:
            yield Problem(path, f"you see no tile of {kind} {line}", f"You see {kind}s {listing(seen)}.")

    def _square(
        self, path: tuple[str | int, ...], square: str, *, anywhere: bool = False, is_tile: bool = False
    ) -> Iterator[Problem]:
        """Check a square; where a tile is meant, it must be one that is seen."""
        if wrong := tuple(misnamed_square(self.facts, path, square)):
            yield from wrong
        elif not anywhere and Square(square) not in self.view.web:
            steps = count(self.own.reach, "step")
            hint = f"You stand on {self.own.square} and see up to {steps} from there."
            yield Problem(path, f"{square} is not in your diamond", hint)
        elif is_tile and self.view.web[Square(square)] == UNSEEN:
            yield Problem(path, f"the tile on {square} is obscured", "Name a tile that you see.")

    def _clear_squares(self) -> list[Square]:
        return [square for square, tile in self.view.web.items() if tile != UNSEEN]

    def _once(self, move: Move) -> Iterator[Problem]:
        """Check that no special is enacted twice (rules 5, ruling 24)."""
        first: dict[str, str] = {}
        for place, action in move.actions.items():
            if isinstance(action, Enact) and first.setdefault(action.tile, place) != place:
                text = f"{self.facts.name(action.tile)} is enacted in {first[action.tile]} already"
                hint = "Each special can be enacted once a turn."
                yield Problem((place, "enact"), text, hint, bearable=True)

    def _points(self, move: Move) -> Iterator[Problem]:
        """Check the action points: all actions together take no more than there are (ruling 8)."""
        have, spent = self.own.action_points, 0
        total = sum(action.points for action in move.actions.values())
        for place, action in move.actions.items():
            if spent <= have < spent + action.points:
                text = f"your actions take {count(total, 'point')}, and you have {have}"
                yield Problem((place, "points"), text, f"Take {total - have} away.", bearable=True)
            spent += action.points

    def _guess(self, guess: HouseGuess) -> Iterator[Problem]:
        view = self.view
        yield from misnamed_player(("guess", "player"), guess.player, view.me, view.players)
        yield from misnamed_house(self.facts, guess)


def _nearest(names: Iterable[str]) -> list[str]:
    """Return what to name in place of what is not seen, in a sentence; nothing if nothing is seen."""
    near = [*names][:6]
    return [f"Nearest to you: {', '.join(near)}."] if near else []
