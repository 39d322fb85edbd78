"""Acts that the moderator mails: who is believed, what is done, asked back, and answered; and each once."""

from __future__ import annotations

from collections.abc import Callable
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
from pbem.mail.conversation import moderating
from pbem.mail.conversation.acts import forget_secret, read_acts, read_word, renew_secret
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused
from pbem.text.names import mask
from tests.facts import each_tells, tells
from tests.homes import game_folder, top
from tests.hosting.games import (
    DAY,
    GAME,
    HOUR,
    MINUTE,
    MODERATOR,
    TUESDAY,
    noted,
    pbem,
    public_acts,
    stay,
)
from tests.mail.host import read, text_of
from tests.mail.moderator import NOW, Mary, mary

EVE = "eve@example.test"
COMMANDS = MailedCommands()

OFTEN = [
    ("pause club why we move", "resume club", "paused"),
    ('pbem pause club --from "20 Dec" --to "2 Jan" --why "holidays"', "Resume club.", "paused"),
    ("cancel club why two players left", "cancel club undo", "cancelled"),
    ("hold club 1 why it is unclear", "hold club 1 —release", "held"),
    ("away club 3 from 20 Dec to 27 Dec", "away club 3 cancel", "away"),
]
"""An act, its counterpart, and what of the notes it touches."""


@pytest.mark.parametrize(("act", "back", "what"), OFTEN, ids=[act for act, _, _ in OFTEN])
def test_an_act_is_done_and_its_counterpart_takes_it_back(
    tmp_path: Path, act: str, back: str, what: str
) -> None:
    moderator = mary(tmp_path)
    before = getattr(noted(moderator.home), what)

    assert moderator.asks(act) == "acts"
    between = getattr(noted(moderator.home), what)
    assert moderator.asks(back) == "acts"

    assert between and between != before
    assert getattr(noted(moderator.home), what) == before
    with moderator.home.journal() as db:
        assert len(db.acts(GAME)) == 2
        assert [row for row in db.notes("") if row.startswith(("acting:", "acted:"))] == []


def test_a_run_by_mail_answers_for_the_silent_when_it_is_said_yes_to(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    pbem(moderator.home, "send")
    moderator.host.now = TUESDAY + HOUR

    for text, way in (("run club", "--due"), ("run club --due", "--override")):
        assert moderator.mails(text) == "refused"
        assert tells(moderator.answer(), way)
    assert moderator.mails("pbem run club --due --override down --override silent") == "asked"
    assert "root" not in moderator.answer(), "the turn that is made has another one"
    assert SavedGame(moderator.home, GAME).turn == 2

    assert moderator.mails("yes", to=moderator.reply_to()) == "acts"

    assert SavedGame(moderator.home, GAME).turn == 3
    assert "; root " in moderator.answer()


def test_a_status_waits_no_longer_than_ten_minutes_for_mails_that_cannot_be_read(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.host.put(moderator.host.a_mail("status", MODERATOR, subject=""), moderator.address, MODERATOR)
    with mock.patch("pbem.store.journal.Journal.waiting_for", return_value=(1, 0)):
        assert [one.verdict for one in moderator.host.process()] == ["waits"]
        moderator.passes(11 * MINUTE)
        assert [one.verdict for one in moderator.host.process()] == ["acts"]

    assert "unread: 1 mail" in moderator.answer()


def test_all_are_written_to(tmp_path: Path) -> None:
    moderator = mary(tmp_path)

    moderator.mails("announce club\n\nSorry for the delay.\nIt goes on tomorrow.\n-- \nMary")

    told = [text_of(read(one.raw)) for one in moderator.host.outbox("notice")]
    assert len(told) == 3
    assert all(
        "| Sorry for the delay.\n| It goes on tomorrow.\n" in text and "Mary" not in text for text in told
    )


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


def test_several_acts_are_done_in_order_and_a_program_says_that_it_answers(tmp_path: Path) -> None:
    moderator = mary(tmp_path)

    said = moderator.mails("pause club\nresume club at 25 Nov 9:00\n\nhold club 1\n\nSent from my phone")

    assert said == "acts"
    notes = noted(moderator.home)
    assert notes.paused is not None and notes.paused.end is not None
    assert len(public_acts(moderator.home)) == 3
    (answer,) = moderator.answers()
    assert (answer["Auto-Submitted"], answer["X-Loop"]) == ("auto-replied", "host@pbem.test")
    assert answer["In-Reply-To"]


BAD = [
    ("hold club 1\nresume club", "`resume club`"),
    ("hold club 1\nhold club 1", "`hold club 1`"),
    ("hold club 1\npause nosuch", "nosuch"),
    ("hold club 1\nThanks a lot, dear host", "thanks"),
    ("hold club 1\nextend club by Friday", "Friday"),
    ("hold club 1\ncancel club", "--why"),
    ("hold club 1\nseat club 1 address nowhere", "nowhere"),
    ("hold club 1\n" * 11, "11"),
    ("", "help"),
]
"""Mails, and what of the mistake, or of the way out, must be named."""


@pytest.mark.parametrize(
    ("text", "named"), BAD, ids=[text.splitlines()[-1] if text else "" for text, _ in BAD]
)
def test_of_several_acts_none_is_done_if_one_cannot_be(tmp_path: Path, text: str, named: str) -> None:
    moderator = mary(tmp_path)

    assert moderator.mails(text) == "refused"

    (answer,) = moderator.answers()
    assert tells(answer["Subject"], "Nothing")
    assert tells(moderator.answer(), named)
    assert (public_acts(moderator.home), noted(moderator.home).held) == ([], {})
    assert SavedGame(moderator.home, GAME).turn == 2
    with moderator.home.journal() as db:
        assert news_of(moderator.home, db, ()) == [], "it is told in its answer alone"


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


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Yes\n\nMary", "yes"),
        ("Yes\n\nBest regards,\nMary Smith", "yes"),
        ("yes\n\nthanks\n\n-- \nMary\nTel. 1 2 3", "yes"),
        ("No!", "no"),
        ("Yes please, undo it", "unclear"),
        ("yes\nbut not yet", "unclear"),
        ("ok", "unclear"),
        ("Why?", "unclear"),
        ("yes\nrun club", "unclear"),
        ("no\nrun club", "unclear"),
    ],
)
def test_a_name_may_stand_below_a_yes_and_nothing_else(text: str, word: str) -> None:
    assert read_word(COMMANDS, text.splitlines()) == word


def test_an_answer_that_is_no_clear_yes_is_told_how_to_say_it_and_still_waits_until_a_no(
    tmp_path: Path,
) -> None:
    moderator = mary(tmp_path)
    moderator.mails("undo club")
    there = moderator.reply_to()

    for text in ("Yes please, undo it", "yes\nrun club"):
        assert moderator.mails(text, to=there) == "refused"
        assert tells(moderator.answer(), "`yes`")
        assert "help" not in moderator.answer()
    assert moderator.mails("yes", to=moderator.reply_to()) == "acts"
    moderator.mails("undo club")
    there = moderator.reply_to()
    assert [moderator.mails(text, to=there) for text in ("No!", "yes")] == ["refused", "refused"]

    assert SavedGame(moderator.home, GAME).turn == 1


@pytest.mark.parametrize(
    ("signed", "is_name"),
    [
        ("Mary", True),
        ("Best,\nMary Host", True),
        ("Best regards,\n\nmary", True),
        ("Thanks, Mary Host!\n\n-- \nTel. 1", True),
        ("Ann", False),
        ("Mary Ann", False),
        ("Best,", False),
        ("stop Mary", False),
    ],
)
def test_the_moderators_name_alone_below_acts_is_no_act(signed: str, is_name: bool) -> None:
    lines = f"hold club 1\nhold club 2\n\n{signed.partition('-- ')[0]}".splitlines()

    if is_name:
        assert len(read_acts(COMMANDS, "", lines, "Mary Host")) == 2
    else:
        with pytest.raises(RequestRefused, match="the 3rd act"):
            read_acts(COMMANDS, "", lines, "Mary Host")


def test_the_name_is_that_of_the_home_and_what_was_written_is_quoted(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    with (top(moderator.home) / "home.yaml").open("a", encoding="utf-8") as file:
        file.write("moderator: Mary Host\n")

    assert moderator.mails("hold club 1\n>\nhold club 2\n\nThanks, Mary Host!\n\n-- \nTel. 1\n") == "acts"

    quoted = [line for line in text_of(moderator.answers()[-1]).splitlines() if line.startswith(">")]
    assert quoted[:2] == ["> hold club 1", "> hold club 2"]


def test_a_name_right_below_an_act_or_in_an_announcement_is_read(tmp_path: Path) -> None:
    with pytest.raises(RequestRefused, match="the 2nd act, `Mary`"):
        read_acts(COMMANDS, "", ["hold club 1", "Mary"], "Mary")
    first, second = read_acts(
        COMMANDS, "", ["hold club 1", "announce club", "", "Wait.", "pause club", "", "Mary"], "Mary"
    )
    assert (first.verb, second.text) == ("hold", "Wait.\npause club\nMary")


def _runs_on(moderator: Mary) -> None:
    stay(moderator.home, "1", "2", "3", label="turn-2")
    pbem(moderator.home, "run", GAME)


def _runs_anew(moderator: Mary) -> None:
    pbem(moderator.home, "undo", GAME)
    pbem(moderator.home, "run", GAME)


def _waits_for_days(moderator: Mary) -> None:
    moderator.passes(3 * DAY + HOUR)


@pytest.mark.parametrize(("change", "turn"), [(_runs_on, 3), (_runs_anew, 2), (_waits_for_days, 2)])
def test_a_yes_counts_no_more_when_the_game_went_on_or_was_run_anew_or_days_have_passed(
    tmp_path: Path, change: Callable[[Mary], None], turn: int
) -> None:
    moderator = mary(tmp_path)
    moderator.mails("undo club")
    there = moderator.reply_to()
    change(moderator)

    assert moderator.mails("yes", to=there) == "refused"

    assert SavedGame(moderator.home, GAME).turn == turn


def test_days_are_meant_as_when_they_were_written(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.mails("extend club to +3d\nundo club\nrun club")
    moderator.passes(DAY)

    moderator.mails("yes", to=moderator.reply_to())

    assert tells(moderator.answer(), "Monday 23 November 2026")


# --- who is believed


def test_the_address_is_starred_in_logs(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.mails("status")

    told = mask(f"{moderator.address} and {moderator.reply_to()}")

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


def test_an_act_whose_answer_was_cut_off_is_not_done_again(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    raw = moderator.host.a_mail("extend club by 1d\nhold club 1", sender=MODERATOR)
    moderator.host.put(raw, moderator.address, MODERATOR)

    cut = mock.patch.object(moderating, "answer", side_effect=KeyboardInterrupt)
    with cut, pytest.raises(KeyboardInterrupt):
        moderator.host.process()
    assert len(public_acts(moderator.home)) == 2
    moderator.host.process()

    assert len(public_acts(moderator.home)) == 2


def test_a_run_does_not_wait_for_its_own_mail_but_for_those_that_came_with_it(tmp_path: Path) -> None:
    moderator = mary(tmp_path)
    moderator.asks("undo club")
    first = moderator.host.a_mail("run club", sender=MODERATOR)
    moderator.host.put(first, moderator.address, MODERATOR)
    orders = moderator.host.a_mail("help", sender="ann@example.test")
    moderator.host.put(orders, moderator.host.address("1", GAME), "ann@example.test")

    said = moderator.host.process()

    assert [(one.verdict, one.seat) for one in said] == [("command-help", "1"), ("acts", "moderator")]
    assert SavedGame(moderator.home, GAME).turn == 2


# --- one grammar


BY_MAIL = (
    *("help", "status", "seat", "extend", "pause", "resume", "away", "hold", "announce", "run"),
    *("undo", "cancel"),
)


def test_what_can_be_mailed_is_marked_in_the_command_line() -> None:
    marked = {name for name in names() if isinstance(cli.get_command(click.Context(cli), name), MailableVerb)}

    assert marked == {*BY_MAIL}
    assert all(COMMANDS.begins(name) == (name in BY_MAIL) for name in names())


WHY = "to see from where"
WRITTEN = [
    (
        '$ pbem pause club --from "20 Dec" --to=Friday --why "gone"',
        ("--from=20 Dec", "--to=Friday", "--why=gone"),
    ),
    (f"PAUSE Club from 20 Dec to 2 Jan why {WHY}", ("--from=20 Dec", "--to=2 Jan", f"--why={WHY}")),
    ("pause club –from “20 Dec” —to ‘Friday’", ("--from=20 Dec", "--to=Friday")),
    ("extend club to Friday at 18:00", ("--to=Friday at 18:00",)),
    ("resume club at tomorrow at noon", ("--at=tomorrow at noon",)),
    ("cancel club --undo", ("--undo",)),
]


@pytest.mark.parametrize(("line", "typed"), WRITTEN, ids=[line for line, _ in WRITTEN])
def test_a_phone_may_change_dashes_and_quotes(line: str, typed: tuple[str, ...]) -> None:
    assert parse_mailed_line(line)[1:] == ([*typed], ["club"])


MISWRITTEN = [
    ("extend club Friday", "[to WHEN]"),
    ("pbem extend club Friday", "[to WHEN]"),
    ("extend club to", ""),
    ("extend club --now 2026-12-01", ""),
    ("extnd club by 1d", "extend"),
    ("fly club", ""),
    ("hold club", "SEAT"),
    ("hold club 1 release now", ""),
    ("undo", "GAME"),
    ("run", "GAME"),
    ("run club web-2", ""),
    ("cancel club undo it", ""),
    ("announce club", "TEXT"),
    ("seat club 1 adress a@b.example", "address"),
    ("seat club 1 please", "please"),
    ("seat club 1 json", ""),
    ("status club --metrics", ""),
    ("replace club 1", "replace"),
]
"""Lines, and what is named of the mistake or of the way out."""


@pytest.mark.parametrize(("line", "named"), MISWRITTEN, ids=[line for line, _ in MISWRITTEN])
def test_what_is_not_written_so_is_refused(line: str, named: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        read_acts(COMMANDS, "", [line])

    assert tells(refused.value, named)
