"""The bot that orders anything."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.game_of_powers.actions import due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import ANY, Action, Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Answer, Counter, Decline, Proposal
from pbem.rules.game_of_powers.plan import Plan, plan_action
from pbem.rules.game_of_powers.redeal import Purse, random_deal
from pbem.rules.game_of_powers.sailing import Course, courses
from pbem.rules.game_of_powers.state import WAYS, Card, Deal, Tokens, Wish
from pbem.rules.game_of_powers.tasks import claimable
from pbem.rules.game_of_powers.trading import check_accept, check_deal
from pbem.rules.game_of_powers.view import View

SELDOM = 4
"""The random bot returns a card to sail, or leaves a task token, in one of so many turns."""
OFTEN = 2
"""It offers a trade in one of so many turns in which it can."""


def any_place(facts: Facts, dice: Dice) -> Place:
    """Return any city and way to start from."""
    return Place(dice.pick(facts.ring, "city"), dice.pick(WAYS, "way"))


def any_turn(facts: Facts, view: View, dice: Dice) -> Turn:
    """Return any turn; a card is returned to sail now and then only."""
    ways = tuple(courses(facts, view, dice.shuffled(view.hand, "hand")))
    free = tuple(course for course in ways if not course.cards)
    course = dice.pick(ways if dice.below(SELDOM, "spend") == 0 else free, "course")
    action = _any_action(facts, view, dice, course)
    plan = plan_action(facts, view, course, action)
    tasks = claimable(facts, view, (*view.own.played, *plan.played))
    claim = dice.shuffled(tasks, "claim") if dice.below(SELDOM, "leave") else ()
    return course.turn(action, claim, _any_proposal(facts, view, dice, plan))


def _any_action(facts: Facts, view: View, dice: Dice, course: Course) -> Action | None:
    options: list[Action] = []
    if due_tokens(facts, view, course.city):
        options.append(TakeTokens((*dice.shuffled(facts.types, "types"), ANY, ANY)))
    if due_cards(facts, view, course):
        field = view.fields[view.cities[course.city].section]
        wishes = [Wish(card=card) for card in dice.shuffled(field, "field")]
        options.append(TakeCards((*wishes, Wish())))
    played, _, _ = play_cards(facts, view, course, dice.shuffled(view.hand, "play"))
    if played:
        options.append(PlayCards(played))
    return dice.pick(options, "action") if options else None


def _any_proposal(facts: Facts, view: View, dice: Dice, plan: Plan) -> Proposal | None:
    here = view.rivals_at(plan.course.city)
    if not view.may_trade or not here or dice.below(OFTEN, "offer"):
        return None
    partner = dice.pick(here, "partner")
    deal = _any_deal(facts, view, dice, partner, plan.tokens, plan.hand, "offer")
    labels = [f"counter/{number}" for number in range(dice.below(3, "counters"))]
    found = [_any_deal(facts, view, dice, partner, plan.tokens, plan.hand, label) for label in labels]
    return None if deal is None else Proposal(partner, deal, tuple(filter(None, found)))


def _any_deal(
    facts: Facts, view: View, dice: Dice, other: Seat, tokens: Tokens, hand: tuple[Card, ...], label: str
) -> Deal | None:
    """Return any deal with another seat that can be offered."""
    side = view.players[other]
    mine, yours = Purse(tokens, hand, len(hand)), Purse(side.tokens, side.known, side.hand)
    deal = random_deal(facts, mine, yours, dice, label)
    return deal if deal is not None and not check_deal(facts, view, other, deal, tokens, hand, ()) else None


def any_answer(facts: Facts, view: View, dice: Dice) -> Answer:
    """Return any answer to the offer on the table."""
    answers: list[Answer] = [Decline()]
    if not check_accept(facts, view, Accept(None)):
        answers += [Accept(None), Accept(None)]
    if view.kind == "trade":
        deal = _any_deal(facts, view, dice, view.table.by, view.tokens, view.hand, "counter")
        answers += [] if deal is None else [Counter(deal)]
    return dice.pick(answers, "answer")
