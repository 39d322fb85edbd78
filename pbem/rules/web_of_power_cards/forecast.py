"""What a legal order will do, in sentences for the seat that gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.events import Event, Seat
from pbem.core.interface import Forecast
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import MINUS, Card, Law, Take
from pbem.rules.web_of_power_cards.taking import LOCKED, ends
from pbem.rules.web_of_power_cards.turn import Turn, carry_out
from pbem.rules.web_of_power_cards.view import View
from pbem.rules.web_of_power_cards.wording import effect, marks, quoted, show


def forecast(facts: Facts, view: View, move: Take) -> Forecast:
    """Return what a move will do, as far as its owner can know; the move is legal on the view."""
    if view.me is None:
        return Forecast(())
    if not move.take:
        return Forecast(("You take nothing, and your turn is skipped.",))
    done = try_out(facts, view, view.me, move)
    table, known = view.table(), (*done.laws, *done.played)
    then = {
        law: carry_out(facts, table, view.me, view.laws, dict.fromkeys(table.covered, law), move)
        for law in dict.fromkeys(move.use)
        if done.unknown and view.unseen[law] and law not in known
    }
    return Forecast(
        (
            *(_say(facts, view, event) for event in done.told),
            *_locked(done),
            *_laws(facts, move, done, then),
            *_left(facts, move, done, then),
            *_unused(facts, move, done),
            _points(facts, view, view.me, done.taken),
            *_opened(facts, view, done),
        )
    )


def _say(facts: Facts, view: View, event: Event) -> str:
    """Return one thing that will happen as a sentence."""
    match event:
        case events.CardTaken(card=card, country=country, row=row, side=side):
            what = f"{facts.names[country]}, {marks(facts, card)}"
            return f"You take {card} ({what}) from the {side} of row {row}."
        case events.ClaimBroken(owner=owner, card=card, paid_from=source, left=left):
            lost = "from your reserve" if source is None else f"on {source}"
            stones = count(left, "stone is", "stones are")
            paid = f"For {card} you give up your stone {lost}; {owner.capitalize()} has its own back"
            return f"{paid}. {stones} left to you."
        case events.StoneTakenBack(card=card):
            return f"Your stone on {card} comes back to your reserve."
        case events.LawTaken(card=card):
            unseen = [f"{quoted(facts, law)} ({number})" for law, number in view.unseen.items() if number]
            return f"The law card on {card} is yours; not seen yet: {listing(unseen)}."
        case events.LawPlayed(law=law):
            return f"You play {quoted(facts, law)}: {effect(facts, law)}."
        case events.StonePlaced(card=card, reserve=reserve):
            return f"You put a stone on {show(facts, card)}; {reserve} in reserve."
        case events.StoneMoved(card_from=source, card_to=card):
            return f"You move your stone from {source} to {show(facts, card)}."
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _locked(done: Turn) -> Iterator[str]:
    """Say that a stone at an end of a row keeps its owner from the card; it is put there last.

    Source: rulebook, "Taking a Land card covered by a claiming stone", third paragraph.
    """
    match done.told:
        case [*_, events.StonePlaced(card=card) | events.StoneMoved(card_to=card)]:
            if card in done.table.locked():
                yield LOCKED.format(card)


def _laws(facts: Facts, move: Take, done: Turn, then: Mapping[Law, Turn]) -> Iterator[str]:
    """Say what becomes of the law cards that may be used: kept, or played if they turn up.

    Args:
        facts: The cards and the numbers.
        move: The order.
        done: What it comes to as far as its owner knows.
        then: What it comes to if the law cards that it takes are of one kind, for each that may turn up.
    """
    for law in dict.fromkeys(move.use):
        name = quoted(facts, law)
        if law in done.laws:
            yield f"{name} would not help, and you keep it."
        elif law in then:
            more = [card for card in then[law].taken if card not in done.taken]
            if more:
                yield f"If it is {name}, you play it at once and take {listing(more)} too."
            elif law in then[law].played:
                yield f"If it is {name}, you play it at once."
            else:
                yield f"If it is {name}, it would not help, and you keep it."


def _left(facts: Facts, move: Take, done: Turn, then: Mapping[Law, Turn]) -> Iterator[str]:
    """Say which further cards stay where they are, also those that only a law card would help to.

    The arguments are those of `_laws`.
    """
    named = {name for name in move.also if len(facts.named(name)) == 1}
    helped = {card for turn in then.values() for card in turn.taken}
    for begin, cards in (("Otherwise", helped), ("As things stand", {*named} - helped)):
        if left := [card for card in done.table.cards if card in named and card in cards]:
            more = f" and {len(left) - 6} more" if len(left) > 6 else ""
            yield f"{begin} you cannot take {', '.join(left[:6])}{more} too."


def _unused(facts: Facts, move: Take, done: Turn) -> Iterator[str]:
    """Say that stones named to pay with, or to be moved, stay where they are."""
    if move.pay and not done.paid_from_card:
        cards = [name for name in move.pay if name in facts.lands]
        stays = f"Your stone on {listing(cards, 'or')} stays" if cards else "`pay` is not used"
        yield f"{stays}: {done.why_unpaid}, as things stand."
    if move.lift and any(isinstance(event, events.StonePlaced) for event in done.told):
        named = listing(move.lift, "or")
        yield f"Your stone on {named} stays: one of your reserve is placed, so `from` changes nothing."


def _points(facts: Facts, view: View, me: Seat, taken: tuple[Card, ...]) -> str:
    standing = Standing(facts, view.held())
    changed = standing.change(me, taken)
    now = {seat: side.points for seat, side in view.players.items()}
    mine = f"you {now[me]} to {now[me] + changed.pop(me)}"
    others = [
        f"{seat.capitalize()} {now[seat]}{f' to {now[seat] + by}' if by else ''}"
        for seat, by in changed.items()
    ]
    if MINUS in view.laws:
        mine += f", {facts.penalty * view.laws.count(MINUS)} for law cards taken off"
    return f"Points if the game ended then: {mine}; {', '.join(others)}."


def _opened(facts: Facts, view: View, done: Turn) -> Iterator[str]:
    """Say which cards the next seat can reach that could not be reached before, and which are free of you."""
    if not done.table.cards:
        yield "It is the last card, and the game ends."
        return
    opened = [card for card in ends(done.table.rows) if card not in view.ends]
    if opened:
        yield f"It opens to the others: {', '.join(show(facts, card) for card in opened)}."
    else:
        yield "It opens no further card to the others."
    free, stones = done.table.free(), view.table().stones
    bared = [card for card, owner in stones.items() if owner == view.me and card in free]
    if bared:
        yield f"Nobody has a stone on {listing(bared)} then."
