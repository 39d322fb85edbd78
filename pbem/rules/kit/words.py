"""Small parts of sentences: lists, numbers with their noun, alternatives, names that may have been meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from pbem.core.interface import Json, Problem
from pbem.core.remedies import Advice, Without
from pbem.core.wording import NO_TITLES, did_you_mean, order_as_yaml, sentence_list


def listing(items: Iterable[object], last: str = "and") -> str:
    """Return things as a sentence lists them: "a, b and c"; nothing for none."""
    return sentence_list([str(item) for item in items] or [""], last)


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 point", "3 points", "2 crosses", "2 cities"."""
    return f"{number} {one if number == 1 else many or one + ('es' if one.endswith('s') else 's')}"


def in_turn(items: Iterable[str]) -> str:
    """Return alternatives in the order of preference: "Mainz, else Bremen"."""
    return ", else ".join(items)


def can_order(orders: Iterable[Json], titles: Mapping[str, str] = NO_TITLES) -> Advice:
    """Say what can be ordered, in place of the whole order: "You can order {draw: true}."; nothing for none.

    Args:
        orders: Whole orders.
        titles: How names are shown where that is otherwise.
    """
    able = [*orders]
    if not able:
        return Advice()
    hint = f"You can order {' or '.join(order_as_yaml(one, titles) for one in able)}."
    return Advice(hint)


def one_of(names: Iterable[str]) -> Advice:
    """Say which names are possible: "It can be Mainz, Trier or Bremen."."""
    known = [*names]
    return Advice(f"It can be {listing(known, 'or')}.")


def leave_out(name: str, why: str = "") -> Advice:
    """Say that a field of an order is best left out: "Leave pay out."; a reason follows a colon."""
    return Advice(f"Leave {name} out{why}.", (Without(name),))


def unknown(
    path: tuple[str | int, ...],
    kind: str,
    word: str,
    known: Collection[str],
    titles: Mapping[str, str] = NO_TITLES,
) -> Iterator[Problem]:
    """Yield a problem that lasts if nothing has a name: "there is no site 'maniz'. Did you mean Mainz?".

    Args:
        path: Where in `do` the word stands.
        kind: What it should name.
        word: The word.
        known: The names that there are; where nothing is like the word and they are few, they are listed.
        titles: How names are shown where that is otherwise.
    """
    if word not in known:
        advice = did_you_mean(word, known, titles)
        if not advice and len(known) < _FEW:
            advice = one_of(titles.get(one, one) for one in known)
        yield Problem(path, f"there is no {kind} {str(word)!r}", *advice, lasting=True)


_FEW: Final = 13
