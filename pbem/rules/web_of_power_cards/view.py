"""What a seat may know, in the words that conditions of orders use: all but law cards that lie face down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

from pbem.core.events import Seat
from pbem.rules.kit.later import Later, LaterByKey
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power_cards.facts import Facts, Land
from pbem.rules.web_of_power_cards.scoring import Column, count_lands, count_routes, fill_chart
from pbem.rules.web_of_power_cards.state import LAWS, RETURN, Card, Country, Law, Player, State, seated
from pbem.rules.web_of_power_cards.table import Stock, Table
from pbem.rules.web_of_power_cards.taking import ends, takeable

ON_TABLE: Final = "table"
"""The holder of a card that nobody has taken."""


@dataclass(frozen=True, slots=True)
class Place(Land):
    """One land card and where it is.

    Attributes:
        holder: The seat that took it, or "table".
        depth: How many cards must go before it is at an end of its row; None if it was taken.
        stone: The owner of the claiming stone on it, or None.
        law: Whether a law card lies on it.
    """

    holder: str
    depth: int | None
    stone: Seat | None
    law: bool


class Lying(LaterByKey[Card, Place]):
    """Every land card with where it is, worked out when it is read; the table is known from the start."""

    __slots__ = ("table",)

    def __init__(self, table: Table, cards: Collection[Card], place: Callable[[Card], Place]) -> None:
        super().__init__(cards, place)
        self.table = table


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as everybody sees it.

    Attributes:
        points: Its points if the game ended now; a penalty counts for the seat itself only, before the end.
        cards: Its land cards, in the order in which it took them.
        lands: How many it has of each country.
        routes: How many ships and carriages.
        stones: The cards that its claiming stones lie on.
        reserve: Its stones that lie before it.
        removed: Its stones that are out of the game.
        laws: How many law cards lie face down before it.
        shown: Its law cards when the game is over.
        lost: The cards under its stones that others have taken since its last turn.
        asks: How often it was asked so far, skipped turns and the present ask included.
    """

    points: int
    cards: tuple[Card, ...]
    lands: Mapping[Country, int]
    routes: Mapping[str, int]
    stones: tuple[Card, ...]
    reserve: int
    removed: int
    laws: int
    shown: tuple[Law, ...]
    lost: tuple[Card, ...]
    asks: int


class Sitting(LaterByKey[Seat, Side]):
    """What everybody sees of each seat, worked out when it is read; the cards are known from the start."""

    __slots__ = ("held",)

    def __init__(self, held: Mapping[Seat, tuple[Card, ...]], side: Callable[[Seat], Side]) -> None:
        super().__init__(held, side)
        self.held = held


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is fixed for a game.

    Attributes:
        columns: Cards that were dealt to each row.
        limit: Circle symbols that may be taken in one turn.
        limit_with_law: The same with the law card for it.
        chain: From so many ships or carriages on each counts.
        penalty: What a law card of minus two points costs.
        most_on_cards: How many stones of one seat may lie on cards.
        own_claim_free: Whether a card under an own stone may be taken although another could be.
    """

    columns: int
    limit: int
    limit_with_law: int
    chain: int
    penalty: int
    most_on_cards: int
    own_claim_free: bool


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        to_move: The seat on turn; None when the game is over.
        left: How many land cards lie on the table.
        ends: The cards at the ends of the rows.
        can_take: Those that I could take first if I were on turn.
        laws: My law cards.
        lost: The cards under my stones that others have taken since my last turn.
        lost_claim: Whether there are any.
        cards: Every land card, row by row as they were dealt.
        players: What everybody sees of each seat, in seating order.
        leads: Which seats have most cards of each country; none while nobody has any.
        chart: The score chart if the game ended now.
        played: The law cards that were played, oldest first.
        unseen: How many law cards of each type I have not seen.
        skips: How many turns in a row were skipped up to now.
        countries: How many cards each country has, in the order of scoring.
        names: The names of the countries.
        law_names: The names of the law cards.
        numbers: What else is fixed for the game.
    """

    me: Seat | None
    to_move: Seat | None
    left: int
    ends: tuple[Card, ...]
    can_take: tuple[Card, ...]
    laws: tuple[Law, ...]
    lost: tuple[Card, ...]
    lost_claim: bool
    cards: Lying
    players: Sitting
    leads: Mapping[Country, tuple[Seat, ...]]
    chart: Mapping[Seat, Column]
    played: tuple[Law, ...]
    unseen: Mapping[Law, int]
    skips: int
    countries: Mapping[Country, int]
    names: Mapping[Country, str]
    law_names: Mapping[Law, str]
    numbers: Numbers

    def is_asked(self) -> bool:
        """Tell whether I am on turn and not skipped: I can take a card, or hold a law card that may help."""
        if self.me is None or self.me != self.to_move:
            return False
        return bool(self.can_take) or bool(self.laws and self.table().stocks[self.me].removed)

    def returning(self) -> tuple[Law, ...]:
        """Return the law card that takes a stone back, if I hold it and have one that is out of the game."""
        has_one = self.me is not None and RETURN in self.laws and self.table().stocks[self.me].removed > 0
        return (RETURN,) if has_one else ()

    def held(self) -> Mapping[Seat, tuple[Card, ...]]:
        """Return the land cards of each seat."""
        return self.players.held

    def table(self) -> Table:
        """Return what lies open as a table, for trying out turns."""
        return self.cards.table


def lay_out(state: State) -> Table:
    """Return what lies open in a state."""
    gone = {card for player in state.players.values() for card in player.cards}
    return Table(
        rows=tuple(tuple([card for card in row if card not in gone]) for row in state.layout),
        covered=frozenset(state.laws),
        stones=state.stones,
        stocks={seat: Stock(player.reserve, player.removed) for seat, player in state.players.items()},
        own_claim_free=state.own_claim_free,
    )


def why_over(facts: Facts, state: State) -> str | None:
    """Return the reason if the game is over.

    Source: rulebook, "Next player": all land cards are taken. A round of skips would end it too, but
    whoever owns a stone on a card that is at an end can take that one, so none comes about.
    """
    if sum(len(player.cards) for player in state.players.values()) == len(facts.lands):
        return "all land cards are taken"
    return "nobody can take a card" if state.skips >= len(state.players) else None


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field.

    Source: rulebook, "Taking a Land card covered by a Law card": law cards lie face down, and only their seat
    looks at them. All else lies open.
    """
    table, is_over = lay_out(state), why_over(facts, state) is not None
    mine = state.players[seat] if seat is not None else Player()
    seats = seated(state.players)
    known = {one: state.players[one].laws if is_over or one == seat else None for one in seats}
    held = {one: state.players[one].cards for one in seats}
    chart = Later(lambda: fill_chart(facts, held, known))
    seen = [*state.played, *(law for laws in known.values() for law in laws or ())]
    return View(
        me=seat,
        to_move=None if is_over else state.to_move,
        left=len(table.cards),
        ends=ends(table.rows),
        can_take=takeable(facts, table.scene(seat)) if seat is not None else (),
        **same_fields(mine, "laws", "lost"),
        lost_claim=bool(mine.lost),
        cards=_places(facts, state, table),
        players=_sides(facts, state, table, held, chart, is_over=is_over),
        leads=Later(lambda: _leads(facts, held)),
        chart=chart,
        unseen={law: facts.laws.count(law) - seen.count(law) for law in LAWS},
        **same_fields(state, "played", "skips"),
        **same_fields(facts, "countries", "names", "law_names"),
        numbers=Numbers(
            **same_fields(facts, "columns", "limit", "limit_with_law", "chain", "penalty"),
            most_on_cards=facts.most_on_cards[len(seats)],
            own_claim_free=state.own_claim_free,
        ),
    )


def _leads(facts: Facts, held: Mapping[Seat, tuple[Card, ...]]) -> dict[Country, tuple[Seat, ...]]:
    """Return which seats have most cards of each country.

    Source: rulebook, "Scoring and the end of the game", Land cards: ranks are those of the cards held.
    """
    counted = {seat: count_lands(facts, cards) for seat, cards in held.items()}
    most = {country: max(lands[country] for lands in counted.values()) for country in facts.countries}
    return {
        country: tuple(seat for seat, lands in counted.items() if lands[country] == most[country] > 0)
        for country in facts.countries
    }


def _places(facts: Facts, state: State, table: Table) -> Lying:
    """Return every land card with where it is, in the order of the layout."""
    holders = {card: str(seat) for seat, player in state.players.items() for card in player.cards}
    depths = Later(table.depths)

    def place(card: Card) -> Place:
        land = facts.lands[card]
        return Place(
            **same_fields(land, "country", "symbol", "symbols", "route"),
            holder=holders.get(card, ON_TABLE),
            depth=depths.get(card),
            stone=table.stones.get(card),
            law=card in table.covered,
        )

    return Lying(table, dict.fromkeys(chain.from_iterable(state.layout)), place)


def _sides(
    facts: Facts,
    state: State,
    table: Table,
    held: Mapping[Seat, tuple[Card, ...]],
    chart: Mapping[Seat, Column],
    *,
    is_over: bool,
) -> Sitting:
    """Return what everybody sees of each seat; of its law cards how many, and when the game is over which."""
    begun = {
        seat: partial(
            Side,
            **same_fields(player, "cards", "lost"),
            laws=len(player.laws),
            shown=player.laws if is_over else (),
            asks=player.asks + (seat == state.to_move and not is_over),
        )
        for seat, player in state.players.items()
    }

    def side(seat: Seat) -> Side:
        return begun[seat](
            points=chart[seat].total,
            lands=count_lands(facts, held[seat]),
            routes=count_routes(facts, held[seat]),
            stones=table.lying(seat),
            reserve=table.stocks[seat].reserve,
            removed=table.stocks[seat].removed,
        )

    return Sitting(held, side)
