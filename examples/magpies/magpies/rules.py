"""The rules of Magpies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from magpies.state import CardDrawn, CardsShown, MagpiesQuarrelled, Play, State, TreasureFound, TreasureTaken
from magpies.view import View, build_view
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.foresight import Horizon
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.core.predicates import Bound, Predicate, by_name
from pbem.core.wording import Wording
from pbem.rules.kit.conditions import one_of, player
from pbem.rules.kit.ranking import find_ahead
from pbem.rules.kit.ruled import Defaults, one_menu

COLOURS: Final = (Seat("red"), Seat("blue"), Seat("green"), Seat("black"))


class Magpies(Defaults):
    """The rules, built from the cards of the deck and the treasures."""

    name = "magpies"
    version = 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (
        CardsShown,
        TreasureTaken,
        MagpiesQuarrelled,
        TreasureFound,
        CardDrawn,
    )

    def __init__(self, cards: Mapping[int, int], treasures: tuple[int, ...]) -> None:
        self.cards = cards
        self.treasures = treasures
        self.horizon = Horizon(tables=("points",))
        self.wording = Wording(
            predicates=by_name(
                (
                    Predicate(
                        "cards_unseen",
                        "{number} [card|cards] {card} [is|are] unseen",
                        {"unseen.{card}": "{number}"},
                        (one_of("card", map(str, cards)),),
                        Bound(0, max(cards.values(), default=1)),
                    ),
                    Predicate(
                        "treasures",
                        "{number} [treasure lies|treasures lie] on the table",
                        {"count": ["table", {"at_least": 0}, "{number}"]},
                        number=Bound(0, len(treasures)),
                    ),
                    Predicate(
                        "has_points",
                        "{player} [have/has] {number} [point|points]",
                        {"points.{player}": "{number}"},
                        (player(COLOURS),),
                        Bound(0, sum(treasures)),
                    ),
                )
            )
        )

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Deal the hands and turn the first treasure over."""
        size = options["hand"]
        assert isinstance(size, int), "the schema of the options lets whole numbers through only"
        cards = dice.shuffled([card for card, count in self.cards.items() for _ in range(count)], "deck")
        first, *nest = dice.shuffled(self.treasures, "nest")
        hands = {seat: tuple(sorted(cards[n * size : (n + 1) * size])) for n, seat in enumerate(seats)}
        return State(
            turn=1,
            seats=seats,
            hands=hands,
            deck=cards[len(seats) * size :],
            table=(first,),
            nest=tuple(nest),
            played=dict.fromkeys(seats, ()),
            points=dict.fromkeys(seats, 0),
        )

    def ask(self, state: State) -> Ask | Outcome:
        """Ask all seats at once, until every treasure has been on the table."""
        if state.turn > len(self.treasures):
            winners, _ = find_ahead(state.seats, ("points", state.points))
            return Outcome("the nest is empty", winners, state.points, "points")
        return Ask("card", Label(f"turn-{state.turn}"), frozenset(state.seats))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything this seat may know."""
        return build_view(self.cards, state, seat)

    def read(self, order: Json) -> Play:
        """Return `{play: 7}` as a move."""
        assert isinstance(order, dict), "the schema lets fields through only"
        card = order["play"]
        assert isinstance(card, int), "the schema lets whole numbers through only"
        return Play(card)

    def check(self, view: View, move: Play) -> tuple[Problem, ...]:
        """Return why a card cannot be played."""
        if move.card in view.hand:
            return ()
        hint = f"Your hand is {', '.join(map(str, view.hand))}."
        return (Problem(("play",), f"{move.card} is not in your hand", hint),)

    def hold(self, view: View) -> Json:
        """Return the lowest card as a silent seat's order."""
        return {"play": view.hand[0]}

    def resolve(self, state: State, moves: Mapping[Seat, Play], dice: Dice) -> Step[State]:
        """Show the cards, give the treasures away, turn the next one over, and let all draw."""
        shown = {seat: moves[seat].card for seat in state.seats}
        after, taken = self._take(state, shown)
        after, next_turn = self._go_on(after)
        events = (CardsShown(shown, to=ALL), taken, *next_turn)
        return Step(replace(after, turn=state.turn + 1), events)

    def choices(self, view: View) -> Choices:
        """Return the cards of the hand, with what may beat them."""
        items = []
        for card in sorted(set(view.hand), reverse=True):
            higher, equal = _beaten_by(view, card)
            items.append(Choice({"play": card}, f"unseen: {higher} higher, {equal} equal"))
        return one_menu("Your card", items)

    def forecast(self, view: View, move: Play) -> Forecast:
        """Return what the card is for, and what may beat it."""
        worth = sum(view.table)
        higher, equal = _beaten_by(view, move.card)
        return Forecast(
            (
                f"You play {move.card} for {worth} points.",
                f"Of the cards you have not seen, {higher} are higher and {equal} equal.",
            )
        )

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return a bot's card: any, or with greed the safest for what is worth it, else the lowest."""
        if skill != "greedy":
            return {"play": dice.pick(view.hand, "bot")}
        if 2 * sum(view.table) < max(self.treasures):
            return {"play": view.hand[0]}
        return {"play": min(view.hand, key=lambda card: sum(_beaten_by(view, card)))}

    def conditions(self, view: View) -> Iterator[Mapping[str, Json]]:
        """Yield conditions that matter in a position: a high card seen, treasures on the table, points."""
        for card in [card for card, left in view.unseen.items() if left][-1:]:
            yield {"cards_unseen": {"card": card, "at_most": view.unseen[card] - 1}}
        yield {"treasures": {"at_least": len(view.table) + 1}}
        for seat in view.points:
            if seat != view.me:
                yield {"has_points": {"player": seat, "at_least": view.points[seat] + 1}}

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Shuffle the nest, and all cards that the seat cannot see: the deck and the hands of the others."""
        others = [one for one in state.seats if one != seat]
        hidden = [*state.deck, *(card for one in others for card in state.hands[one])]
        cards = dice.shuffled(sorted(hidden), "cards")
        hands = dict(state.hands)
        for one in others:
            size = len(hands[one])
            hands[one], cards = tuple(sorted(cards[:size])), cards[size:]
        return replace(state, hands=hands, deck=cards, nest=dice.shuffled(sorted(state.nest), "nest"))

    def _take(self, state: State, shown: Mapping[Seat, int]) -> tuple[State, Event]:
        """Put the cards down; the highest that is alone takes all treasures on the table."""
        hands = {seat: _without(state.hands[seat], card) for seat, card in shown.items()}
        played = {seat: (*state.played[seat], card) for seat, card in shown.items()}
        after = replace(state, hands=hands, played=played)
        worth = sum(state.table)
        count = Counter(shown.values())
        alone = {seat: card for seat, card in shown.items() if count[card] == 1}
        if not alone:
            return after, MagpiesQuarrelled(worth, not state.nest, to=ALL)
        winner = max(alone, key=lambda seat: alone[seat])
        points = {**state.points, winner: state.points[winner] + worth}
        return replace(after, table=(), points=points), TreasureTaken(winner, worth, to=ALL)

    def _go_on(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Turn the next treasure over, and let every seat draw if there is a card for each."""
        if not state.nest:
            return state, ()
        treasure, *nest = state.nest
        count = len(state.seats) if len(state.deck) >= len(state.seats) else 0
        drawn = dict(zip(state.seats, state.deck[:count], strict=False))
        hands = {**state.hands, **{one: _with(state.hands[one], card) for one, card in drawn.items()}}
        told = (CardDrawn(seat, card, to=only(seat)) for seat, card in drawn.items())
        after = replace(
            state, table=(*state.table, treasure), nest=tuple(nest), hands=hands, deck=state.deck[count:]
        )
        return after, (TreasureFound(treasure, to=ALL), *told)


def load(data: Mapping[str, Json]) -> Magpies:
    """Build the rules from the tables of `data/magpies.yaml`.

    Raises:
        ValueError: There are not enough cards for four seats to play one on every treasure.
    """
    cards, treasures = data["cards"], data["treasures"]
    assert isinstance(cards, dict), "the schema of the data lets fields through only"
    assert isinstance(treasures, list), "the schema of the data lets a list through only"
    counts = {int(card): count for card, count in cards.items() if isinstance(count, int)}
    worths = tuple(worth for worth in treasures if isinstance(worth, int))
    if sum(counts.values()) < 4 * len(worths):
        raise ValueError(f"expected {4 * len(worths)} cards or more, got {sum(counts.values())}")
    return Magpies(counts, worths)


def _with(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(sorted((*hand, card)))


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return a hand without one card.

    Raises:
        ValueError: The card is not there.
    """
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _beaten_by(view: View, card: int) -> tuple[int, int]:
    """Return how many unseen cards are higher, and how many are equal."""
    return sum(count for other, count in view.unseen.items() if other > card), view.unseen[card]
