"""Which land cards a seat may take next: the ends of the rows, and what stands in the way of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import COLOURS, RETURN, THREE, Card, Country, Law

Rows: TypeAlias = tuple[tuple[Card, ...], ...]
Kind: TypeAlias = Literal["gone", "inside", "colour", "symbols", "own", "stone", "choice"]

INSIDE: Final = "{} does not lie at an end of its row: it has {} to its left and {} to its right"
GONE: Final = "{} does not lie on the table then"
LOCKED: Final = (
    "Mind that {} lies at an end of its row then: under your own stone you can take it only if you could "
    "take no other card next."
)

LIFTS: Mapping[Kind, Law] = {"colour": COLOURS, "symbols": THREE, "stone": RETURN, "choice": RETURN}
"""The law card that clears each kind of obstacle."""


class Scene(NamedTuple):
    """The table in the middle of a turn.

    Attributes:
        seat: Whose turn it is.
        rows: The cards that lie, row by row.
        stones: The owner of each stone on a card.
        spare: How many stones the seat has in the game, in reserve and on cards.
        taken: What it took in this turn.
        in_force: The law cards that it played in this turn.
        own_claim_free: Whether it may take a card under its own stone although it could take another.
    """

    seat: Seat
    rows: Rows
    stones: Mapping[Card, Seat]
    spare: int
    taken: tuple[Card, ...] = ()
    in_force: frozenset[Law] = frozenset()
    own_claim_free: bool = False

    def after(self, card: Card) -> Scene:
        """Return the scene once a card was taken; a stone of another seat was paid for."""
        owner, stones = self.stones.get(card), self.stones
        if owner is not None:
            stones = {one: holder for one, holder in stones.items() if one != card}
        spare = self.spare - (owner not in (None, self.seat))
        rows, taken = without(self.rows, card), (*self.taken, card)
        return Scene(self.seat, rows, stones, spare, taken, self.in_force, self.own_claim_free)


class Obstacle(NamedTuple):
    """Why a card cannot be taken: the kind of reason, and the sentence."""

    kind: Kind
    text: str


def without(rows: Rows, card: Card) -> Rows:
    """Return the rows without a card."""
    return tuple([tuple([one for one in row if one != card]) if card in row else row for row in rows])


def ends(rows: Rows) -> tuple[Card, ...]:
    """Return the cards that can be reached: the left and right end of each row, from the top.

    A card that was freed by the one taken before it is an end too.

    Source: rulebook, "Take a card".
    """
    found: list[Card] = []
    for row in rows:
        if row:
            found += row[:1] if len(row) == 1 else (row[0], row[-1])
    return tuple(found)


def breaks_colour(facts: Facts, scene: Scene, card: Card) -> bool:
    """Tell whether a card is of another country than those taken before it in this turn.

    Source: rulebook, "Take a card", first restriction; law card "Different colours allowed".
    """
    return only_country(facts, scene) not in (None, facts.lands[card].country)


def only_country(facts: Facts, scene: Scene) -> Country | None:
    """Return the country of which all further cards of this turn must be; None if any may be taken.

    Source: rulebook, "Take a card", first restriction; law card "Different colours allowed".
    """
    if not scene.taken or COLOURS in scene.in_force:
        return None
    return facts.lands[scene.taken[0]].country


def breaks_symbols(facts: Facts, scene: Scene, card: Card) -> bool:
    """Tell whether a card brings more circle symbols than a turn allows; one without any never does.

    Source: rulebook, "Take a card", second restriction; law card "3 symbols allowed".
    """
    symbols = facts.lands[card].symbols
    return symbols > 0 and symbols + count_symbols(facts, scene.taken) > limit(facts, scene)


def count_symbols(facts: Facts, cards: tuple[Card, ...]) -> int:
    """Return the circle symbols on cards; ships and carriages are none.

    Source: rulebook, "Take a card", second restriction, note.
    """
    return sum([facts.lands[card].symbols for card in cards])


def limit(facts: Facts, scene: Scene) -> int:
    """Return how many circle symbols may be taken in this turn, all cards together.

    Source: rulebook, "Take a card", second restriction; law card "3 symbols allowed".
    """
    return facts.limit_with_law if THREE in scene.in_force else facts.limit


def needed_laws(facts: Facts, cards: tuple[Card, ...]) -> tuple[Law, ...]:
    """Return the law cards without which some cards cannot be taken in one turn."""
    is_mixed = len({facts.lands[card].country for card in cards}) > 1
    is_more = count_symbols(facts, cards) > facts.limit
    return (THREE,) * is_more + (COLOURS,) * is_mixed


def lacks_stone(scene: Scene, card: Card) -> bool:
    """Tell whether a card lies under the stone of another seat, and the seat has none left to pay with.

    Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph.
    """
    return scene.stones.get(card, scene.seat) != scene.seat and scene.spare == 0


def must_leave_own(facts: Facts, scene: Scene, card: Card) -> Card | None:
    """Return a card that could be taken instead of one under an own stone, or None where that one is free.

    Source: rulebook, "Taking a Land card covered by a claiming stone", third paragraph; tested for each card
    that is taken. A card under another's stone counts if a stone can be paid. Option `own_claim_free`.
    """
    if scene.stones.get(card) != scene.seat or scene.own_claim_free:
        return None
    can = takeable(facts, scene)
    return can[0] if can and scene.stones.get(can[0]) != scene.seat else None


def obstacle(facts: Facts, scene: Scene, card: Card) -> Obstacle | None:
    """Return why a card cannot be taken next, the first reason there is; None if it can."""
    row = next((row for row in scene.rows if card in row), None)
    if row is None:
        return Obstacle("gone", GONE.format(card))
    if card not in (row[0], row[-1]):
        place = row.index(card)
        return Obstacle("inside", INSIDE.format(card, place, len(row) - 1 - place))
    if breaks_colour(facts, scene, card):
        mine, first = facts.lands[card].country, facts.lands[scene.taken[0]].country
        text = f"{card} is of {facts.names[mine]}, and what you took before is of {facts.names[first]}"
        return Obstacle("colour", text)
    if breaks_symbols(facts, scene, card):
        total = facts.lands[card].symbols + count_symbols(facts, scene.taken)
        return Obstacle(
            "symbols",
            f"with {card} you would take {total} circle symbols, and {limit(facts, scene)} are allowed",
        )
    if lacks_stone(scene, card):
        return Obstacle("stone", f"a stone of {scene.stones[card]} lies on {card}, and you have none to pay")
    if (other := must_leave_own(facts, scene, card)) is not None:
        return Obstacle("own", f"your own stone lies on {card}, and you could take {other} instead")
    return None


def takeable(facts: Facts, scene: Scene) -> tuple[Card, ...]:
    """Return the cards that can be taken next: one under an own stone only where no other can be."""
    fit = ends(scene.rows)
    if (country := only_country(facts, scene)) is not None:
        fit = tuple([card for card in fit if facts.lands[card].country == country])
    if scene.taken:  # by itself any card keeps to the limit
        fit = tuple([card for card in fit if not breaks_symbols(facts, scene, card)])
    if scene.spare == 0:
        fit = tuple([card for card in fit if not lacks_stone(scene, card)])
    if scene.own_claim_free:
        return fit
    return tuple([card for card in fit if scene.stones.get(card) != scene.seat]) or fit


def hauls(facts: Facts, scene: Scene) -> tuple[tuple[Card, ...], ...]:
    """Return every set of cards that can be taken in a turn, each in an order in which it can."""
    found: dict[frozenset[Card], tuple[Card, ...]] = {}
    open_scenes = [scene]
    while open_scenes:
        here = open_scenes.pop()
        for card in takeable(facts, here):
            taken = (*here.taken, card)
            cards = frozenset(taken)
            if cards not in found:
                found[cards] = taken
                open_scenes.append(here.after(card))
    return tuple(found.values())
