"""Lines for later on the order page: labels that can be asked, and lines that the rules have ready."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.book import labels_ahead
from pbem.core.foresight import horizon_of
from pbem.core.interface import Ask, Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged

pytestmark = pytest.mark.browser

SEQUENTIAL = ("rose-1", "wop-1", "cards-1", "powers-1")
LABELS = "id => [...document.getElementById(id).options].map((one) => one.value).filter(Boolean)"
TAKE = "#ready-lines button[aria-label^='Take']"
LEAVE = "#ready-drop"


def waiting(saved: SavedGame) -> str:
    """Return a seat that is not asked."""
    return next(seat for seat in saved.start.seats if seat not in asked(saved))


@pytest.mark.parametrize("name", ["rose-1", "web-1"])
def test_a_line_offers_the_labels_that_the_seat_can_be_asked(name: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    desk.page.click("#add-line")
    offered = desk.page.evaluate(LABELS, "line.1.at")

    assert isinstance(saved.ask, Ask)
    words = horizon_of(saved.rules).follow_ups or {}
    known = labels_ahead(saved.ask, saved.position.asked, seat, saved.start.seats, words, own=4)
    assert offered == list(known)
    assert desk.page.input_value(desk.id("line.1.at")) == next(
        one for one in known if one != saved.ask.label and "." not in one
    )


def test_a_new_line_is_for_the_first_ask_that_is_not_answered_whatever_happens(
    demo: Home, desk: Desk
) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "white")
    first, then = desk.page.evaluate("() => pbem.data.labels.slice(0, 2)")
    head, _, _ = desk.yaml().partition("orders:")
    line = f"{head}orders:\n- {{at: {first}, do: {{draw: true}}}}\n"

    desk.writes(line)
    desk.page.click("#add-line")
    assert desk.page.input_value(desk.id("line.1.at")) == then

    desk.writes(f"{line}- {{at: {then}, do: {{draw: true}}}}\n")
    third = desk.page.evaluate("() => pbem.data.labels[2]")
    assert desk.page.inner_text("#add-line") == f"Add a line for {third} ({then} has one without a condition)"

    desk.writes(f"{line}- {{at: {then}, when: {{crown: A1}}, do: {{draw: true}}}}\n")
    desk.page.click("#add-line")
    assert desk.page.input_value(desk.id("line.2.at")) == then, "the else of the line before"


@pytest.mark.parametrize("name", ["wop-1", "cards-1", "powers-1"])
def test_a_seat_that_waits_takes_all_ready_lines_and_the_host_accepts_them(
    name: str, demo: Home, desk: Desk, tmp_path: Path
) -> None:
    saved = SavedGame(demo, name)
    desk.opens(saved, waiting(saved))
    ready = desk.page.locator(TAKE).count()
    assert ready >= 1

    desk.page.click("#take-all")

    assert len(desk.page.evaluate("() => pbem.page.doc().orders")) == ready
    assert desk.page.locator(TAKE).count() == 0  # they stand among the orders, and there alone
    assert desk.page.inner_text("#ready-taken").startswith("All taken, above.")
    assert desk.wrong() == []
    assert not isinstance(judged(saved.home, desk.yaml(), tmp_path), list)
    taken = desk.yaml()
    desk.page.click("#undo")
    assert desk.page.locator(TAKE).count() == ready
    desk.page.click("#redo")
    desk.reloads()
    assert desk.yaml() == taken
    desk.page.click(LEAVE)
    assert "do:" not in desk.yaml()
    for _ in range(ready):
        desk.page.locator(TAKE).last.click()
    assert desk.yaml() == taken, "lines stand as they are to be tried, in whatever order they are taken"


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_of_ready_lines_after_the_order_for_now_the_page_promises_no_more_than_the_host(
    name: str, demo: Home, desk: Desk, tmp_path: Path
) -> None:
    saved = SavedGame(demo, name)
    desk.opens(saved, asked(saved)[0])
    said = desk.page.evaluate(
        """() => { const { ask, draft, plan } = pbem.data;
        const now = { at: ask.label, do: draft.now };
        pbem.page.replace([now], 0);
        return plan.lines.map(({ at, when, keep, until, do: order }) => {
          const held = Object.keys(when ?? {}).length ? when : undefined;
          const line = { at, when: held, until, keep: until ? undefined : keep, do: order };
          const doc = { ...pbem.page.doc(), orders: [now, JSON.parse(JSON.stringify(line))] };
          const { problems, prospects } = pbem.model.judge(doc);
          return [JSON.stringify(doc.orders), problems.length ? "wrong" : prospects[1].lines[0]];
        }); }"""
    )
    head = f"game: {name}\nseat: {asked(saved)[0]}\norders: "

    possible = 0
    for orders, told in said:
        receipt = judged(saved.home, f"{head}{orders}\n", tmp_path)
        if told == "it can be played if that happens":
            assert not isinstance(receipt, list), orders
            assert "cannot be judged yet" not in receipt.verdict.prospects[1].lines[0], orders
            possible += 1
    assert possible > 0


def test_lines_that_are_ready_for_another_order_are_not_taken_all_at_once(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0])
    desk.page.click("#ready-title")
    assert desk.page.is_visible("#take-all")
    made_for, other = desk.page.evaluate(
        """[pbem.data.draft.now, pbem.model.wholeOrders[0].items.map((one) => one.order)
        .find((one) => pbem.model.canonical(one) !== pbem.model.canonical(pbem.data.draft.now))]"""
    )
    desk.page.evaluate("order => pbem.page.order(order)", other)
    assert not desk.page.is_visible("#take-all")
    assert "for another order now" in desk.page.inner_text("#ready-for")
    assert desk.page.locator('[id^="ready."][id$=".take"]').count() == 0
    desk.page.click("#ready-show")
    assert desk.page.locator('[id^="ready."][id$=".take"]').count() > 0
    before = desk.yaml()
    desk.page.click("#ready-instead")
    assert desk.page.evaluate("() => pbem.page.lines()[0].do") == made_for
    assert len(desk.page.evaluate("() => pbem.page.lines()")) > 1
    desk.page.click("#undo")
    assert desk.yaml() == before, "one step brings back all that was replaced"
    desk.page.evaluate("order => pbem.page.order(order)", made_for)
    assert desk.page.is_visible("#take-all")


def by_hand(desk: Desk, numbers: list[int]) -> list[Json]:
    """Write ready lines into the text, as a player would by hand, and return them."""
    lines: list[Json] = desk.page.evaluate(
        """numbers => { const {ask, draft, plan} = pbem.data;
        const all = [{at: ask.label, do: draft.now}, ...plan.lines.map(({at, when, do: order}) => ({at, ...(when && {when}), do: order}))];
        const lines = numbers.map((one) => all[one]); pbem.page.replace(lines, 0); return lines; }""",  # noqa: E501
        numbers,
    )
    return lines


def test_lines_made_by_hand_are_never_left_out_with_those_that_were_taken(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0])
    desk.page.click("#ready-title")
    own = by_hand(desk, [0, 1])
    assert not desk.page.is_visible(LEAVE)

    desk.page.locator(TAKE).first.click()
    desk.reloads()
    assert desk.page.inner_text("#ready-taken").startswith("1 taken, above.")
    desk.page.click(LEAVE)

    assert desk.page.evaluate("() => pbem.page.doc().orders") == own
    desk.page.click("#undo")
    assert desk.page.inner_text("#ready-taken").startswith("1 taken, above.")


def test_ready_lines_that_an_own_line_answers_are_marked_and_not_taken_with_all(
    demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0])
    desk.page.click("#ready-title")
    own = desk.page.evaluate(
        """() => { const {ask, draft, plan: {lines: [{at, when, do: order}]}} = pbem.data;
        const mine = {at, when, do: order.draw ? {play: "N1"} : {draw: true}};
        pbem.page.replace([{at: ask.label, do: draft.now}, mine], 0); return mine; }"""
    )
    marked = desk.page.locator("#ready-lines li", has_text="order 2 comes first then")
    assert marked.count() >= 1

    desk.page.click("#take-all")
    orders = desk.page.evaluate("() => pbem.page.doc().orders")
    assert [line["do"] for line in orders if line.get("when") == own["when"]] == [own["do"]]
    assert not any(
        "is tried first" in told for number in range(len(orders)) for told in desk.forecast(number)
    )
    marked.first.locator("button").click()
    assert len(desk.page.evaluate("() => pbem.page.doc().orders")) == len(orders) + 1
