"""A step while it is carried out: the state as it changes, and what has happened so far."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat, only
from pbem.core.interface import Step
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.actions import cost
from pbem.rules.game_of_powers.facts import Facts, minus, plus, total
from pbem.rules.game_of_powers.hands import gain, lose
from pbem.rules.game_of_powers.moves import Place
from pbem.rules.game_of_powers.plan import Plan
from pbem.rules.game_of_powers.sailing import Course
from pbem.rules.game_of_powers.scoring import final_points
from pbem.rules.game_of_powers.state import Card, City, Player, Section, State, Task, Token, Tokens
from pbem.rules.kit.ranking import without
from pbem.rules.kit.ruled import Running, next_to


class Voyage(Running[Facts, State, Player]):
    """One step of the seat on turn; it keeps what changes, and the events, while the rules go on.

    Attributes:
        seat: The seat on turn.
    """

    def __init__(self, facts: Facts, state: State, dice: Dice) -> None:
        super().__init__(facts, state, dice, state.players)
        self.seat = state.to_move

    def place_ship(self, move: Place) -> None:
        """Place the ship at a city, in turn order (ruling).

        Source: rulebook, "Game setup", 6.
        """
        city, direction = move.city, self.facts.heading(move.city, move.facing)
        assert direction is not None, "the order was checked"
        self.change(self.seat, city=city, direction=direction)
        name = self.facts.cities[city].name
        self.tell(events.ShipPlaced(seat=self.seat, city=city, direction=direction, name=name, to=ALL))
        self.pass_on()

    def carry_out(self, plan: Plan) -> None:
        """Carry out a turn as it was planned, but for the trade.

        Source: rulebook, "Gameplay": the move, one action, and tasks.
        """
        course = plan.course
        if not plan.is_legal:
            problems = [str(one) for one in plan.problems]
            raise ValueError(f"expected a legal turn of {self.seat}, got {problems}")
        for problem in plan.problems:
            self.tell(events.PartLeftOut(seat=self.seat, why=str(problem), to=only(self.seat)))
        self._return_cards(course)
        self._sail(course)
        if plan.taken_tokens:
            self._take_tokens(course.city, plan.taken_tokens)
        elif plan.taken_cards:
            self._take_cards(self.facts.cities[course.city].section, plan.taken_cards)
        elif plan.played:
            self._play_cards(course.city, plan.played)
        else:
            skipped = self.facts.cities[course.city].name
            self.tell(events.ActionSkipped(seat=self.seat, name=skipped, to=ALL))
        if plan.claim is not None:
            self._claim(plan.claim)

    def _return_cards(self, course: Course) -> None:
        """Return the cards that are used to turn round and to sail further.

        Source: rulebook, "Move", NOTE 1: out of the game with two or three players, under the pile with more.
        """
        to_box = self.facts.is_resting(self.before.order)
        for use, card in course.returned.items():
            seat, title, under = self.seat, self.facts.title(card), not to_box
            self.tell(
                events.CardReturned(seat=seat, card=card, title=title, use=use, under_pile=under, to=ALL)
            )
            self.put(self.seat, lose(self.player, [card]))
            if to_box:
                self.alter(box=(*self.now.box, card))
            else:
                self.alter(under=(*self.now.under, card))

    def _sail(self, course: Course) -> None:
        """Move the ship, and point its bow where it sails.

        Source: rulebook, "Move", a to c.
        """
        seat, start, city, way = self.seat, self.player.city, course.city, course.direction
        assert start is not None, "a ship on turn was placed"
        self.change(seat, city=city, direction=way)
        name, far = self.facts.cities[city].name, course.spaces
        self.tell(
            events.ShipSailed(
                seat=seat, city_from=start, city=city, name=name, spaces=far, direction=way, to=ALL
            )
        )

    def _take_tokens(self, city: City, tokens: tuple[Token, ...]) -> None:
        """Take tokens from the field of a city, and fill fields that are empty.

        Source: rulebook, "Action", TAKE TOKENS.
        """
        taken = self.facts.count_tokens(tokens)
        self.change(self.seat, tokens=plus(self.player.tokens, taken))
        self._lay_tokens(city, minus(self.now.stock[city], taken))
        self.tell(events.TokensTaken(seat=self.seat, city=city, tokens=tokens, to=ALL))
        self._refill_tokens(city)

    def _refill_tokens(self, city: City) -> None:
        """Fill empty fields from the pool at random, this city's first; a field may have waited for tokens.

        Source: rulebook, "Action", TAKE TOKENS: six tokens, or as many as the pool has (ruling).
        """
        empty = [one for one in self.facts.ring if not total(self.now.stock[one])]
        for one in sorted(empty, key=lambda other: other != city):
            if not total(self.now.pool):
                break
            pool = [kind for kind in self.facts.types for _ in range(self.now.pool[kind])]
            laid = self.facts.count_tokens(self.dice.shuffled(pool, f"field/{one}")[: self.facts.per_field])
            self._lay_tokens(one, laid)
            self.alter(pool=minus(self.now.pool, laid))
            words = tuple(f"{count} {kind}" for kind, count in laid.items() if count)
            name = self.facts.cities[one].name
            self.tell(events.FieldRefilled(city=one, name=name, tokens=words, to=ALL))

    def _lay_tokens(self, city: City, tokens: Tokens) -> None:
        self.alter(stock={**self.now.stock, city: tokens})

    def _take_cards(self, section: Section, cards: tuple[Card, ...]) -> None:
        """Take open cards of a section, and fill its fields from the pile; all have seen what was taken.

        Source: rulebook, "Action", TAKE CARDS.
        """
        titles = tuple(self.facts.title(card) for card in cards)
        self.tell(events.CardsTaken(seat=self.seat, section=section, cards=cards, titles=titles, to=ALL))
        self.put(self.seat, gain(self.player, cards))
        self._refill_cards(section, without(self.now.fields[section], cards))

    def _refill_cards(self, section: Section, left: tuple[Card, ...]) -> None:
        """Fill the fields of a section, where some cards are left; if that fails, this is the last round.

        Source: rulebook, "Action", TAKE CARDS, and "End of the game".
        """
        pile, under = self.now.pile, self.now.under
        cards = (*pile, *under)
        needed = self.facts.sections[section] - len(left)
        laid, from_pile = cards[:needed], min(needed, len(pile))
        fields = {**self.now.fields, section: (*left, *laid)}
        self.alter(fields=fields, pile=pile[from_pile:], under=under[len(laid) - from_pile :])
        if laid:
            titles, rest = tuple(self.facts.title(card) for card in laid), len(cards) - len(laid)
            self.tell(events.CardsLaidOut(section=section, cards=laid, titles=titles, pile=rest, to=ALL))
        if len(laid) < needed and not self.now.is_last:
            self.alter(is_last=True)
            self.tell(events.LastRoundBegun(section=section, to=ALL))

    def _play_cards(self, city: City, cards: tuple[Card, ...]) -> None:
        """Play cards one after the other; their tokens go to the pool, from which empty fields are filled.

        Source: rulebook, "Action", PLAY CARDS and NOTE 2.
        """
        for place, card in enumerate(cards):
            face, paid = self.facts.cards[card], cost(self.facts, place)
            price = {face.token: paid}
            self.put(self.seat, lose(self.player, [card]))
            self.change(
                self.seat, tokens=minus(self.player.tokens, price), played=(*self.player.played, card)
            )
            self.alter(pool=plus(self.now.pool, price))
            seat, title, token, score = self.seat, self.facts.title(card), face.token, face.score
            self.tell(
                events.CardPlayed(
                    seat=seat, card=card, title=title, token=token, paid=paid, score=score, to=ALL
                )
            )
        self._refill_tokens(city)

    def _claim(self, task: Task) -> None:
        """Collect the next token of a task.

        Source: rulebook, "Possibilities", TASKS: the first player's token is worth more than the next one's.
        """
        value, *left = self.now.tasks[task]
        self.change(self.seat, tasks={**self.player.tasks, task: value})
        self.alter(tasks={**self.now.tasks, task: tuple(left)})
        for seat in self.before.order:
            if seat != self.seat:
                self.change(seat, beaten=True)
        name = self.facts.tasks[task].name
        self.tell(events.TaskClaimed(seat=self.seat, task=task, name=name, value=value, to=ALL))

    def pass_on(self) -> None:
        """End the turn: the next seat is on turn, or the game is over with the last round.

        Source: rulebook, "Gameplay": turns clockwise; "End of the game": after the round.
        """
        order = self.before.order
        self.change(self.seat, asks=self.player.asks + 1, traded=False, beaten=False)
        following = next_to(order, self.seat)
        self.alter(to_move=following, is_over=self.now.is_last and following == order[0])
        if self.now.is_over:
            self.tell(events.PointsCounted(points=final_points(self.facts, self._state()), to=ALL))

    @property
    def player(self) -> Player:
        """What belongs to the seat on turn now."""
        return self.players[self.seat]

    def step(self) -> Step[State]:
        """Return the step as it came out."""
        return Step(self._state(), tuple(self.told))

    def _state(self) -> State:
        """Return the state as it is now."""
        return replace(self.now, players=self.players)

    def put(self, seat: Seat, player: Player) -> None:
        """Let something else belong to a seat."""
        self.players[seat] = player
