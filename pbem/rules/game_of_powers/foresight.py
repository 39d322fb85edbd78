"""What a seat can know of its later asks: of which kind they are, and what can be ordered there."""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Mapping
from typing import Final

from pbem.core.book import parts
from pbem.core.conditions import counts_in
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Domain, Horizon, Later, Outlook
from pbem.core.interface import Json, Problem
from pbem.rules.game_of_powers.carried import Carried, Spot, carry
from pbem.rules.game_of_powers.check import check_move
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.moves import Move, Place, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline
from pbem.rules.game_of_powers.prospects import Prospect
from pbem.rules.game_of_powers.state import WAYS, Card, Deal
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.supposed import fits
from pbem.rules.kit.tables import as_list

KINDS: Final = ("start city", "move", "trade", "counter", "over")


def horizon(facts: Facts, seats: tuple[Seat, ...]) -> Horizon:
    """Return what is always the same: the cities, the cards, and how much there can be of each thing."""
    cards, ring = tuple(facts.cards), tuple(facts.ring)
    held, sitting = Domain(least=0, most=facts.token_limit), Domain(seats)
    some, lying = Domain(least=0, most=min(facts.per_type, facts.token_limit)), Domain(cards)
    return Horizon(
        follow_ups={"trade": "others", "counter": "owner"},
        domains={
            **dict.fromkeys(("me", "asked", "to_move", "partner", "order", "cities.*.ships"), sitting),
            "kind": Domain(KINDS),
            "players.*.city": Domain(ring),
            "players.*.ahead": Domain(ring),
            "players.*.direction": Domain(WAYS),
            "players.*.hand": Domain(least=0, most=facts.hand_limit),
            "players.*.held": held,
            **dict.fromkeys(("players.*.known", "players.*.played", "hand"), lying),
            **dict.fromkeys(("fields.*", "under", "box"), lying),
            **dict.fromkeys(("tokens.*", "players.*.tokens.*"), some),
            **dict.fromkeys(("cities.*.tokens.*", "pool.*"), Domain(least=0, most=facts.per_type)),
            "players.*.points": Domain(least=0),
            "pile": Domain(least=0, most=len(cards)),
        },
        tables=(
            *("players", "cities", "fields", "tokens", "pool", "limits"),
            *("players.*.tokens", "players.*.sites", "players.*.categories", "cities.*.tokens"),
        ),
    )


def foresee(facts: Facts, view: View, later: Later[Move]) -> Outlook:
    """Return what the owner of a view can know of an order for a later ask.

    Source: rulebook, "Gameplay": its ship is where its own last turn left it; TRADE: an offer is answered.
    """
    if view.me is None or view.kind == "over":
        return Outlook(unknown="there is nothing to be ordered")
    found = check_move(facts, view, later.move)
    wrong = tuple(one for one in found if one.lasting and not one.bearable and not one.elsewhere)
    return Outlook(wrong) if wrong else _Foresight(facts, view, view.me, later).outlook()


class _Foresight:
    """One order for a later ask, looked at from its owner's view."""

    def __init__(self, facts: Facts, view: View, me: Seat, later: Later[Move]) -> None:
        self.facts = facts
        self.view = view
        self.me = me
        self.later = later
        self.label = parts(later.at) if later.at is not None else None
        untraded = "traded" in later.when and not fits(True, later.when["traded"])
        self.then = carry(facts, view, later.before, untraded=untraded)
        self.spots = tuple(spot for spot in sorted(self.then.spots, key=str) if self._may_be_at(spot))

    def outlook(self) -> Outlook:
        """Return what can be known."""
        wrong = self._wrong_kind() or self._never_so()
        if wrong is not None:
            return Outlook((wrong,))
        match self.later.move:
            case Place():
                is_then = self.label is not None
                return Outlook() if is_then else Outlook(provided=("you place your ship then",))
            case Turn() as turn:
                return self._turn(turn)
            case Decline():
                is_answer = self.label is not None and self.label.word
                return Outlook() if is_answer else Outlook(provided=("an offer waits for you",))
            case Accept(terms):
                return self._deal(terms, "accept", "whether an offer keeps to it is not known yet")
            case Counter(deal):
                return self._deal(deal, "counter", "whether it can be had then is not known yet")

    def _wrong_kind(self) -> Problem | None:
        """Say why an order is never asked for under its label."""
        move, label = self.later.move, self.label
        if isinstance(move, Place) and self.view.own.city is not None:
            return Problem(("place",), "your ship is placed already", lasting=True)
        if label is None:
            return None
        is_mine, word = label.owner == self.me, label.word
        if (is_mine and word == "trade") or (not is_mine and word == "counter"):
            return Problem((), f"{label.owner} is asked there, and not you", lasting=True)
        if word:
            if isinstance(move, Place | Turn):
                return Problem((), f"an offer is answered at {self.later.at}, and this order sails a ship")
            if word == "counter" and isinstance(move, Counter):
                return Problem(("counter",), "a counter-offer is accepted or declined, and never countered")
            last = self.later.before[-1] if self.later.before else None
            if word == "counter" and isinstance(last, Turn) and last.trade is None:
                return Problem((), "your turn offers no trade then")
            return None
        if not isinstance(move, Place | Turn):
            return Problem((), f"at {self.later.at} you are asked for a turn, and this answers an offer")
        if isinstance(move, Place) and label.count > 1:
            return Problem(("place",), "your ship is placed by then")
        if isinstance(move, Turn) and label.count == 1:
            return Problem(("sail",), "your ship is not placed yet then")
        return None

    def _never_so(self) -> Problem | None:
        """Say why the condition can never hold at the ask."""
        certain = self._certain()
        for path, wanted in self.later.when.items():
            known = path.casefold()
            if known in certain and not fits(certain[known], wanted):
                return Problem((*CONDITION, path), f"{path} is {_in_words(certain[known])} then")
            if told := self._cannot_be(known, wanted):
                return Problem((*CONDITION, path), told)
        for table, wanted, _ in counts_in(self.later.beside):
            if table == "fields" and (why := self.then.gone.get(_card(wanted["has"]))):
                return Problem((*CONDITION, "count"), why)
        if not self.spots:
            return self._misplaced_ship()
        return None

    def _certain(self) -> Mapping[str, object]:
        """Return what the owner is certain to see at the ask, by path."""
        found: dict[str, object] = {"me": self.me, "may_trade": self.view.may_trade}
        if self.view.last_round:
            found["last_round"] = True
        if self.label is None:
            return found
        label, own = self.label, f"players.{self.me}"
        found |= {"asked": self.me, "to_move": label.owner, f"players.{label.owner}.asks": label.count}
        if label.word:
            found["kind"] = label.word
            if label.word == "trade":
                found["partner"] = self.me
            return found
        found |= {"kind": "start city" if label.count == 1 else "move", "partner": None}
        if self.later.before == () and self.view.traded:
            found |= {"traded": True, f"{own}.traded": True}
        if self.then.is_known:
            hand, held = self.then.hand, self.then.tokens
            found |= {"hand": self.facts.in_order(hand), f"{own}.hand": len(hand), f"{own}.held": total(held)}
            for one, number in held.items():
                found |= {f"tokens.{one}": number, f"{own}.tokens.{one}": number}
        return found

    def _cannot_be(self, path: str, wanted: Json) -> str:
        """Say why something that only falls or only rises, or that is gone for good, is never so; or ""."""
        view = self.view
        bounds = wanted if isinstance(wanted, dict) else {"at_least": wanted, "at_most": wanted}
        least, most = bounds.get("at_least"), bounds.get("at_most")
        if path == "pile" and self.then.resting and isinstance(least, int) and least > view.pile:
            return f"the pile holds {view.pile} cards and never more again"
        for seat, side in view.players.items():
            if path == f"players.{seat}.points" and isinstance(most, int) and most < side.points:
                return f"{seat} has {side.points} points, and never fewer again"
        has: Json = wanted.get("has") if isinstance(wanted, dict) else None
        if path == "hand" or path.startswith("fields."):
            for one in as_list(has):
                if isinstance(one, int | str) and (why := self.then.gone.get(_card(one))):
                    return why
        return ""

    def _may_be_at(self, spot: Spot) -> bool:
        """Tell whether the condition lets the ship be at a place."""
        own = f"players.{self.me}"
        facts: dict[str, object] = {
            f"{own}.city": spot.city,
            f"{own}.direction": spot.direction,
            f"{own}.ahead": self.facts.ahead(spot.city, spot.direction),
        }
        if self.label is None or (self.label.count == 1 and self.label.owner == self.me):
            return True
        if self.view.own.city is None and self.later.before is None:
            return True
        return all(
            fits(facts[path.casefold()], wanted)
            for path, wanted in self.later.when.items()
            if path.casefold() in facts
        )

    def _misplaced_ship(self) -> Problem:
        """Say that the ship cannot be where the condition has it."""
        names = {f"players.{self.me}.{one}" for one in ("city", "direction", "ahead")}
        wanted = {path: one for path, one in self.later.when.items() if path.casefold() in names}
        where = f"at {_in_words(*wanted.values())}" if len(wanted) == 1 else "where the condition has it"
        return Problem((*CONDITION, *wanted)[:2] if wanted else (), f"your ship cannot be {where} then")

    def _turn(self, turn: Turn) -> Outlook:
        """Judge a turn from every place where the ship can be."""
        prospect = Prospect(self.facts, self.view, self.then, turn)
        wrong = [prospect.why_never(spot) for spot in self.spots]
        if all(wrong):
            told = Counted(one for one in wrong if one is not None)
            return Outlook((told.most_common(1)[0][0],))
        provided = ("your ship can sail there",) * any(wrong)
        besides = tuple(prospect.claims(self.later.before))
        return Outlook((), (*provided, *prospect.provided()), prospect.unknown(), besides)

    def _deal(self, deal: Deal | None, field: str, unknown: str) -> Outlook:
        """Judge an answer that names what changes hands."""
        if deal is None:
            return Outlook(unknown="what you are offered is not known yet")
        if problem := _dead(self.facts, self.then, deal, field):
            return Outlook((problem,))
        return Outlook(unknown=unknown)


def _dead(facts: Facts, then: Carried, deal: Deal, field: str) -> Problem | None:
    """Say what in a deal nobody can ever hand over."""
    for wish in deal.want.cards:
        if all(card in then.gone for card in facts.cards if facts.fits(card, wish)):
            why = then.gone[wish.card] if wish.card else "all cards of this kind are gone"
            return Problem((field,), f"{why}, and nobody can give it")
    if field == "counter":
        for card in deal.give.cards:
            if card in then.gone:
                return Problem((field,), f"{then.gone[card]}, and you cannot give it")
    for tokens, who in ((deal.want.tokens, "nobody holds"), (deal.give.tokens, "you never hold")):
        if total(tokens) > facts.token_limit and (field == "counter" or who == "nobody holds"):
            return Problem((field,), f"{who} {total(tokens)} tokens; {facts.token_limit} are the most")
    return None


def _card(written: Json) -> Card:
    return Card(str(written).strip().lstrip("#"))


def _in_words(value: object) -> str:
    """Return a value as sentences name it."""
    if value is None:
        return "nobody"
    if isinstance(value, tuple | list):
        return " or ".join(map(str, value)) or "empty"
    return str(value).lower() if isinstance(value, bool) else str(value)
