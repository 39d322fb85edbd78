"""What the form page needs besides a view: the words of `pbem check`, and tables of what can be chosen."""

from __future__ import annotations

from functools import cache

from pbem.core.interface import Json
from pbem.rules.kit.nets import Net
from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power import forecast, placing
from pbem.rules.web_of_power.check import NOWHERE
from pbem.rules.web_of_power.choices import note_gain
from pbem.rules.web_of_power.drawing import DEFAULT_ENTRY
from pbem.rules.web_of_power.facts import Limits
from pbem.rules.web_of_power.orders import Seated, choose_discard
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, MATCH, PILE, Country, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gains

LAST = ""
"""The choice that follows all others where nothing is sure: what can be had whatever comes."""


class Tables:
    """Tables of a turn, with every sentence and every node once; both are named by their numbers.

    A table is a net of choices. A node holds `next`, a row for each choice that can follow: the choice; the
    node after it, or None to stay; what is taken, if that is not the choice itself; and whether the next
    preference may be taken in its place. `not` tells why others cannot follow, where that is otherwise than
    at the first node.
    """

    def __init__(self, me: Seated, view: View) -> None:
        self._me = me
        self._facts = me.facts
        self._view = view
        self._gains = Gains(me)
        self.net = Net()
        self._brought = cache(self._bring)  # the order of pieces makes no difference

    def _node(self, node: dict[str, Json]) -> int:
        return self.net.node({name: found for name, found in node.items() if found or found == 0})

    def pieces(self, country: Country) -> int:
        """Return the first node of the pieces that can be placed in a country.

        It has `most`, how many there can be, and `full`, what is said of more. A node of pieces that the
        hand pays for has `note`, what they bring in a few words, and `said`, the sentences.
        """
        most = 0
        while (limit := placing.why_too_many(self._me.board, country, most + 1)) is None:
            most += 1
        rows, why = self._following(country, (), most, {})
        return self._node({"next": rows, "not": why, "most": most, "full": self.net.line(limit.text)})

    def _following(
        self, country: Country, before: tuple[str, ...], most: int, known: dict[str, Json]
    ) -> tuple[list[Json], dict[str, Json]]:
        """Return what can follow some pieces, and why others cannot, where that is otherwise than known."""
        if len(before) == most:
            return [], {}
        can, why = dict[str, str](), dict[str, Json]()
        for word in (*self._facts.lands[country].sites, CLOISTER, ADVISOR):
            wanted = tuple((one,) for one in (*before, word))
            found = placing.fit_pieces(self._me.board, self._me.seat, country, wanted)
            if not isinstance(found, placing.Obstacle):
                can[word] = found[-1]
            else:
                why[word] = self.net.line(found.text)
        nodes: dict[str, int] = {}
        for piece in dict.fromkeys(can.values()):
            pieces = (*before, piece)
            rows, other = self._following(country, pieces, most, known or why)
            nodes[piece] = self._node(
                {**self._brought(country, tuple(sorted(pieces))), "next": rows, "not": other}
            )
        following: list[Json] = [
            [word, nodes[piece], *[piece] * (word != piece)] for word, piece in can.items()
        ]
        return following, {word: line for word, line in why.items() if known.get(word) != line}

    def _bring(self, country: Country, pieces: tuple[str, ...]) -> dict[str, Json]:
        """Return what pieces bring; nothing if the hand cannot pay for them."""
        paid = placing.payments(self._facts, self._me.hand, country, len(pieces))
        if not paid:
            return {}
        act = Placed(country, pieces, paid[0])
        note = f"points as of now: {note_gain(self._me, self._gains.of(act))}"
        said = [self.net.line(line) for line in forecast.say_after(self._me, self._view, act)]
        return {"note": self.net.line(note), "said": list[Json](said)}

    def payments(self, country: Country) -> Json:
        """Return for one piece, two and so on the ways to pay, fewest cards first; or why there is none."""
        facts, hand, found = self._facts, self._me.hand, list[Json]()
        for number in range(1, facts.limits.pieces + 1):
            if ways := placing.payments(facts, hand, country, number):
                found.append([list[Json](cards) for cards in ways])
            else:
                found.append(self.net.line(placing.why_unpaid(facts, hand, country, number)))
        return found

    def hand(self) -> int:
        """Return the first node of the cards that the hand can pay or throw away.

        Each node has `missing`, how many cards are missing then; where some are spent, `kept`, a sentence
        with `{}` where it says what is drawn, and `draw`, the first node of that. The first has what is
        missing once one card is spent, and `any` as the card that it stands for.
        """
        facts, hand = self._facts, self._me.hand
        rows, _ = self._spending(hand)
        if found := choose_discard(hand, (ANY,)):
            rows.append([ANY, self._spent(without(hand, (found.card,))), found.card])
        why: dict[str, Json] = {
            card: self.net.line(placing.say_short(facts, hand, card))
            for card in facts.counts
            if card not in hand
        }
        return self._node({"next": rows, "not": why, "missing": facts.limits.hand - len(hand) + 1})

    def _spending(self, left: placing.Cards) -> tuple[list[Json], dict[str, Json]]:
        """Return what can be spent of the cards that are left, and why other cards of the hand cannot."""
        hand, facts = self._me.hand, self._facts
        gone = [card for card in dict.fromkeys(hand) if card not in left]
        why: dict[str, Json] = {card: self.net.line(placing.say_short(facts, hand, card)) for card in gone}
        return [[card, self._spent(without(left, (card,)))] for card in dict.fromkeys(left)], why

    def _spent(self, left: placing.Cards) -> int:
        rows, why = self._spending(left)
        missing = self._facts.limits.hand - len(left)
        node: dict[str, Json] = {"next": rows, "not": why, "missing": missing}
        node["kept"] = self.net.line(forecast.say_kept(self._facts, self._view, left))
        if not self._view.closing:
            node["draw"] = self._drawing(forecast.prospect_of(self._view, left), missing)
        return self._node(node)

    def _drawing(self, prospect: forecast.Prospect, missing: int, *, is_open: bool = False) -> int | None:
        """Return the node of what the next of the missing cards can be drawn by; None if none is missing.

        Args:
            prospect: What is known then.
            missing: How many cards are missing.
            is_open: Whether what was tried before may have been had for the same card.
        """
        if not missing:
            return None
        rows, is_ended = list[Json](), False
        for name in dict.fromkeys((*prospect.open, MATCH, PILE)):
            source, is_sure = prospect.source(name)
            if source is None:
                continue
            line = self.net.line(forecast.say_source(self._facts, source))
            if is_sure:
                after = self._drawing(prospect.after(source, is_only=not is_open), missing - 1)
                rows.append([name, after, line])
                is_ended |= name in DEFAULT_ENTRY
            else:
                rows.append(
                    [name, None if is_open else self._drawing(prospect, missing, is_open=True), line, True]
                )
        if not is_ended:
            last = self._drawing(prospect.after(MATCH, is_only=not is_open), missing - 1)
            rows.append([LAST, last, self.net.line(forecast.OLDEST)])
        return self._node({"next": rows})

    def lacking(self) -> Json:
        """Return what is said where a card cannot be drawn."""
        return {
            card: self.net.line(forecast.say_lacking(self._facts, self._view, card))
            for card in self._facts.counts
        }


def list_hints(rules: WebOfPower, view: View) -> Json:
    """Return the hints for the owner of a view.

    Returns:
        `nowhere`: what is said of a placement without a country; `price`: what one piece, two and so on cost,
        with `{}` for the card and how many of it there are. For who is on turn, too: `words`, sentences with
        `{}` for names; `lines` and `nodes`, as `Tables` has them; by their numbers `pieces` of each country
        and `hand`; `payments` of each country; `lacking`: why each type of card cannot be drawn, where it
        cannot; `rest`: what a card is drawn by when an order says nothing more.
    """
    if view.me is None:
        return None
    facts = rules.facts
    hints: dict[str, Json] = {
        "nowhere": NOWHERE,
        "price": [_price(facts.limits, number + 1) for number in range(facts.limits.pieces)],
    }
    if view.me != view.to_move:
        return hints
    tables = Tables(seated(facts, view, view.me), view)
    hints |= {
        "pieces": {country: tables.pieces(country) for country in facts.lands},
        "payments": {country: tables.payments(country) for country in facts.lands},
        "hand": tables.hand(),
        "lacking": {} if view.closing else tables.lacking(),
        "rest": [*DEFAULT_ENTRY, LAST],
        "words": {name.lower(): text for name, text in vars(placing.Said).items() if name.isupper()},
    }
    return {**hints, "lines": tables.net.lines, "nodes": tables.net.nodes}


def _price(limits: Limits, pieces: int) -> str:
    each = f"for each of the {pieces} pieces " if pieces > 1 else ""
    return f"Costs {each}a card {{}} ({{}}), or {limits.joker} of one type."
