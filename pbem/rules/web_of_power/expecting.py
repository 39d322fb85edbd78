"""What a seat will draw, as far as it can know: what lies open can be chosen, the pile is unknown."""

from __future__ import annotations

from pbem.rules.web_of_power.drawing import DEFAULT_ENTRY, entry_at
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import MATCH, PILE, Card, Move
from pbem.rules.web_of_power.view import View


def say_draw(facts: Facts, view: View, move: Move, hand: tuple[Card, ...]) -> str:
    """Return what fills a hand up: "draw 2 cards: Frankreich, then the pile".

    Args:
        facts: The facts of the game.
        view: What the seat knows.
        move: The move, which may say what to draw.
        hand: The cards that the seat keeps.
    """
    missing = facts.limits.hand - len(hand)
    prospect = _Prospect(facts, view, hand)
    texts = [prospect.next(entry_at(move.draw, place)) for place in range(missing)]
    if missing > 1:
        each = len(set(texts)) == 1
        said = f"{missing} cards, each: {texts[0]}" if each else f"{missing} cards: {', then '.join(texts)}"
    else:
        said = f"1 card: {texts[0]}"
    ends = "; the pile runs out with it" if view.pile <= missing else ""
    return f"draw {said}{ends}"


class _Prospect:
    """The cards beside the map while a hand is filled up, as far as they are known beforehand."""

    def __init__(self, facts: Facts, view: View, hand: tuple[Card, ...]) -> None:
        self.facts, self.view = facts, view
        self.hand, self.open = list(hand), list(view.face_up)
        self.least = self.most = view.pile  # so many cards the pile has
        self.is_open = False  # whether one of the open cards may be gone

    def next(self, entry: tuple[str, ...]) -> str:
        """Return what the next card is, by preference as far as it depends on what comes before."""
        words: list[str] = []
        lacking: dict[str, None] = {}
        for name in dict.fromkeys((*entry, *DEFAULT_ENTRY)):
            found, is_sure = self._source(name)
            if found is None and name in self.facts.counts:
                other = "other " * (name in self.view.face_up)
                lacking[f"no {other}{self.facts.titles[name]} lies open"] = None
            if found is not None:
                words.append(self._said(found))
            if found is not None and is_sure:
                self._take(found, is_only=len(words) == 1)
                break
        else:
            words.append("the oldest open card")
            self._take(MATCH, is_only=len(words) == 1)
        why = f" ({', '.join(lacking)})" if lacking else ""
        return f"{', else '.join(words)}{why}"

    def _source(self, name: str) -> tuple[str | None, bool]:
        """Return an open card, `match` or `pile` if it may be had by a name, and whether it surely can."""
        if name == PILE:
            return (PILE if self.most > 0 else None), self.least > 0
        if name == MATCH:
            fits = [card for card in self.open if card in self.hand]
            if fits and not self.is_open:  # a card of the pile may be like one that has lain longer
                return (MATCH if self._holds_unknown() and fits[0] != self.open[0] else fits[0]), True
            return (MATCH if self.open and (fits or self._holds_unknown()) else None), False
        return (name if name in self.open else None), not self.is_open

    def _holds_unknown(self) -> bool:
        return self.is_open or self.most < self.view.pile

    def _said(self, source: str) -> str:
        words = {MATCH: "an open card of a type that you then hold", PILE: "the pile"}
        return words.get(source) or self.facts.titles[source]

    def _take(self, source: str, *, is_only: bool) -> None:
        """Take a card, or note that it is open which one was taken."""
        if not is_only or source == MATCH:
            self.is_open = True
            self.least -= not is_only
        elif source == PILE:
            self.least, self.most = self.least - 1, self.most - 1
        else:
            self.open.remove(Card(source))
            self.hand.append(Card(source))
