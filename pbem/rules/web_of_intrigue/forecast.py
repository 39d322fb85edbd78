"""What orders will try, in sentences for the seat that gives them, as if nobody else acted (ruling 23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Forecast
from pbem.rules.web_of_intrigue.facts import Facts, Special, Thing
from pbem.rules.web_of_intrigue.helps import is_barred
from pbem.rules.web_of_intrigue.modifiers import Stand, element_bonuses, needed_roll, weigh, winning_faces
from pbem.rules.web_of_intrigue.orders import write_subjects
from pbem.rules.web_of_intrigue.specials import shifted
from pbem.rules.web_of_intrigue.state import Bid, Enact, HouseGuess, HouseId, Move, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, View
from pbem.rules.web_of_intrigue.words import count, describe, listed, spell_parts, spell_roll


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what legal orders will try, a sentence for each action, in the order of the phases."""
    if view.own is None:
        return Forecast(())
    return Forecast(tuple(_Outlook(facts, view, view.own).lines(move)))


@dataclass(frozen=True, slots=True)
class _Branch:
    """One way the own bids can have gone so far: each that was open won or lost, and what is controlled."""

    won: Mapping[str, bool]
    held: frozenset[TileId]


@dataclass(frozen=True, slots=True)
class _Case:
    """A bid in one branch; the needed roll is None where the object is the seat's already."""

    branch: _Branch
    parts: Mapping[str, int]
    needed: int | None


class _Outlook:
    """The own orders played on the own view."""

    def __init__(self, facts: Facts, view: View, own: Own) -> None:
        self.facts = facts
        self.view = view
        self.own = own
        self.web = dict(view.web)
        self.enacted: list[TileId] = []
        held = frozenset(tile for tile, owned in view.owners.items() if owned.controller == view.me)
        self.branches: tuple[_Branch, ...] = (_Branch({}, held),)
        self.house = facts.find_house(own.house)

    def lines(self, move: Move) -> list[str]:
        """Return the sentences for all orders."""
        out: list[str] = []
        for place, action in move.actions():
            match action:
                case Enact():
                    out.append(self._enact(place, action))
                case Bid():
                    out += self._bid(place, action)
        if move.guess is not None:
            out.append(self._guess(move.guess))
        out.append(self._move(move.goal))
        spent = sum(action.points or 0 for _, action in move.actions())
        left = self.own.action_points - spent
        lost = f"; {left} are not spent, and lost" if left else ""
        return [*out, f"You spend {spent} of {count(self.own.action_points, 'action point')}{lost}."]

    def _enact(self, place: str, action: Enact) -> str:
        special = self.facts.specials[TileId(action.special)]
        self.enacted.append(special.id)
        self._shift_tiles(action, special)
        subjects = write_subjects(action)
        on = (
            f" with {', '.join(f'{name} {_plainly(value)}' for name, value in subjects.items())}"
            if subjects
            else ""
        )
        head = f"{_phase(place)} ({count(action.points or 0, 'point')})"
        said = f"{head}: {special.name}{on}: {describe(special.effect)}."
        barred = all(is_barred(self.facts, special.effect, branch.held) for branch in self.branches)
        why = f" You control a {special.effect.unless}, and while you do it gives you nothing."
        return said + why if barred else said

    def _shift_tiles(self, action: Enact, special: Special) -> None:
        """Move the tiles that the seat sees as its own special will; what a shift brings in is not known."""
        grid, kind = self.facts.grid, special.effect.kind
        if kind == "exchange_tiles":
            one, other = (Square(square) for square in action.squares or ())
            tiles = {one: self.web.pop(other, None), other: self.web.pop(one, None)}
            self.web.update({square: tile for square, tile in tiles.items() if tile is not None})
        elif kind in ("shift_row", "shift_column"):
            line = grid.row(action.row or 0) if kind == "shift_row" else grid.column(str(action.column))
            known = {square: self.web.pop(square) for square in line if square in self.web}
            self.web.update(shifted(known, line, special.effect.direction))

    def _bid(self, place: str, action: Bid) -> list[str]:
        """Say what a bid needs, in each case if it hangs on an earlier one; then what would change it."""
        thing = self.facts.objects[TileId(action.target)]
        cases = [self._case(branch, thing) for branch in self.branches]
        self._branch_out(place, thing, cases)
        points = count(action.points or 0, "point")
        head = f"{_phase(place)} ({points}): {thing.name}, difficulty {thing.difficulty}"
        if all(case.needed is None for case in cases):
            return [f"{head}: you control it already, and the bid does nothing."]
        deciding = _deciding(cases)
        if not deciding:
            said = self._spell(thing, cases[0])
        else:
            said = "; ".join(
                f"if {when}, {self._spell(thing, case)}" for when, case in _told(cases, deciding)
            )
        return [f"{head}: {said}.", *self._if_taken(thing, cases[0], deciding)]

    def _case(self, branch: _Branch, thing: Thing) -> _Case:
        if thing.id in branch.held:
            return _Case(branch, {}, None)
        parts = self._weigh(branch, thing, is_rivals=thing.id in self.view.owners)
        return _Case(branch, parts, needed_roll(thing, parts))

    def _weigh(self, branch: _Branch, thing: Thing, *, is_rivals: bool) -> dict[str, int]:
        grid, where = self.facts.grid, {tile: square for square, tile in self.web.items()}
        square = where[thing.id]
        stand = Stand(HouseId(self.house), branch.held, tuple(self.enacted))
        beside = [one for one in self.enacted if one in where and grid.distance(where[one], square) == 1]
        distance = grid.distance(self.own.square, square)
        return weigh(self.facts, stand, thing, distance, is_rivals=is_rivals, beside=beside)

    def _branch_out(self, place: str, thing: Thing, cases: Sequence[_Case]) -> None:
        """Note for later bids how this one can go; what is certain opens no branch."""
        branches: list[_Branch] = []
        for case in cases:
            branch, sides = case.branch, self.facts.numbers.sides
            faces = sides if case.needed is None else winning_faces(self.facts, case.needed)
            open_ended = 0 < faces < sides or self._may_be_helped(thing, case)
            if faces or open_ended:
                won = {**branch.won, place: True} if open_ended else branch.won
                branches.append(_Branch(won, branch.held | {thing.id}))
            if faces < sides:
                branches.append(
                    _Branch({**branch.won, place: False} if open_ended else branch.won, branch.held)
                )
        self.branches = tuple(branches)

    def _may_be_helped(self, thing: Thing, case: _Case) -> bool:
        """Tell whether the bonus against an element could make an impossible bid possible."""
        if case.needed is None or thing.id not in self.view.owners:
            return False
        most = max(element_bonuses(self.facts, self.enacted).values(), default=0)
        return winning_faces(self.facts, case.needed) == 0 < winning_faces(self.facts, case.needed - most)

    def _spell(self, thing: Thing, case: _Case) -> str:
        if case.needed is None:
            return "you control it already, and the bid does nothing"
        said = f"{spell_parts(case.parts)}, {spell_roll(self.facts, case.needed)}"
        owned = self.view.owners.get(thing.id)
        return said + self._elements(case.needed, owned.controller) if owned else said

    def _elements(self, needed: int, owner: Seat | None = None) -> str:
        """Say what the roll would be if the controller were of an element whose special is enacted.

        An owner that can be of one element only is said to be of it.
        """
        plain, told = spell_roll(self.facts, needed), ""
        houses = [self.facts.houses[HouseId(self.facts.find_house(name))] for name in self._can_be(owner)]
        possible = {house.element for house in houses}
        for element, value in element_bonuses(self.facts, self.enacted).items():
            if owner is not None and element not in possible:
                continue
            if owner is not None and len(possible) == 1:
                roll = spell_roll(self.facts, needed - value)
                return f"; player {owner} must be of {element.capitalize()}, and so {roll}"
            roll = spell_roll(self.facts, needed - value)
            told += f"; or, if the owner is of {element.capitalize()}, {roll}" if roll != plain else ""
        return told

    def _can_be(self, owner: Seat | None) -> Sequence[str]:
        return () if owner is None else self.view.can_be[owner]

    def _if_taken(self, thing: Thing, case: _Case, deciding: Sequence[str]) -> list[str]:
        """Say what changes if a rival takes the object first; said once, for the first case."""
        if thing.id in self.view.owners or case.needed is None:
            return []
        needed = needed_roll(thing, self._weigh(case.branch, thing, is_rivals=True))
        when = f" and {_when(case, deciding)}" if deciding else ""
        roll = spell_roll(self.facts, needed) + self._elements(needed)
        return [f"If another player takes it first{when}: {roll}."]

    def _guess(self, guess: HouseGuess) -> str:
        house, player = self.facts.houses[HouseId(guess.house)], guess.player
        head = f"guess: player {player} is {house.name}"
        for made in self.own.guesses:
            if made.player == player and made.right:
                name = self.facts.houses[made.house].name
                return f"{head}: you know already that this player is {name}, and nothing changes."
            if made.player == player and made.house == house.id:
                return f"{head}: you guessed so in turn {made.turn}, and it was wrong."
        if house.name == self.own.house:
            return f"{head}: that is your own House, so it will be wrong."
        if house.name not in self.view.can_be[player]:
            houses = listed(self.view.can_be[player], "or")
            return f"{head}: it will be wrong; by all you know this player is {houses}."
        pays = self.view.players[player].income // self.facts.numbers.one_in
        return f"{head}: if right, worth {pays} a turn as things stand, unless this player guessed yours too."

    def _move(self, goal: str | None) -> str:
        here, grid = self.own.square, self.facts.grid
        if goal is None or goal == here:
            return f"move: you stay on {here}."
        square, radius = Square(goal), self.facts.numbers.radius
        new = sum(one not in self.view.web for one in grid.diamond(square, radius))
        return f"move: from {here} to {goal}; {count(new, 'square')} of your next diamond you do not see now."


def _deciding(cases: Sequence[_Case]) -> list[str]:
    """Return the earlier bids on whose success this one hangs, in their order."""
    places = list(dict.fromkeys(place for case in cases for place in case.branch.won))

    def matters(place: str) -> bool:
        seen: dict[tuple[tuple[str, bool], ...], set[tuple[object, ...]]] = {}
        for case in cases:
            rest = tuple((name, won) for name, won in case.branch.won.items() if name != place)
            seen.setdefault(rest, set()).add((case.needed, *case.parts.items()))
        return any(len(found) > 1 for found in seen.values())

    return [place for place in places if matters(place)]


def _told(cases: Sequence[_Case], deciding: Sequence[str]) -> list[tuple[str, _Case]]:
    """Return one case for each way in which the deciding bids can go, with that way in words."""
    found: dict[str, _Case] = {}
    for case in cases:
        found.setdefault(_when(case, deciding), case)
    return list(found.items())


def _when(case: _Case, deciding: Sequence[str]) -> str:
    won = case.branch.won
    decided = (place for place in deciding if place in won)
    return listed(f"{_phase(place)} {'wins' if won[place] else 'fails'}" for place in decided) or "so"


def _plainly(value: object) -> str:
    return listed(value) if isinstance(value, list) else str(value)


def _phase(place: str) -> str:
    """Return a phase as a sentence has it: "bid 1" for bid_1."""
    return place.replace("_", " ")
