"""What the form page is told of turns: tables of cards to take that say what check says of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pbem.core.interface import Json, Outcome
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.hints import list_hints
from pbem.rules.web_of_power_cards.state import Card, Take
from pbem.rules.web_of_power_cards.view import View

from .table import deal, playout, rules


def paths(hints: Any, number: int) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield each node of a table with the cards that lead to it."""
    found: list[tuple[list[str], dict[str, Any]]] = [([], hints["nodes"][number])]
    for cards, node in found:  # grows while it is walked
        yield cards, node
        found += [([*cards, card], hints["nodes"][after]) for card, after in node.get("next", [])]


def wrong(view: View, cards: list[str], use: list[str], pay: list[str]) -> list[str]:
    """Return what check says of the cards that are taken."""
    order: dict[str, Json] = {"take": list[Json](cards), "use": list[Json](use), "pay": list[Json](pay)}
    move = rules().read({name: value for name, value in order.items() if value})
    return [one.text for one in rules().check(view, move) if one.path[0] == "take"]


def check_stones(view: View, cards: list[str], use: list[str], node: dict[str, Any]) -> bool:
    """Compare the stones of a node with those that the order leaves; tell whether some were paid."""
    assert view.me is not None
    mine, take = view.table().lying(view.me), tuple((card,) for card in cards)
    done = try_out(
        rules().facts, view, view.me, Take(take, use=tuple(law for law in view.laws if law in use), pay=mine)
    )
    left, given = len(done.table.lying(view.me)), node.get("given", 0)
    assert (node["reserve"], node.get("paid", 0)) == (done.table.stocks[view.me].reserve, len(done.broken))
    assert len(node.get("on", [])) - given == left
    assert bool(given) == done.paid_from_card
    return "paid" in node


def test_each_card_of_the_tables_is_what_check_says() -> None:
    counts: Counter[str] = Counter()
    for number, (state, ask, _) in enumerate(playout("tables", 3, ("greedy", "random"))):
        if isinstance(ask, Outcome) or number % 4:
            continue
        view = rules().view(state, state.to_move)
        assert view.me is not None
        hints: Any = list_hints(rules(), view)
        mine = [str(card) for card in view.players[view.me].stones]
        for pays, tables in enumerate(hints["takes"]):
            pay = mine if pays else []
            for use, start in ((key.split(",") if key else [], first) for key, first in tables.items()):
                for cards, node in paths(hints, start):
                    assert not cards or wrong(view, cards, use, pay) == []
                    for card, line in node.get("not", {}).items():
                        assert wrong(view, [*cards, card], use, pay) == [hints["lines"][line]], (cards, card)
                    counts.update(
                        nodes=1, laws=bool(use), refused=len(node.get("not", {})),
                        paid=check_stones(view, cards, use, node) if pays else 0,
                    )  # fmt: skip

    assert min(counts.values()) > 20, counts


def test_who_is_not_asked_gets_no_tables() -> None:
    state = deal("hints")
    other = next(seat for seat in state.players if seat != state.to_move)

    assert list_hints(rules(), rules().view(state, other)) is None
    assert list_hints(rules(), rules().view(state, None)) is None


def test_a_card_within_a_row_is_refused_with_the_cards_on_either_side() -> None:
    state = deal("hints")
    view = rules().view(state, state.to_move)
    hints: Any = list_hints(rules(), view)
    row = view.table().rows[0]

    assert wrong(view, [str(row[2])], [], []) == [hints["inside"].format(Card(row[2]), 2, len(row) - 3)]
