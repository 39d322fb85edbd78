"""The greedy bot: the specials and bids that together promise most, and its points where order matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from pbem.core.dice import Dice
from pbem.rules.web_of_intrigue.aids import Aid, Aids
from pbem.rules.web_of_intrigue.bots.beliefs import best_guess, form_beliefs
from pbem.rules.web_of_intrigue.bots.worth import Worth
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import BIDS, Bid, Enact, Move
from pbem.rules.web_of_intrigue.roaming import best_square
from pbem.rules.web_of_intrigue.state import TileId
from pbem.rules.web_of_intrigue.view import Own, View

CANDIDATES: Final = 6
"""Objects that are weighed against each other."""
LEAST_GAIN: Final = 0.25
"""Victory points that a special must add to be worth its action point."""
PLACES: Final = 3
LUCK: Final = 1
"""What other won bids may add; objects out of reach even so are left alone."""
LITTLE: Final = 0.1
"""The part of a prize that is at stake where others can hardly change the chance."""

Slots = tuple[Aid | None, ...]
Row = tuple[TileId, ...]


def think(facts: Facts, view: View, dice: Dice) -> Move:
    """Return orders that spend all action points."""
    assert view.own is not None, "only seats are asked"
    return _Thought(facts, view, view.own, dice).orders()


class _Thought:
    """One seat's thinking about one turn."""

    def __init__(self, facts: Facts, view: View, own: Own, dice: Dice) -> None:
        self.facts = facts
        self.view = view
        self.own = own
        self.dice = dice
        self.beliefs = form_beliefs(facts, view)
        self.worth = Worth(facts, view)
        self.wanted = {tile: offer for tile, offer in view.objects.items() if offer.controller != view.me}
        aids = Aids(facts, view, own, self.wanted, self.worth, self.beliefs, dice)
        self.prizes, self.aids = aids.prizes, aids.all()
        self.at_bids = {
            tile: self.worth.at_bids(tile, offer.controller) for tile, offer in self.wanted.items()
        }

    def orders(self) -> Move:
        """Return the best orders found."""
        slots, row = self._plan()
        chances = self._chances(slots, row)
        points = self._points(slots, row, chances)
        actions: dict[str, Enact | Bid] = {}
        for place, share in points.items():
            number = int(place[-1]) - 1
            if place in BIDS:
                actions[place] = Bid(row[number], share)
            elif (aid := slots[number]) is not None:
                actions[place] = replace(aid.order, points=share)
        guess = best_guess(self.facts, self.view, self.beliefs, self.dice)
        bidding = dict(zip(row, chances, strict=True))
        goal = best_square(self.facts, self.view, self.own, self.worth, bidding, self.dice)
        return Move(actions, guess, goal)

    def _plan(self) -> tuple[Slots, Row]:
        """Return specials and bids that fit each other, from the surest bids or from the boldest."""
        candidates = self._candidates()
        plans: list[tuple[Slots, Row]] = []
        for start in (self._best_row((), candidates), candidates[:PLACES]):
            slots = self._best_slots(start)
            row = self._best_row(slots, candidates)
            plans.append((slots if row == start else self._best_slots(row), row))
        return max(plans, key=lambda plan: self._promise(*plan))

    def _candidates(self) -> Row:
        """Return the objects that promise most, with what can be done for them."""
        most = {tile: self._hope(tile) for tile in self.wanted}
        hoped = sorted((tile for tile in most if most[tile] > 0), key=lambda tile: -most[tile])
        return tuple(hoped[:CANDIDATES])

    def _hope(self, tile: TileId) -> float:
        """Return what an object promises at best: with two specials, and a little from an earlier bid."""
        helps = sorted(
            value * chance for aid in self.aids for value, chance in [aid.helps.get(tile, (0, 0.0))]
        )
        return self.prizes[tile] * self.worth.odds(self.wanted[tile].needed - sum(helps[-2:]) - LUCK)

    def _best_row(self, slots: Slots, candidates: Row) -> Row:
        """Return the objects to bid for, in order, with these specials."""
        best: tuple[float, Row] = (0.0, ())

        def extend(row: Row, likely: tuple[float, ...], total: float) -> None:
            nonlocal best
            if total > best[0] + 1e-9:
                best = (total, row)
            if len(row) < PLACES:
                aids = slots[: len(row) + 1]
                for tile in candidates:
                    if tile not in row:
                        chance = self._chance(tile, aids, row, likely)
                        more = self.at_bids[tile][len(row)] * chance
                        if chance > 0:
                            extend((*row, tile), (*likely, chance), total + more)

        extend((), (), 0.0)
        return best[1]

    def _best_slots(self, row: Row) -> Slots:
        """Return the specials to enact with these bids; each adds enough to be worth its point."""
        slots: Slots = (None, None, None)
        for _ in range(2):
            for place in range(PLACES):
                slots = self._best_at(place, slots, row)
            slots = max(permutations(slots), key=lambda order: self._promise(order, row))
        return slots

    def _best_at(self, place: int, slots: Slots, row: Row) -> Slots:
        """Return the specials with the best one for a place, beside the others as they are."""
        before, after = slots[:place], slots[place + 1 :]
        others = [aid for aid in (*before, *after) if aid is not None]
        best = (*before, None, *after)
        most = self._promise(best, row) + LEAST_GAIN
        for aid in self.aids:
            if aid.gain <= LEAST_GAIN and not any(tile in aid.helps for tile in row[place:]):
                continue
            if not any(aid is other or aid.disturbs(other) for other in others):
                trial = (*before, aid, *after)
                if (promise := self._promise(trial, row)) > most:
                    best, most = trial, promise
        return best

    def _promise(self, slots: Slots, row: Row) -> float:
        """Return the victory points that a plan promises."""
        chances = self._chances(slots, row)
        bids = sum(self.at_bids[tile][number] * chances[number] for number, tile in enumerate(row))
        return bids + sum(aid.gain for aid in slots if aid is not None)

    def _chances(self, slots: Slots, row: Row) -> tuple[float, ...]:
        """Return how likely each bid of a plan wins, what one gives the next included."""
        likely: tuple[float, ...] = ()
        for number, tile in enumerate(row):
            likely = (*likely, self._chance(tile, slots[: number + 1], row[:number], likely))
        return likely

    def _chance(
        self, tile: TileId, aids: Sequence[Aid | None], row: Row, likely: Sequence[float], harder: int = 0
    ) -> float:
        """Return how likely a bid wins after these specials and earlier bids."""
        odds, needed = self.worth.odds, float(self.wanted[tile].needed + harder)
        unsure: list[tuple[int, float]] = []
        for aid in aids:
            if aid is None or tile not in aid.helps:
                continue
            if aid.unless and any(self.wanted[one].category == aid.unless for one in row):
                continue
            value, chance = aid.helps[tile]
            if chance == 1.0:
                needed -= value
            else:
                unsure.append((value, chance))
        gains = self.facts.gains[tile]
        for holder, chance in zip(row, likely, strict=False):
            needed -= gains.get(holder, 0) * chance
        plain = odds(needed)
        if not unsure:
            return plain
        return plain + sum(chance * (odds(needed - value) - plain) for value, chance in unsure)

    def _points(self, slots: Slots, row: Row, chances: Sequence[float]) -> dict[str, int]:
        """Return the action points of each place: 1 for each action, the rest where order matters."""
        have = self.own.action_points
        stakes: dict[str, float] = {}
        for number in range(PLACES):
            if slots[number] is not None:
                stakes[f"special_{number + 1}"] = 0.0
            if number < len(row):
                stakes[f"bid_{number + 1}"] = self._stake(slots, row, chances, number)
        places = list(stakes)[:have]
        points = dict.fromkeys(places, 1)
        if not places:
            return points
        spare, total = have - len(places), sum(stakes[place] for place in places)
        for place in places:
            points[place] += int(spare * stakes[place] / total) if total else 0
        points[max(places, key=lambda place: stakes[place])] += have - sum(points.values())
        return points

    def _stake(self, slots: Slots, row: Row, chances: Sequence[float], number: int) -> float:
        """Return what may be lost if another player acts first: a free object becomes a rival's."""
        tile, prize, chance = row[number], self.prizes[row[number]], chances[number]
        if self.wanted[tile].controller is not None:
            return LITTLE * prize * chance
        late = self._chance(tile, slots[: number + 1], row[:number], chances, -self.facts.numbers.rival)
        return prize * (chance - late + LITTLE * chance)
