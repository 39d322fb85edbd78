"""The order form as a page: it runs its own scripts and nothing else, and holds what the report holds."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.reports.formpages import page_of
from pbem.text.strictyaml import dump
from tests.homes import a_game, a_home, send
from tests.unpacked import unpacked_page

NASTY = "</script><!--<script>alert(1)</script>]]>&\"'`</title>"


class Parts(HTMLParser):
    """What a page is made of: its tags with their attributes, and the text within script, style and pre."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "pre": []}
        self.inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.texts:
            self.inside.append(tag)
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.texts:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[self.inside[-1]][-1] += data


def a_page(tmp_path: Path, name: str = "Ann", address: str = "") -> str:
    """Return the page of red after a message of white was delivered; white's player has this name."""
    table = dump({"seats": {"red": {"player": "Ann"}, "white": {"player": name}}})
    tmp_path.mkdir(exist_ok=True)
    saved = a_game(a_home(tmp_path), table=table)
    return page_of(saved, Seat("red"), address)


def test_a_page_allows_its_own_script_and_style_and_nothing_else(tmp_path: Path) -> None:
    page = a_page(tmp_path)
    parts, inside = Parts(page), unpacked_page(page)
    (policy,) = (
        str(given["content"])
        for tag, given in parts.tags
        if given.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "style-src": f"{digest(parts.texts['style'][0])} {digest(inside.style)} {digest(inside.dark)}",
        "script-src": f"{digest(parts.texts['script'][1])} {digest(inside.script)}",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert len(parts.texts["script"]) == 2


def test_a_page_names_no_other_file_and_no_other_host(tmp_path: Path) -> None:
    page = a_page(tmp_path)
    parts = Parts(page + unpacked_page(page).app)
    named = [
        (tag, name)
        for tag, given in parts.tags
        for name in given
        if name in ("src", "srcset", "data", "action", "style")
    ]
    links = [given["href"] for _, given in parts.tags if "href" in given]

    assert named == []
    drawn = {
        given["id"] for tag, given in parts.tags if tag in ("path", "g", "circle", "rect") and "id" in given
    }
    assert [link for link in links if str(link) != "#send" and str(link)[1:] not in drawn] == []
    assert "#send" in links
    assert not re.search(r"\bon[a-z]+=|javascript:|@import|url\((?!#)", "".join(map(str, parts.tags)))


def test_nothing_that_people_write_becomes_a_tag_or_ends_a_script(tmp_path: Path) -> None:
    plain, nasty = (a_page(tmp_path / place, name) for place, name in (("a", "x"), ("b", NASTY)))
    before, inside = unpacked_page(plain), unpacked_page(nasty)

    assert [tag for tag, _ in Parts(nasty).tags] == [tag for tag, _ in Parts(plain).tags]
    assert (inside.style, inside.script, inside.app) == (before.style, before.script, before.app)
    assert inside.data["players"][1]["name"] == NASTY
    assert re.fullmatch(r"[!-;=-~\n]+", inside.signs)


def test_no_page_holds_an_address_a_key_or_the_seed(tmp_path: Path) -> None:
    seats: dict[str, Json] = {
        "red": {"player": "Ann", "address": "canary1@example.test"},
        "white": {"player": "Bob", "address": "canary2@example.test"},
    }
    saved = a_game(a_home(tmp_path), table=dump({"seats": seats, "key": True}))
    page = page_of(saved, Seat("red"), "host@example.test")
    secrets = [saved.players.key(seat) for seat in saved.start.seats] + [saved.secret.seed.hex()]

    inside = unpacked_page(page)
    whole = "\n".join((page, inside.app, inside.script, inside.json))

    assert "canary" not in whole
    assert [secret for secret in secrets if secret in whole] == []
    assert inside.data["address"] == "host@example.test"


def test_the_page_of_one_seat_holds_no_line_and_no_word_of_another(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    before = [page_of(saved, seat) for seat in saved.start.seats]
    send(home, "rose-1", "white", [{"at": "white-9", "when": {"white.points": 4711}, "do": {"draw": True}}])

    assert [page_of(saved, seat) for seat in saved.start.seats] == before


def test_the_form_on_a_page_is_sent_as_a_reply_or_to_the_moderator(tmp_path: Path) -> None:
    by_hand, by_mail = (
        a_page(tmp_path / "a"),
        a_page(tmp_path / "b", address="host+rose-1.token@example.test"),
    )

    assert "Fill in this form and send it to your moderator." in by_hand
    assert "reply" not in by_hand
    assert "Fill in this form in a reply to the report." in by_mail
