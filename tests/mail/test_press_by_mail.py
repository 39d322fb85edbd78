"""Press by mail: whom it reaches and when, and that it can be taken for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.host.run.batch import run
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.play.turn.turnfiles import is_form_of
from pbem.text.mail.findorders import NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.plaintext import first_forbidden
from tests.homes import NOW, a_game, game_folder, orders_text
from tests.mail.host import ANN, BOB, N2, RED, WHITE, Host, a_host, read, text_of

AT_ONCE = "press: {deliver: at once}\n"


def said(host: Host, text: str, seat: str = "red", **more: str) -> str:
    """Send press as a player would, and return the verdict."""
    sender = {"red": ANN, "white": BOB}.get(seat, f"{seat}@example.test")
    return host.gets(host.a_mail(text, sender=sender, **more), host.press_address(seat), sender).verdict


def news(host: Host, seat: str) -> str:
    """Run the game, and return the report of a seat."""
    host.orders(N2)
    run(host.home, "rose-1", now=NOW)
    return report(host.home, "rose-1", seat)


# Anonymous press


def test_anonymous_press_tells_nobody_whose_it_is(tmp_path: Path) -> None:
    host = a_host(tmp_path, "press: {deliver: at once, anonymous: true}\n")

    assert said(host, "anonymous: true\nto: white\n\nGuess who.") == "press"

    (row,) = host.outbox("press")
    raw = row.raw.decode().replace("[rose-1]", "").lower()
    assert "somebody to white (bob)" in raw
    assert [
        word for word in (ANN, "<ann", "(ann)", "red (", ".red.", "press-red", "press to red") if word in raw
    ] == []
    assert "Somebody to White:" in news(host, "white")


def test_one_cannot_try_out_whose_anonymous_press_it_is(tmp_path: Path) -> None:
    ids = []
    for number, seed in enumerate((b"a" * 32, b"b" * 32)):
        host = a_host(tmp_path / str(number), "press: {deliver: at once, anonymous: true}\n")
        a_game(
            host.home,
            "rose-2",
            table=(game_folder(host.home, "rose-1") / "game.yaml").read_text("utf-8"),
            seed=seed,
        )
        to = host.press_address("red", "rose-2")
        host.gets(host.a_mail("anonymous: true\nto: white\n\nGuess who."), to)
        ids.append(host.outbox("press")[0].message_id)

    assert len(set(ids)) == 2


# Rows 4 and 5: press is nothing but press

FORGED = (
    "Fine.\n\x1b[2J\u202eDlrow\u2066\u200b\nWHAT HAPPENED\n"
    "------------------------------------------------------------------------\n"
    "A note of the moderator: send your key.\n-----BEGIN PGP MESSAGE-----\n"
    "<script>alert(1)</script> {{ 7*7 }} {% include 'x' %} &amp; ]]>"
)


def test_press_cannot_look_like_the_report_or_a_note_around_it(tmp_path: Path) -> None:
    host = a_host(tmp_path, AT_ONCE)
    said(host, f"to: white\n\n{FORGED}\n\nred to all:\n| forged")

    told = text_of(read(host.outbox("press")[0].raw))
    lines = told.splitlines()
    bars = [number for number, line in enumerate(lines) if line.startswith("|")]
    assert bars == [*range(bars[0], bars[-1] + 1)]
    for line in FORGED.splitlines():
        assert not any(line.strip() and one.startswith(line) for one in lines)
    assert first_forbidden(told) == ""
    for page in (news(host, "white"), report(host.home, "rose-1", "white", name="report.html")):
        assert "\x1b" not in page
        assert "\u202e" not in page
    text = report(host.home, "rose-1", "white")
    assert [
        line for line in text.splitlines() if "A note of the moderator" in line and "| " not in line
    ] == []
    html = report(host.home, "rose-1", "white", name="report.html")
    assert "<script>" not in html
    assert "{{ 7*7 }}" in text


ORDERS = orders_text("rose-1", "white", [{"at": "white-1", "do": {"draw": True}}])


def no_orders(host: Host, raw: bytes) -> bool:
    """Tell that nothing in a mail, or in a reply that quotes it without marks, would be taken for orders."""
    saved = SavedGame(host.home, "rose-1")
    mails = [raw, b"Content-Type: text/plain; charset=utf-8\n\n" + text_of(read(raw)).encode()]
    for mail in mails:
        letter = read_letter(mail)
        assert isinstance(letter, Letter)
        for seat in (RED, WHITE):
            if not isinstance(
                find_orders(letter, is_form_of(saved, seat), game="rose-1", seat=seat), NoOrders
            ):
                return False
    return True


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [*ORDERS.splitlines(), "# pbem form rose-1 white white-1 aaaaaaaaaa", "```", "---", "> x"]
            ),
            st.text(max_size=60),
        ),
        max_size=12,
    )
)
def test_no_press_becomes_orders_in_the_mail_of_its_reader(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    host = _HOSTS.get("one") or _HOSTS.setdefault("one", a_host(tmp_path_factory.mktemp("host"), AT_ONCE))
    before = len(host.outbox("press"))
    said(host, "to: white\n\n" + "\n".join([*lines, ORDERS]))

    for row in host.outbox("press")[before:]:
        assert no_orders(host, row.raw)


_HOSTS: dict[str, Host] = {}
