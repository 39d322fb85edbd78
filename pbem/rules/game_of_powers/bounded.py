"""What can be taken and played where a ship ends, choice after choice: tables that the form page looks up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.core.interface import Json, Problem
from pbem.rules.game_of_powers.actions import due_cards, due_tokens, needed_first
from pbem.rules.game_of_powers.facts import Facts, minus
from pbem.rules.game_of_powers.forecast import say_action, say_pile, say_too_many
from pbem.rules.game_of_powers.moves import Action, PlayCards, TakeCards, TakeTokens
from pbem.rules.game_of_powers.plan import Plan, plan_action
from pbem.rules.game_of_powers.sailing import Course
from pbem.rules.game_of_powers.state import Card, City, Token
from pbem.rules.game_of_powers.tasks import claim_token
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.nets import Net


class Tables:
    """Tables of a turn, with every sentence once.

    A table is a tree of choices. A node holds `next`, each choice that can follow with the node after it,
    first the one that is made without a preference; `not`, why others cannot; `why`, what is wrong if nothing
    more is chosen; `said`, what the choices so far bring. Sentences are numbers of `lines`.

    What is wrong stands there without what would do: the page shows all that can be chosen.
    """

    def __init__(self, facts: Facts, view: View) -> None:
        self._facts = facts
        self._view = view
        self.net = Net()

    def wrong(self, problem: Problem) -> int:
        """Return the number of what is wrong."""
        return self.net.line(problem.text)

    def tokens(self, city: City, taken: tuple[Token, ...] = ()) -> dict[str, Json]:
        """Return the tokens that can be taken at a city; `due` is how many must be."""
        due = due_tokens(self._facts, self._view, city)
        left = minus(self._view.cities[city].tokens, self._facts.count_tokens(taken))
        types = needed_first(self._facts, self._view, left, taken) if due else []
        course = self._at(city)
        plan, full = self._plan(course, TakeTokens(taken)), TakeTokens.any(self._facts.taken_tokens)
        node = self._taken(plan, types, lambda one: self.tokens(city, (*taken, Token(one))))
        return node if taken else self._root(node, self._plan(course, full), due)

    def cards(self, course: Course, taken: tuple[Card, ...] = ()) -> dict[str, Json]:
        """Return the cards that can be taken where a course ends; `due` is how many must be."""
        due = due_cards(self._facts, self._view, course)
        field = self._view.fields[self._view.cities[course.city].section]
        rest = self._facts.best_first([card for card in field if card not in taken]) if due else []
        plan, full = self._plan(course, TakeCards.of(taken)), TakeCards.any(self._facts.taken_cards)
        node = self._taken(plan, rest, lambda one: self.cards(course, (*taken, Card(one))))
        return node if taken else self._root(node, self._plan(course, full), due)

    def _taken(self, plan: Plan, rest: Iterable[str], after: Callable[[str], Json]) -> dict[str, Json]:
        if plan.is_legal:
            return {}
        return {"why": self.wrong(plan.problems[0]), "next": [[one, after(one)] for one in rest]}

    def _root(self, node: dict[str, Json], full: Plan, due: int) -> dict[str, Json]:
        """Add to a node how much is due, and as `less` what is said where a limit lets less be taken."""
        less = self._lines(say_too_many(self._facts, full))
        return {**node, "due": due} | ({"less": less} if less else {})

    def plays(self, city: City, played: tuple[Card, ...] = ()) -> dict[str, Json]:
        """Return which cards can be played at a city; `tokens` are left then, `claims` as of `claims`."""
        course, node = self._at(city), dict[str, Json]()
        plan = self._plan(course, PlayCards(played))
        if not plan.is_legal:
            return {"why": self.wrong(plan.problems[0])}
        if played:
            node |= {"tokens": list(plan.tokens.values()), "claims": self.claims(played)}
            node["said"] = self._said(plan)
        here = [card for card in self._view.hand if self._facts.cards[card].site == city]
        plans = {card: self._plan(course, PlayCards((*played, card))) for card in here}
        fits = [card for card, plan in plans.items() if not plan.problems]
        wrong: dict[str, Json] = {
            card: self.wrong(plan.problems[0]) for card, plan in plans.items() if plan.problems
        }
        return {**node, "next": [[card, self.plays(city, (*played, card))] for card in fits], "not": wrong}

    def claims(self, played: tuple[Card, ...] = ()) -> Json:
        """Return why tasks cannot be claimed after some cards were played; those left out can."""
        cards = (*self._view.own.played, *played)
        tried = {task: claim_token(self._facts, self._view, cards, (task,))[1] for task in self._view.tasks}
        return {task: self.wrong(problems[0]) for task, problems in tried.items() if problems}

    def pile(self) -> Json:
        """Return what is said of the pile: for each number of cards returned, each number of them taken."""
        facts, view, numbers = self._facts, self._view, range(self._facts.taken_cards + 1)
        return [[self._lines(say_pile(facts, view, back, taken)) for taken in numbers] for back in range(3)]

    def idle(self, course: Course) -> Json:
        """Return what is wrong with a turn without an action; a list of what is said of it if nothing is."""
        plan = self._plan(course, None)
        return self._said(plan) if plan.is_legal else self.wrong(plan.problems[0])

    def _said(self, plan: Plan) -> list[Json]:
        return self._lines(say_action(self._facts, self._view, plan))

    def _lines(self, told: Iterable[str]) -> list[Json]:
        """Return the numbers of sentences."""
        return [self.net.line(line) for line in told]

    def _plan(self, course: Course, action: Action | None) -> Plan:
        return plan_action(self._facts, self._view, course, action)

    def _at(self, city: City) -> Course:
        """Return a course that ends at a city and takes no card."""
        return Course(city, self._view.own.direction)
