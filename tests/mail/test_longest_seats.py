"""Rules whose seats have the longest names, at turn 9999: every kind of mail can be sent and read."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.announcements import announce
from pbem.host.run.batch import run
from pbem.mail.account.addresses import join_address, orders_address, press_address, token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.intake import Arrival
from pbem.mail.outgoing.delivery import receive, send
from pbem.play.config import registry
from pbem.play.config.registry import InstalledRules
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_intrigue import SYSTEM
from pbem.store.errors import WrongInput
from pbem.store.mailout import QueuedMail
from pbem.text.mail.compose import Outgoing, compose
from pbem.text.names import LONGEST_SEAT, is_plain_address
from pbem.text.strictyaml import dump
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, orders_text, top, undo
from tests.hosting.games import DAY, HOUR, night, queued
from tests.mail.homes import write_settings
from tests.mail.test_bounces import NOTICE

GAME = "the-longest-name-2026"
OPEN = "open-to-strangers-026"
HOST = "h" * 36
DOMAIN = "a" * 48 + "." + "b" * 46 + ".test"
MARY = "m" * 64 + "@" + DOMAIN
SEATS = (Seat("Å" * LONGEST_SEAT), Seat("\U0001f451" * LONGEST_SEAT), Seat("ש%" * (LONGEST_SEAT // 2)))
PLAYERS = ("Ö" * 60, '"Dr." \\ <b@c>: =?x?= ' + "P" * 38, "\U0001f451" * 60)
ADDRESSES = [f"{'p' * 63}{place}@{DOMAIN}" for place in range(3)]
NAMES = {ADDRESSES[0]: PLAYERS[0], ADDRESSES[1]: "'Dr.' ' <b@c>: = ?x?= PPP", ADDRESSES[2]: PLAYERS[2]}
STRANGER = f"{'s' * 64}@{DOMAIN}"


def with_seats(monkeypatch: pytest.MonkeyPatch, names: tuple[Seat, ...]) -> None:
    """Install Web of Intrigue with other names of seats."""
    system = InstalledRules(
        "web-of-intrigue", "own-rules 1.0", SYSTEM._replace(seat_names=lambda n: names[:n])
    )
    monkeypatch.setattr(registry, "find_rules", lambda name: system)


def gets(saved: SavedGame, sender: str, to: str, text: str) -> str:
    """Hand a mail to the host, and return what became of it."""
    head = f"From: {sender}\r\nMessage-ID: <{abs(hash((to, text)))}@b>\r\nSubject: x\r\n"
    raw = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}".encode()
    arrival = Arrival("stdin", NOW, sender, to.upper(), raw)
    (done,) = receive(saved.home, NOW, print, MailedCommands(), lambda _: [arrival]).processed
    return done.verdict


def is_well_formed(mail: QueuedMail) -> EmailMessage:
    """Look at every header of a mail as it goes out, and return it read."""
    head = mail.raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert max(map(len, head.split(b"\r\n"))) <= 998
    read = message_from_bytes(mail.raw, policy=policy.default)
    assert isinstance(read, EmailMessage)
    assert not [defect for part in read.walk() for defect in part.defects]
    for name in ("From", "To", "Reply-To"):
        for one in read[name].addresses if name in read else ():
            assert is_plain_address(one.addr_spec), one
    for address in filter(None, (mail.envelope_from, mail.rcpt)):
        assert is_plain_address(address), address
        assert len(address.rpartition("@")[0]) <= 64
    for text in (str(read["Message-ID"]), *str(read.get("References", "")).split()):
        assert len(text) <= 250, text
    assert len(str(read["Subject"])) <= 300
    assert all(len(part.get_filename() or "") <= 80 for part in read.walk())
    return read


def looked_at(mail: QueuedMail) -> None:
    """Look at a mail as it goes out: its head, what it reads as, its parts and its addresses."""
    read = is_well_formed(mail)
    assert len(mail.message_id) <= 250
    assert read["Message-ID"] == mail.message_id
    assert read["To"].addresses[0].addr_spec == mail.rcpt
    assert max(map(len, mail.raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 255
    for address in filter(None, (mail.rcpt, mail.envelope_from)):
        assert len(address) <= 254
    for part in read.walk():
        assert len(part.get("Content-ID", "")) <= 255
        assert (part.get_filename() or "x.y").replace("-", "").replace(".", "").isalnum()
    plain = message_from_bytes(mail.raw)
    for name in ("To", "Subject"):
        words = str(make_header(decode_header(plain[name].replace("\r\n", ""))))
        assert words.isprintable()
        if name == "To" and mail.rcpt in NAMES:
            assert words.replace('"', "").startswith(NAMES[mail.rcpt])


def test_every_kind_of_mail_to_the_longest_seats_can_be_sent_at_turn_9999(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_seats(monkeypatch, SEATS)
    home = a_home(tmp_path)
    write_settings(home, address=f"{HOST}@{DOMAIN}", name="N" * 60, moderator=MARY, sendmail="/bin/true")
    settings = mail_settings(home)
    rows: dict[str, Json] = {
        seat: {"player": player, "address": address}
        for seat, player, address in zip(SEATS, PLAYERS, ADDRESSES, strict=True)
    }
    schedule: dict[str, Json] = {"days": ["sun"], "at": "21:00", "zone": "UTC", "remind": "20h"}
    table: dict[str, Json] = {"silent": "hold", "press": {"deliver": "at once"}, "schedule": schedule}
    a_game(home, GAME, rules="web-of-intrigue", table=dump({**table, "seats": rows}), deal=False)
    free: dict[str, Json] = {**rows, SEATS[2]: {}}
    a_game(home, OPEN, rules="web-of-intrigue", table=dump({"seats": free, "open": True}), deal=False)
    send(home, NOW, print)

    run(home, GAME, now=NOW, deal=True)
    turns = (top(home) / "games") / GAME / "turns"
    (turns / "0001").rename(turns / "9998")
    send(home, NOW, print)
    for is_again in (False, True):  # the second time it is corrected
        saved = SavedGame(home, GAME)
        for seat, address in zip(SEATS, ADDRESSES, strict=True):
            with home.journal() as db:
                to = orders_address(settings, GAME, token_of(saved, seat, db))
                press_to = press_address(settings, GAME, token_of(saved, seat, db))
            do: Json = {"move": "stay"}
            other = SEATS[SEATS.index(seat) - 1]
            said = saved.turn + len(queued(home))
            lines = orders_text(GAME, seat, [{"do": do}], press=[{"to": "all", "say": f"No. {said}."}])
            assert gets(saved, address, to, lines) == "lodged"
            assert gets(saved, address, press_to, f"to: {other}\n\nPeace, {said}?") == "press"
        run(home, GAME, now=NOW + HOUR, overrides=("damaged",))
        assert SavedGame(home, GAME).turn == 9999
        send(home, NOW, print)
        if not is_again:
            undo(home, GAME)
    announce(home, GAME, "Good evening.", NOW)
    assert gets(saved, STRANGER, to, "Whose turn is it?") == "warned"  # the digest has this to tell
    night(home, NOW + 14 * HOUR)
    night(home, NOW + 2 * DAY)
    opened = SavedGame(home, OPEN)
    assert gets(opened, STRANGER, join_address(settings, OPEN), "I would like to play.") == "asked"
    send(home, NOW, print)

    mails = queued(home)

    kinds = {mail.kind for mail in mails}
    assert kinds == {"invitation", "report", "receipt", "press", "reminder", "notice", "digest"}
    assert {mail.state for mail in mails} == {"sent"}
    assert len({mail.message_id for mail in mails}) == len(mails)
    for mail in mails:
        looked_at(mail)
    reports = [mail for mail in mails if (mail.kind, mail.turn) == ("report", 9999)]
    assert {(mail.seat, mail.revision) for mail in reports} >= {(seat, 0) for seat in SEATS}
    assert {mail.revision for mail in reports} == {0, 1}
    for mail in (*reports[:3], next(one for one in mails if one.kind == "invitation" and one.game == GAME)):
        text = NOTICE.format(action="failed")
        back = Arrival("stdin", NOW, "", mail.envelope_from.upper(), text.encode())
        (bounce,) = receive(home, NOW, print, MailedCommands(), lambda _, one=back: [one]).processed  # type: ignore[misc]
        assert (bounce.verdict, bounce.game, bounce.seat) == ("bounced", GAME, mail.seat)


def test_rules_whose_seats_no_mail_can_name_are_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (Seat("x" * (LONGEST_SEAT + 1)), Seat("y"), Seat("z"))
    with_seats(monkeypatch, names)
    home = a_home(tmp_path)
    rows: dict[str, Json] = {name: {"player": "P"} for name in names}

    with pytest.raises(WrongInput) as refused:
        a_game(home, GAME, rules="web-of-intrigue", table=dump({"seats": rows}))

    assert tells(str(refused.value), "web-of-intrigue")
    assert tells(str(refused.value), "41", "40")
    assert tells(str(refused.value), "1.0")
    assert not home.games()


@pytest.mark.parametrize(
    ("subject", "end"),
    [
        ("[web-1] Turn 9999: " + "x" * 400, "x…"),
        ("[web-1] " + "\U0001f468\u200d\U0001f469" * 200, "\U0001f469…"),
        ("[web-1] " + "e\u0301" * 200, "\u0301…"),
    ],
    ids=["letters", "joined pictures", "accents"],
)
def test_a_long_subject_is_cut_behind_a_whole_character_and_keeps_its_beginning(
    subject: str, end: str
) -> None:
    mail = Outgoing("report", "", "a@b", "c@d", subject, "<a@b>", "Sat, 21 Nov 2026 20:00:00 +0000", "x\n")

    said = str(message_from_bytes(compose(mail), policy=policy.default)["Subject"])

    assert len(said) <= 200
    assert said.startswith("[web-1] ")
    assert said.endswith(end)
    assert subject.startswith(said.removesuffix("…"))
