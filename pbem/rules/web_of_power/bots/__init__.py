"""Bots of Web of Power: one that plays anything, and a greedy one that weighs what a placement brings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from pbem.core.bots import is_greedy, pick_best
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import move_of, write_move
from pbem.rules.web_of_power.state import MATCH, PILE, Act, Country, Discarded, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gain, Gains, possible_acts


class Weights(NamedTuple):
    """What the greedy bot values.

    Attributes:
        early: Points for cloisters before the first scoring; they count twice then.
        rival: A point of one other seat, shared among all others.
        link: A cloister that joins others before the chain counts, by its length.
        room: A free site left in a country where the bot is in front.
        foot: An advisor in a country with many alliances, for each that can still come about.
        fresh: A card spent, for a new one is drawn.
        pair: A pair in the hand that is broken.
    """

    early: float = 1.7
    rival: float = 0.9
    link: float = 0.9
    room: float = 0.25
    foot: float = 0.9
    fresh: float = 0.3
    pair: float = 0.1


class Thought:
    """A seat on turn weighs its placements."""

    weights: Final = Weights()

    def __init__(self, gains: Gains, view: View) -> None:
        """Begin with what the placements of a seat bring, and with what it knows."""
        self.me = gains.me
        self.view = view
        self.others = len(view.players) - 1
        self.gains = gains
        self._hope = cache(self._hoped)

    def worth(self, act: Act) -> float:
        """Return what an act is worth, in points."""
        if isinstance(act, Discarded):
            return self.weights.fresh - self.weights.pair * (self.me.hand.count(act.card) > 1)
        gain = self.gains.of(act)
        return self._points(gain) + self._promise(act, gain) + self.weights.fresh * len(act.cards)

    def _points(self, gain: Gain) -> float:
        """Return the points that an act brings, less those of the others."""
        early = self.weights.early if self.view.half == 1 else 1.0
        cloisters = self._net(gain.cloisters) * early
        return cloisters + self._net(gain.alliances) + gain.chain

    def _net(self, points: Mapping[Seat, int]) -> float:
        """Return the bot's own points less its share of what the others gain."""
        own = points.get(self.me.seat, 0)
        theirs = sum(points.values()) - own
        return own - self.weights.rival * theirs / self.others

    def _promise(self, act: Placed, gain: Gain) -> float:
        """Return what an act may bring later."""
        is_link = not gain.chain and 0 < gain.longest < self.me.facts.limits.chain
        return self._hope(*act.kind) + (self.weights.link * (gain.longest - 1) if is_link else 0.0)

    def _hoped(self, country: Country, built: int, sent: int) -> float:
        """Return what so many cloisters and advisors in a country may bring later, wherever they stand."""
        after = self.gains.after(country, built, sent)
        is_ahead = built and self.me.seat in after.leaders(country)
        room = self.weights.room * len(after.free_sites(country)) if is_ahead else 0.0
        return room + (sent and sent * self._foothold(country))

    def _foothold(self, country: Country) -> float:
        """Return what an advisor may bring by alliances that do not score yet."""
        value = 0.0
        for pair in self.me.facts.allied(country, self.me.alliances).values():
            (other,) = {*pair} - {country}
            mine = self.view.advisors[other][self.me.seat]
            most = max(self.view.advisors[other].values())
            value += self.weights.foot if mine and mine == most else self.weights.foot / 3
        return value

    def draw(self, act: Act) -> tuple[str, ...]:
        """Return what to draw: open cards that make a pair first, then what makes one, else the pile."""
        if self.view.closing:
            return ()
        kept = without(self.me.hand, act.cards)
        missing = self.me.facts.limits.hand - len(kept)
        useful = [card for card in self.view.face_up if card in kept]
        return (*useful, MATCH)[:missing]


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it is not on turn.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy = is_greedy(skill)
    if view.me is None or view.me != view.to_move:
        return None
    me = seated(facts, view, view.me)
    acts: list[Act] = [*possible_acts(me), *map(Discarded, dict.fromkeys(me.hand))]
    if not greedy:
        draw = () if view.closing else (dice.pick((*view.face_up, PILE), "draw"),)
        return write_move(move_of(dice.pick(acts, "bot"), draw))
    thought = Thought(Gains(me), view)
    act = pick_best(dice, acts, [*map(thought.worth, acts)], "bot")
    return write_move(move_of(act, thought.draw(act)))
