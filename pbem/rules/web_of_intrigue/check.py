"""What is wrong with orders, as far as their owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json, Problem
from pbem.core.remedies import Advice, Meant, With
from pbem.core.wording import most_similar_name, order_as_yaml, suggest_values
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import count, listing, unknown
from pbem.rules.web_of_intrigue.facts import Facts, Special
from pbem.rules.web_of_intrigue.moves import Bid, Enact, Move
from pbem.rules.web_of_intrigue.orders import write_subjects
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, TileId
from pbem.rules.web_of_intrigue.view import View
from pbem.rules.web_of_intrigue.words import NEEDS, spell_turn

Path = tuple[str | int, ...]

MISPLACED: Final = {
    "object": (
        "a special, and bids are for objects",
        "Enact it: {{enact: {}, points: {}}} as one of the specials.",
    ),
    "special": (
        "an object, and only specials can be enacted",
        "Bid for it: {{for: {}, points: {}}} as one of the bids.",
    ),
}
"""What a tile is that is named where another kind is wanted, and how it is ordered; by the kind wanted."""

EXAMPLES: Final[Mapping[str, Json]] = {"square": "d5", "squares": ["d5", "e6"], "row": 5, "column": "d"}
"""How an order names what a special works on; a player by its number."""


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return everything that is wrong with orders if their owner were asked now.

    Source: rules 2, 3.1, 5 and 8; rulings 8, 11, 15 to 17 and 24.
    """
    if view.me is None or view.over:
        return out_of_play(is_over=view.over)
    checking = _Checking(facts, view.me, view.others, view.web, (*view.objects, *view.specials), view)
    return tuple(checking.problems(move))


def check_before_deal(facts: Facts, move: Move, seat: Seat, seats: tuple[Seat, ...]) -> Iterator[Problem]:
    """Yield what is wrong with orders wherever the seat will stand: each thing counts as one that it sees."""
    web, tiles = dict.fromkeys(facts.grid.squares, TileId("")), (*facts.objects, *facts.specials)
    return _Checking(facts, seat, [one for one in seats if one != seat], web, tiles, None).problems(move)


class _Checking(NamedTuple):
    """One seat's orders against what it sees.

    Attributes:
        facts: The facts.
        me: The seat.
        others: The other seats.
        web: What it sees on each square of its diamond.
        tiles: The tiles that it sees, the nearest of each kind first.
        view: All that it knows; None before the deal.
    """

    facts: Facts
    me: Seat
    others: Sequence[Seat]
    web: Mapping[Square, TileId]
    tiles: Collection[TileId]
    view: View | None

    def problems(self, move: Move) -> Iterator[Problem]:
        """Yield what is wrong, in the order of the phases."""
        for place, action in move.actions.items():
            yield from self._tile(place, action)
            if isinstance(action, Enact):
                yield from self._subjects(place, action, self.facts.specials.get(TileId(action.tile)))
        yield from self._once(move)
        if self.view is not None and self.view.own is not None:
            yield from self._points(move, self.view.own.action_points)
        if (guess := move.guess) is not None:
            yield from self._player(("guess", "player"), guess.player, "guess at another player")
            yield from unknown(("guess", "house"), "House", guess.house, self.facts.houses, self.facts.titles)
        if move.goal is not None:
            yield from self._square(("move",), move.goal)

    def _tile(self, place: str, action: Enact | Bid) -> Iterator[Problem]:
        """Check that an action names a tile of the kind that it is for, in the diamond (rules 5 and 8)."""
        tile, facts = TileId(action.tile), self.facts
        known: Collection[TileId] = facts.objects
        path, kind = (place, "for"), "object"
        if isinstance(action, Enact):
            path, kind, known = (place, "enact"), "special", facts.specials
        if tile not in known and tile in (*facts.objects, *facts.specials):
            what, way = MISPLACED[kind]
            hint = way.format(tile, action.points) if tile in self.tiles else ""
            yield Problem(path, f"{facts.name(tile)} is {what}", hint, lasting=True)
        elif tile not in known:
            yield self._unknown(path, tile, kind, known)
        elif tile not in self.tiles:
            yield self._out_of_sight(path, tile, known)

    def _out_of_sight(self, path: Path, tile: TileId, known: Collection[TileId]) -> Problem:
        """Say that a tile is not in the diamond; obscured or elsewhere, nobody can tell (ruling 11)."""
        memory = self.view.memory if self.view else {}
        last = [(spot.turn, square) for square, spot in memory.items() if spot.tile == tile]
        hints = [f"You last saw it on {square} {spell_turn(turn)}." for turn, square in [*sorted(last)][-1:]]
        advice = Advice("".join(hints)).then(self._nearest(known))
        return Problem(path, f"you do not see {self.facts.name(tile)} in your diamond", *advice)

    def _unknown(self, path: Path, text: str, kind: str, known: Collection[TileId]) -> Problem:
        """Say that nothing has a name; of what may be meant it is said if it is not seen."""
        if text.strip() == UNSEEN:
            return Problem(path, "an obscured tile cannot be named", "Wait until your next report.")
        tile = self.web.get(Square(text.strip().casefold()))
        if tile is not None and tile != UNSEEN:
            hint = f"The tile there is {self.facts.name(tile)}." if tile else ""
            return Problem(path, f"{text} is a square, and a tile is wanted", hint)
        meant = self._like(text, known)
        advice = suggest_values(meant) if meant else Advice()
        if meant and meant not in map(self.facts.name, self.tiles):
            hint = f"You may mean {meant}, which you do not see in your diamond."
            advice = Advice(hint, (Meant(meant),)).then(self._nearest(known))
        return Problem(path, f"there is no {kind} {text!r}", *advice, lasting=True)

    def _like(self, word: str, tiles: Iterable[TileId]) -> str:
        """Return the name that may be meant, or "" if none is like the word, and none alone has it in it."""
        spaced, names = word.casefold().replace("_", " "), [self.facts.name(tile) for tile in tiles]
        parts = [name for name in names if len(spaced) > 2 and spaced in name.casefold().split()]
        return most_similar_name(spaced, names) or (parts[0] if len(parts) == 1 else "")

    def _nearest(self, known: Collection[TileId]) -> Advice:
        """Say which of them to name in place of what is not seen; nothing if none is seen."""
        near = [self.facts.name(tile) for tile in self.tiles if tile in known][:6]
        if not near:
            return Advice()
        return Advice(f"Nearest to you: {', '.join(near)}.")

    def _subjects(self, place: str, action: Enact, special: Special | None) -> Iterator[Problem]:
        """Check that a special has what it works on, and nothing else; all that an unknown one is given."""
        given, wanted = write_subjects(action), special.effect.subject if special else ""
        for name in given:
            if special is None or name == wanted:
                yield from self._subject((place, name), action, special)
            else:
                hint = f"It needs {NEEDS[wanted]}." if wanted else "Leave it out."
                yield Problem((place, name), f"{special.name} takes no {name}", hint, lasting=True)
        if special is not None and wanted and wanted not in given:
            value = EXAMPLES.get(wanted, str(self.others[0]))
            hint = f"Add {wanted}, such as {wanted}: {order_as_yaml(value)}."
            advice = Advice(hint, (With(wanted, value),))
            yield Problem((place,), f"{special.name} needs {NEEDS[wanted]}", *advice, lasting=True)

    def _subject(self, path: tuple[str, str], action: Enact, special: Special | None) -> Iterator[Problem]:
        grid, reveals = self.facts.grid, special is None or special.effect.kind == "reveal_tile"
        match path[1]:
            case "square":
                anywhere = reveals and (self.view is None or self.view.options.reveal_reach == "anywhere")
                yield from self._square(path, str(action.square), anywhere=anywhere, is_tile=not reveals)
            case "squares":
                squares = action.squares or ()
                for number, square in enumerate(squares):
                    yield from self._square((*path, number), square, is_tile=True)
                if len(set(squares)) < len(squares):
                    yield Problem(path, f"{squares[0]} is named twice", "Name two squares.")
            case "row":
                yield from self._line(path, action.row or 0, grid.rows)
            case "column":
                yield from self._line(path, str(action.column), grid.columns)
            case "player":
                yield from self._player(path, Seat(str(action.player)), "it works on other players only")

    def _line(self, path: tuple[str, str], line: int | str, lines: Sequence[int | str]) -> Iterator[Problem]:
        """Check a row or a column: it is one, and some tile of it is seen."""
        kind, clear = path[1], {square for square, tile in self.web.items() if tile != UNSEEN}
        seen = [one for one in lines if clear.intersection(self.facts.grid.line(one))]
        if line not in lines:
            hint = f"{kind.capitalize()}s are {lines[0]} to {lines[-1]}."
            yield Problem(path, f"there is no {kind} {line!r}", hint, lasting=True)
        elif line not in seen:
            yield Problem(path, f"you see no tile of {kind} {line}", f"You see {kind}s {listing(seen)}.")

    def _square(
        self, path: Path, square: str, *, anywhere: bool = False, is_tile: bool = False
    ) -> Iterator[Problem]:
        """Check a square; where a tile is meant, it must be one that is seen."""
        if square not in self.facts.grid.places:
            hint = f"Squares are {self.facts.grid.corners}."
            yield Problem(path, f"there is no square {square!r}", hint, lasting=True)
        elif not anywhere and Square(square) not in self.web:
            own = self.view.own if self.view else None
            hint = (
                f"You stand on {own.square} and see up to {count(own.reach, 'step')} from there."
                if own
                else ""
            )
            yield Problem(path, f"{square} is not in your diamond", hint)
        elif is_tile and self.web[Square(square)] == UNSEEN:
            yield Problem(path, f"the tile on {square} is obscured", "Name a tile that you see.")

    def _player(self, path: Path, player: Seat, why: str) -> Iterator[Problem]:
        """Check that a player is another one."""
        hint = f"The others are {listing(self.others)}."
        if player == self.me:
            yield Problem(path, f"player {player} is yourself: {why}", hint, lasting=True)
        elif player not in self.others:
            yield Problem(path, f"there is no player {player!r}", hint, lasting=True)

    def _once(self, move: Move) -> Iterator[Problem]:
        """Check that no special is enacted twice (rules 5, ruling 24)."""
        first: dict[str, str] = {}
        for place, action in move.actions.items():
            if isinstance(action, Enact) and first.setdefault(action.tile, place) != place:
                text = f"{self.facts.name(action.tile)} is enacted in {first[action.tile]} already"
                hint = "Each special can be enacted once a turn."
                yield Problem((place, "enact"), text, hint, bearable=True)

    def _points(self, move: Move, have: int) -> Iterator[Problem]:
        """Check the action points: all actions together take no more than there are (ruling 8)."""
        spent = 0
        total = sum(action.points for action in move.actions.values())
        for place, action in move.actions.items():
            if spent <= have < spent + action.points:
                text = f"your actions take {count(total, 'point')}, and you have {have}"
                over = total - have
                left = (Meant(action.points - over),) if action.points > over else ()
                yield Problem((place, "points"), text, f"Take {over} away.", left, bearable=True)
            spent += action.points
