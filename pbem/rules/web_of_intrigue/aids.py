"""What each special in the diamond would do for the greedy bot, with the best thing to work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.bots.beliefs import Beliefs, element_chance
from pbem.rules.web_of_intrigue.bots.worth import Worth
from pbem.rules.web_of_intrigue.facts import Effect, Facts, Special
from pbem.rules.web_of_intrigue.helps import BONUSES, gain
from pbem.rules.web_of_intrigue.modifiers import distance_modifier
from pbem.rules.web_of_intrigue.moves import Enact
from pbem.rules.web_of_intrigue.roaming import least_known
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, TileId
from pbem.rules.web_of_intrigue.view import Offer, Own, View

POINT_GAINED: Final = 0.2
"""Victory points that an action point of the next turn is worth, one's own or a rival's."""
SEEN_FURTHER: Final = 1.0
SEEN_TILE: Final = 0.5
SEEN_PLAYER: Final = 0.3
SHAKEN: Final = 0.4
"""What a gamble with 10 points is worth to a player who is behind."""
GROWTH: Final = 6
"""Income that a player is thought to add yet."""


@dataclass(frozen=True, slots=True)
class Aid:
    """A special that may help.

    Attributes:
        order: How it would be enacted; the points come later.
        gain: Victory points it adds by itself.
        helps: For each object whose bid it changes: by what, with which probability.
        unless: The category of which the bidder must control nothing.
        moves: It moves tiles.
        measures: What it adds hangs on where tiles lie.
    """

    order: Enact
    gain: float = 0.0
    helps: Mapping[TileId, tuple[int, float]] = field(default_factory=dict)
    unless: str = ""
    moves: bool = False
    measures: bool = False

    def disturbs(self, other: Aid) -> bool:
        """Tell whether one of the two moves tiles that the other counts on."""
        return (self.moves and other.measures) or (other.moves and self.measures)


@dataclass
class Aids:
    """The specials of one seat's view, as a player would use them; `named` are squares that some work on."""

    facts: Facts
    view: View
    own: Own
    wanted: Mapping[TileId, Offer]
    worth: Worth
    beliefs: Beliefs
    dice: Dice
    named: list[Square] = field(default_factory=list)

    @cached_property
    def prizes(self) -> Mapping[TileId, float]:
        """What each object that is wanted is worth."""
        return {tile: self.worth.of(tile, offer.controller) for tile, offer in self.wanted.items()}

    def all(self) -> list[Aid]:
        """Return every special that can be of use, in its best way."""
        found = [self._aid(self.facts.specials[name]) for name in self.view.specials]
        return [aid for aid in found if aid is not None and (aid.gain > 0 or aid.helps)]

    def _aid(self, special: Special) -> Aid | None:
        effect, order = special.effect, Enact(special.id, 0)
        match effect.kind:
            case kind if kind in BONUSES:
                return self._bonus(order, special)
            case "exchange_tiles":
                return self._exchange(order)
            case "shift_row" | "shift_column":
                return self._shift(order, effect)
            case _:
                return self._lasting(order, effect)

    def _bonus(self, order: Enact, special: Special) -> Aid | None:
        """Return what lasts until the end of the turn, unless the seat controls what bars it."""
        effect = special.effect
        if self.view.specials[special.id].barred:
            return None
        given = {tile: self._given(special, offer) for tile, offer in self.wanted.items()}
        helps = {tile: (value, chance) for tile, (value, chance) in given.items() if value * chance > 0}
        measures = effect.kind in ("adjacent_bonus", "ignore_distance")
        return Aid(order, helps=helps, unless=effect.unless, measures=measures)

    def _given(self, special: Special, offer: Offer) -> tuple[int, float]:
        """Return what a special adds to the bid for an object, and how likely."""
        effect, spot = special.effect, self.view.specials[special.id].square
        if effect.kind == "element_bonus":
            owner = offer.controller
            chance = 0.0 if owner is None else element_chance(self.facts, self.beliefs, owner, effect.element)
            return effect.value, chance
        apart = self.facts.grid.distance(spot, offer.square)
        return gain(self.facts, effect, offer.category, offer.distance, apart), 1.0

    def _brought(self, tile: TileId, square: Square) -> int:
        """Return what a bid for an object gains if its tile lies on another square."""
        now, then = self.wanted[tile].distance, self.facts.grid.distance(self.own.square, square)
        return distance_modifier(self.facts, then) - distance_modifier(self.facts, now)

    def _gained(self, tile: TileId, value: int) -> float:
        needed = self.wanted[tile].needed
        return self.prizes[tile] * (self.worth.odds(needed - value) - self.worth.odds(needed))

    def _exchange(self, order: Enact) -> Aid | None:
        """Return the exchange that brings one object near and takes the least away."""
        web, trials = self.view.web, list[tuple[float, Aid]]()
        beside = self.facts.grid.diamond(self.own.square, 1)
        for tile, offer in self.wanted.items():
            for square in (one for one in beside if web[one] != UNSEEN):
                goals = {tile: square} | ({web[square]: offer.square} if web[square] in self.wanted else {})
                trials.append(self._moving(replace(order, squares=(offer.square, square)), goals))
        return _best(trials)

    def _shift(self, order: Enact, effect: Effect) -> Aid | None:
        """Return the shift of the line that brings most objects nearer."""
        grid, across = self.facts.grid, effect.kind == "shift_row"
        lines: dict[int, dict[TileId, Square]] = {}
        for tile, offer in self.wanted.items():
            x, y = grid.places[offer.square]
            goal = grid.at(x + effect.step, y) if across else grid.at(x, y + effect.step)
            if self._brought(tile, goal):
                lines.setdefault(y if across else x, {})[tile] = goal
        named = {
            line: replace(order, row=line + 1) if across else replace(order, column=grid.columns[line])
            for line in lines
        }
        return _best(self._moving(named[line], goals) for line, goals in lines.items())

    def _moving(self, order: Enact, goals: Mapping[TileId, Square]) -> tuple[float, Aid]:
        """Return the moving of tiles to other squares, after what the bids for them gain by it."""
        values = {tile: self._brought(tile, goal) for tile, goal in goals.items()}
        helps = {tile: (value, 1.0) for tile, value in values.items()}
        gained = sum(self._gained(tile, value) for tile, value in values.items())
        return gained, Aid(order, helps=helps, moves=True, measures=True)

    def _lasting(self, order: Enact, effect: Effect) -> Aid | None:
        """Return a special that changes no bid of this turn; most are of no use in a last one."""
        is_last = self.view.turn == self.view.options.turns
        if is_last and effect.kind not in ("random_guess", "transfer_vp"):
            return None
        match effect.kind:
            case "points_next_turn" if effect.subject:
                return Aid(replace(order, player=self.worth.leader), -effect.value * POINT_GAINED)
            case "points_next_turn":
                return Aid(order, effect.value * POINT_GAINED)
            case "random_guess":
                return Aid(order, self._random_guess())
            case "view_radius":
                return Aid(order, SEEN_FURTHER)
            case "reveal_tile":
                square = least_known(self.facts, self.view, self.own, self.dice, self.named)
                return Aid(self._naming(order, square), SEEN_TILE) if square else None
            case "reveal_player":
                return Aid(replace(order, player=self._most_dangerous()), SEEN_PLAYER)
            case "transfer_vp":
                behind = self.view.players[self.worth.leader].points > self.own.total
                return Aid(order, SHAKEN) if behind else None
            case "obscure_tile":
                return self._obscure(order)
        raise ValueError(f"expected a kind of effect, got {effect.kind!r}")

    def _random_guess(self) -> float:
        """Return what a free guess promises: the mean bonus of the players not yet known, if it is right."""
        known = {self.view.me, *self.own.known}
        incomes = [face.income for seat, face in self.view.players.items() if seat not in known]
        if not incomes:
            return 0.0
        bonus = (sum(incomes) / len(incomes) + GROWTH) / self.view.numbers.one_in
        return bonus * self.worth.turns / (len(self.facts.houses) - 1)

    def _most_dangerous(self) -> Seat:
        """Return a strong rival that was not spotted of late."""
        faces = self.view.players
        seen = {seat: spotting.turn for seat, spotting in self.view.spotted.items()}
        return max(self.view.others, key=lambda seat: (-seen.get(seat, 0), faces[seat].income))

    def _obscure(self, order: Enact) -> Aid | None:
        """Return the hiding of the object that others would most likely take, or take first."""
        saved = {
            offer.square: self.worth.shelter(tile)
            * (self.worth.odds(offer.needed) if tile in self.wanted else 1)
            for tile, offer in self.view.objects.items()
            if offer.square not in self.named
        }
        best = max(saved, key=lambda square: saved[square], default=None)
        return Aid(self._naming(order, best), saved[best]) if best and saved[best] > 0 else None

    def _naming(self, order: Enact, square: Square) -> Enact:
        """Return the order with a square that no other special of its kind works on."""
        self.named.append(square)
        return replace(order, square=square)


def _best(trials: Iterable[tuple[float, Aid]]) -> Aid | None:
    """Return the one with the most before it; None if that is nothing."""
    gained, aid = max(trials, key=lambda trial: trial[0], default=(0.0, None))
    return aid if gained > 0 else None
