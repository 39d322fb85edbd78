"""Action: take tokens, take cards or play cards (rulebook, "Action")."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.interface import Problem
from pbem.rules.game_of_powers.facts import Facts, minus, plus, total
from pbem.rules.game_of_powers.moves import ANY
from pbem.rules.game_of_powers.orders import wish_in_words
from pbem.rules.game_of_powers.sailing import Course, not_in_hand
from pbem.rules.game_of_powers.state import Card, City, Token, Tokens, Wish
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.words import count


def due_tokens(facts: Facts, view: View, city: City) -> int:
    """Return how many tokens must be taken at a city: two, or as many as limit and field allow.

    Source: rulebook, "Action", TAKE TOKENS; a player holds 10 at most.
    """
    room = facts.token_limit - view.own.held
    return max(0, min(facts.taken_tokens, room, total(view.cities[city].tokens)))


def take_tokens(
    facts: Facts, view: View, city: City, types: Sequence[Token]
) -> tuple[tuple[Token, ...], tuple[Problem, ...]]:
    """Return the tokens that preferences come to at a city, or what is wrong with them.

    Source: rulebook, "Action", TAKE TOKENS; preferences are walked through until all that are due are taken.
    """
    name, field = view.cities[city].name, view.cities[city].tokens
    due = due_tokens(facts, view, city)
    if due == 0:
        full = view.own.held >= facts.token_limit
        why = f"you hold {view.own.held} tokens, the most there is" if full else f"no token is left at {name}"
        return (), (Problem(("take_tokens",), why, "Take or play cards instead."),)
    taken, missing = list[Token](), list[str]()
    for one in types:
        left = minus(field, facts.count_tokens(taken))
        kind = next(iter(needed_first(facts, view, left, taken)), None) if one == ANY else one
        if kind is None or not left.get(kind, 0):
            missing.append(one)
        elif len(taken) < due:
            taken.append(kind)
    if len(taken) == due:
        return tuple(taken), ()
    there = [f"{number} {one}" for one, number in field.items() if number]
    return (), _too_few("token", "type", due, f"at {name}", there, len(taken), missing)


def needed_first(facts: Facts, view: View, left: Tokens, taken: Sequence[Token]) -> list[Token]:
    """Return the types on a field, those first that the seat then holds least of."""
    held = plus(view.tokens, facts.count_tokens(taken))
    return sorted((one for one in facts.types if left[one]), key=lambda one: held[one])


def due_cards(facts: Facts, view: View, course: Course) -> int:
    """Return how many cards must be taken: two, or as many as limit and section allow.

    Source: rulebook, "Action", TAKE CARDS; a player holds 10 at most.
    """
    room = facts.hand_limit - (len(view.hand) - len(course.cards))
    return max(0, min(facts.taken_cards, room, len(view.fields[view.cities[course.city].section])))


def take_cards(
    facts: Facts, view: View, course: Course, wishes: Sequence[Wish]
) -> tuple[tuple[Card, ...], tuple[Problem, ...]]:
    """Return the cards that preferences come to in the section of a city, or what is wrong with them.

    Of several that fit a wish the one with the most points is taken.

    Source: rulebook, "Action", TAKE CARDS.
    """
    section = view.cities[course.city].section
    field, due = view.fields[section], due_cards(facts, view, course)
    if due == 0:
        held = len(view.hand) - len(course.cards)
        why = f"you hold {held} cards, the most there is" if field else f"no card lies open in {section}"
        return (), (Problem(("take_cards",), why, "Take tokens or play cards instead."),)
    taken, missing = list[Card](), list[str]()
    for wish in wishes:
        found = best_fit(facts, [card for card in field if card not in taken], wish)
        if found is None:
            missing.append(wish_in_words(facts, wish))
        elif len(taken) < due:
            taken.append(found)
    if len(taken) == due:
        return tuple(taken), ()
    there = [facts.title(card) for card in field]
    return (), _too_few("card", "wish", due, f"in {section}", there, len(taken), missing)


def _too_few(
    what: str, each: str, due: int, place: str, there: Sequence[str], named: int, missing: Sequence[str]
) -> tuple[Problem, ...]:
    """Say that preferences come to fewer tokens or cards than must be taken, and which fit nothing there.

    Args:
        what: What is to be taken: "token" or "card".
        each: What a preference for one names: "type" or "wish".
        due: How many must be taken.
        place: Where they lie: "at London".
        there: What lies there.
        named: How many of the preferences could be met.
        missing: The preferences that fit nothing there.
    """
    must = f"{count(due, what)} must be taken {place} ({', '.join(there)})"
    absent = f"Not there: {', '.join(missing)}. " if missing else ""
    hint = f"{absent}Name a {each} for each, in the order of preference, or write take_{what}s: any."
    return (Problem((f"take_{what}s",), f"{must}; named and there: {named}", hint),)


def best_fit(facts: Facts, cards: Sequence[Card], wish: Wish) -> Card | None:
    """Return the card with the most points that fits a wish, the lowest number where they are equal."""
    return next((card for card in facts.best_first(cards) if facts.fits(card, wish)), None)


def dear_first(facts: Facts, course: Course, hand: Sequence[Card]) -> list[Card]:
    """Return the cards of a hand that come from where a course ends, dear ones first."""
    here = [card for card in hand if facts.cards[card].site == course.city and card not in course.cards]
    return sorted(here, key=lambda card: -facts.cards[card].score)


def cost(facts: Facts, place: int) -> int:
    """Return the tokens that a card played costs: the first one in a turn is cheaper.

    Source: rulebook, "Action", NOTE 2.
    """
    return facts.first_card if place == 0 else facts.next_cards


def play_cards(
    facts: Facts, view: View, course: Course, cards: Sequence[Card]
) -> tuple[tuple[Card, ...], Tokens, tuple[Problem, ...]]:
    """Return which cards can be played, the tokens that are left then, and what is wrong with the others.

    If one card can be played, the problems are bearable: an order written before is played for the rest.

    Source: rulebook, "Action", PLAY CARDS; NOTE 1: only at the city the card comes from; NOTE 2: the costs.
    """
    port = view.cities[course.city]
    if not port.site:
        sites = ", ".join(facts.cities[site].name for site in facts.sites)
        text = f"no card can be played at {port.name}"
        return (), view.tokens, (Problem(("play_cards",), text, f"Cards are played at {sites}."),)
    played, tokens, problems = list[Card](), view.tokens, list[Problem]()
    for place, card in enumerate(cards):
        price = cost(facts, len(played))
        if card in played:
            again = f"{facts.title(card)} is named twice"
            problems.append(Problem(("play_cards", place), again, "Name each card once, by number or name."))
        elif problem := _unplayable(facts, view, course, card, tokens, price, place):
            problems.append(problem)
        else:
            tokens = minus(tokens, {facts.cards[card].token: price})
            played.append(card)
    if played:
        problems = [Problem(one.path, one.text, one.hint, bearable=True) for one in problems]
    return tuple(played), tokens, tuple(problems)


def _unplayable(
    facts: Facts, view: View, course: Course, card: Card, tokens: Tokens, price: int, place: int
) -> Problem | None:
    path = ("play_cards", place)
    if card not in view.hand:
        return not_in_hand(facts, view, path, card)
    if why := misplaced(facts, card, course.city, course.cards):
        return Problem(path, why)
    face = facts.cards[card]
    if tokens[face.token] < price:
        text = f"{facts.title(card)} costs {price} {face.token} here, and you have {tokens[face.token]}"
        first, more = facts.first_card, facts.next_cards
        return Problem(path, text, f"The first card of a turn costs {first} token, each further one {more}.")
    return None


def misplaced(facts: Facts, card: Card, city: City, returned: Sequence[Card]) -> str:
    """Say why a card cannot be played at a site after some were returned to sail; "" if it belongs there."""
    face = facts.cards[card]
    if card in returned:
        return f"{facts.title(card)} is returned to sail, and cannot be played too"
    there, here = facts.cities[face.site].name, facts.cities[city].name
    return (
        "" if face.site == city else f"{facts.title(card)} comes from {there}, and your ship ends at {here}"
    )


def can_act(facts: Facts, view: View, course: Course) -> bool:
    """Tell whether any action is possible at the end of a course; only if none is may a turn be without one.

    Source: rulebook, "Action", a: the player must perform one of the three.
    """
    if due_tokens(facts, view, course.city) or due_cards(facts, view, course):
        return True
    price = facts.first_card
    return not all(_unplayable(facts, view, course, card, view.tokens, price, 0) for card in view.hand)
