"""What the card game is made of: its names, its state, its moves, and orders as players write them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NewType, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.ruled import next_to
from pbem.rules.kit.tables import as_list

Card = NewType("Card", str)
"""A land card: two letters of its country and a number, such as "Fr3"."""

Country = NewType("Country", str)
"""The id of a country, which is also the colour of its cards: "frankreich"."""

Law: TypeAlias = Literal["return_claiming_stone", "three_symbols", "different_colours", "minus_two_vp"]

RETURN: Final[Law] = "return_claiming_stone"
THREE: Final[Law] = "three_symbols"
COLOURS: Final[Law] = "different_colours"
MINUS: Final[Law] = "minus_two_vp"
LAWS: Final[tuple[Law, ...]] = (RETURN, THREE, COLOURS, MINUS)
PLAYABLE: Final[tuple[Law, ...]] = (THREE, COLOURS, RETURN)

ANY: Final = "any"
"""What stands for any card in an order."""

SEATS: Final = tuple(Seat(name) for name in ("yellow", "red", "green", "purple", "blue"))


def seated(players: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats of a table in seating order."""
    return tuple(seat for seat in SEATS if seat in players)


@dataclass(frozen=True, slots=True)
class Player:
    """What lies before one seat.

    Attributes:
        cards: Its land cards, face up, in the order in which it took them.
        laws: Its law cards, face down, in the order in which it took them; hidden from the others.
        reserve: Its claiming stones that lie before it.
        removed: Its claiming stones that are out of the game.
        asks: How many of its turns are over, skipped ones included.
        lost: The cards under its stones that others have taken since its last turn.
    """

    cards: tuple[Card, ...] = ()
    laws: tuple[Law, ...] = ()
    reserve: int = 0
    removed: int = 0
    asks: int = 0
    lost: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A whole game.

    Attributes:
        to_move: The seat on turn.
        layout: The land cards as they were dealt, row by row from the top, each from the left.
        laws: The law card on each land card that has one, face down; hidden from all.
        stones: The owner of the claiming stone on each land card that has one.
        players: What lies before each seat.
        played: The law cards that were played and are out of the game, oldest first.
        skips: How many turns in a row were skipped up to now.
        own_claim_free: Whether a seat may take a card under its own stone although it could take another.
    """

    to_move: Seat
    layout: tuple[tuple[Card, ...], ...]
    laws: Mapping[Card, Law]
    stones: Mapping[Card, Seat]
    players: Mapping[Seat, Player]
    played: tuple[Law, ...]
    skips: int
    own_claim_free: bool


def deal_laws(state: State, cards: Sequence[Law], places: Iterable[Card], held: Mapping[Seat, int]) -> State:
    """Return a game in which law cards lie otherwise.

    Args:
        state: The game.
        cards: The law cards, the last of which is dealt first.
        places: The land cards that one lies on.
        held: How many each seat gets; a seat that is not named keeps its own.
    """
    left, players = [*cards], dict(state.players)
    laws = {card: left.pop() for card in places}
    for seat, number in held.items():
        players[seat] = replace(players[seat], laws=tuple(left.pop() for _ in range(number)))
    return replace(state, laws=laws, players=players)


def next_seat(state: State) -> Seat:
    """Return the seat whose turn is next, clockwise.

    Source: rulebook, "Course of the game" and "Next player".
    """
    return next_to(seated(state.players), state.to_move)


@dataclass(frozen=True, slots=True)
class Take:
    """A turn; one that takes nothing is a skip. Names are those of cards or countries, or `any`.

    Attributes:
        take: What to take, one card for each entry, which holds the names of alternatives, best first.
        also: What is taken besides, best first, as long as something of it can be.
        use: Law cards that may be played for it, where they help.
        pay: Cards with own stones to give up where the reserve is empty, first one first.
        claim: Cards to put a stone on, the first one that is free.
        lift: Cards with own stones, the first of which goes to the claimed card if none can be placed.
        strange: Names among the law cards that none has, each with its place among them.
    """

    take: tuple[tuple[str, ...], ...]
    also: tuple[str, ...] = ()
    use: tuple[Law, ...] = ()
    pay: tuple[str, ...] = ()
    claim: tuple[str, ...] = ()
    lift: tuple[str, ...] = ()
    strange: tuple[tuple[int, str], ...] = ()

    def surely_taken(self, cards: Collection[str], number: int | None = None) -> list[Card]:
        """Return those of some cards that its first entries, or all, surely take if it is carried out."""
        return [Card(names[0]) for names in self.take[:number] if len(names) == 1 and names[0] in cards]


_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def plain(name: str) -> str:
    """Return a name as names are compared: in lower case, with ae, oe and ue for the letters with dots."""
    return name.strip().casefold().translate(_LETTERS)


def read_move(order: Json, names: Mapping[str, str], laws: Mapping[str, Law]) -> Take:
    """Return an order as a move; the order fits the orders schema.

    One name may stand without brackets. What a country or `any` stands for is found out when it is taken.

    Args:
        order: The order.
        names: Cards and countries by every name that players may use for them, as `plain` writes it. A word
            that is none of them stays as it is.
        laws: Law cards by every name for them, as `plain` writes it.
    """

    def read(field: Json) -> tuple[str, ...]:
        found = (str(name) for name in as_list(field))
        return tuple(dict.fromkeys(names.get(plain(name), name) for name in found))

    if not isinstance(order, dict) or "take" not in order:
        return Take(())
    used = [(place, str(name)) for place, name in enumerate(as_list(order.get("use", [])))]
    return Take(
        take=tuple(read(entry) for entry in as_list(order["take"])),
        also=read(order.get("also", [])),
        use=tuple(laws[plain(name)] for _, name in used if plain(name) in laws),
        pay=read(order.get("pay", [])),
        claim=read(order.get("claim", [])),
        lift=read(order.get("from", [])),
        strange=tuple((place, name) for place, name in used if plain(name) not in laws),
    )


def write_take(
    take: Iterable[str],
    *,
    also: Iterable[str] = (),
    use: Iterable[Law] = (),
    pay: Iterable[str] = (),
    claim: Iterable[str] = (),
    lift: Iterable[str] = (),
) -> dict[str, Json]:
    """Return an order for a turn; what is empty is left out."""
    parts = (("take", take), ("also", also), ("use", use), ("pay", pay), ("claim", claim), ("from", lift))
    found = {name: list[Json](entries) for name, entries in parts}
    return {name: entries for name, entries in found.items() if entries}
