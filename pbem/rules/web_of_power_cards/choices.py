"""What may be ordered: whole turns, and what can stand in each place of an order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Choice, Choices, Json, Menu
from pbem.rules.web_of_power_cards.check import check_move, try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import PLAYABLE, RETURN, Card, Law, Take, write_take
from pbem.rules.web_of_power_cards.table import Table, may_place
from pbem.rules.web_of_power_cards.taking import hauls
from pbem.rules.web_of_power_cards.view import View
from pbem.rules.web_of_power_cards.wording import effect, marks

SHOWN = 12
"""So many whole turns are listed, the best ones first."""


class Haul(NamedTuple):
    """Cards that a seat can take in one turn, with the law cards that it needs for them.

    Attributes:
        cards: The cards, in an order in which they can be taken.
        use: The law cards.
        pay: The cards with own stones that may have to pay, where the seat must name them.
        gain: The points it brings now.
        others: The points that other seats win or lose by it now; only those for whom something changes.
        swing: What it brings, and what the others lose by it on average.
    """

    cards: tuple[Card, ...]
    use: tuple[Law, ...]
    pay: tuple[Card, ...]
    gain: int
    others: Mapping[Seat, int]
    swing: float

    @property
    def move(self) -> Take:
        """The turn that takes them."""
        return Take(tuple((card,) for card in self.cards), use=self.use, pay=self.pay)

    @property
    def order(self) -> dict[str, Json]:
        """The order that takes them."""
        return write_take(self.cards, use=self.use, pay=self.pay)


def list_hauls(
    facts: Facts, view: View, *, laws: bool = True, standing: Standing | None = None
) -> tuple[Haul, ...]:
    """Return every set of cards that the owner of a view can take, the most points first.

    Args:
        facts: The cards and the numbers.
        view: The view.
        laws: Whether law cards of the owner are used too.
        standing: The holdings of the view, if they were counted before.
    """
    me = view.me
    if me is None or not view.is_asked():
        return ()
    table, standing = view.table(), standing or Standing(facts, view.held())
    scene, found = table.scene(me), dict[frozenset[Card], Haul]()
    useful = [*(law for law in view.laws if law != RETURN), *view.returning()]
    for use in law_sets(useful) if laws else ((),):
        spare = scene.spare + (RETURN in use)
        for cards in hauls(facts, scene._replace(in_force=frozenset(use) - {RETURN}, spare=spare)):
            if frozenset(cards) not in found:
                pay = _paying(table, me, cards)
                found[frozenset(cards)] = weigh(standing, me, cards, use, pay)
    return tuple(sorted(found.values(), key=lambda haul: (-haul.swing, len(haul.use), -len(haul.cards))))


def weigh(
    standing: Standing, me: Seat, cards: tuple[Card, ...], use: tuple[Law, ...], pay: tuple[Card, ...] = ()
) -> Haul:
    """Return some cards with what they change."""
    changed = standing.change(me, cards)
    gain = changed.pop(me)
    swing = gain - sum(changed.values()) / len(changed)
    return Haul(cards, use, pay, gain, {seat: points for seat, points in changed.items() if points}, swing)


def law_sets(laws: Collection[Law]) -> Iterator[tuple[Law, ...]]:
    """Return each set of some law cards that can be played together, one of each kind; first none."""
    playable = [law for law in PLAYABLE if law in laws]
    return chain.from_iterable(combinations(playable, number) for number in range(len(playable) + 1))


def _paying(table: Table, me: Seat, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards with stones to pay with, where some cards cost one of several on cards.

    Own stones on the cards come back first.
    """
    reserve, short = table.stocks[me].reserve, False
    for owner in filter(None, map(table.stones.get, cards)):
        reserve += 1 if owner == me else -1
        short = short or reserve < 0
    mine = table.lying(me) if short else ()
    return mine if len(mine) > 1 else ()


def list_choices(facts: Facts, view: View) -> Choices:
    """Return what the owner of a view may order, with what it does in a few words."""
    if view.me is None or not view.is_asked():
        return Choices(())
    found = list_hauls(facts, view)
    whole = tuple(_whole_turns(facts, view, view.me, found))
    menus = (
        Menu(("",), "Best first, with points gained if scored now", whole),
        Menu(("take", "also"), "Cards at the ends of the rows", tuple(_ends(facts, view))),
        Menu(("claim",), "Cards free for a stone", tuple(_claims(facts, view, view.me))),
        Menu(("pay", "from"), "Cards with stones of yours", tuple(_own(facts, view, view.me))),
        Menu(("use",), "Law cards", tuple(_laws(facts, view))),
    )
    return Choices(tuple(menu for menu in menus if menu.items), only=_only(facts, view, view.me, found))


def _only(facts: Facts, view: View, me: Seat, found: tuple[Haul, ...]) -> Json:
    """Return the one legal turn, or None if there are others, or if that there are none is a secret.

    A seat that holds law cards may have others, and which ones it holds is its secret. Without any, all that
    a turn depends on lies open.
    """
    if view.laws or len(found) != 1 or any(view.cards[card].law for card in found[0].cards):
        return None
    return None if found[0].pay or _example_claim(facts, view, me, found[0]) else found[0].order


def _whole_turns(facts: Facts, view: View, me: Seat, found: tuple[Haul, ...]) -> Iterator[Choice]:
    """Yield whole turns: the best hauls, and the best of them with a stone if one may be placed or moved."""
    if not view.can_take:
        yield Choice({"skip": True}, "take nothing")
    legal = [haul for haul in found if is_legal(facts, view, haul)]
    for number, haul in enumerate(legal[:SHOWN]):
        yield Choice(haul.order, _note(view, me, haul))
        if number == 0 and (claim := _example_claim(facts, view, me, haul)):
            yield Choice({**haul.order, **claim}, "the same, with a stone")
        if number == 0 and RETURN not in haul.use and view.returning():
            order = {**haul.order, "use": list[Json]([*haul.use, RETURN])}
            yield Choice(order, "the same, and a stone out of play comes back")


def is_legal(facts: Facts, view: View, haul: Haul) -> bool:
    """Tell whether a haul is legal; it can fail only where stones that pay free other cards."""
    return not haul.pay or not check_move(facts, view, haul.move)


def _example_claim(facts: Facts, view: View, me: Seat, haul: Haul) -> dict[str, Json]:
    """Return how a stone could be placed or moved after a haul, or nothing if none can."""
    table = try_out(facts, view, me, haul.move).table
    if not table.free():
        return {}
    depths, locked = table.depths(), table.locked()
    card = min(table.free(), key=lambda one: (one in locked, depths[one]))
    if may_place(facts, table, me):
        return {"claim": [card]}
    lying = table.lying(me)
    return {"claim": [card], "from": [lying[0]]} if lying else {}


def _note(view: View, me: Seat, haul: Haul) -> str:
    parts = [f"you {haul.gain:+d}"]
    parts += [f"{seat.capitalize()} {points:+d}" for seat, points in haul.others.items()]
    paid = sum(view.cards[card].stone not in (None, me) for card in haul.cards)
    if paid:
        parts.append("costs a stone" if paid == 1 else f"costs {paid} stones")
    if laws := sum(view.cards[card].law for card in haul.cards):
        parts.append("brings a law card" if laws == 1 else f"brings {laws} law cards")
    return ", ".join(parts)


def _ends(facts: Facts, view: View) -> Iterator[Choice]:
    rows = {card: number for number, row in enumerate(view.table().rows, 1) for card in row}
    for card in view.ends:
        place = view.cards[card]
        note = f"{facts.names[place.country]}, {marks(facts, card)}; row {rows[card]}"
        if place.law:
            note += "; a law card lies under it"
        if place.stone is not None:
            note += f"; stone of {place.stone}" if place.stone != view.me else "; your stone"
        yield Choice(card, note)


def _claims(facts: Facts, view: View, me: Seat) -> Iterator[Choice]:
    """Yield the cards that a stone can be put on, those first that are soonest at an end."""
    if view.players[me].reserve + len(view.players[me].stones) == 0:
        return
    free = {
        card: one.depth for card, one in view.cards.items() if one.stone is None and one.depth is not None
    }
    for card, depth in sorted(free.items(), key=lambda one: one[1]):
        yield Choice(card, f"{marks(facts, card)}; {depth} before it")


def _own(facts: Facts, view: View, me: Seat) -> Iterator[Choice]:
    for card in view.players[me].stones:
        yield Choice(card, f"{facts.names[view.cards[card].country]}, {marks(facts, card)}")


def _laws(facts: Facts, view: View) -> Iterator[Choice]:
    """Yield the law cards that can be used: those held, and those that may turn up in this turn."""
    may_come = any(view.cards[card].law for card in view.ends)
    for law, unseen in view.unseen.items():
        if law in PLAYABLE and law in view.laws:
            yield Choice(law, f"yours: {effect(facts, law)}")
        elif law in PLAYABLE and may_come and unseen:
            yield Choice(law, f"may turn up ({unseen} not seen): {effect(facts, law)}")


def least(facts: Facts, view: View) -> Json:
    """Return a silent seat's order: one card, the best for its points and if possible without paying."""
    singles = [haul for haul in list_hauls(facts, view, laws=False) if len(haul.cards) == 1]
    legal = [haul for haul in singles if is_legal(facts, view, haul)]
    if not legal:
        return {"skip": True} if view.is_asked() else None
    free = [haul for haul in legal if view.cards[haul.cards[0]].stone in (None, view.me)]
    return (free or legal)[0].order
