"""What is wrong with an order, as far as its owner can know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.core.remedies import Advice
from pbem.core.wording import did_you_mean
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import leave_out, listing, one_of
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import MINUS, Card, Take, plain
from pbem.rules.web_of_power_cards.taking import takeable
from pbem.rules.web_of_power_cards.turn import Missed, Turn, carry_out
from pbem.rules.web_of_power_cards.view import ON_TABLE, View
from pbem.rules.web_of_power_cards.wording import quoted


def check_move(facts: Facts, view: View, move: Take) -> tuple[Problem, ...]:
    """Return what is wrong with a move if its owner were asked now, or nothing."""
    if view.me is None or view.to_move is None:
        return out_of_play(is_over=view.to_move is None)
    if not move.take:
        return _check_skip(view)
    if lasting := lasting_problems(facts, view, move):
        return lasting
    done = try_out(facts, view, view.me, move)
    if wrong := next((missed for missed in done.missed if missed.path[0] == "take"), None):
        return (Problem(wrong.path, wrong.why, *_advice(facts, view, view.me, move, wrong)),)
    return (*_check_laws(facts, view, move, done), *_check_stones(view, move, done))


def lasting_problems(facts: Facts, view: View, move: Take) -> tuple[Problem, ...]:
    """Return what is wrong with a turn, and stays so however the game goes on."""
    return tuple(_misnamed(facts, move)) or (*_check_gone(view, move), *_check_twice(facts, move))


def misnamed_before_deal(facts: Facts, move: Take, seat: Seat, seats: tuple[Seat, ...]) -> Iterator[Problem]:
    """Yield a problem for every name that nothing has; no name is that of a seat."""
    return _misnamed(facts, move)


def _misnamed(facts: Facts, move: Take) -> Iterator[Problem]:
    """Yield a problem for every name that no card and no country has."""
    fields: list[tuple[tuple[str | int, ...], tuple[str, ...]]] = [
        *((("take", number), names) for number, names in enumerate(move.take)),
        (("also",), move.also),
        (("pay",), move.pay),
        (("claim",), move.claim),
        (("from",), move.lift),
    ]
    for path, names in fields:
        for name in names:
            if name not in facts.several and name not in facts.lands:
                titles = {word: facts.titles.get(one, one) for word, one in facts.words.items()}
                advice = did_you_mean(plain(name), facts.words, titles)
                text, is_bearable = f"there is no card or country {name!r}", path[0] != "take"
                yield Problem(path, text, *advice, bearable=is_bearable, lasting=True)
    yield from _no_law(facts, move)


def _no_law(facts: Facts, move: Take) -> Iterator[Problem]:
    """Yield a problem for every name of a law card that none has, and for the one that cannot be played."""
    playable = [name for law, name in facts.law_names.items() if law != MINUS]
    for place, name in move.strange:
        text = f"there is no law card {name!r}"
        yield Problem(("use", place), text, *one_of(playable), bearable=True, lasting=True)
    for place, law in enumerate(move.use):
        if law == MINUS:
            text = f"the law card {quoted(facts, law)} is never played: it costs its owner points at the end"
            yield Problem(("use", place), text, "Leave it out.", bearable=True, lasting=True)


def _check_gone(view: View, move: Take) -> Iterator[Problem]:
    """Find cards to be taken that players have already; they never come back."""
    advice = _can_take(view.can_take, " first") if view.can_take else Advice()
    for number, names in enumerate(move.take):
        holders = {name: _holder(view, name) for name in names}
        if ON_TABLE not in holders.values():
            why = (
                f"{name} is yours already" if holder == view.me else f"{name} was taken by {holder}"
                for name, holder in holders.items()
            )
            yield Problem(("take", number), " and ".join(why), *advice, lasting=True)


def _check_twice(facts: Facts, move: Take) -> Iterator[Problem]:
    """Yield a problem for each card that is to be taken a second time, and nothing else in its place."""
    for number, names in enumerate(move.take):
        if len(names) == 1 and names[0] in facts.lands and names in move.take[:number]:
            yield Problem(("take", number), f"{names[0]} is named twice", "Leave it out.", lasting=True)


def _holder(view: View, name: str) -> str:
    """Return who has a card; what a country or `any` stands for may lie on the table."""
    return view.cards[Card(name)].holder if name in view.cards else ON_TABLE


def try_out(facts: Facts, view: View, seat: Seat, move: Take) -> Turn:
    """Carry out an order as far as a seat knows the table."""
    return carry_out(facts, view.table(), seat, view.laws, {}, move)


def _check_skip(view: View) -> tuple[Problem, ...]:
    if not view.can_take:
        return ()
    hint = f"You can take {listing(view.can_take, 'or')}."
    return (Problem(("skip",), "a turn is skipped only where no card can be taken", hint),)


def _advice(facts: Facts, view: View, me: Seat, move: Take, wrong: Missed) -> Advice:
    """Say what would do in place of a card that cannot be taken."""
    if wrong.by_law is not None:
        law = quoted(facts, wrong.by_law)
        return Advice(f"If a law card that you take may turn out to be {law}, write also: [{wrong.card}].")
    number = int(wrong.path[1])
    begun = try_out(facts, view, me, replace(move, take=move.take[:number], also=(), claim=()))
    scene = begun.table.scene(me, begun.taken, frozenset(begun.played))
    where = f" after {listing(begun.taken)}" if number else " first"
    if possible := takeable(facts, scene):
        return _can_take(possible, where)
    none = f"You can take nothing more{where}." if number else "Nothing can be taken: write skip: true."
    return Advice(none)


def _can_take(cards: Sequence[Card], when: str) -> Advice:
    return Advice(f"You can take {listing(cards, 'or')}{when}.")


def _check_laws(facts: Facts, view: View, move: Take, done: Turn) -> Iterator[Problem]:
    """Find law cards to be used that are not held and cannot turn up."""
    held = listing(quoted(facts, law) for law in view.laws) if view.laws else "none"
    for number, law in enumerate(move.use):
        if law not in view.laws and not done.unknown:
            text = f"you hold no law card {quoted(facts, law)} (you hold {held}), and take none in this turn"
            yield Problem(("use", number), text, "Leave it out.", bearable=True)


def _check_stones(view: View, move: Take, done: Turn) -> Iterator[Problem]:
    """Find stones that are named where none of the seat's own lies, and claims that come to nothing."""
    mine = view.table().lying(done.seat)
    for field, names in (("pay", move.pay), ("from", move.lift)):
        if names and all(name in view.cards and name not in mine for name in names):
            yield _not_yours(field, names, mine)
    for missed in done.missed:
        if missed.path[0] == "claim":
            yield Problem(("claim",), missed.why, *_free(done), bearable=True)
    if move.pay and not (done.unknown and move.use):
        yield from _check_pay(view, move, done, mine)


def _check_pay(view: View, move: Take, done: Turn, mine: tuple[Card, ...]) -> Iterator[Problem]:
    """Find stones named to pay with of which some do not lie there, or none is needed for the cards.

    Where a name stands for several cards, or a law card that turns up may change what is taken, a stone may
    be needed: then the forecast says what becomes of it.
    """
    names = [*move.pay, *(name for names in move.take for name in names)]
    if not all(name in view.cards for name in names) or any(len(names) > 1 for names in move.take):
        return
    lacking = [name for name in move.pay if name not in mine]
    if 0 < len(lacking) < len(move.pay):
        yield _not_yours("pay", lacking, mine)
    elif not lacking and not done.paid_from_card:
        stays = f"so your stone on {listing(move.pay, 'or')} is not needed"
        yield Problem(("pay",), f"{done.why_unpaid}, {stays}", *leave_out("pay"), bearable=True)


def _not_yours(field: str, names: Iterable[str], mine: tuple[Card, ...]) -> Problem:
    where = f"Yours lie on {listing(mine)}." if mine else "None of yours lies on a card."
    return Problem((field,), f"no stone of yours lies on {listing(names, 'or')}", where, bearable=True)


def _free(done: Turn) -> Advice:
    """Name cards on which a stone can be put."""
    free = done.table.free()
    if not free:
        return Advice("Leave it out: no card is free.")
    more = " and more" if len(free) > 8 else ""
    return Advice(f"Free are {', '.join(free[:8])}{more}.")
