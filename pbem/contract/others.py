"""Other orders: what others order in secret must be told to nobody, and what is told of orders is listed."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from pbem.contract.subject import Checked, Played, Subject, differing, told_text
from pbem.contract.worlds import seen
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Step


def compare_orders(subject: Subject, played: Played, tries: int, result: Checked) -> None:
    """Resolve a step again with another legal order of one seat, and compare what all the others are told.

    Only steps in which several order at once are looked at: what a seat orders alone is there for all to
    watch, or `Subject.other_moves` says what is not. Most orders come out, and views show it: a card lies on
    the table, a region is held by another seat. An order that works on something hidden, as a bid works on a
    purse, comes out if an event tells it. No redeal would notice, for in other worlds the others order the
    same.

    Args:
        subject: The rules.
        played: The step as it was played.
        tries: So many other orders are tried.
        result: Where counts and breaches go.
    """
    rules = subject.rules
    for number in range(tries if len(played.moves) > 1 else 0):
        luck = played.dice.apart("orders", str(number))
        mover = luck.pick(sorted(played.moves), "mover")
        move = _other_move(subject, played, mover, luck)
        if move is None:
            continue
        again = rules.resolve(played.state, {**played.moves, mover: move}, played.dice)
        result.orders_changed += 1
        for seat in (*subject.seats, None):
            if seat != mover:
                _compare(subject, played, again, seat, result)


def _other_move(subject: Subject, played: Played, mover: Seat, luck: Dice) -> Any:
    """Return another legal move of a seat, or None if its bot has none."""
    rules = subject.rules
    order = bot_order(rules, played.state, mover, luck.apart("bot"), "random", subject.takes)
    if order is None or not subject.takes(order):
        return None
    move = rules.read(order)
    if move == played.moves[mover] or rules.check(played.before.view(mover), move):
        return None
    return move


def _compare(subject: Subject, played: Played, again: Step[Any], seat: Seat | None, result: Checked) -> None:
    told, heard = seen(played.step.events, seat), seen(again.events, seat)
    first = next((pair for pair in zip_longest(told, heard) if differing(*pair)), None)
    if first is None:
        return
    result.orders_told.update(differing(*first))
    events = [event for event in first if event is not None]
    declared = {f"{type(one).__name__}.{name}" for one in events for name in (*one.releases, *one.announces)}
    leaked = differing(*first) - declared
    if len({type(one) for one in events}) > 1 and declared:
        return  # another thing happened, and one of them is known to tell of orders
    if not leaked or leaked <= result.orders_leaked or again.state == played.step.state:
        return
    if told_text(subject.rules.view(again.state, seat)) == played.after.text(seat):
        result.orders_leaked |= leaked
        result.breach(
            "orders-told",
            f"an event tells {seat or 'the spectator'} what another seat ordered in secret: "
            f"{', '.join(sorted(leaked))}. The view after it does not show that; if the rules mean it, "
            "show it there, or name the field in announces",
            played.where,
        )
