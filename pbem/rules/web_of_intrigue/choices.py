"""What may stand in each place of the orders, with what it would do."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from pbem.core.events import Seat
from pbem.core.interface import Choice, Choices, Json, Menu
from pbem.rules.kit.words import listing
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.modifiers import winning_faces
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS
from pbem.rules.web_of_intrigue.roaming import BEST, Prize, winnable_from
from pbem.rules.web_of_intrigue.state import UNSEEN, TileId
from pbem.rules.web_of_intrigue.view import Offer, Own, Spot, View
from pbem.rules.web_of_intrigue.words import spell_each, spell_roll, spell_turn

USELESS = "; nothing for you now"


def list_choices(facts: Facts, view: View) -> Choices:
    """Return a menu for each place of the orders; none when the owner of the view is not asked."""
    if view.me is None or view.own is None or view.over:
        return Choices(())
    specials = tuple(_special(name, spot) for name, spot in view.specials.items())
    bids = tuple(Choice({"for": name}, _offer(facts, view, view.objects[name])) for name in likeliest(view))
    menus = (
        Menu(SPECIALS, "Specials you can enact; what stands after a comma, you name", specials),
        Menu(BIDS, "Objects you can bid for, likeliest first", bids),
    )
    return Choices((*menus, *_guesses(facts, view, view.own), _moves(facts, view, view.own)))


def likeliest(view: View) -> list[TileId]:
    """Return the objects that can be bid for, the likeliest to be won first, the seat's own last."""

    def place(tile: TileId) -> tuple[bool, int, int]:
        offer = view.objects[tile]
        return offer.controller == view.me, -offer.faces, offer.at_best

    return sorted(view.objects, key=place)


def _special(name: TileId, spot: Spot) -> Choice:
    """Return a special with what it does; what its order must name besides is to be filled in."""
    blank: Json = ["...", "..."] if spot.subject == "squares" else "..."
    order: dict[str, Json] = {"enact": name, **({spot.subject: blank} if spot.subject else {})}
    return Choice(order, f"{spot.name}, {spot.square}: {spot.effect}{USELESS * spot.barred}")


def _offer(facts: Facts, view: View, offer: Offer) -> str:
    """Return an object with its modifier, the roll needed and the chance."""
    what = f"{offer.name}, {offer.square}: {offer.category}, {offer.vp} VP"
    if offer.controller == view.me:
        return f"{what}; yours already"
    owner = f", player {offer.controller}'s" if offer.controller is not None else ""
    told = f"{what}{owner}; {spell_roll(facts, offer.needed)}"
    needed, with_these = offer.needed, list[str]()
    for name, gain in offer.helped.items():
        if len(with_these) < len(SPECIALS) and winning_faces(facts, needed) < facts.numbers.sides:
            with_these.append(name)
            needed -= gain
    if not with_these:
        return told
    return f"{told}; with {listing(with_these)} before it, {spell_roll(facts, needed)}"


def _guesses(facts: Facts, view: View, own: Own) -> tuple[Menu, Menu]:
    """Return the players and the Houses that a guess can name."""
    players = tuple(Choice(seat, _suspected(view, own, seat)) for seat in view.can_be if seat != view.me)
    houses = tuple(
        Choice(house, f"{sign.element}: {spell_each(sign.modifiers)}")
        for house, sign in facts.houses.items()
        if sign.name != own.house
    )
    return (
        Menu(("guess.player",), "Players to guess at, by all you know", players),
        Menu(("guess.house",), "Houses but yours, and what they add to bids", houses),
    )


def _suspected(view: View, own: Own, seat: Seat) -> str:
    """Return who a player can be, and what it pays to be right."""
    houses = view.can_be[seat]
    if seat in own.known:
        return f"is {houses[0]}, as you guessed"
    pays = view.players[seat].income // view.numbers.one_in
    known = f"{'can' if len(houses) > 1 else 'must'} be {listing(houses, 'or')}"
    return f"{known}; {pays} points a turn if right, unless that player has guessed you"


def _moves(facts: Facts, view: View, own: Own) -> Menu:
    """Return the squares to move to: the own one, then those from which most could be won next turn."""
    here, items = own.square, []
    won_from = winnable_from(facts, view, own)
    for square, prizes in {here: won_from[here], **won_from}.items():
        there = "you stay" if square == here else facts.name(view.web[square])
        there = "an obscured tile" if there == UNSEEN else there
        best = (f"{one.thing.name} {_roll(facts, needed)}{_sighted(view, one)}" for one, needed in prizes)
        won = ", ".join(islice(best, BEST))
        items.append(Choice(square, f"{there}; next turn {won}" if won else there))
    ages = [one.age for prizes in won_from.values() for one, _ in prizes[:BEST] if one.age]
    return Menu(("move",), f"Squares to move to, or stay{_explained(view.turn, ages)}", tuple(items))


def _explained(turn: int, ages: Collection[int]) -> str:
    """Explain the mark of the newest sighting in a list; "" where nothing has such a mark."""
    if not ages:
        return ""
    seen = turn - min(ages)
    return f"; t{seen}: seen {spell_turn(seen)}"


def _sighted(view: View, prize: Prize) -> str:
    """Say in short when an object was seen that may be gone since; "" for what is in sight."""
    return f" (t{view.turn - prize.age})" if prize.age else ""


def _roll(facts: Facts, needed: int) -> str:
    """Return the roll needed, in short: "4+" for four or more, or "any"."""
    if needed <= 1:
        return "any"
    return f"{needed}+" if needed < facts.numbers.sides else str(needed)
