"""Bots: one that orders anything, and one that weighs points; and the least order of a silent seat."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers.actions import due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.check import kind_for
from pbem.rules.game_of_powers.deals import Purse, random_deal
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.greedy import Greed
from pbem.rules.game_of_powers.orders import ANY, write_deal, write_turn
from pbem.rules.game_of_powers.plan import plan_turn
from pbem.rules.game_of_powers.sailing import Course, courses
from pbem.rules.game_of_powers.state import (
    ANTICLOCKWISE,
    CLOCKWISE,
    Accept,
    Action,
    Answer,
    Card,
    Counter,
    Deal,
    Decline,
    Place,
    PlayCards,
    Proposal,
    TakeCards,
    TakeTokens,
    Token,
    Tokens,
    Turn,
    Wish,
)
from pbem.rules.game_of_powers.tasks import claimable
from pbem.rules.game_of_powers.trading import check_accept, check_deal
from pbem.rules.game_of_powers.view import View

SELDOM = 4
"""The random bot returns a card to sail, or leaves a task token, in one of so many turns."""
OFTEN = 2
"""It offers a trade in one of so many turns in which it can."""


def least(facts: Facts, view: View) -> Json:
    """Return the least that a silent seat can order: one space ahead, and what it finds there.

    Source: rulebook, "Gameplay": the ship must be moved and an action performed.
    """
    if view.me is None or view.kind == "over":
        return None
    match kind_for(view):
        case "start city":
            return {"place": facts.ring[0], "facing": CLOCKWISE}
        case "move":
            return write_turn(facts, _least_turn(facts, view))
        case _:
            return {"decline": True}


def _least_turn(facts: Facts, view: View) -> Turn:
    city, direction = view.own.city, view.own.direction
    assert city is not None, "a ship on turn was placed"
    course = Course(facts.ahead(city, direction), direction, 1, None, None)
    action: Action | None = None
    playable, _, _ = play_cards(facts, view, course, view.hand)
    if due_tokens(facts, view, course.city):
        action = TakeTokens((Token(ANY),) * facts.taken_tokens)
    elif due_cards(facts, view, course):
        action = TakeCards((Wish(),) * facts.taken_cards)
    elif playable:
        action = PlayCards(playable)
    return Turn(1, None, None, action, (), None)


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it is not asked.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    if skill not in ("random", "greedy"):
        raise ValueError(f"expected the skill random or greedy, got {skill!r}")
    if view.me is None or view.me != view.asked:
        return None
    greed = Greed(facts, view, dice) if skill == "greedy" else None
    match view.kind:
        case "start city":
            place = greed.place() if greed else _any_place(facts, dice)
            return {"place": place.city, "facing": place.facing}
        case "move":
            return write_turn(facts, greed.turn() if greed else _any_turn(facts, view, dice))
        case _:
            return write_answer(facts, greed.answer() if greed else _any_answer(facts, view, dice))


def write_answer(facts: Facts, answer: Answer) -> dict[str, Json]:
    """Return an answer to an offer as an order."""
    match answer:
        case Accept(terms):
            return {"accept": True if terms is None else write_deal(facts, terms)}
        case Decline():
            return {"decline": True}
        case Counter(deal):
            return {"counter": write_deal(facts, deal)}


def _any_place(facts: Facts, dice: Dice) -> Place:
    return Place(dice.pick(facts.ring, "city"), dice.pick((CLOCKWISE, ANTICLOCKWISE), "way"))


def _any_turn(facts: Facts, view: View, dice: Dice) -> Turn:
    """Return any turn; a card is returned to sail now and then only."""
    ways = tuple(courses(facts, view, dice.shuffled(view.hand, "hand")))
    free = tuple(course for course in ways if not course.cards)
    course = dice.pick(ways if dice.below(SELDOM, "spend") == 0 else free, "course")
    turn = Turn(course.city, course.reverse, course.extra, _any_action(facts, view, dice, course), (), None)
    plan = plan_turn(facts, view, turn)
    tasks = claimable(facts, view, (*view.own.played, *plan.played))
    claim = dice.shuffled(tasks, "claim") if dice.below(SELDOM, "leave") else ()
    trade = _any_proposal(facts, view, dice, course, plan.tokens, plan.hand)
    return Turn(course.city, course.reverse, course.extra, turn.action, claim, trade)


def _any_action(facts: Facts, view: View, dice: Dice, course: Course) -> Action | None:
    options: list[Action] = []
    if due_tokens(facts, view, course.city):
        options.append(TakeTokens((*dice.shuffled(facts.types, "types"), Token(ANY), Token(ANY))))
    if due_cards(facts, view, course):
        field = view.fields[view.cities[course.city].section]
        wishes = [Wish(card=card) for card in dice.shuffled(field, "field")]
        options.append(TakeCards((*wishes, Wish())))
    played, _, _ = play_cards(facts, view, course, dice.shuffled(view.hand, "play"))
    if played:
        options.append(PlayCards(played))
    return dice.pick(options, "action") if options else None


def _any_proposal(
    facts: Facts, view: View, dice: Dice, course: Course, tokens: Tokens, hand: tuple[Card, ...]
) -> Proposal | None:
    here = [seat for seat in view.rivals() if view.players[seat].city == course.city]
    if not view.may_trade or not here or dice.below(OFTEN, "offer"):
        return None
    partner = dice.pick(here, "partner")
    deal = _any_deal(facts, view, dice, partner, tokens, hand, "offer")
    counters = [
        _any_deal(facts, view, dice, partner, tokens, hand, f"counter/{number}")
        for number in range(dice.below(3, "counters"))
    ]
    return (
        None if deal is None else Proposal(partner, deal, tuple(one for one in counters if one is not None))
    )


def _any_deal(
    facts: Facts, view: View, dice: Dice, other: Seat, tokens: Tokens, hand: tuple[Card, ...], label: str
) -> Deal | None:
    """Return any deal with another seat that can be offered."""
    side = view.players[other]
    mine, yours = Purse(tokens, hand, len(hand)), Purse(side.tokens, side.known, side.hand)
    deal = random_deal(facts, mine, yours, dice, label)
    return deal if deal is not None and not check_deal(facts, view, other, deal, tokens, hand, ()) else None


def _any_answer(facts: Facts, view: View, dice: Dice) -> Answer:
    assert view.trade is not None, "there is an offer on the table"
    answers: list[Answer] = [Decline()]
    if not check_accept(facts, view, Accept(None)):
        answers += [Accept(None), Accept(None)]
    if view.kind == "trade":
        deal = _any_deal(facts, view, dice, view.trade.by, view.tokens, view.hand, "counter")
        answers += [] if deal is None else [Counter(deal)]
    return dice.pick(answers, "answer")
