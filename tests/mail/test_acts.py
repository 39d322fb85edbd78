"""Acts that the moderator mails: who is believed, what is asked back and answered; and each once.

What comes of each stands in the rows `acting` of the evenings.
"""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import click
import pytest

from pbem.cli.base import MailableVerb
from pbem.cli.commands import cli
from pbem.cli.moderation.mailed import MailedCommands, parse_mailed_line
from pbem.cli.verbs import names
from pbem.core.events import Seat
from pbem.host.notices.digest import news_of
from pbem.mail.conversation.acts import forget_secret, read_acts, read_confirmation, renew_secret
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused
from pbem.text.names import mask_tokens
from tests.facts import each_tells, tells
from tests.homes import game_folder
from tests.hosting.games import (
    GAME,
    MINUTE,
    MODERATOR,
    noted,
    public_acts,
    stay,
)
from tests.mail.host import read, text_of
from tests.mail.moderator import NOW, mary
from tests.written import yaml_beside

EVE = "eve@example.test"
COMMANDS = MailedCommands()
TABLES = yaml_beside(__file__, "acts.yaml")


def test_a_status_waits_no_longer_than_ten_minutes_for_mails_that_cannot_be_read(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.host.put(moderator.host.a_mail("status", MODERATOR, subject=""), moderator.address, MODERATOR)
    with mock.patch("pbem.store.journal.Journal.count_waiting", return_value=(1, 0)):
        assert [one.verdict for one in moderator.host.process()] == ["waits"]
        moderator.passes(11 * MINUTE)
        assert [one.verdict for one in moderator.host.process()] == ["acts"]

    assert "unread: 1 mail" in moderator.answer()
    (answer,) = moderator.answers()
    assert (answer["Auto-Submitted"], answer["X-Loop"]) == ("auto-replied", "host@pbem.test")
    assert answer["In-Reply-To"]


def test_an_answer_shows_neither_the_orders_of_a_seat_nor_its_key(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    stay(moderator.home, "1", label="turn-2")
    assert moderator.mails("seat club 1") == "acts"
    assert tells(moderator.answer(), "club, 1: Ann")
    with (game_folder(moderator.home, GAME) / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("key: true\n")
    assert moderator.asks("seat club 1 new-secret") == "acts"

    key = SavedGame(moderator.home, GAME).secret.keys[Seat("1")]
    assert all(key not in text_of(one) and "stay" not in text_of(one) for one in moderator.answers())


ASKED_BACK = [
    "cancel club why a quarrel",
    "undo club",
    "seat club 1 new-secret",
    "seat club 1 address a@b.example",
]


@pytest.mark.parametrize("act", ASKED_BACK)
def test_what_is_dangerous_is_asked_back_and_done_once(tmp_path: Path, act: str) -> None:
    moderator = mary(tmp_path)

    assert moderator.mails(act) == "asked"
    there, asked = moderator.reply_to(), moderator.answer()
    with moderator.home.journal() as db:
        assert db.acts(GAME) == []
    assert f"> {act} club: " in asked
    assert moderator.mails("Yes\n\nOn Friday the host wrote:\n> Nothing was done yet", to=there) == "acts"
    assert moderator.mails("yes", to=there) == "refused"

    with moderator.home.journal() as db:
        assert len(db.acts(GAME)) == 1
        assert [row for row in db.notes("") if row.startswith(("acting:", "acted:"))] == []
        assert news_of(moderator.home, db, ()) == [], "what is refused is told in its answer alone"


@pytest.mark.parametrize(("text", "word"), TABLES["words"].items())
def test_a_name_may_stand_below_a_yes_and_nothing_else(text: str, word: str) -> None:
    assert read_confirmation(COMMANDS, text.splitlines()) == word


@pytest.mark.parametrize(("signed", "is_name"), TABLES["signed"].items())
def test_the_moderators_name_alone_below_acts_is_no_act(signed: str, is_name: bool) -> None:
    lines = f"hold club 1\nhold club 2\n\n{signed.partition('-- ')[0]}".splitlines()

    if is_name:
        assert len(read_acts(COMMANDS, "", lines, "Mary Host")) == 2
    else:
        with pytest.raises(RequestRefused, match="the 3rd act"):
            read_acts(COMMANDS, "", lines, "Mary Host")


def test_a_name_right_below_an_act_or_in_an_announcement_is_read(tmp_path: Path) -> None:
    with pytest.raises(RequestRefused, match="the 2nd act, `Mary`"):
        read_acts(COMMANDS, "", ["hold club 1", "Mary"], "Mary")
    first, second = read_acts(
        COMMANDS, "", ["hold club 1", "announce club", "", "Wait.", "pause club", "", "Mary"], "Mary"
    )
    assert (first.verb, second.text) == ("hold", "Wait.\npause club\nMary")


# --- who is believed


def test_the_address_is_starred_in_logs(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.mails("status")

    told = mask_tokens(f"{moderator.address} and {moderator.reply_to()}")

    assert told == "host+m_****@pbem.test and host+m_1.****@pbem.test"


def test_a_new_secret_ends_the_old_one_and_what_waited(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.mails("undo club")
    there, old = moderator.reply_to(), moderator.address
    moderator.address = renew_secret(moderator.home, NOW)

    assert moderator.mails("pause club", to=old) == "warned"
    before = len(moderator.answers())
    for _ in range(2):
        assert moderator.mails("yes", to=there) == "warned"
    assert len(moderator.answers()) <= before + 1
    assert moderator.mails("status") == "acts"
    forget_secret(moderator.home, NOW)
    assert moderator.mails("status") == "dropped"

    assert SavedGame(moderator.home, GAME).turn == 2


@pytest.mark.parametrize(
    ("token", "sender", "headers", "verdict", "told"),
    [
        ("aaaaaaaaaaaaaaaa", MODERATOR, {}, "warned", ["acts-unproven"]),
        ("", EVE, {}, "warned", ["acts-unproven"]),
        ("7.aaaaaaaaaaaaaaaa", EVE, {}, "dropped", []),
        ("", MODERATOR, {"Auto-Submitted": "auto-replied"}, "dropped", []),
    ],
    ids=["another secret", "another sender", "a stranger", "a robot"],
)
def test_who_shows_one_of_secret_and_sender_makes_the_host_tell_the_moderator_once_a_day(
    tmp_path: Path, token: str, sender: str, headers: dict[str, str], verdict: str, told: list[str]
) -> None:
    moderator = mary(tmp_path)
    local = moderator.address.partition("m_")[0]
    to = f"{local}m_{token}@pbem.test" if token else moderator.address

    said = [moderator.mails("pause club", to=to, sender=sender, **headers) for _ in range(3)]

    assert said == [verdict] * 3
    assert [(one.rcpt, read(one.raw)["X-PBEM-Kind"]) for one in moderator.host.outbox()] == [
        (MODERATOR, kind) for kind in told
    ]
    assert noted(moderator.home).paused is None
    with moderator.home.journal() as db:
        assert each_tells(news_of(moderator.home, db, ()), *((number,) for number in "123" * len(told)))


def test_a_loop_ends(tmp_path: Path) -> None:
    moderator = mary(tmp_path)

    said = [moderator.mails("pause club nonsense") for _ in range(65)]

    assert said == ["refused"] * 60 + ["dropped"] * 5


# --- once


def test_a_mail_that_comes_twice_acts_once(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    raw = moderator.host.a_mail("extend club by 1d", sender=MODERATOR)
    again = b"Received: by another way; Fri, 20 Nov 2026 14:00:00 +0000\n" + raw

    assert moderator.host.gets(raw, moderator.address, MODERATOR).verdict == "acts"
    assert moderator.host.put(raw, moderator.address, MODERATOR) is None
    assert moderator.host.gets(again, moderator.address, MODERATOR).verdict == "dropped"

    assert len(public_acts(moderator.home)) == 1


# --- one grammar


BY_MAIL = (
    *("help", "status", "seat", "extend", "pause", "resume", "away", "hold", "announce", "run"),
    *("undo", "cancel"),
)


def test_what_can_be_mailed_is_marked_in_the_command_line() -> None:
    marked = {name for name in names() if isinstance(cli.get_command(click.Context(cli), name), MailableVerb)}

    assert marked == {*BY_MAIL}
    assert all(COMMANDS.begins(name) == (name in BY_MAIL) for name in names())


@pytest.mark.parametrize(("line", "typed"), TABLES["written"].items())
def test_a_phone_may_change_dashes_and_quotes(line: str, typed: list[str]) -> None:
    assert parse_mailed_line(line)[1:] == (typed, ["club"])
