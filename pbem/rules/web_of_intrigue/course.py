"""One turn while it is carried out: where everything is now, phase after phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat, only
from pbem.rules.kit.ruled import Running
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.grid import Grid
from pbem.rules.web_of_intrigue.modifiers import Stand
from pbem.rules.web_of_intrigue.state import (
    UNSEEN,
    Category,
    Guess,
    HouseId,
    Player,
    Sighting,
    Square,
    State,
    TileId,
    held_by,
)


class Course(Running[Facts, State, Player]):
    """The running turn; `players` are the seats' sides, with what lasts one turn put back.

    Attributes:
        turn: The number of the turn.
        phase: The phase that is carried out.
        web: The tile on every square.
        where: The square of every tile.
        owners: The controller of each controlled object.
        enacted: The specials each seat has enacted this turn, in order.
        obscured: Tiles obscured this turn, each with the seat that did it.
    """

    def __init__(self, facts: Facts, state: State, dice: Dice) -> None:
        super().__init__(facts, state, dice, state.players)
        for seat in state.players:
            self.change(seat, reach=facts.numbers.radius, gained=0, blights=(), shrouds=())
        self.turn = state.turn
        self.phase = ""
        self.web = dict(state.web)
        self.where = {tile: square for square, tile in state.web.items()}
        self.owners = dict(state.owners)
        self.enacted: dict[Seat, list[TileId]] = {seat: [] for seat in state.players}
        self.obscured: list[tuple[Seat, TileId]] = []

    def tell(self, event: Event) -> None:
        """Add an event, with the phase that is carried out."""
        super().tell(replace(event, phase=self.phase) if isinstance(event, events.InPhase) else event)

    def tell_void(self, seat: Seat, action: str, why: str) -> None:
        """Tell a seat, and nobody else, that an action came to nothing."""
        self.tell(events.ActionVoid(seat=seat, action=action, why=why, to=only(seat)))

    def held(self, seat: Seat) -> frozenset[TileId]:
        """Return the objects that a seat controls now."""
        return held_by(self.owners, seat)

    def stand(self, seat: Seat) -> Stand:
        """Return a bidder as it stands now."""
        return Stand(self.players[seat].house, self.held(seat), tuple(self.enacted[seat]))

    def put(self, tiles: Mapping[Square, TileId]) -> None:
        """Lay tiles on squares; who stands there stays, controllers go with the tiles (ruling 13)."""
        self.web.update(tiles)
        self.where.update({tile: square for square, tile in tiles.items()})

    def guess(self, seat: Seat, player: Seat, house: HouseId, *, free: bool) -> None:
        """Note a guess, and tell its maker, and nobody else, whether it is right.

        Source: rules 7; rulings 5 and 6.
        """
        right = self.players[player].house == house
        made = Guess(self.turn, player, house, right, free)
        self.change(seat, guesses=(*self.players[seat].guesses, made))
        told, name = only(seat), self.facts.houses[house].name
        self.tell(events.HouseGuessed(seat=seat, player=player, house=name, right=right, free=free, to=told))

    def note_bid(self, seat: Seat, category: Category, proof: int | None) -> None:
        """Count a bid, and what its success proves of the House; see `bidding.prove`."""
        player = self.players[seat]
        proven = dict(player.proven)
        least = min(house.modifiers[category] for house in self.facts.houses.values())
        if proof is not None and proof > least:
            proven[category] = max(proof, proven.get(category, proof))
        bids = {**player.bids, category: player.bids.get(category, 0) + 1}
        self.change(seat, bids=bids, proven=proven)

    def end_turn(self) -> None:
        """Let everybody look round where they stand now, and remember it.

        Source: rules 2; rulings 19 and 20.
        """
        for seat in self.players:
            tiles = {tile for enacter, tile in self.obscured if enacter == seat}
            self.change(seat, shrouds=tuple(sorted(self.where[tile] for tile in tiles)))
        for seat, player in self.players.items():
            seen = look(self.facts.grid, self.web, self.players, seat)
            self.change(seat, memory=remember(player.memory, seen, self.turn))
            known = look(self.facts.grid, self.before.web, self.before.players, seat)
            new = {
                square: self.facts.name(tile) for square, tile in seen.items() if known.get(square) != tile
            }
            if new:
                self.tell(events.TilesSighted(seat=seat, tiles=new, to=only(seat)))

    def so_far(self) -> State:
        """Return the game as it is within the turn; what comes later does not change it."""
        web, owners, players = dict(self.web), dict(self.owners), dict(self.players)
        return replace(self.before, web=web, owners=owners, players=players)

    def state(self) -> State:
        """Return the game after the turn."""
        return replace(self.so_far(), turn=self.turn + 1)


def look(
    grid: Grid, web: Mapping[Square, TileId], players: Mapping[Seat, Player], seat: Seat
) -> dict[Square, TileId]:
    """Return what a seat sees in its diamond; a tile that somebody else has obscured is UNSEEN.

    Source: rules 2; ruling 19: the enacter sees the tile, its controller does not.
    """
    player = players[seat]
    fog = {square for other in players.values() for square in other.shrouds} - set(player.shrouds)
    return {
        square: TileId(UNSEEN) if square in fog else web[square]
        for square in grid.diamond(player.square, player.reach)
    }


def remember(
    memory: Mapping[Square, Sighting], seen: Mapping[Square, TileId], turn: int
) -> dict[Square, Sighting]:
    """Return a memory with what is seen now; an obscured tile leaves an older sighting as it is.

    Source: rules 2; rulings 19 and 20.
    """
    return {**memory, **{square: Sighting(tile, turn) for square, tile in seen.items() if tile != UNSEEN}}
