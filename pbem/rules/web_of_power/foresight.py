"""What a seat can know of its later asks: the hands that it may hold, and what the map can still take."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Domain, Horizon, Later, Outlook
from pbem.core.interface import Problem
from pbem.rules.kit.ruled import round_from
from pbem.rules.kit.words import count
from pbem.rules.web_of_power.check import Path, misnamed, paths_of
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.hands import Deck, Hands, after_later, after_now
from pbem.rules.web_of_power.orders import countries_of, places_of, price_of
from pbem.rules.web_of_power.placing import Said
from pbem.rules.web_of_power.scene import Scene, contradictions, fits_hand, of_hand
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, Country, Move, Plan, Site
from pbem.rules.web_of_power.view import FREE, View, seated

_TABLES = ("held", "discards", "unseen", "sites", "free", "room", "cloisters", "advisors", "leads", "worth")


def horizon(facts: Facts, seats: tuple[Seat, ...]) -> Horizon:
    """Return what is always the same: the sites, countries and cards, and what can stand there."""
    cards, limits = tuple(facts.counts), facts.limits
    return Horizon(
        follow_ups={},
        domains={
            **dict.fromkeys(("to_move", "starter"), Domain(seats)),
            "half": Domain(least=1, most=2),
            "alliances": Domain(tuple(facts.alliances)),
            **dict.fromkeys(("hand", "face_up"), Domain(cards)),
            "held.*": Domain(least=0, most=limits.hand),
            "pile": Domain(least=0, most=sum(facts.counts.values())),
            "sites.*": Domain((FREE, *seats)),
            "leads.*": Domain(seats),
            **dict.fromkeys(("lost", "news"), Domain(tuple(facts.lands))),
            **{
                path.format(country): Domain(least=0, most=len(land.sites))
                for path in ("free.{}", "room.{}", "cloisters.{}.*", "advisors.{}.*")
                for country, land in facts.lands.items()
            },
            "worth.*.*": Domain(least=0),
            "players.*.points": Domain(least=0),
            "players.*.cloisters": Domain(least=0, most=limits.cloisters),
            "players.*.advisors": Domain(least=0, most=limits.advisors),
            "players.*.cards": Domain(least=0, most=limits.hand),
            "players.*.chain": Domain(least=0, most=limits.cloisters),
        },
        tables=(*_TABLES, "players", "places", "limits", "cloisters.*", "advisors.*", "worth.*"),
    )


def foresee(facts: Facts, view: View, later: Later[Move]) -> Outlook:
    """Return what the owner of a view can know of an order for a later ask.

    Source: rulebook, "Placing pieces": pieces stay where they are; "Drawing cards": the pile is unknown.
    """
    if view.me is None or view.to_move is None:
        return Outlook(unknown="there is nothing to be ordered")
    if strange := tuple(misnamed(facts, later.move)):
        return Outlook(strange)
    return _Foresight(facts, view, view.me, later).outlook()


class _Foresight:
    """One order for a later ask, looked at from its owner's view."""

    def __init__(self, facts: Facts, view: View, me: Seat, later: Later[Move]) -> None:
        self.facts, self.view, self.me = facts, view, me
        self.move, self.before = later.move, later.before
        self.scene = Scene(facts, view, me, later)
        self.span = self.scene.span
        self.hands = frozenset(hand for hand in self._hands() if fits_hand(hand, self.scene))

    def outlook(self) -> Outlook:
        """Return what can be known."""
        if self._is_over():
            return Outlook((Problem((), "the game is over before you are asked that"),))
        if wrong := tuple(contradictions(self.scene)):
            return Outlook(wrong)
        if not self.hands:
            wanted = next(path for path in self.scene.when if of_hand(path))
            return Outlook((Problem((*CONDITION, wanted), "you cannot hold these cards then"),))
        discard = self._discard()
        if discard is None or any(self._is_sure(*place) for place in places_of(self.facts, self.move.plans)):
            return Outlook()
        reasons = [(plan, self._never(plan, path)) for path, plan in paths_of(self.move)]
        open_plans = [plan for plan, reason in reasons if reason is None]
        if open_plans:
            return self._provided(open_plans)
        if isinstance(discard, str):
            return Outlook(unknown=discard)
        return Outlook((*(reason for _, reason in reasons if reason), *[discard] * bool(self.move.discard)))

    def _is_over(self) -> bool:
        """Tell whether the last round ends before that ask.

        Source: rulebook, "Scoring and the end": until the last player has had a turn.
        """
        if not self.view.closing or self.span.own is None:
            return False
        in_round = round_from(self.view.seats, self.view.starter)
        assert self.view.to_move is not None, "the game is not over"
        is_still = in_round.index(self.me) > in_round.index(self.view.to_move)
        return self.span.own > 0 or not is_still

    def _hands(self) -> Hands:
        """Return the hands that there may be at that ask."""
        view, facts = self.view, self.facts
        may_come = tuple(view.unseen[card] + view.face_up.count(card) for card in facts.counts)
        deck = Deck(facts, may_come, self.span.may_run_out)
        if self.before is None:
            return frozenset(deck.filled(()))
        hands: Hands = frozenset({view.hand})
        for number, move in enumerate(self.before):
            if move is not None and number == 0 and view.to_move == self.me:
                found = after_now(deck, view, seated(facts, view, self.me), move)
            else:
                found = after_later(deck, hands, move)
            hands = found or after_later(deck, hands, None)
        return hands

    def _discard(self) -> Problem | str | None:
        """Say why no card can be thrown away, or that it depends on the draw; None if one surely can."""
        wanted = self.move.discard
        fitting = [any(card in hand or card == ANY for card in wanted) for hand in self.hands]
        if all(fitting):
            return None
        if any(fitting):
            return _UNKNOWN_CARDS
        named = " or ".join(self.facts.titles.get(card, card) for card in wanted)
        return Problem(("discard",), f"you cannot hold {named} then")

    def _never(self, plan: Plan, path: Path) -> Problem | None:
        """Say why a plan is possible in no country; None if it may be in one."""
        reasons = [self._why_never(plan, country, path) for country in countries_of(self.facts, plan)]
        if not all(reasons):
            return None
        found = [reason for reason in reasons if reason]
        if len(found) == 1:
            return found[0]
        return Problem(path, f"none of {len(found)} countries is possible then: {found[0].text}")

    def _why_never(self, plan: Plan, country: Country, path: Path) -> Problem | None:
        """Say why a plan cannot be carried out in a country at that ask, whatever happens; else None."""
        facts, scene, title = self.facts, self.scene, self.facts.titles[country]
        pieces = (*path, "pieces")
        number = len(plan.pieces)
        if number > facts.limits.pieces:
            return Problem(pieces, f"a turn places {facts.limits.pieces} pieces at most, not {number}")
        if scene.is_empty_for_certain(country):
            if number > facts.limits.in_empty_country:
                return Problem(pieces, f"no piece stands in {title} then, so a turn places one there")
            if set(plan.pieces[0]) == {ADVISOR}:
                text = f"no piece stands in {title} then, and the first must be a cloister"
                return Problem((*pieces, 0), text)
        for piece, words in enumerate(plan.pieces):
            texts = [self._why_no_piece(word, country) for word in words]
            if all(texts):
                return Problem((*pieces, piece), texts[0])
            if len(words) == 1 and words[0] in facts.home and words in plan.pieces[:piece]:
                return Problem((*pieces, piece), f"{words[0]} is named twice")
        if text := self._why_too_many(plan, country):
            return Problem(pieces, text)
        if any(price_of(facts, hand, plan, country) for hand in self.hands):
            return None
        if plan.pay is None:
            placed = count(number, "piece")
            return Problem(path, f"you cannot have the cards to pay for {placed} in {title} then")
        named = " and ".join(facts.titles.get(card, card) for card in plan.pay)
        return Problem((*path, "pay"), f"you cannot hold {named} then")

    def _why_no_piece(self, word: str, country: Country) -> str:
        """Say why a piece cannot be placed in a country then; "" if it may be."""
        scene, title = self.scene, self.facts.titles[country]
        if word == ADVISOR:
            if not scene.my_advisors[1]:
                return "you have no advisor left then"
            can_add = min(scene.free[country][1], scene.mine[1])
            room = scene.room[country][1] + min(can_add, self.facts.limits.pieces - 1)
            return "" if room > 0 else f"{title} takes no more advisors"
        if not scene.mine[1]:
            return "you have no cloister left then"
        if word == CLOISTER:
            return "" if scene.free[country][1] > 0 else f"all sites in {title} are taken then"
        home = self.facts.home[Site(word)]
        if home != country:
            return Said.ELSEWHERE.format(self.facts.titles[word], self.facts.titles[home], title)
        owners = scene.owners[Site(word)]
        if FREE in owners:
            return ""
        named = " or ".join(map(str.capitalize, owners))
        return f"a cloister of {named} stands on {self.facts.titles[word]} then"

    def _why_too_many(self, plan: Plan, country: Country) -> str:
        """Say why there cannot be place or pieces for all that a plan places; "" if there may be."""
        scene, title = self.scene, self.facts.titles[country]
        built, sent = _kinds(plan)
        if built > scene.free[country][1]:
            return f"{title} has fewer than {built} free sites then"
        if built > scene.mine[1] or sent > scene.my_advisors[1]:
            return "you have not so many pieces left then"
        if sent > scene.room[country][1] + len(plan.pieces) - sent:
            return f"{title} does not take {sent} advisors then"
        return ""

    def _is_sure(self, plan: Plan, country: Country) -> bool:
        """Tell whether a plan is possible in a country for certain."""
        scene, words = self.scene, [one[0] for one in plan.pieces if len(one) == 1]
        if len(words) != len(plan.pieces) or len(words) > self.facts.limits.pieces:
            return False
        sites = [word for word in words if word in self.facts.home]
        built, sent = _kinds(plan)
        return (
            len(set(sites)) == len(sites)
            and words[: len(sites)] == sites
            and all(scene.owners[Site(site)] == (FREE,) for site in sites)
            and all(self.facts.home[Site(site)] == country for site in sites)
            and built <= min(scene.free[country][0], scene.mine[0])
            and sent <= min(scene.room[country][0], scene.my_advisors[0])
            and (len(words) <= self.facts.limits.in_empty_country or not scene.board.is_empty(country))
            and all(price_of(self.facts, hand, plan, country) for hand in self.hands)
        )

    def _provided(self, plans: list[Plan]) -> Outlook:
        """Say what must be so for the plans that may be possible."""
        places = [*places_of(self.facts, plans)]
        if not all(any(price_of(self.facts, hand, *place) for place in places) for hand in self.hands):
            return Outlook(unknown=_UNKNOWN_CARDS)
        if len(places) > 1:
            return Outlook(provided=("one of its placements is possible then",))
        return Outlook(provided=tuple(dict.fromkeys(self._clauses(*places[0]))))

    def _clauses(self, plan: Plan, country: Country) -> Iterator[str]:
        """Yield what must still be so for one placement in one country."""
        titles, scene = self.facts.titles, self.scene
        sites = [words[0] for words in plan.pieces if len(words) == 1 and words[0] in self.facts.home]
        for site in sites:
            if scene.owners[Site(site)] != (FREE,):
                yield f"{titles[site]} is still free"
        if any(words == (ADVISOR,) for words in plan.pieces):
            yield f"{titles[country]} takes an advisor"
        elif len(sites) < len(plan.pieces) or not sites:
            yield f"{titles[country]} has a place for it"
        if scene.board.is_empty(country) and len(plan.pieces) > 1:
            yield f"a piece stands in {titles[country]}"
        if scene.mine[0] < len(sites):
            yield "you still have a cloister"


_UNKNOWN_CARDS = "it depends on cards that you do not know yet"


def _kinds(plan: Plan) -> tuple[int, int]:
    """Return how many pieces of a plan must be cloisters, and how many must be advisors."""
    built = sum(ADVISOR not in words for words in plan.pieces)
    return built, sum({*words} == {ADVISOR} for words in plan.pieces)
