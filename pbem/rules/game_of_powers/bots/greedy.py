"""The greedy bot: the turn, and the trade, after which its position is worth most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product

from pbem.core.bots import pick_best
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.game_of_powers.actions import can_act, dear_first, due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.bots.worth import Appraiser, Standing
from pbem.rules.game_of_powers.choices import cheapest
from pbem.rules.game_of_powers.facts import Facts, minus, plus
from pbem.rules.game_of_powers.moves import (
    Accept,
    Action,
    Answer,
    Counter,
    Decline,
    Place,
    PlayCards,
    Proposal,
    TakeCards,
    TakeTokens,
    Turn,
)
from pbem.rules.game_of_powers.plan import Plan
from pbem.rules.game_of_powers.sailing import Course, courses
from pbem.rules.game_of_powers.state import WAYS, Card, Deal, Lot, Tokens, Wants, Wish
from pbem.rules.game_of_powers.tasks import claimable
from pbem.rules.game_of_powers.trading import cards_to_give, check_accept, check_deal
from pbem.rules.game_of_powers.view import View

GAIN = 0.3
"""A trade must be worth so many points to its seat."""


class Greed:
    """A seat that is asked weighs what it can do."""

    def __init__(self, facts: Facts, view: View, dice: Dice) -> None:
        self.facts = facts
        self.view = view
        self.dice = dice
        self.appraiser = Appraiser(facts, view)

    def place(self) -> Place:
        """Return where the ship starts; equal places are drawn from."""
        return self.dice.pick(self.places(), "place")

    def places(self) -> list[Place]:
        """Return the best places for the ship to start: the sites of the hand soon come by."""
        facts, worth = self.facts, dict[Place, float]()
        for city, way in product(facts.ring, WAYS):
            found = 0.0
            for face in (facts.cards[card] for card in self.view.hand):
                spaces = facts.spaces(city, face.site, way) or len(facts.ring)
                found += face.score / (2 + abs(spaces - 3))
            worth[Place(city, way)] = found
        best = max(worth.values())
        return [place for place, found in worth.items() if found == best]

    def turn(self) -> Turn:
        """Return the best turn; equal ones are drawn from."""
        found = [*self._turns()]
        worth = [self._worth(course, plan) for course, _, plan in found]
        return self.whole(*pick_best(self.dice, found, worth, "turn"))

    def ranked(self) -> list[tuple[Course, Action | None, Plan]]:
        """Return the turns worth thinking of, the best first; equal ones as they are found."""
        return sorted(self._turns(), key=lambda one: -self._worth(one[0], one[2]))

    def whole(self, course: Course, action: Action | None, plan: Plan) -> Turn:
        """Return a turn with the claim and the trade that go with it."""
        played = (*self.view.own.played, *plan.played)
        tasks = claimable(self.facts, self.view, played)
        claim = tuple(sorted(tasks, key=lambda task: -self.view.tasks[task][0]))
        standing = self._standing(course, plan)
        return Turn(course.city, course.reverse, course.extra, action, claim, self._proposal(standing))

    def _turns(self) -> Iterator[tuple[Course, Action | None, Plan]]:
        """Yield turns worth thinking of: cards are spent on sailing only to play others."""
        for course in courses(self.facts, self.view, cheapest(self.facts, self.view)):
            hand = tuple(card for card in self.view.hand if card not in course.cards)
            played, tokens, _ = play_cards(
                self.facts, self.view, course, dear_first(self.facts, course, hand)
            )
            if played:
                left = tuple(card for card in hand if card not in played)
                yield course, PlayCards(played), Plan(left, tokens, course, played=played)
            if course.cards:
                continue
            if taken := self._cards(course, hand):
                plan = Plan((*hand, *taken), self.view.tokens, course, taken_cards=taken)
                yield course, TakeCards(tuple(Wish(card=card) for card in taken)), plan
            if due := due_tokens(self.facts, self.view, course.city):
                yield course, *self._tokens(course, hand, due)
            if not can_act(self.facts, self.view, course):
                yield course, None, Plan(hand, self.view.tokens, course)

    def _cards(self, course: Course, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the open cards to take, one after the other the one that is worth most."""
        field = self.view.fields[self.view.cities[course.city].section]
        taken: tuple[Card, ...] = ()
        for _ in range(due_cards(self.facts, self.view, course)):
            rest = [card for card in field if card not in taken]
            taken = (*taken, max(rest, key=self._with_card(course, (*hand, *taken))))
        return taken

    def _with_card(self, course: Course, hand: tuple[Card, ...]) -> Callable[[Card], float]:
        def worth(card: Card) -> float:
            return self._worth(course, Plan((*hand, card), self.view.tokens, course))

        return worth

    def _tokens(self, course: Course, hand: tuple[Card, ...], due: int) -> tuple[Action, Plan]:
        """Return the tokens to take, one after the other the one that is worth most."""
        plan, left = Plan(hand, self.view.tokens, course), self.view.cities[course.city].tokens
        taken = []
        for _ in range(due):
            options = [one for one in self.facts.types if left[one]]
            plans = {one: Plan(hand, plus(plan.tokens, {one: 1}), course) for one in options}
            best = max(options, key=lambda one: self._worth(course, plans[one]))
            plan, left = plans[best], minus(left, {best: 1})
            taken.append(best)
        return TakeTokens(tuple(taken)), plan

    def _standing(self, course: Course, plan: Plan) -> Standing:
        played = (*self.view.own.played, *plan.played)
        return Standing(plan.hand, plan.tokens, played, course.city, course.direction)

    def _worth(self, course: Course, plan: Plan) -> float:
        return self.appraiser.worth(self._standing(course, plan))

    def _now(self) -> Standing:
        own = self.view.own
        assert own.city is not None, "its ship was placed"
        return Standing(self.view.hand, self.view.tokens, own.played, own.city, own.direction)

    def swaps(self) -> list[tuple[float, Deal]]:
        """Return the swaps of a token that help the seat as it stands, with anybody; the best first."""
        standing, found = self._now(), dict[tuple[int, ...], tuple[float, Deal]]()
        for seat in self.view.rivals():
            for gain, deal in self._swaps(standing, seat):
                if gain >= GAIN:
                    found[*deal.give.tokens.values(), *deal.want.tokens.values()] = gain, deal
        return sorted(found.values(), key=lambda one: -one[0])

    def _proposal(self, standing: Standing) -> Proposal | None:
        """Return the swap of two tokens that helps most, with a ship in the same city."""
        if not self.view.may_trade:
            return None
        here = [seat for seat in self.view.rivals() if self.view.players[seat].city == standing.city]
        return self._best_swap(standing, here)

    def _best_swap(self, standing: Standing, seats: Iterable[Seat]) -> Proposal | None:
        """Return the swap of two tokens with one of some seats that helps most, if it helps and is legal."""
        found = [(gain, seat, deal) for seat in seats for gain, deal in self._swaps(standing, seat)]
        if not found:
            return None
        gain, seat, deal = max(found, key=lambda one: one[0])
        legal = not check_deal(self.facts, self.view, seat, deal, standing.tokens, standing.hand, ())
        return Proposal(seat, deal, ()) if gain >= GAIN and legal else None

    def _swaps(self, standing: Standing, seat: Seat) -> Iterator[tuple[float, Deal]]:
        """Yield what each swap of a token with a seat would be worth."""
        before, theirs = self.appraiser.worth(standing), self.view.players[seat].tokens
        for given, got in permutations(self.facts.types, 2):
            if standing.tokens[given] and theirs[got]:
                give, want = self.facts.count_tokens([given]), self.facts.count_tokens([got])
                yield self._after(standing, give, want) - before, Deal(Lot(give, ()), Wants(want, ()))

    def _after(self, standing: Standing, give: Tokens, get: Tokens) -> float:
        """Return what a standing is worth once tokens have changed hands."""
        return self.appraiser.worth(standing._replace(tokens=plus(minus(standing.tokens, give), get)))

    def answer(self) -> Answer:
        """Return the answer to what is on the table: what helps is accepted, or countered with what helps."""
        standing, table = self._now(), self.view.trade
        assert table is not None, "there is an offer on the table"
        before, reply = self.appraiser.worth(standing), Accept(None)
        if not check_accept(self.facts, self.view, reply):
            given = cards_to_give(self.facts, self.view, reply)
            hand = (*(card for card in self.view.hand if card not in given), *table.deal.give.cards)
            then, deal = standing._replace(hand=hand), table.deal
            if self._after(then, deal.want.tokens, deal.give.tokens) - before >= GAIN:
                return reply
        if self.view.kind == "trade":
            swap = self._best_swap(standing, [table.by])
            if swap is not None:
                return Counter(swap.deal)
        return Decline()
