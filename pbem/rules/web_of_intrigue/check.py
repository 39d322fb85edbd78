"""What is wrong with orders, as far as their owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import count, did_you_mean, listing
from pbem.rules.web_of_intrigue.facts import Facts, Special
from pbem.rules.web_of_intrigue.moves import Bid, Enact, Move
from pbem.rules.web_of_intrigue.orders import write_subjects
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, View
from pbem.rules.web_of_intrigue.words import NEEDS


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return everything that is wrong with orders if their owner were asked now.

    Source: rules 2, 3.1, 5 and 8; rulings 8, 11, 15 to 17 and 24.
    """
    if view.me is None or view.own is None or view.over:
        return out_of_play(is_over=view.over)
    return tuple(_Checking(facts, view, view.me, view.own).problems(move))


@dataclass(frozen=True, slots=True)
class _Checking:
    """One seat's orders against its own view."""

    facts: Facts
    view: View
    me: Seat
    own: Own

    def problems(self, move: Move) -> Iterator[Problem]:
        """Yield what is wrong, in the order of the phases."""
        for place, action in move.actions():
            match action:
                case Enact():
                    yield from self._enact(place, action)
                case Bid():
                    yield from self._bid(place, action)
        yield from self._once(move)
        yield from self._points(move)
        yield from self._guess(move)
        if move.goal is not None:
            yield from self._square(("move",), move.goal)

    def _enact(self, place: str, action: Enact) -> Iterator[Problem]:
        """Check a special: it is one, in the diamond, with its subjects (rules 5)."""
        path, facts = (place, "enact"), self.facts
        special = facts.specials.get(TileId(action.special))
        if special is not None:
            if special.id not in self.view.specials:
                near = (spot.name for spot in self.view.specials.values())
                yield self._out_of_sight(path, special.id, near)
            yield from self._subjects(place, action, special)
        elif (thing := facts.objects.get(TileId(action.special))) is not None:
            hint = f"Bid for it: {{for: {thing.id}, points: {action.points or 1}}} as one of the bids."
            text = f"{thing.name} is an object, and only specials can be enacted"
            yield Problem(path, text, hint if thing.id in self.view.objects else "")
        else:
            names = [special.name for special in facts.specials.values()]
            yield self._unknown(path, action.special, "special", names)

    def _bid(self, place: str, action: Bid) -> Iterator[Problem]:
        """Check a bid: it is for an object in the diamond (rules 8)."""
        path, facts = (place, "for"), self.facts
        if (thing := facts.objects.get(TileId(action.target))) is not None:
            if thing.id not in self.view.objects:
                yield self._out_of_sight(path, thing.id, (offer.name for offer in self.view.objects.values()))
        elif (special := facts.specials.get(TileId(action.target))) is not None:
            hint = f"Enact it: {{enact: {special.id}, points: {action.points or 1}}} as one of the specials."
            text = f"{special.name} is a special, and bids are for objects"
            yield Problem(path, text, hint if special.id in self.view.specials else "")
        else:
            yield self._unknown(path, action.target, "object", [one.name for one in facts.objects.values()])

    def _out_of_sight(self, path: tuple[str, ...], tile: TileId, seen: Iterable[str]) -> Problem:
        """Say that a tile is not in the diamond; obscured or elsewhere, nobody can tell (ruling 11)."""
        last = [(spot.turn, square) for square, spot in self.view.memory.items() if spot.tile == tile]
        near = list(seen)[:6]
        hints = [f"You last saw it on {square} in turn {turn}." for turn, square in [*sorted(last)][-1:]]
        hints += [f"Nearest to you: {', '.join(near)}."] if near else []
        return Problem(path, f"you do not see {self.facts.name(tile)} in your diamond", " ".join(hints))

    def _unknown(self, path: tuple[str, ...], text: str, kind: str, names: list[str]) -> Problem:
        if text.strip() == UNSEEN:
            return Problem(path, "an obscured tile cannot be named", "Wait until your next report.")
        if (tile := self.view.web.get(Square(text.strip().casefold()))) not in (None, UNSEEN):
            what = f"{text} is a square, and a tile is wanted"
            return Problem(path, what, f"The tile there is {self.facts.name(str(tile))}.")
        return Problem(path, f"there is no {kind} {text!r}", _near(text, names), lasting=True)

    def _subjects(self, place: str, action: Enact, special: Special) -> Iterator[Problem]:
        """Check that a special has what it works on, and nothing else."""
        wanted, given = special.effect.subject, write_subjects(action)
        for name in given:
            if name != wanted:
                hint = f"It needs {NEEDS[wanted]}." if wanted else "Leave it out."
                yield Problem((place, name), f"{special.name} takes no {name}", hint)
        if wanted and wanted not in given:
            other = next(seat for seat in self.view.players if seat != self.me)
            examples = {"square": "d5", "squares": "[d5, e6]", "row": "5", "column": "d", "player": other}
            hint = f"Add {wanted}, such as {wanted}: {examples[wanted]}."
            yield Problem((place,), f"{special.name} needs {NEEDS[wanted]}", hint)
        elif wanted:
            yield from self._subject(place, action, special)

    def _subject(self, place: str, action: Enact, special: Special) -> Iterator[Problem]:
        grid, path = self.facts.grid, (place, special.effect.subject)
        match special.effect.subject:
            case "square" if special.effect.kind == "reveal_tile":
                anywhere = self.view.options.reveal_reach == "anywhere"
                yield from self._square(path, str(action.square), anywhere=anywhere)
            case "square":
                yield from self._square(path, str(action.square), is_tile=True)
            case "squares":
                yield from self._two_squares(path, action.squares or ())
            case "row":
                seen = sorted({int(square[1:]) for square in self._clear_squares()})
                if not grid.has_row(action.row or 0):
                    yield Problem(path, f"there is no row {action.row}", f"Rows are 1 to {grid.size}.")
                elif action.row not in seen:
                    hint = f"You see rows {listing(seen)}."
                    yield Problem(path, f"you see no tile of row {action.row}", hint)
            case "column":
                letters = sorted({square[0] for square in self._clear_squares()})
                if not grid.has_column(str(action.column)):
                    last = grid.squares[-1][0]
                    yield Problem(path, f"there is no column {action.column!r}", f"Columns are a to {last}.")
                elif action.column not in letters:
                    hint = f"You see columns {listing(letters)}."
                    yield Problem(path, f"you see no tile of column {action.column}", hint)
            case "player":
                yield from self._player(path, Seat(str(action.player)), "it works on other players only")

    def _two_squares(self, path: tuple[str, ...], squares: tuple[str, ...]) -> Iterator[Problem]:
        if len(squares) != 2:
            yield Problem(path, f"expected two squares, got {len(squares)}", "Write squares: [d5, e6].")
            return
        for number, square in enumerate(squares):
            yield from self._square((*path, number), square, is_tile=True)
        if squares[0] == squares[1]:
            yield Problem(path, f"{squares[0]} is named twice", "Name two squares.")

    def _square(
        self, path: tuple[str | int, ...], square: str, *, anywhere: bool = False, is_tile: bool = False
    ) -> Iterator[Problem]:
        """Check a square; where a tile is meant, it must be one that is seen."""
        if square not in self.facts.grid.places:
            hint = f"Squares are {self.facts.grid.corners}."
            yield Problem(path, f"there is no square {square!r}", hint, lasting=True)
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
        for place, action in move.actions():
            if isinstance(action, Enact) and first.setdefault(action.special, place) != place:
                text = f"{self.facts.name(action.special)} is enacted in {first[action.special]} already"
                hint = "Each special can be enacted once a turn."
                yield Problem((place, "enact"), text, hint, bearable=True)

    def _points(self, move: Move) -> Iterator[Problem]:
        """Check the action points: at least 1 for each action, and no more than there are (ruling 8)."""
        have, spent = self.own.action_points, 0
        total = sum(action.points or 0 for _, action in move.actions())
        for place, action in move.actions():
            if action.points is None or action.points < 1:
                path = (place,) if action.points is None else (place, "points")
                hint = f"Write points: 1 or more; you have {have} for all actions together."
                yield Problem(path, f"{place} has no action points", hint)
                continue
            if spent <= have < spent + action.points:
                text = f"your actions take {count(total, 'point')}, and you have {have}"
                yield Problem((place, "points"), text, f"Take {total - have} away.", bearable=True)
            spent += action.points

    def _guess(self, move: Move) -> Iterator[Problem]:
        if move.guess is None:
            return
        yield from self._player(("guess", "player"), move.guess.player, "guess at another player")
        if move.guess.house not in self.facts.houses:
            names = [house.name for house in self.facts.houses.values()]
            hint = _near(move.guess.house, names) or f"Houses are {', '.join(names)}."
            text = f"there is no House {move.guess.house!r}"
            yield Problem(("guess", "house"), text, hint, lasting=True)

    def _player(self, path: tuple[str, ...], player: Seat, others_only: str) -> Iterator[Problem]:
        seats = [seat for seat in self.view.players if seat != self.me]
        if player == self.me:
            text = f"player {player} is yourself"
            yield Problem(path, f"{text}: {others_only}", f"The others are {listing(seats)}.")
        elif player not in self.view.players:
            hint = f"The others are {listing(seats)}."
            yield Problem(path, f"there is no player {player!r}", hint, lasting=True)


def _near(word: str, names: list[str]) -> str:
    """Return "Did you mean X?", or nothing if no name is like the word, and none alone has it in it."""
    spaced = word.casefold().replace("_", " ")
    parts = [name for name in names if len(spaced) > 2 and spaced in name.casefold().split()]
    alone = f"Did you mean {parts[0]}?" if len(parts) == 1 else ""
    return did_you_mean(spaced, names) or alone
