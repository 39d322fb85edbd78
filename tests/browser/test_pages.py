"""What all form pages can do: lines, conditions, messages, the text below; and for everybody."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from urllib.parse import parse_qs, unquote

import pytest
from playwright.sync_api import Browser

from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.text.mail.compose import Attachment
from pbem.text.strictyaml import dump, parse
from tests.browser.chromium import AXE
from tests.browser.forms import Desk, Mouse, asked, judged, lodge, next_turn, same_move, suggestion
from tests.homes import a_game, a_home, orders_text, send
from tests.mail.samples import a_mail
from tests.plugins import EXAMPLES, HILLS, plugged_in

pytestmark = pytest.mark.browser

GAMES = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")
RUN_AXE = """async () => (await axe.run(document)).violations
    .map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])"""
OPENS_A_CHOICE = """() => [...document.querySelectorAll("#board [data-place].open")].some((place) => {
    place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return document.querySelectorAll("#board-choice button").length > 1;
})"""


@pytest.mark.parametrize(
    ("name", "scheme"), [*((name, "light") for name in GAMES), ("rose-1", "dark"), ("web-1", "dark")]
)
def test_axe_finds_nothing_in_light_in_dark_or_narrow(name: str, scheme: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    desk.opens(saved, asked(saved)[0], "host+x@example.test")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for name_ in ("add-press", "add-line"):
        desk.page.click(f"#{name_}")
    desk.page.click('[id="stop_if.add"]')
    desk.page.evaluate(AXE.read_text(encoding="utf-8"))
    for width in (1000, 320):
        desk.page.set_viewport_size({"width": width, "height": 800})
        assert desk.page.evaluate(RUN_AXE) == []
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), [(1000, "light"), (360, "dark")])
def test_axe_finds_nothing_while_a_plan_is_played_and_a_choice_is_open(
    width: int, scheme: str, demo: Home, desk: Desk
) -> None:
    page = desk.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    axe = AXE.read_text(encoding="utf-8")
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0], "host+x@example.test")
    page.click("#walk-on")
    for step in ('[id="walk.0"]', '[id="walk.0"]', '[id="walk.0"]', "#walk-back"):
        page.click(step)
    page.evaluate(axe)
    assert page.is_visible("#tree") and page.locator("#walked .way").count() > 0
    assert page.evaluate(RUN_AXE) == []
    for name in ("web-1", "wop-1", "cards-1", "powers-1"):
        saved = SavedGame(demo, name)
        desk.opens(saved, asked(saved)[0], "host+x@example.test")
        assert page.evaluate(OPENS_A_CHOICE), name
        page.evaluate(axe)
        assert page.evaluate(RUN_AXE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def a_desk(tmp_path: Path, desk: Desk) -> SavedGame:
    """Open the form of the seat that moves first in a new game of The Rose King."""
    saved = a_game(a_home(tmp_path))
    desk.opens(saved, asked(saved)[0], "host+rose-1.token@example.test")
    return saved


def do_of(desk: Desk) -> Json:
    """Return the orders of the page as the host reads them."""
    value = parse(desk.yaml()).value
    assert isinstance(value, dict)
    return value


def lines_of(desk: Desk) -> list[dict[str, Json]]:
    value = do_of(desk)
    assert isinstance(value, dict)
    assert isinstance(value["orders"], list)
    return [line for line in value["orders"] if isinstance(line, dict)]


def test_lines_can_be_added_reordered_and_removed_with_conditions(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    seat = asked(saved)[0]
    page = desk.page
    page.locator(".choices input").first.check()
    page.click("#add-line")
    page.check('[id="line.1.do.draw"]')
    page.click('[id="line.1.when.add"]')
    page.select_option('[id="line.1.when.new"]', index=1)
    page.select_option('[id="line.1.keep"]', "keep")
    page.click('[id="line.1.up"]')
    value = do_of(desk)

    assert isinstance(value, dict)
    lines = value["orders"]
    assert isinstance(lines, list)
    first, second = lines
    assert isinstance(first, dict)
    when = first["when"]
    assert isinstance(when, dict)
    assert list(when) == ["crown"]  # the condition that fits the position is offered first
    assert first == {"when": when, "keep": True, "do": {"draw": True}}
    assert isinstance(second, dict)
    assert second["at"] == f"{seat}-1"
    assert not isinstance(judged(saved.home, desk.yaml(), tmp_path), list)
    page.click('[id="line.0.remove"]')
    assert desk.yaml().count("do:") == 1


def test_conditions_are_chosen_from_the_view_and_told_whether_they_hold(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    page = desk.page
    page.locator(".choices input").first.check()
    page.click('[id="line.0.summary"]')
    page.click('[id="line.0.when.add"]')
    assert "when:" not in desk.yaml(), "nothing is asked before it is chosen"
    page.select_option('[id="line.0.when.new"]', "heroes")
    page.select_option('[id="line.0.when.0.step1"]', "white")
    page.select_option('[id="line.0.when.0.test"]', "at_most")
    page.fill('[id="line.0.when.0.value"]', "1")
    page.press('[id="line.0.when.0.value"]', "Tab")

    assert "heroes: {player: white, at_most: 1}" in desk.yaml()
    assert desk.forecast() == ["not now: its condition does not hold"]
    result = judged(saved.home, desk.yaml(), tmp_path)
    assert not isinstance(result, list)
    assert result.verdict.prospects[0].lines[0] == "its condition does not hold"


def draws_if(desk: Desk, saved: SavedGame, when: Json) -> None:
    """Write an order of the seat that is asked, which draws a card on a condition."""
    desk.writes(orders_text(saved.name, asked(saved)[0], [{"do": {"draw": True}, "when": when}]))


def test_what_is_touched_after_typing_is_not_drawn_anew_under_the_finger(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    page = desk.page
    draws_if(desk, saved, {"pile": 5, "heroes": 1})
    page.fill('[id="line.0.when.0.value"]', "6")
    page.fill('[id="line.0.when.1.value"]', "2")
    page.focus('[id="line.0.when.0.value"]')

    assert "{pile: 6, heroes: 2}" in desk.yaml()
    page.fill('[id="line.0.when.0.value"]', "7")
    page.click('[id="line.0.when.1.remove"]')
    assert "- when: {pile: 7}\n" in desk.yaml()


def test_a_standing_order_says_how_long_it_stays_and_other_lines_are_added_above_it(
    tmp_path: Path, desk: Desk
) -> None:
    a_desk(tmp_path, desk)
    page = desk.page
    page.locator(".choices input").first.check()
    page.click("#add-keep")
    assert page.evaluate("pbem.page.lines()[1].until") == "red-2"
    page.select_option(desk.id("line.1.keep"), "red-3")
    page.click("#add-line")
    page.check('[id="line.1.do.draw"]')

    assert page.evaluate("pbem.page.lines().map((line) => [line.at ?? '', line.until ?? ''])") == [
        ["red-1", ""],
        ["red-2", ""],
        ["", "red-3"],
    ]
    page.click('[id="line.1.down"]')
    assert "order 2 is tried first" in " ".join(desk.forecast(2))


def test_messages_and_stopping_are_written_too(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    page = desk.page
    page.locator(".choices input").first.check()
    page.click("#app details > summary >> text=Messages")
    page.click("#add-press")
    page.uncheck('[id="press.0.to.all"]')
    page.check('[id="press.0.to.white"]')
    page.fill('[id="press.0.say"]', 'A "fine" hero:\n# no comment, that.')
    page.click('[id="stop_if.add"]')
    page.select_option('[id="stop_if.new"]', index=1)
    assert page.inner_text("#more") == "1 message to other players; stop; more"
    result = judged(saved.home, desk.yaml(), tmp_path)

    assert not isinstance(result, list)
    (message,) = result.submission.orders.press
    assert message.say == 'A "fine" hero:\n# no comment, that.'
    assert list(message.to) == ["white"]
    assert result.submission.orders.stop_if


def test_the_text_can_be_edited_and_the_fields_follow(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    seat = asked(saved)[0]
    head = f"game: rose-1\nseat: {seat}\norders:\n"
    desk.writes(f"{head}- at: {seat}-2   # later\n  do: {{draw: true}}\n")
    assert desk.page.is_checked('[id="line.0.do.draw"]')
    assert desk.wrong() == []
    desk.writes(f"{head}- at: {seat}-2\n  do: {{draw: yes}}\n  keep: 3\n")
    assert [line.split(":")[0] for line in desk.wrong()] == ["Row 5, column 14", "Row 6, column 9"]
    assert desk.page.evaluate("document.getElementById('fields').disabled")
    desk.writes(f"{head}- at: {seat}-2\n  do: {{draw: true\n")
    assert desk.wrong() == ['Row 5, column 7: The "{" that opens here is never closed. Close it with "}".']
    assert "This page cannot read this" in desk.page.inner_text("#verdict")
    assert desk.page.is_visible("#loosely")
    assert desk.page.inner_text("#problems pre").split("\n") == ["  do: {draw: true", "      ^"]
    desk.page.click("#back")
    assert desk.wrong() == []
    assert "draw: true" in desk.yaml()


def test_a_mail_is_opened_with_the_orders_or_says_that_they_are_too_long(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    desk.page.locator(".choices input").first.check()
    link = desk.page.get_attribute("#mail", "href") or ""
    address, _, query = link.removeprefix("mailto:").partition("?")
    assert unquote(address) == "host+rose-1.token@example.test"
    assert parse_qs(query)["body"][0].replace("\r\n", "\n") == desk.yaml()
    desk.writes(desk.yaml() + "press:\n- {to: [all], say: '" + "long " * 400 + "'}\n")
    assert "body" not in (desk.page.get_attribute("#mail", "href") or "")
    assert desk.page.is_visible("#long")
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert desk.page.inner_text("#go") == "Copy to send"
    desk.page.click("#go")
    desk.waits("document.getElementById('done').textContent.startsWith('Copied')")
    assert desk.page.evaluate("navigator.clipboard.readText()") == desk.yaml()


def test_orders_are_shared_where_the_device_can(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    assert desk.page.is_visible("#share") == desk.page.evaluate("Boolean(navigator.share)")
    desk.page.add_init_script("navigator.share = undefined")
    desk.reloads()
    assert not desk.page.is_visible("#share")

    desk.page.add_init_script("navigator.share = async (what) => { globalThis.shared = what; }")
    desk.reloads()
    assert not desk.page.is_enabled("#share")  # nothing is chosen yet
    desk.page.locator(".choices input").first.check()
    desk.page.click("#share")
    assert desk.page.evaluate("shared.text") == desk.yaml()
    assert desk.page.evaluate("shared.title") == desk.page.evaluate("pbem.data.subject")
    desk.waits("document.getElementById('done').textContent.startsWith('Handed on')")
    assert "until you are asked next" in desk.page.inner_text("#kept")

    desk.page.evaluate("() => { navigator.share = () => Promise.reject(new Error('given up')); }")
    desk.page.click("#add-line")
    desk.page.click("#share")
    assert desk.page.inner_text("#done") == ""
    assert desk.page.evaluate("localStorage.length") == 1


def test_lines_that_wait_are_told_and_can_be_taken_over(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    seat = asked(saved)[0]
    waiting: Json = {"at": f"{seat}-2", "when": {"pile": {"at_most": 9}}, "do": {"draw": True}}
    send(home, "rose-1", seat, [{"do": suggestion(saved, seat)}, waiting])
    desk.opens(next_turn(home, saved), seat)
    assert "your line that waits: " in desk.page.inner_text("#pending")
    desk.page.click("#take-over")

    value = do_of(desk)
    assert isinstance(value, dict)
    assert value["orders"] == [waiting]
    assert desk.page.input_value('[id="line.0.at"]') == f"{seat}-2"
    assert not desk.page.is_visible("#pending")
    desk.reloads()
    assert not desk.page.is_visible("#pending")
    desk.page.click("#undo")
    assert desk.page.is_visible("#pending")


def test_lines_that_can_be_played_no_more_are_not_taken_over_and_a_click_orders_for_now(
    tmp_path: Path, desk: Desk
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    seat = asked(saved)[0]
    past: Json = {"at": f"{seat}-2", "when": {"pile": {"at_most": 9}}, "do": {"draw": True}}
    later: Json = {"at": f"{seat}-3", "do": {"draw": True}}
    never: Json = {"at": f"{seat}-3", "when": {"board.A1": seat}, "do": {"draw": True}}
    send(home, "rose-1", seat, [{"do": suggestion(saved, seat)}, past, never, later])
    saved = next_turn(home, saved)
    other = asked(saved)[0]
    send(home, "rose-1", other, [{"do": suggestion(saved, other)}])
    saved = next_turn(home, saved)
    assert asked(saved)[0] == seat
    desk.opens(saved, seat)
    assert "your 2 lines that wait; 1 older one is over." in desk.page.inner_text("#pending")
    assert "cannot be played" not in desk.page.inner_text("#pending")
    desk.page.evaluate("pbem.page.order({ draw: true })")
    assert "After what was done or is chosen, 1 of them cannot be played any more." in desk.page.inner_text(
        "#pending"
    )
    desk.page.click("#take-over")
    assert [line["at"] for line in lines_of(desk)] == [f"{seat}-2", f"{seat}-3"]
    for _ in range(2):
        desk.page.click("#undo")
    desk.page.click("#take-over")
    assert [line["at"] for line in lines_of(desk)] == [f"{seat}-2", f"{seat}-3", f"{seat}-3"]
    desk.page.evaluate("pbem.page.replace(pbem.page.lines().filter((line) => !line.when), 0)")

    text = desk.yaml().replace("do: {}", "when: {pile: {at_most: 9}}\n  do: {draw: true}", 1)
    desk.writes(text)
    assert f"No line answers {seat}-2 as things stand; the game will wait for you." in desk.page.inner_text(
        "#verdict"
    )
    assert f"No line answers {seat}-2" in desk.page.inner_text("#now")
    desk.clicks(
        str(desk.page.evaluate("pbem.model.wholeOrders[0].items.find((one) => one.order.play).order.play"))
    )
    assert [line.get("when") for line in lines_of(desk)][-2:] == [None, None]
    assert "No line answers" not in desk.page.inner_text("#verdict")


def test_without_scripts_the_form_stands_there_as_text(browser: Browser, tmp_path: Path) -> None:
    saved = a_game(a_home(tmp_path))
    (tmp_path / "orders.html").write_text(page_of(saved, asked(saved)[0]), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "orders.html").as_uri())

    assert "do: {}" in page.inner_text("#plain")
    assert "THE BOARD" in page.inner_text("#plain")
    assert "Scripts are off" in page.inner_text("#plain")
    assert not page.is_visible("#app, #opening")
    context.close()


def test_the_page_runs_as_a_mail_brings_it_with_its_rows_ended_as_in_mails(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "web-1")
    page = page_of(saved, asked(saved)[0], "host+x@example.test")
    raw = attached(page)
    desk.path.write_bytes(raw)
    desk.page.goto(desk.path.as_uri())
    desk.waits("globalThis.pbem?.page")

    assert raw.replace(b"\r\n", b"\n") == page.encode()
    assert raw.count(b"\r\n") > 100
    assert desk.page.is_visible("#app")
    assert desk.page.locator("#board svg").count() == desk.page.locator("svg").count() == 1
    assert desk.errors == []


def attached(page: str) -> bytes:
    """Return a page as it is saved from a mail."""
    mail = a_mail("Your report.", Attachment("orders.html", "text/html", page.encode()))
    (file,) = message_from_bytes(mail, policy=SMTP).iter_attachments()
    return str(file.get_payload()).encode("ascii")


def test_a_page_that_was_changed_runs_nothing_of_it(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path))
    page = page_of(saved, asked(saved)[0])
    evil = "<script>document.title = 'run'</script>"
    desk.path.write_text(page.replace("</body>", f"{evil}</body>"), encoding="utf-8")
    desk.page.goto(desk.path.as_uri())
    desk.waits("globalThis.pbem?.page")

    assert desk.page.title() != "run"
    assert any("Content Security Policy" in error for error in desk.errors)
    desk.errors.clear()


@pytest.mark.parametrize(
    ("lacking", "error"),
    [
        ("structuredClone", "structuredClone is not defined"),
        ("Array.prototype.findLast", "[].findLast is not a function"),
        ("DecompressionStream", "DecompressionStream is not defined"),
    ],
)
def test_an_old_browser_shows_the_board_and_the_form(
    lacking: str, error: str, tmp_path: Path, desk: Desk
) -> None:
    saved = a_game(a_home(tmp_path))
    desk.page.add_init_script(f"delete globalThis.{lacking};")
    desk.path.write_text(page_of(saved, asked(saved)[0]), encoding="utf-8")
    desk.page.goto(desk.path.as_uri())

    assert "THE BOARD" in desk.page.inner_text("#plain")
    assert "the browser is from before summer 2023" in desk.page.inner_text("#plain")
    assert not desk.page.is_visible("#app")
    assert desk.errors == [error]
    desk.errors.clear()


def test_what_people_write_is_shown_and_never_run(tmp_path: Path, desk: Desk) -> None:
    name = "</script><img src=x onerror=alert(1)>\\\"'${1}{{2}}"
    table = dump({"seats": {"red": {"player": "Ann"}, "white": {"player": name}}})
    saved = a_game(a_home(tmp_path), table=table)
    desk.opens(saved, "red")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    desk.page.click("#add-press")
    nasty = "</textarea><script>document.title = 'run'</script>"
    desk.page.fill('[id="press.0.say"]', nasty)

    assert name in desk.page.inner_text("#press")
    assert desk.page.locator("img").count() == 0
    assert desk.page.locator("script").count() == 3  # what is packed, what unpacks it, and what was packed
    value = do_of(desk)
    assert isinstance(value, dict)
    assert value["press"] == [{"to": ["all"], "say": nasty}]


@pytest.mark.parametrize(("rules", "seats", "turns"), [("tic-tac-toe", 2, 5), ("hills", 3, 4)])
def test_a_game_of_a_plug_in_has_a_whole_form_for_nothing(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch, rules: str, seats: int, turns: int
) -> None:
    """Tic-tac-toe has whole orders, Hills menus by place, a field named luck, and no bots of its own.

    What is put together from several menus has no forecast on the page: it says so.
    """
    with plugged_in(tmp_path / "site", {**EXAMPLES, **HILLS}, monkeypatch):
        home = a_home(tmp_path)
        system = registry.find_rules(rules).system
        assert system is not None
        table = "seats:\n" + "".join(f"  {seat}: {{player: P}}\n" for seat in system.seat_names(seats))
        saved = a_game(home, "plug-1", rules=rules, table=table)
        while asked(saved):
            for seat in asked(saved):
                order = suggestion(saved, seat)
                desk.opens(saved, seat)
                Mouse(desk).fill(order)
                result = judged(home, desk.yaml(), tmp_path)
                assert same_move(saved, result, order)
                assert not isinstance(result, list)
                foreseen = f"will be played: {result.verdict.prospects[0].lines[0]}"
                assert desk.forecast()[0] == foreseen or (
                    rules == "hills" and desk.forecast()[0].startswith("not judged here: climb, hill: ")
                )
                lodge(home, desk.yaml(), tmp_path)
            saved = next_turn(home, saved)

    assert saved.turn >= turns
