"""What a turn comes to: the course, the action, the claim and the offer that an order leads to on a view."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.core.interface import Problem
from pbem.rules.game_of_powers.actions import can_act, play_cards, take_cards, take_tokens
from pbem.rules.game_of_powers.facts import Facts, plus
from pbem.rules.game_of_powers.moves import Action, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Proposal
from pbem.rules.game_of_powers.sailing import Course, find_course
from pbem.rules.game_of_powers.state import Card, Task, Token, Tokens
from pbem.rules.game_of_powers.tasks import claim_token
from pbem.rules.game_of_powers.trading import check_deal
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import leave_out


@dataclass(slots=True)
class Plan:
    """What a turn comes to; only the parts before the first problem that is not bearable count.

    Attributes:
        course: How the ship sails; where it cannot, it stays.
        hand: The cards in hand after the action, but for what the fields are filled with.
        tokens: The tokens after the action.
        action: The action as it is ordered.
        taken_tokens: The tokens that are taken.
        taken_cards: The cards that are taken.
        played: The cards that are played, in this order.
        claim: The task that a token is collected of.
        offer: The trade that is offered.
        problems: What is wrong with the order.
    """

    course: Course
    hand: tuple[Card, ...]
    tokens: Tokens
    action: Action | None = None
    taken_tokens: tuple[Token, ...] = ()
    taken_cards: tuple[Card, ...] = ()
    played: tuple[Card, ...] = ()
    claim: Task | None = None
    offer: Proposal | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_legal(self) -> bool:
        """Whether it can be carried out, be it not all of it."""
        return all(problem.bearable for problem in self.problems)


def plan_turn(facts: Facts, view: View, turn: Turn) -> Plan:
    """Return what a turn of the owner of a view comes to.

    Source: rulebook, "Gameplay": sail, then one action, then tasks and trade.
    """
    course, problems = find_course(facts, view, turn)
    if course is None:
        stays = Course(view.berth, view.own.direction)
        return Plan(stays, view.hand, view.tokens, problems=[*problems])
    plan = plan_action(facts, view, course, turn.action)
    if plan.is_legal and turn.claim:
        plan.claim, problems = claim_token(facts, view, (*view.own.played, *plan.played), turn.claim)
        plan.problems.extend(problems)
    if plan.is_legal and turn.trade is not None:
        problems = _check_trade(facts, view, turn.trade, plan)
        plan.problems.extend(one._replace(bearable=True, lasting=False) for one in problems)
        plan.offer = None if problems else turn.trade
    return plan


def plan_action(facts: Facts, view: View, course: Course, action: Action | None) -> Plan:
    """Return what a turn comes to that sails a legal course and performs an action, or none.

    Source: rulebook, "Action", a: one of three must be performed; none only where none is possible (ruling).
    """
    plan = Plan(course, without(view.hand, course.cards), view.tokens, action)
    problems: tuple[Problem, ...] = ()
    match action:
        case TakeTokens(types):
            plan.taken_tokens, problems = take_tokens(facts, view, course.city, types)
            plan.tokens = plus(plan.tokens, facts.count_tokens(plan.taken_tokens))
        case TakeCards(wishes):
            plan.taken_cards, problems = take_cards(facts, view, course, wishes)
            plan.hand = facts.in_order((*plan.hand, *plan.taken_cards))
        case PlayCards(cards):
            plan.played, plan.tokens, problems = play_cards(facts, view, course, cards)
            plan.hand = without(plan.hand, plan.played)
        case None:
            if can_act(facts, view, course):
                name = facts.cities[course.city].name
                hint = "Write take_tokens, take_cards or play_cards."
                problems = (Problem((), f"an action is missing, and at {name} one is possible", hint),)
    plan.problems.extend(problems)
    return plan


def _check_trade(facts: Facts, view: View, trade: Proposal, plan: Plan) -> tuple[Problem, ...]:
    """Return what is wrong with an offer: the partner's ship must be where the turn ends.

    Source: rulebook, "Possibilities", TRADE.
    """
    if not view.may_trade:
        return (Problem(("trade",), "this game is played without trade", *leave_out("trade")),)
    city = plan.course.city
    if view.players[trade.partner].city != city:
        name, here = facts.cities[city].name, view.rivals_at(city)
        there = f"There you meet {' and '.join(here)}." if here else "There you meet no other ship."
        text = f"the ship of {trade.partner} is not at {name}, where yours ends"
        return (Problem(("trade", "with"), text, there),)
    if problems := check_deal(facts, view, trade.partner, trade.deal, plan.tokens, plan.hand, ("trade",)):
        return problems
    for number, terms in enumerate(trade.accepts):
        at: tuple[str | int, ...] = ("trade", "counters", number)
        if problems := check_deal(facts, view, trade.partner, terms, plan.tokens, plan.hand, at):
            return problems
    return ()
