"""What a seat can know of its later turns: which cards are gone, and which can be at an end of a row."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.foresight import Domain, Horizon, Later, Outlook
from pbem.core.interface import Problem
from pbem.rules.kit.supposed import fits
from pbem.rules.kit.tables import as_list
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power_cards.check import lasting_problems
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.reach import Until, impossible, until
from pbem.rules.web_of_power_cards.state import ANY, COLOURS, THREE, Card, Law, Take
from pbem.rules.web_of_power_cards.table import may_move
from pbem.rules.web_of_power_cards.taking import needed_laws
from pbem.rules.web_of_power_cards.view import ON_TABLE, View
from pbem.rules.web_of_power_cards.wording import quoted

FARTHEST = 60
"""Beyond so many own turns all that lies can be taken."""


def horizon(facts: Facts, seats: tuple[Seat, ...]) -> Horizon:
    """Return what is always the same: the cards, the seats, and what can stand at each of them."""
    cards, laws = Domain(tuple(facts.lands)), Domain(tuple(facts.law_names))
    stones = Domain(least=0, most=facts.stones)
    number = Domain(least=0, most=len(facts.lands))
    return Horizon(
        follow_ups={},
        domains={
            "to_move": Domain(seats),
            "left": number,
            **dict.fromkeys(("ends", "can_take", "lost"), cards),
            **dict.fromkeys(("laws", "played"), laws),
            "unseen.*": Domain(least=0, most=len(facts.laws)),
            "cards.*.holder": Domain((ON_TABLE, *seats)),
            "cards.*.stone": Domain(seats),
            "cards.*.depth": Domain(least=0, most=(facts.columns - 1) // 2),
            **{f"players.*.{name}": cards for name in ("cards", "stones", "lost")},
            **{f"players.*.{name}": stones for name in ("reserve", "removed")},
            **{f"players.*.lands.{one}": Domain(least=0, most=most) for one, most in facts.countries.items()},
            "players.*.routes.*": number,
            "leads.*": Domain(seats),
            "players.*.laws": Domain(least=0, most=len(facts.laws)),
            "players.*.asks": Domain(least=0),
        },
        tables=(
            *("cards", "players", "players.*.lands", "players.*.routes"),
            "leads",
            *("unseen", "countries", "names", "law_names", "chart"),
        ),
    )


def foresee(facts: Facts, view: View, later: Later[Take]) -> Outlook:
    """Return what the owner of a view can know of an order for a later ask.

    Source: rulebook, "Take a card": cards are taken from the ends of rows, and stay with who took them.
    """
    if view.me is None or view.to_move is None:
        return Outlook(unknown="there is nothing to be ordered")
    if lasting := lasting_problems(facts, view, later.move):
        return Outlook(tuple(one._replace(hint="") if one.path[0] == "take" else one for one in lasting))
    if later.before is None or len(later.before) > FARTHEST:
        return Outlook(unknown="nobody can say when it comes up")
    return _Foresight(until(facts, view, view.me, later.before), later).outlook()


class _Foresight:
    """One order for a later ask, looked at from its owner's view."""

    def __init__(self, then: Until, later: Later[Take]) -> None:
        self.then, self.later = then, later
        self.move, self.when = later.move, later.folded
        self.facts, self.view, self.me = then.facts, then.view, then.me
        self.left = then.most_left()

    def outlook(self) -> Outlook:
        """Return what can be known."""
        if self.left < 1:
            return Outlook((Problem((), "the game is over by then: all cards are taken"),))
        if why := impossible(self.then, self.later.when):
            return Outlook((why,))
        if not self.move.take:
            return self._skip()
        wrong = self._entries(self.move) or self._together(self.move)
        if wrong:
            return Outlook((wrong,))
        return Outlook(provided=tuple(self._provided(self.move)), besides=tuple(self._stone(self.move)))

    def _skip(self) -> Outlook:
        """Judge a skip: who has a stone in the game can always take a card."""
        if not self.then.own_open and self.then.table.scene(self.me).spare:
            text = "you have a stone then, so that there is always a card that you can take"
        elif self._supposed():
            text = "a turn is skipped only where no card can be taken, and its condition says that one can"
        else:
            return Outlook(provided=("you can take no card then",))
        return Outlook((Problem(("skip",), text),))

    def _supposed(self) -> set[str]:
        """Return the cards that its condition says can be taken first, in small letters."""
        wanted = self.when.get("can_take")
        has = as_list(wanted.get("has") or []) if isinstance(wanted, dict) else []
        return {str(one).casefold() for one in has}

    def _entries(self, move: Take) -> Problem | None:
        """Find a card to be taken that cannot be there, or not at an end of its row."""
        if len(move.take) > self.left:
            most = count(self.left, "card lies", "cards lie")
            return Problem(("take", self.left), f"at most {most} on the table then")
        for number, names in enumerate(move.take):
            if not any(True for _ in self._possible(move, number)):
                return Problem(("take", number), self._why(move, number, names))
        return None

    def _possible(self, move: Take, number: int) -> Iterator[Card]:
        """Yield the cards that one entry of an order may take, as far as can be known."""
        names = move.take[number]
        yield from (card for card in self.facts.all_named(names) if not self._why_not(move, number, card))

    def _why(self, move: Take, number: int, names: tuple[str, ...]) -> str:
        if not self.facts.are_cards(names):
            return self.facts.none_of(names)
        return " and ".join(self._why_not(move, number, Card(name)) for name in names[:3])

    def _why_not(self, move: Take, number: int, card: Card) -> str:
        """Say why a card cannot be taken as part of a turn; "" if it may."""
        if not self.then.lies(card):
            holder = self.view.cards[card].holder
            if holder not in (ON_TABLE, self.me):
                return f"{card} was taken by {holder}"
            return f"{card} is yours already" if holder == self.me else f"you take {card} before then"
        cleared = move.surely_taken(self.facts.lands, number)
        if card in cleared:
            return f"{card} is named twice"
        if not self.then.may_be_at_end(card, cleared=cleared, more=number - len(cleared)):
            return f"{card} cannot be at an end of its row by then: too many cards lie before it"
        place = f"cards.{card}".casefold()
        holder_wanted, depth_wanted = self.when.get(f"{place}.holder"), self.when.get(f"{place}.depth")
        if holder_wanted is not None and not fits(ON_TABLE, holder_wanted):
            return f"its condition says that {card} does not lie on the table then"
        if depth_wanted is not None and not any(fits(depth, depth_wanted) for depth in range(number + 1)):
            return f"its condition says that {card} does not lie at an end of its row then"
        return ""

    def _together(self, move: Take) -> Problem | None:
        """Find the first card that cannot be taken in one turn with those before it.

        Source: rulebook, "Take a card", both restrictions; the law cards that lift them.
        """
        if len(move.take) == 1:
            return None  # any card may be taken alone
        limit = self.facts.limit_with_law if self._may_use(move, THREE) else self.facts.limit
        countries, symbols = set[str](), 0
        for number in range(len(move.take)):
            lands = [self.facts.lands[card] for card in self._possible(move, number)]
            here = {str(land.country) for land in lands}
            countries = countries & here if number else here
            if not countries and not self._may_use(move, COLOURS):
                return self._not_allowed(number, COLOURS, "its colour is another than before it")
            symbols += min(land.symbols for land in lands)
            if symbols > limit:
                return self._not_allowed(number, THREE, f"these are {symbols} circle symbols in one turn")
        return None

    def _not_allowed(self, number: int, law: Law, text: str) -> Problem:
        return Problem(("take", number), f"{text}, and you cannot have {quoted(self.facts, law)} then")

    def _may_use(self, move: Take, law: Law) -> bool:
        """Tell whether a law card is to be used and may be held then, or turn up in the turn."""
        if law not in move.use:
            return False
        if law in self.view.laws:
            return True
        named = (card for names in (*move.take, move.also) for card in self.facts.all_named(names))
        can_come = self.then.own > 0 or any(self.view.cards[card].law for card in named)
        return can_come and self.view.unseen[law] > 0

    def _provided(self, move: Take) -> Iterator[str]:
        """Yield what must be so for a turn that is not impossible; nothing if it is legal for certain."""
        sure = self._sure_first(move.take[0])
        if len(move.take) > 1:
            yield f"{listing(map(self._names, move.take))} can be taken, one after the other"
        elif not sure:
            yield f"{self._names(move.take[0])} can be taken"
        elif move.pay or not self._can_pay():
            there = f" or on {self._names(move.pay)}" if move.pay else ""
            yield f"no stone has to be paid or one of yours is in reserve{there}"
        cards = [self.facts.all_named(names) for names in move.take]
        for law in needed_laws(self.facts, tuple(one for one, *others in cards if not others)):
            if self.then.own or law not in self.view.laws:
                yield f"you hold the law card {quoted(self.facts, law)}"

    def _stone(self, move: Take) -> Iterator[str]:
        """Yield what becomes of the stone that an order puts on a card, if it does."""
        if not move.claim:
            return
        source = f", that on {self._names(move.lift)} if you can place no more" if move.lift else ""
        where = self._names(move.claim)
        yield f"A stone goes on {where}{source}; if it cannot, the cards are taken all the same"
        table = self.then.table
        if not move.lift and may_move(self.facts, table, self.me):
            yield (
                "As things stand it cannot: one must come back by then, for without `from` none is moved "
                f"from {listing(table.lying(self.me), 'or')}"
            )

    def _sure_first(self, names: tuple[str, ...]) -> bool:
        """Tell whether one of some cards can be taken first for certain, at the cost of a stone at most."""
        if ANY in names:
            return True
        said = self._supposed()
        return any(name.casefold() in said for name in names if name in self.view.cards)

    def _can_pay(self) -> bool:
        """Tell whether a stone lies before the owner for certain: others only ever give it some back."""
        return not self.then.own_open and self.then.table.stocks[self.me].reserve > 0

    def _names(self, names: tuple[str, ...]) -> str:
        shown = [self.facts.titles.get(name, "any card" if name == ANY else name) for name in names]
        return listing(shown[:4], "or") if len(shown) <= 4 else f"{', '.join(shown[:4])} or another"
