"""Examples for the next ask: which of them can follow an order for now, as far as their owner knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.core.drafts import Draft, Drafting
from pbem.core.engine.book import Line
from pbem.core.engine.opening import Opening
from pbem.core.events import Seat
from pbem.core.foresight import horizon_of
from pbem.core.interface import Ask, Json, Label
from pbem.core.labels import is_beyond, label_after_next, next_label
from pbem.text.submission.lookahead import Lookahead


class Standing(NamedTuple):
    """Where the owner of a view stands: what examples for the next ask are judged by.

    Attributes:
        rules: The rules of the game.
        view: What the owner knows.
        ask: Whom the game waits for.
        asked: The highest count asked so far, by owner of the label.
        seat: The owner.
    """

    rules: Opening[Any, Any, Any]
    view: Any
    ask: Ask
    asked: Mapping[str, int]
    seat: Seat

    def label(self, now: Json) -> Label:
        """Return what the owner is asked as next; after an order for now, the time after that."""
        after = label_after_next if now is not None else next_label
        return Label(after(self.ask, self.asked, self.seat))


def is_vain(here: Standing, now: Json, then: Json, when: Mapping[str, Json]) -> bool:
    """Tell whether an order for the next ask can never be played after an order for now.

    Args:
        here: Where its owner stands.
        now: The order for now; None if the owner is not asked.
        then: The order for the next ask.
        when: Its condition.
    """
    ahead = Lookahead(here.rules, here.view, here.ask, here.asked, here.seat)
    if now is not None:
        ahead.plays(Line(1, here.ask.label, {}, False, now))
    at = here.label(now)
    if is_beyond(at, horizon_of(here.rules, here.view).last):
        return True
    return bool(ahead.outlook(Line(2, at, when, False, then), ()).never)


def followed(here: Standing, draft: Draft, now: Json) -> Draft:
    """Return a draft with an order for now that may be another one, and one for the next ask that fits it.

    Its condition supposes the draft's own order for now, so what has one is left out behind another order. Of
    rules that draft nothing themselves, the order for the next ask is another one than that for now if there
    is one.

    Args:
        here: Where the owner of the draft stands.
        draft: The draft.
        now: The order for now; None if the owner is not asked.
    """
    found = draft._replace(now=now)
    if draft.then is None or (draft.when and now not in (None, draft.now)):
        return found._replace(then=None, when={})
    is_own = isinstance(here.rules.rules, Drafting)
    listed = [draft.then] if is_own or draft.now is None else [draft.then, draft.now]
    listed.sort(key=lambda one: not is_own and one == now)
    fit = (one for one in listed if not is_vain(here, now, one, draft.when))
    then = next(fit, None)
    return found._replace(then=then, when={} if then is None else draft.when)
