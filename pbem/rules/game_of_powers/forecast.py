"""What a legal order will do, in sentences for the seat that gives it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.interface import Forecast
from pbem.core.wording import sentence_list
from pbem.rules.game_of_powers.actions import cost
from pbem.rules.game_of_powers.facts import Facts, minus, total
from pbem.rules.game_of_powers.moves import Move, Place, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline
from pbem.rules.game_of_powers.orders import deal_in_words
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.state import City, Deal, Direction
from pbem.rules.game_of_powers.trading import cards_to_give, describe
from pbem.rules.game_of_powers.view import View
from pbem.rules.game_of_powers.wording import RETURNED_TO
from pbem.rules.kit.words import count, listing


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what a move will do; it is legal on the view."""
    if view.me is None:
        return Forecast(())
    match move:
        case Place():
            return Forecast(tuple(_after_placing(facts, move)))
        case Turn():
            return Forecast(tuple(_after_turn(facts, view, move)))
        case Accept():
            return Forecast(tuple(_after_accepting(facts, view, move)))
        case Decline():
            return Forecast(("You decline: nothing changes hands.",))
        case Counter(deal):
            return Forecast(tuple(_offered(facts, view.table.by, deal)))


def _after_placing(facts: Facts, move: Place) -> Iterator[str]:
    direction = facts.heading(move.city, move.facing)
    assert direction is not None, "the order is legal"
    harbour = facts.cities[move.city]
    yield f"Your ship starts at {harbour.name}, its bow {direction}. Cards there are {harbour.section}."
    yield _reach(facts, move.city, direction)


def _after_turn(facts: Facts, view: View, turn: Turn) -> Iterator[str]:
    plan = plan_turn(facts, view, turn)
    course = plan.course
    if not course.spaces:
        return
    name = facts.cities[course.city].name
    for use, card in course.returned.items():
        what = RETURNED_TO[use]
        yield f"You return {facts.title(card)} to {what}; it would be worth {facts.cards[card].score}."
    yield f"You sail {count(course.spaces, 'space')} {course.direction} to {name}."
    yield from say_action(facts, view, plan)
    if plan.taken_cards:
        yield from say_pile(facts, view, len(course.cards), len(plan.taken_cards))
    yield from say_too_many(facts, plan)
    if plan.claim is not None:
        yield f"You claim {facts.tasks[plan.claim].name}: {view.tasks[plan.claim][0]} points."
    yield _holdings(facts, view, plan)
    if turn.trade is not None and plan.offer is not None:
        yield from _offered(facts, turn.trade.partner, turn.trade.deal)
        for terms in turn.trade.accepts:
            yield _accepted(facts, terms)
    yield _reach(facts, course.city, course.direction)


def say_action(facts: Facts, view: View, plan: Plan) -> Iterator[str]:
    """Say what the action of a plan brings."""
    port = view.cities[plan.course.city]
    if plan.taken_tokens:
        left = minus(port.tokens, facts.count_tokens(plan.taken_tokens))
        rest = ", ".join(facts.in_words(left)) or "none, so the field is filled anew"
        yield f"You take {listing(plan.taken_tokens)}; at {port.name} are left: {rest}."
    elif plan.taken_cards:
        yield f"You take {listing([facts.title(card) for card in plan.taken_cards])}; all see which."
    elif plan.played:
        for place, card in enumerate(plan.played):
            face = facts.cards[card]
            yield f"You play {facts.title(card)} for {cost(facts, place)} {face.token}: {face.score} points."
    else:
        yield f"Nothing can be done at {port.name}."


def say_pile(facts: Facts, view: View, returned: int, taken: int) -> Iterator[str]:
    """Say that the pile is too small for so many cards taken, after so many were returned to sail."""
    pile = view.pile + (0 if facts.is_resting(view.order) else returned)
    if pile < taken:
        what = "the field stays as you leave it" if view.last_round else "this begins the last round"
        yield f"The pile holds {count(pile, 'card')}: {what}."


def say_too_many(facts: Facts, plan: Plan) -> Iterator[str]:
    """Say that a limit, and not the order, decides how many cards or tokens are taken."""
    match plan.action:
        case TakeCards(wishes):
            taken, named = len(plan.taken_cards), min(len(wishes), facts.taken_cards)
            what, held, limit = "card", len(plan.hand), facts.hand_limit
        case TakeTokens(types):
            taken, named = len(plan.taken_tokens), min(len(types), facts.taken_tokens)
            what, held, limit = "token", total(plan.tokens), facts.token_limit
        case _:
            return
    if 0 < taken < named and held >= limit:
        most = count(taken, what)
        yield f"You take {most} only: you hold {held} then, the most there is. The rest is ignored."


def _holdings(facts: Facts, view: View, plan: Plan) -> str:
    """Say what the seat has after its turn, and its points."""
    gained = facts.points_of(plan.played) + (view.tasks[plan.claim][0] if plan.claim is not None else 0)
    points = f"your points stay {view.own.points}"
    if gained:
        points = f"your points go from {view.own.points} to {view.own.points + gained}"
    tokens = ", ".join(facts.tokens_in_words(plan.tokens)) or "no token"
    cards = ", ".join(facts.title(card) for card in facts.in_order(plan.hand)) or "no card"
    return f"Then {points}; you hold {cards}, and {tokens} (together {len(plan.hand) + total(plan.tokens)})."


def _offered(facts: Facts, partner: Seat, deal: Deal) -> Iterator[str]:
    give, want = map(sentence_list, deal_in_words(facts, deal))
    who = partner.capitalize()
    yield f"You offer {who} {give} for {want}; silence declines."
    if deal.give.cards:
        yield f"The offer shows {who} the cards that you name; all see them if it is accepted."
    yield "It is made after all else of your turn, so what you take now can be in it."


def _accepted(facts: Facts, terms: Deal) -> str:
    """Say which counter-offer is accepted at once."""
    give, want = map(sentence_list, deal_in_words(facts, terms))
    return f"A counter-offer in which you give {give} at most, for {want} at least, is accepted at once."


def _after_accepting(facts: Facts, view: View, answer: Accept) -> Iterator[str]:
    yield f"You accept: {describe(facts, view)}."
    if cards := cards_to_give(facts, view, answer):
        yield f"You hand over {listing([facts.title(card) for card in cards])}; all see which."


def _reach(facts: Facts, city: City, direction: Direction) -> str:
    """Say where the ship can go from a city."""
    near = facts.near(city, direction)
    return f"From there you reach {' or '.join(facts.cities[one].name for one in near)} without a card."
