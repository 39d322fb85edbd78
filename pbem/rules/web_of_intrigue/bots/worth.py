"""What the greedy bot thinks things are worth, in victory points until the end of the game."""

from __future__ import annotations

from typing import Final

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import BIDS
from pbem.rules.web_of_intrigue.state import TileId
from pbem.rules.web_of_intrigue.view import View

MOST_TURNS: Final = 8
"""Further ahead nothing is counted on."""
USUAL_RATE: Final = 30
"""Points a turn with which a leading player is thought to go on at least."""
RIVALS_HELP: Final = 1.5
"""What rivals are thought to add to a die when they bid for what others control."""
RIVALS_ZEAL: Final = 0.5
"""How likely an object that cannot be missed changes hands in a turn, at a full table."""
LEAST_RISK: Final = 0.03
HARM: Final = 0.25
"""What a point is worth that a rival loses; from the leader twice as much."""


class Worth:
    """The worth of objects in one seat's view."""

    def __init__(self, facts: Facts, view: View) -> None:
        self.facts = facts
        self.view = view
        self.sides = facts.numbers.sides
        self.crowd = (len(view.players) - 1) / (len(facts.houses) - 1)
        self.turns = self._turns_left()
        faces = view.players
        self.leader = max(view.others, key=lambda seat: (faces[seat].points, faces[seat].income))

    def _turns_left(self) -> int:
        """Return how many turns are still to be counted, this one included."""
        options, faces = self.view.options, self.view.players.values()
        left = MOST_TURNS
        if options.target != "none":
            target = self.facts.numbers.unsaid if options.target == "secret" else options.target
            rate = max(USUAL_RATE, *(face.income for face in faces))
            left = min(left, (target - max(face.points for face in faces)) // rate + 1)
        if options.turns:
            left = min(left, options.turns - self.view.turn + 1)
        return max(1, left)

    def odds(self, needed: float) -> float:
        """Return the chance of a roll; between whole numbers, the mean."""
        return max(0.0, min(1.0, (self.sides + 1 - needed) / self.sides))

    def risk(self, tile: TileId) -> float:
        """Return how likely a controlled object is lost in a turn: the easier, the likelier."""
        ease = self.odds(self.facts.objects[tile].difficulty - RIVALS_HELP)
        return max(LEAST_RISK, RIVALS_ZEAL * self.crowd * ease)

    def held(self, tile: TileId, turns: int) -> float:
        """Return for how many of the turns an object is thought to be held, from a turn that it counts in."""
        risk = self.risk(tile)
        return (1 - (1 - risk) ** turns) / risk

    def of(self, tile: TileId, controller: Seat | None) -> float:
        """Return the points that winning an object is worth, a rival's loss included."""
        return self.facts.objects[tile].vp * self.held(tile, self.turns) * self._share(controller)

    def at_bids(self, tile: TileId, controller: Seat | None) -> tuple[float, ...]:
        """Return the same for each bid of the turn: after a late one fewer others come to take it again.

        They may also come before a late one, which makes a free object harder to win.
        """
        prize, part = self.of(tile, controller), self.risk(tile) / len(BIDS)
        return tuple(
            prize * (1 - part * (len(BIDS) - 1 - number)) * (1 - part * number / 2 * (controller is None))
            for number in range(len(BIDS))
        )

    def shelter(self, tile: TileId) -> float:
        """Return the points saved if nobody can bid next turn for an object that the seat controls."""
        risk = self.risk(tile)
        return self.facts.objects[tile].vp * (1 - risk) * risk * self.held(tile, self.turns - 1)

    def _share(self, controller: Seat | None) -> float:
        if controller is None:
            return 1.0
        own = self.view.own
        paid = own.bonuses.get(controller, 0) if own is not None else 0
        return 1.0 + HARM * (1 + (controller == self.leader)) - (1 / self.view.numbers.one_in if paid else 0)
