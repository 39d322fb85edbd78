"""Other worlds that a seat cannot tell from the real one: what it has not seen is dealt anew.

How much changes is drawn too. Where all changes at once, hardly any orders of the others could have been
given, and nothing could be compared; where little changes, whatever the rest tells can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue import redealt
from pbem.rules.web_of_intrigue.course import look, remember
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.scoring import find_outcome, victory_target
from pbem.rules.web_of_intrigue.state import UNSEEN, Player, Spotting, Square, State, TileId

NUMBERS, HOUSES, PLACES, ALL_OF_IT = range(4)
SCOPES: Final = (NUMBERS, HOUSES, HOUSES, HOUSES, PLACES, PLACES, PLACES, ALL_OF_IT)
"""What changes, as often as it is listed: where least hangs on it, most worlds are left to compare."""
SWAPS: Final = 2


def redeal_state(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return a world in which this seat's view is the same.

    Kept: its own side; what all know; the tiles it sees; the Houses it has guessed, and that these players
    guessed it; Houses that its wrong guesses and anybody's won bids rule out stay ruled out.
    """
    if find_outcome(state) is not None:
        return state
    deal = _Deal(facts, state, seat, dice, dice.pick(SCOPES, "scope"))
    deal.deal()
    other = replace(state, web=deal.web, players=deal.players)
    return state if find_outcome(other) is not None else other


class _Deal:
    """One redeal."""

    def __init__(self, facts: Facts, state: State, seat: Seat | None, dice: Dice, scope: int) -> None:
        self.facts = facts
        self.state = state
        self.seat = seat
        self.dice = dice
        self.scope = scope
        self.web: dict[Square, TileId] = dict(state.web)
        self.players: dict[Seat, Player] = dict(state.players)
        self.others = [other for other in state.players if other != seat]
        self.seen = look(facts.grid, state.web, state.players, seat) if seat is not None else {}

    def deal(self) -> None:
        """Deal every hidden part, those first on which others hang."""
        self._suggestions()
        if self.scope == HOUSES:
            seen = self.seen.values()
            redealt.change_house(self.facts, self.state, self.players, self.seat, seen, self.dice)
        elif self.scope == ALL_OF_IT:
            redealt.deal_houses(self.facts, self.state, self.players, self.seat, self.dice)
        redealt.deal_guesses(self.facts, self.state, self.players, self.seat, self.dice)
        if self.scope in (PLACES, ALL_OF_IT):
            self._tiles()
            self._squares()
            self._shrouds()
        if self.scope == ALL_OF_IT or (self.scope == NUMBERS and self.dice.below(2, "blights")):
            self._blights()
        self._transfers()
        redealt.deal_bonuses(self.facts, self.state, self.players, self.others, self.dice)
        if self.scope != HOUSES:
            for other in self.others:
                self._memory(other)

    def _suggestions(self) -> None:
        """Deal the others' suggestions, such that nobody has surpassed the target."""
        numbers, kept = self.facts.numbers, dict(self.players)
        for other in self.others:
            said = numbers.lowest + self.dice.below(numbers.highest - numbers.lowest + 1, f"say/{other}")
            self.players[other] = replace(self.players[other], suggestion=said)
        if find_outcome(replace(self.state, players=self.players)) is not None:
            self.players = kept

    def _tiles(self) -> None:
        """Deal the tiles that the seat does not see; those it obscured itself it knows."""
        own = self.state.players[self.seat].shrouds if self.seat is not None else ()
        free = [
            square
            for square in self.facts.grid.squares
            if self.seen.get(square, UNSEEN) == UNSEEN and square not in own
        ]
        if self.scope == PLACES:
            free = list(self.dice.shuffled(free, "swapped"))[:SWAPS]
        tiles = self.dice.shuffled([self.web[square] for square in free], "tiles")
        self.web.update(zip(free, tiles, strict=True))

    def _squares(self) -> None:
        """Move the others, no further than they can have come since the seat spotted them."""
        grid, spotted = self.facts.grid, self._spotted()
        moving = self.others
        if self.scope == PLACES:
            moving = [self.dice.pick(self.others, "nudged")]
        for other in moving:
            here = self.players[other].square
            squares = grid.squares if self.scope == ALL_OF_IT else grid.diamond(here, 1)
            if other in spotted:
                then, turns = spotted[other].square, self.state.turn - spotted[other].turn
                most = max(self.facts.numbers.radius * turns, grid.distance(here, then))
                squares = tuple(square for square in squares if grid.distance(square, then) <= most)
            square = self.dice.pick(squares, f"square/{other}")
            self.players[other] = replace(self.players[other], square=square)

    def _shrouds(self) -> None:
        """Deal who obscured what; in the seat's diamond the same squares stay obscured."""
        laid = [(other, square) for other in self.others for square in self.players[other].shrouds]
        hidden = [square for square in self.facts.grid.squares if square not in self.seen]
        squares = [
            square if square in self.seen or not hidden else self.dice.pick(hidden, "fog", number)
            for number, (_, square) in enumerate(laid)
        ]
        found: dict[Seat, set[Square]] = {other: set() for other in self.others}
        for owner, square in zip(self.dice.shuffled([one for one, _ in laid], "fogs"), squares, strict=True):
            found[owner].add(square)
        for other, own in found.items():
            self.players[other] = replace(self.players[other], shrouds=tuple(sorted(own)))

    def _blights(self) -> None:
        """Deal whom the others took action points from; what the seat lost itself it knows."""
        for other in self.others:
            dealt = []
            for number, blight in enumerate(self.players[other].blights):
                whom = [one for one in self.others if one not in (other, blight.player)]
                is_free = blight.player != self.seat and whom
                player = self.dice.pick(whom, f"blight/{other}", number) if is_free else blight.player
                dealt.append(replace(blight, player=player))
            self.players[other] = replace(self.players[other], blights=tuple(dealt))

    def _transfers(self) -> None:
        """Move points from one of the others to another; what all transfers come to is 0, as ever."""
        if len(self.others) < 2:
            return
        donor, receiver = self.dice.shuffled(self.others, "transfer")[:2]
        most = min(10, max(0, self.players[donor].total))
        amount = self.dice.below(most + 1, "amount")
        target = victory_target(self.state)
        if target is not None and self.players[receiver].total + amount > target:
            return
        for other, change in ((donor, -amount), (receiver, amount)):
            transfers = self.players[other].transfers + change
            self.players[other] = replace(self.players[other], transfers=transfers)

    def _memory(self, other: Seat) -> None:
        """Deal what another seat remembers: the past at random, the present as it is in this world."""
        last = self.state.turn - 1
        player = redealt.deal_memory(self.facts, self.state, self.players[other], other, self.seat, self.dice)
        self.players[other] = player
        seen = look(self.facts.grid, self.web, self.players, other)
        self.players[other] = replace(player, memory=remember(player.memory, seen, last))

    def _spotted(self) -> Mapping[Seat, Spotting]:
        return self.state.players[self.seat].spotted if self.seat is not None else {}
