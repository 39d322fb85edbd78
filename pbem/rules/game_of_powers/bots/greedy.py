"""The greedy bot: the turn, and the trade, after which its position is worth most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

from pbem.core.bots import pick_best
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.game_of_powers.actions import can_act, dear_first, due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.bots.worth import Appraiser, Standing
from pbem.rules.game_of_powers.facts import Facts, minus, plus
from pbem.rules.game_of_powers.moves import Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Answer, Counter, Decline, Proposal
from pbem.rules.game_of_powers.plan import Plan
from pbem.rules.game_of_powers.sailing import courses
from pbem.rules.game_of_powers.state import WAYS, Card, Deal, Lot, Token, Tokens, Wants
from pbem.rules.game_of_powers.tasks import claimable
from pbem.rules.game_of_powers.trading import cards_to_give, check_deal
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ranking import without

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
        found = [*self._plans()]
        return self.whole(pick_best(self.dice, found, [*map(self._worth, found)], "turn"))

    def ranked(self) -> list[Plan]:
        """Return the turns worth thinking of, the best first; equal ones as they are found."""
        return sorted(self._plans(), key=lambda plan: -self._worth(plan))

    def whole(self, plan: Plan) -> Turn:
        """Return a turn with the claim and the trade that go with it."""
        standing = self._standing(plan)
        tasks = claimable(self.facts, self.view, standing.played)
        claim = tuple(sorted(tasks, key=lambda task: -self.view.tasks[task][0]))
        return plan.course.turn(plan.action, claim, self._proposal(standing))

    def _plans(self) -> Iterator[Plan]:
        """Yield turns worth thinking of: cards are spent on sailing only to play others."""
        facts, view, tokens = self.facts, self.view, self.view.tokens
        for course in courses(facts, view, facts.cheapest(view.hand)):
            hand = without(view.hand, course.cards)
            played, left, _ = play_cards(facts, view, course, dear_first(facts, course, hand))
            if played:
                yield Plan(course, without(hand, played), left, PlayCards(played), played=played)
            if course.cards:
                continue
            idle = Plan(course, hand, tokens)
            if taken := self._cards(idle):
                action = TakeCards.of(taken)
                yield Plan(course, (*hand, *taken), tokens, action, taken_cards=taken)
            if due := due_tokens(facts, view, course.city):
                yield self._with_tokens(idle, due)
            if not can_act(facts, view, course):
                yield idle

    def _cards(self, idle: Plan) -> tuple[Card, ...]:
        """Return the open cards to take, one after the other the one that is worth most."""
        standing, field = self._standing(idle), self.view.fields[self.view.cities[idle.course.city].section]
        taken: tuple[Card, ...] = ()
        for _ in range(due_cards(self.facts, self.view, idle.course)):
            hands = {card: (*standing.hand, *taken, card) for card in field if card not in taken}
            worth = {card: self.appraiser.worth(standing._replace(hand=hand)) for card, hand in hands.items()}
            taken = (*taken, max(worth, key=worth.__getitem__))
        return taken

    def _with_tokens(self, idle: Plan, due: int) -> Plan:
        """Return a turn that takes tokens, one after the other the one that is worth most."""
        standing, left = self._standing(idle), self.view.cities[idle.course.city].tokens
        taken: tuple[Token, ...] = ()
        for _ in range(due):
            kinds = [one for one in self.facts.types if left[one]]
            options = {one: standing._replace(tokens=plus(standing.tokens, {one: 1})) for one in kinds}
            worth = {one: self.appraiser.worth(option) for one, option in options.items()}
            best = max(worth, key=worth.__getitem__)
            standing, left, taken = options[best], minus(left, {best: 1}), (*taken, best)
        return Plan(idle.course, idle.hand, standing.tokens, TakeTokens(taken), taken_tokens=taken)

    def _standing(self, plan: Plan) -> Standing:
        played = (*self.view.own.played, *plan.played)
        return Standing(plan.hand, plan.tokens, played, plan.course.city, plan.course.direction)

    def _worth(self, plan: Plan) -> float:
        return self.appraiser.worth(self._standing(plan))

    def _now(self) -> Standing:
        own = self.view.own
        return Standing(self.view.hand, self.view.tokens, own.played, self.view.berth, own.direction)

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
        return self._best_swap(standing, self.view.rivals_at(standing.city))

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
        standing, table = self._now(), self.view.table
        before, reply = self.appraiser.worth(standing), Accept(None)
        given = cards_to_give(self.facts, self.view, reply)
        if given is not None:
            hand = (*without(self.view.hand, given), *table.deal.give.cards)
            then, deal = standing._replace(hand=hand), table.deal
            if self._after(then, deal.want.tokens, deal.give.tokens) - before >= GAIN:
                return reply
        if self.view.kind == "trade":
            swap = self._best_swap(standing, [table.by])
            if swap is not None:
                return Counter(swap.deal)
        return Decline()
