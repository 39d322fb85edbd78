"""A turn for a later ask: why it can never be carried out from a place, and on what it depends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.interface import Problem
from pbem.rules.game_of_powers.actions import misplaced
from pbem.rules.game_of_powers.carried import Carried, Spot
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.moves import Move, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.sailing import heads_for, too_far
from pbem.rules.game_of_powers.state import Card, City, Wish
from pbem.rules.game_of_powers.tasks import why_not
from pbem.rules.game_of_powers.view import View


class Prospect:
    """One turn, with what its seat will know of itself."""

    def __init__(self, facts: Facts, view: View, then: Carried, turn: Turn) -> None:
        self.facts = facts
        self.view = view
        self.then = then
        self.turn = turn

    def why_never(self, spot: Spot) -> Problem | None:
        """Say why the turn can never be carried out from a place, whatever the others do.

        Source: rulebook, "Move" and "Action".
        """
        for field, card in self.turn.returned.items():
            if not self.then.may_hold(card):
                return Problem((field,), self._not_held(card))
        _, spaces, city = heads_for(self.facts, spot.city, spot.direction, self.turn)
        name = self.facts.cities[city].name
        if city == spot.city:
            return Problem(("sail",), f"your ship is at {name} then, and cannot stay there")
        return too_far(self.facts, self.turn, name, spaces, " then") or self._no_action(city)

    def _no_action(self, city: City) -> Problem | None:
        facts, then = self.facts, self.then
        match self.turn.action:
            case PlayCards(cards):
                wrong = [self._unplayable(card, city) for card in cards]
                return Problem(("play_cards", 0), wrong[0]) if all(wrong) and wrong else None
            case TakeTokens() if then.is_known and total(then.tokens) >= facts.token_limit:
                text = f"you hold {total(then.tokens)} tokens then, the most there is"
                return Problem(("take_tokens",), text)
            case TakeCards(wishes):
                held = len(then.hand) - len(self.turn.cards)
                if then.is_known and held >= facts.hand_limit:
                    return Problem(("take_cards",), f"you hold {held} cards then, the most there is")
                lost = [self._not_there(wish, city) for wish in wishes]
                return Problem(("take_cards", 0), lost[0]) if all(lost) and lost else None
        return None

    def _unplayable(self, card: Card, city: City) -> str:
        """Say why a card cannot be played at a city then; or ""."""
        facts, then = self.facts, self.then
        if not facts.cities[city].is_site:
            return f"no card can be played at {facts.cities[city].name}"
        if not then.may_hold(card):
            return self._not_held(card)
        if why := misplaced(facts, card, city, self.turn.cards):
            return why
        title, kind = facts.title(card), facts.cards[card].token
        is_paid = not then.is_known or then.tokens[kind] >= facts.first_card
        return "" if is_paid else f"{title} costs {facts.first_card} {kind}, and you have none then"

    def _not_held(self, card: Card) -> str:
        gone = self.then.gone.get(card)
        return gone or f"{self.facts.title(card)} is not in your hand, and cannot come to it by then"

    def _not_there(self, wish: Wish, city: City) -> str:
        """Say why no card that fits a wish can lie in the section of a city then; or ""."""
        facts = self.facts
        fitting = [wish.card] if wish.card else [card for card in facts.cards if facts.fits(card, wish)]
        why = [self._elsewhere(card, city) for card in fitting]
        return why[0] if why and all(why) else ""

    def _elsewhere(self, card: Card, city: City) -> str:
        facts, then, title = self.facts, self.then, self.facts.title(card)
        if why := then.gone.get(card):
            return why
        if not then.resting:
            return ""
        if card in then.hand or card in self.view.hand:
            return f"{title} is in a hand, and never lies in a field again"
        here = facts.cities[city].section
        for section, cards in self.view.fields.items():
            if card in cards and section != here:
                return f"{title} lies in {section}, and the cards at {facts.cities[city].name} are {here}"
        for seat in self.view.rivals():
            if card in self.view.players[seat].known:
                return f"{title} is in the hand of {seat}, and never lies in a field again"
        return ""

    def provided(self) -> tuple[str, ...]:
        """Return what must be so for the turn, a clause each."""
        facts, found = self.facts, [f"you hold {self.facts.title(card)}" for card in self.turn.cards]
        match self.turn.action:
            case PlayCards(cards):
                titles = ", ".join(facts.title(card) for card in cards)
                found.append(f"you hold {titles} and can pay")
            case TakeTokens():
                found.append(f"the tokens lie there and you hold fewer than {facts.token_limit}")
            case TakeCards():
                found.append(f"the cards lie there and you hold fewer than {facts.hand_limit}")
            case None:
                found.append("no action is possible there")
        if self.turn.trade is not None:
            found.append(f"the ship of {self.turn.trade.partner} is there")
        return tuple(found)

    def claims(self, before: Sequence[Move | None] | None) -> Iterator[str]:
        """Yield what becomes of each claim: its token may be worth less by then, or cannot be had.

        Args:
            before: What the seat does at its own asks until then; None if that is not known.

        Source: rulebook, "Possibilities", TASKS.
        """
        played = None
        if before is not None and None not in before:
            turns = [move for move in (*before, self.turn) if isinstance(move, Turn)]
            played = [*self.view.own.played, *(card for turn in turns for card in turn.played)]
        for task in self.turn.claim:
            name, points = self.facts.tasks[task].name, self.view.tasks.get(task, ())
            if why := why_not(self.facts, self.view, played, task):
                yield f"Nothing can be claimed: {why}"
            elif points[1:]:
                fewer = f"{points[1]} if another seat takes one before"
                yield f"A token for {name} brings {points[0]} points, or {fewer}"
            else:
                yield f"The token for {name} brings {points[0]} points, if no other seat takes it before"

    def unknown(self) -> str:
        """Return why the turn cannot be judged, as a clause; or ""."""
        for card in (*self.turn.cards, *self.turn.played):
            if card not in self.then.hand:
                return f"whether you get {self.facts.title(card)} is not known yet"
        return ""
