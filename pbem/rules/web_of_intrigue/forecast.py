"""What orders will try, in sentences for the seat that gives them, as if nobody else acted (ruling 23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.core.interface import Forecast
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_intrigue.facts import Facts, Special, Thing
from pbem.rules.web_of_intrigue.guessing import next_fine
from pbem.rules.web_of_intrigue.modifiers import (
    Stand,
    element_bonuses,
    needed_roll,
    weigh_from,
    winning_faces,
)
from pbem.rules.web_of_intrigue.moves import Bid, Enact, HouseGuess, Move
from pbem.rules.web_of_intrigue.orders import spell_subjects
from pbem.rules.web_of_intrigue.specials import shifted
from pbem.rules.web_of_intrigue.state import HouseId, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, Owned, View
from pbem.rules.web_of_intrigue.words import describe, spell_parts, spell_roll


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what legal orders will try, a sentence for each action, in the order of the phases."""
    if view.own is None:
        return Forecast(())
    outlook = _Outlook(facts, view, view.own)
    return Forecast(tuple(outlook.lines(move)), tuple(outlook.waste))


class _Case(NamedTuple):
    """A bid, if the seat controls these objects by then; no roll is needed for one that it controls."""

    held: frozenset[TileId]
    parts: Mapping[str, int]
    needed: int | None


class _Outlook:
    """The own orders played on the own view."""

    def __init__(self, facts: Facts, view: View, own: Own) -> None:
        self.facts = facts
        self.view = view
        self.own = own
        self.web = dict(view.web)
        self._place()
        self.enacted: list[TileId] = []
        # Each set of objects that the seat can control by now, and which of its bids can have won them.
        self.branches: tuple[frozenset[TileId], ...] = (view.held,)
        self.tries: dict[TileId, list[str]] = {}
        self.waste: list[str] = []  # what does nothing for certain, or as things stand
        self.rolls = False
        self.house = facts.house(own.house).id

    def lines(self, move: Move) -> list[str]:
        """Return the sentences for all orders."""
        out: list[str] = []
        for place, action in move.actions.items():
            match action:
                case Enact():
                    out.append(self._enact(place, action))
                case Bid():
                    out += self._bid(place, action)
        if self.rolls:
            out.append("The rolls suppose that no other player moves a tile or takes an object first.")
        if move.guess is not None:
            out.append(self._guess(move.guess))
        out.append(self._move(move.goal))
        spent = sum(action.points for action in move.actions.values())
        left = self.own.action_points - spent
        lost = f" and lose {left}" if left else ""
        if left:
            self.waste.append(f"you lose {left} of {count(self.own.action_points, 'action point')}")
        return [*out, f"You spend {spent} of {count(self.own.action_points, 'action point')}{lost}."]

    def _enact(self, place: str, action: Enact) -> str:
        special = self.facts.specials[TileId(action.tile)]
        self.enacted.append(special.id)
        self._shift_tiles(action, special)
        on = f" with {subjects}" if (subjects := spell_subjects(action)) else ""
        said = f"{_head(place, action)}: {special.name}{on}: {describe(special.effect)}."
        barred = all(self.facts.bars(special.effect, held) for held in self.branches)
        if not barred:
            return said
        self.waste.append(f"{_phase(place)} gives you nothing")
        return f"{said} You control a {special.effect.unless}, and while you do it gives you nothing."

    def _shift_tiles(self, action: Enact, special: Special) -> None:
        """Move the tiles that the seat sees as its own special will; what a shift brings in is not known."""
        grid = self.facts.grid
        if special.effect.kind == "exchange_tiles":
            one, other = (Square(square) for square in action.squares or ())
            tiles = {one: self.web.pop(other, None), other: self.web.pop(one, None)}
            self.web.update({square: tile for square, tile in tiles.items() if tile is not None})
        elif special.effect.direction:
            line = grid.line(action.row or str(action.column))
            known = {square: self.web.pop(square) for square in line if square in self.web}
            self.web.update(shifted(known, line, special.effect.step))
        self._place()

    def _place(self) -> None:
        """Note where each tile lies on the web as it is now."""
        self.where = {tile: square for square, tile in self.web.items()}

    def _bid(self, place: str, action: Bid) -> list[str]:
        """Say what a bid needs, in each case if it hangs on an earlier one; then what would change it."""
        thing = self.facts.objects[TileId(action.tile)]
        cases = [self._case(held, thing) for held in self.branches]
        deciding = self._deciding(thing, cases)
        head = f"{_head(place, action)}: {thing.name}, difficulty {thing.difficulty}"
        if all(case.needed is None for case in cases):
            self.waste.append(f"{_phase(place)} is for {thing.name}, which you control already")
            return [f"{head}: {self._spell(thing, cases[0])}."]
        self.rolls = True
        told: dict[str, str] = {}
        for case in cases:
            told.setdefault(self._when(thing, case, deciding), self._spell(thing, case))
        said = "; ".join(f"if {when}, {what}" if when else what for when, what in told.items())
        taken = self._if_taken(thing, cases[0], deciding)
        self._branch_out(place, thing, cases)
        if place not in self.tries.get(thing.id, ()):
            self.waste.append(f"{_phase(place)} is out of reach as things stand")
        return [f"{head}: {said}.", *taken]

    def _case(self, held: frozenset[TileId], thing: Thing) -> _Case:
        if thing.id in held:
            return _Case(held, {}, None)
        owned = self.view.owners.get(thing.id)
        parts = self._weigh(held, thing, is_rivals=owned is not None)
        for element, value in self._bonuses(owned, certain=True).items():
            assert owned is not None, "only an owner is of an element"
            parts[f"player {owned.controller} being of {element.capitalize()}"] = value
        return _Case(held, parts, needed_roll(thing, parts))

    def _deciding(self, thing: Thing, cases: Sequence[_Case]) -> list[TileId]:
        """Return the objects of earlier bids on whose control this one hangs, as few as will do."""
        deciding = [tile for tile in self.tries if len({tile in case.held for case in cases}) > 1]
        for tile in reversed(deciding):
            rest = [one for one in deciding if one != tile]
            if tile != thing.id and _tells_apart(rest, cases):
                deciding = rest
        return deciding

    def _when(self, thing: Thing, case: _Case, deciding: Sequence[TileId]) -> str:
        """Say how the deciding bids go in a case: "bid 1 or bid 2 wins"; "" where nothing decides."""
        tiles = deciding if case.needed is not None else [thing.id]
        told = []
        for tile in tiles if deciding else ():
            bids = [_phase(place) for place in self.tries[tile]]
            failed = f"{listing(bids)} {'fails' if len(bids) == 1 else 'fail'}"
            told.append(f"{listing(bids, 'or')} wins" if tile in case.held else failed)
        return listing(told)

    def _weigh(self, held: frozenset[TileId], thing: Thing, *, is_rivals: bool) -> dict[str, int]:
        stand = Stand(self.house, held, tuple(self.enacted))
        return weigh_from(self.facts, stand, thing, self.own.square, self.where, is_rivals=is_rivals)

    def _branch_out(self, place: str, thing: Thing, cases: Sequence[_Case]) -> None:
        """Note for later bids what the seat can control after this one, and that this one can win."""
        branches: list[frozenset[TileId]] = []
        for case in cases:
            faces = 0 if case.needed is None else winning_faces(self.facts, case.needed)
            can_win = case.needed is not None and (faces > 0 or self._may_be_helped(thing, case.needed))
            if can_win:
                branches.append(case.held | {thing.id})
                if place not in self.tries.setdefault(thing.id, []):
                    self.tries[thing.id].append(place)
            if faces < self.facts.numbers.sides:
                branches.append(case.held)
        self.branches = tuple(dict.fromkeys(branches))

    def _may_be_helped(self, thing: Thing, needed: int) -> bool:
        """Tell whether the bonus against an element that is not certain could make a bid possible."""
        values = self._bonuses(self.view.owners.get(thing.id), certain=False).values()
        return winning_faces(self.facts, needed - max(values, default=0)) > 0

    def _spell(self, thing: Thing, case: _Case) -> str:
        if case.needed is None:
            return "you control it already, and the bid does nothing"
        bonuses = self._bonuses(self.view.owners.get(thing.id), certain=False)
        said = f"{spell_parts(case.parts)}, {spell_roll(self.facts, case.needed)}"
        return said + self._elements(case.needed, bonuses)

    def _elements(self, needed: int, bonuses: Mapping[str, int]) -> str:
        """Say what the roll would be if the controller were of an element whose special is enacted."""
        plain, told = spell_roll(self.facts, needed), ""
        for element, value in bonuses.items():
            roll = spell_roll(self.facts, needed - value)
            told += f"; or, if the owner is of {element.capitalize()}, {roll}" if roll != plain else ""
        return told

    def _bonuses(self, owned: Owned | None, *, certain: bool) -> dict[str, int]:
        """Return what enacted specials add against the elements that a controller is, or can be, of."""
        if owned is None or not (bonuses := element_bonuses(self.facts, self.enacted)):
            return {}
        elements = self.facts.elements(self.view.can_be[owned.controller])
        if (len(elements) == 1) != certain:
            return {}
        return {element: value for element, value in bonuses.items() if element in elements}

    def _if_taken(self, thing: Thing, case: _Case, deciding: Sequence[TileId]) -> list[str]:
        """Say what changes if a rival takes the object first; said once, for the first case."""
        if thing.id in self.view.owners or case.needed is None:
            return []
        needed = needed_roll(thing, self._weigh(case.held, thing, is_rivals=True))
        when = f" and {self._when(thing, case, deciding)}" if deciding else ""
        roll = spell_roll(self.facts, needed)
        roll += self._elements(needed, element_bonuses(self.facts, self.enacted))
        return [f"If another player takes it first{when}: {roll}."]

    def _guess(self, guess: HouseGuess) -> str:
        house, player = self.facts.houses[HouseId(guess.house)], guess.player
        head = f"guess: player {player} is {house.name}"
        if vain := self._why_vain(guess, house.name):
            self.waste.append(f"the guess that player {player} is {house.name} brings nothing")
            return f"{head}: {vain}."
        pays = self.view.players[player].income // self.view.numbers.one_in
        worth = f"if right, worth {pays} each turn as things stand"
        fine = next_fine(self.view.numbers, self.view.options, self.own.guesses)
        costs = f" If wrong, it costs {count(fine, 'victory point')}." if fine else ""
        return f"{head}: {worth}, unless this player guessed yours too; to guess it once is enough.{costs}"

    def _why_vain(self, guess: HouseGuess, name: str) -> str:
        """Say why a guess is wrong or changes nothing for certain; "" if it may be right."""
        for earlier in self.own.guesses:
            if earlier.player == guess.player and earlier.right:
                known = f"you know already that this player is {self.facts.name(earlier.house)}"
                return f"{known}, which pays each turn by itself, and nothing changes"
            if earlier.player == guess.player and earlier.house == guess.house:
                return f"you guessed so in turn {earlier.turn}, and it was wrong"
        if name == self.own.house:
            return "that is your own House, so it will be wrong"
        houses = self.view.can_be[guess.player]
        if name not in houses:
            return f"it will be wrong; by all you know this player is {listing(houses, 'or')}"
        return ""

    def _move(self, goal: str | None) -> str:
        here, grid = self.own.square, self.facts.grid
        if goal is None or goal == here:
            return f"move: you stay on {here}."
        square, radius = Square(goal), self.facts.numbers.radius
        new = sum(one not in self.view.web for one in grid.diamond(square, radius))
        return f"move: from {here} to {goal}; {count(new, 'square')} of your next diamond you do not see now."


def _tells_apart(tiles: Sequence[TileId], cases: Sequence[_Case]) -> bool:
    """Tell whether a bid comes out the same wherever these objects are controlled alike."""
    found: dict[frozenset[TileId], set[tuple[object, ...]]] = {}
    for case in cases:
        outcome = (case.needed, *case.parts.items())
        found.setdefault(case.held.intersection(tiles), set()).add(outcome)
    return all(len(outcomes) == 1 for outcomes in found.values())


def _head(place: str, action: Enact | Bid) -> str:
    """Return what a sentence on an action begins with: "bid 1 (3 points)"."""
    return f"{_phase(place)} ({count(action.points, 'point')})"


def _phase(place: str) -> str:
    """Return a phase as a sentence has it: "bid 1" for bid_1."""
    return place.replace("_", " ")
