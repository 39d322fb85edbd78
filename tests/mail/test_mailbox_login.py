"""With a real mail server that takes tokens: logging in, receiving, sending, and what becomes of a token."""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.cli import run_command
from pbem.mail.account import granting, tokens
from pbem.mail.account.granting import log_in_by_browser, log_in_by_pasting
from pbem.mail.account.settings import OAuth, mail_settings
from pbem.mail.account.tokens import NotReachedError, Token, access_token, next_token, save_token
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from tests.homes import top
from tests.mail.authorizing import CLIENT, Authorizer
from tests.mail.homes import a_mail_home, write_settings
from tests.mail.stack import CERTIFICATE, Stack

pytestmark = pytest.mark.mailstack

ANN, HOST = "ann@example.test", "host@pbem.test"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let nobody sleep between two questions; return how long each would have."""
    times: list[float] = []
    monkeypatch.setattr(granting, "sleep", times.append)
    return times


@pytest.fixture
def home(oauth_stack: tuple[Authorizer, Stack], tmp_path: Path) -> Home:
    """Return a home whose mailbox takes tokens; nobody has logged in."""
    home = a_mail_home(tmp_path)
    authorizer, stack = oauth_stack
    stack.deliver(ANN, HOST, b"Subject: so that it is there\r\n\r\n")
    stack.settle()
    point(home, authorizer, stack)
    return home


def point(home: Home, authorizer: Authorizer, stack: Stack, **more: object) -> None:
    """Write where the mailbox is, and how one logs in."""
    write_settings(
        home,
        imap={"server": "localhost", "port": stack.imaps, "security": "tls", "user": HOST},
        smtp={"server": "localhost", "port": stack.submission, "security": "starttls", "user": HOST},
        oauth=authorizer.settings(**more),
    )


def pbem(home: Home, words: str) -> int:
    return run_command([*words.split(), "--home", str(top(home))])


def a_mail(stack: Stack, subject: str = "hello") -> None:
    raw = f"From: {ANN}\r\nTo: host+anything@pbem.test\r\nSubject: {subject}\r\n\r\nHello.\r\n"
    stack.deliver(ANN, "host+anything@pbem.test", raw.encode())
    stack.settle()


def test_after_a_login_on_another_device_mail_comes_in_and_goes_out(
    oauth_stack: tuple[Authorizer, Stack],
    home: Home,
    slept: list[float],
    capsys: pytest.CaptureFixture[str],
) -> None:
    authorizer, stack = oauth_stack
    authorizer.device_answers = ["authorization_pending", "slow_down", "authorization_pending"]

    assert pbem(home, "mailbox login") == 0
    said = capsys.readouterr().out
    assert "type the code WDJB-MJHT" in said
    assert slept == [1.0, 1.0, 6.0, 6.0]
    token = top(home) / "mailbox-token.json"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600

    a_mail(stack)
    assert pbem(home, "receive") == 0
    assert pbem(home, "send") == 0
    stack.settle()
    assert len(stack.letters(ANN)) == 1
    assert authorizer.asked >= 2, "the mail server asks for each login"

    capsys.readouterr()
    assert pbem(home, "mailbox status --json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["provider"], told["renewable"], told["problem"]) == ("other", True, "")
    kept = json.loads(token.read_text(encoding="utf-8"))
    for path in top(home).rglob("*"):
        if path.is_file() and path != token:
            data = path.read_bytes()
            assert kept["access"].encode() not in data, path
            assert kept["refresh"].encode() not in data, path


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Open pages as a browser does, of somebody who agrees to everything; give what each answered at last."""
    answers: list[int] = []
    threads: list[threading.Thread] = []

    def visit(page: str) -> None:
        try:
            with urllib.request.urlopen(page) as answer:
                answers.append(answer.status)
        except urllib.error.HTTPError as refusal:
            refusal.close()
            answers.append(refusal.code)

    def open_page(page: str) -> bool:
        threads.append(threading.Thread(target=visit, args=(page,)))
        threads[-1].start()
        return True

    monkeypatch.setattr(webbrowser, "open", open_page)
    yield answers
    for thread in threads:
        thread.join()


def kept(home: Home) -> dict[str, Any]:
    """Return the token that is kept."""
    found: dict[str, Any] = json.loads((top(home) / "mailbox-token.json").read_text(encoding="utf-8"))
    return found


def oauth_of(home: Home) -> OAuth:
    found = mail_settings(home).oauth
    assert found is not None
    return found


def log_in(home: Home, authorizer: Authorizer, got: float | None = None) -> Token:
    """Keep a token as after a login; `got` makes it older."""
    token = next_token(None, authorizer.give("a"), CLIENT, time.time() if got is None else got)
    save_token(oauth_of(home), token)
    return token


@pytest.mark.usefixtures("browser", "slept")
@pytest.mark.parametrize(
    ("way", "answers", "told"),
    [
        (
            "device",
            ["authorization_pending", "access_denied"],
            "the login was refused there. Nothing was changed.",
        ),
        ("device", ["expired_token"], "the code has run out before it was typed. Type: pbem mailbox login"),
        ("device", ["server_on_fire"], "the provider refuses: server_on_fire (it is server_on_fire really)."),
        ("browser", ["access_denied"], "the login was refused. Nothing was changed."),
    ],
)
def test_a_login_that_comes_to_nothing_is_told_and_keeps_no_token(
    oauth_stack: tuple[Authorizer, Stack],
    home: Home,
    capsys: pytest.CaptureFixture[str],
    way: str,
    answers: list[str],
    told: str,
) -> None:
    oauth_stack[0].device_answers = answers

    assert pbem(home, f"mailbox login --{way}") == 1

    assert told in capsys.readouterr().err
    assert not (top(home) / "mailbox-token.json").exists()


def test_a_code_that_nobody_types_runs_out_by_the_clock(
    oauth_stack: tuple[Authorizer, Stack],
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    oauth_stack[0].device_answers = ["authorization_pending"] * 1000
    passed = itertools.count(step=301)
    monkeypatch.setattr(granting, "sleep", lambda _: None)
    monkeypatch.setattr(granting, "monotonic", lambda: float(next(passed)))

    assert pbem(home, "mailbox login") == 1

    assert "has run out" in capsys.readouterr().err
    assert len(oauth_stack[0].device_answers) == 998


def test_a_provider_that_does_not_answer_for_a_while_is_asked_less_often(
    oauth_stack: tuple[Authorizer, Stack], home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorizer, _ = oauth_stack
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        authorizer.answers_nothing = len(slept) in (2, 3)

    authorizer.device_answers = ["authorization_pending"]
    monkeypatch.setattr(granting, "sleep", sleep)

    assert pbem(home, "mailbox login") == 0
    assert slept == [1.0, 1.0, 2.0, 4.0]


@pytest.mark.usefixtures("browser")
def test_after_a_login_with_a_browser_mail_goes_out(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    authorizer, stack = oauth_stack
    authorizer.secret = "of the program"
    secret = top(home) / "client-secret"
    secret.write_text("of the program\n", encoding="utf-8")
    secret.chmod(0o600)
    point(home, authorizer, stack, client_secret_file="client-secret")

    assert pbem(home, "mailbox login --browser") == 0
    assert "code_challenge_method=S256" in capfd.readouterr().out
    assert authorizer.grants == ["authorization_code"]
    assert pbem(home, "send") == 0
    assert "of the program" not in json.dumps(kept(home))


def test_a_browser_that_was_sent_by_somebody_else_is_sent_away_and_the_right_one_is_awaited(
    oauth_stack: tuple[Authorizer, Stack], home: Home
) -> None:
    authorizer, _ = oauth_stack

    def show(page: str) -> None:
        def visit_twice() -> None:
            for state in ("guessed", ""):
                authorizer.state = state
                with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(page) as answer:
                    answers.append(answer.status)
                    continue
                answers.append(400)
                used.append(len(authorizer.grants))

        threads.append(threading.Thread(target=visit_twice))
        threads[-1].start()

    answers: list[int] = []
    used: list[int] = []
    threads: list[threading.Thread] = []
    token = log_in_by_browser(oauth_of(home), 0, show)
    threads[0].join()

    assert token.access.startswith("at-")
    assert (answers, used) == ([400, 200], [0])
    assert authorizer.grants == ["authorization_code"], "the code of the other was not used"


def ended_at(authorizer: Authorizer, page: str) -> str:
    """Return the address at which a browser elsewhere ended."""
    with pytest.raises(urllib.error.URLError):  # nobody listens there
        urllib.request.urlopen(page)
    asked = parse_qs(urlsplit(page).query)
    code = next(iter(authorizer.codes))
    return f" {asked['redirect_uri'][0]}/?code={code}&state={asked['state'][0]}\n"


def test_whoever_pasted_a_wrong_address_is_asked_again_up_to_three_times(
    oauth_stack: tuple[Authorizer, Stack], home: Home
) -> None:
    pages: list[str] = []
    told: list[str] = []

    def wrong(page: str) -> str:
        pages.append(page)
        return "http://localhost:8400/?code=c&state=of-another"

    def right(why: str) -> str:
        told.append(why)
        return ended_at(oauth_stack[0], pages[0]) if len(told) == 2 else "4/abc"

    assert log_in_by_pasting(oauth_of(home), wrong, right).access.startswith("at-")
    assert told[0] == "that address does not belong to this login."
    assert told[1].startswith("that is no address to which")
    told = [*"ab"]
    with pytest.raises(WrongInput, match="no address to which"):
        log_in_by_pasting(oauth_of(home), wrong, right)
    assert len(told) == 4
    with pytest.raises(WrongInput, match="does not belong to this login"):
        log_in_by_pasting(oauth_of(home), wrong)


def test_a_token_is_renewed_before_it_runs_out_and_what_renews_it_is_kept_when_it_stays(
    oauth_stack: tuple[Authorizer, Stack], home: Home
) -> None:
    authorizer, _ = oauth_stack
    old = log_in(home, authorizer, got=time.time() - 3400)

    assert pbem(home, "receive") == 0

    assert authorizer.grants == ["refresh_token"]
    new = kept(home)
    assert new["access"] != old.access
    assert (new["refresh"], new["logged_in"]) == (old.refresh, old.logged_in)
    assert pbem(home, "receive") == 0
    assert authorizer.grants == ["refresh_token"], "the new one holds"


@pytest.mark.parametrize("lacks", ["", "OAUTHBEARER"])
def test_a_token_that_the_servers_refuse_is_renewed_and_shown_once_more(
    oauth_stack: tuple[Authorizer, Stack],
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    lacks: str,
) -> None:
    """Each server says why in a challenge, which is to be answered before it says no."""
    authorizer, stack = oauth_stack
    monkeypatch.setattr(tokens, "MECHANISMS", tuple(one for one in tokens.MECHANISMS if one != lacks))
    authorizer.rotates = True
    log_in(home, authorizer)
    authorizer.spoil()
    assert pbem(home, "receive") == 0
    authorizer.spoil()
    assert pbem(home, "send") == 0

    assert authorizer.grants == ["refresh_token", "refresh_token"]
    stack.settle()
    assert len(stack.letters(ANN)) == 1


def test_a_login_that_was_taken_back_is_one_line_and_mails_wait(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    authorizer, stack = oauth_stack
    log_in(home, authorizer)
    authorizer.revoke_all()
    capsys.readouterr()

    assert pbem(home, "receive") == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert "takes the login to the mailbox no more: invalid_grant" in told[0]
    assert told[0].endswith("Type: pbem mailbox login")
    assert pbem(home, "mailbox status") == 1
    assert "takes the login to the mailbox no more: invalid_grant" in capsys.readouterr().err
    assert pbem(home, "send") == 1
    assert "Type: pbem mailbox login" in capsys.readouterr().err
    capsys.readouterr()
    assert pbem(home, "run --due") == 1
    assert capsys.readouterr().err.count("not all mail was taken in") == 1, "though it is looked for twice"
    assert pbem(home, "doctor --json") == 1
    found = [one for one in json.loads(capsys.readouterr().out)["findings"] if "mailbox" in one["text"]]
    assert [one["mend"] for one in found] == [f"pbem mailbox login --home {top(home)}"], "it is told once"

    log_in(home, authorizer)
    assert pbem(home, "mailbox status") == 0
    assert pbem(home, "send") == 0
    stack.settle()
    assert len(stack.letters(ANN)) == 1


def test_a_token_of_somebody_else_is_refused_with_what_the_server_says(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    authorizer, _ = oauth_stack
    log_in(home, authorizer)
    authorizer.user = "somebody@pbem.test"

    for verb, server in (("receive", "localhost"), ("send", "localhost")):
        capsys.readouterr()
        assert pbem(home, verb) == 1
        assert f"{server} does not take the token of {HOST}" in capsys.readouterr().err


def test_while_the_provider_is_silent_a_token_that_holds_is_used(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    authorizer, _ = oauth_stack
    log_in(home, authorizer, got=time.time() - 3400)
    authorizer.answers_nothing = True
    oauth = oauth_of(home)
    held = access_token(oauth)

    assert held == kept(home)["access"]
    with pytest.raises(NotReachedError, match="answers 503"):
        access_token(oauth, refused=held)
    log_in(home, authorizer, got=time.time() - 3601)
    with pytest.raises(NotReachedError, match="answers 503"):
        access_token(oauth)


RENEWING = """
import os, sys
from pathlib import Path
from pbem.mail.account import tokens
from pbem.mail.account.settings import mail_settings
from pbem.play.homes.home import Home
from pbem.store.opening import open_store
if sys.argv[2] == "die":
    keep, tokens.save_token = tokens.save_token, lambda oauth, token: (
        keep(oauth, token) if token == tokens.read_token(oauth) else os._exit(9)
    )
print(tokens.access_token(mail_settings(Home(open_store(sys.argv[1]))).oauth))
"""


def renewing(home: Home, how: str = "") -> subprocess.Popen[str]:
    words = [sys.executable, "-c", RENEWING, str(top(home)), how]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_programs_that_renew_at_once_ask_once_and_use_the_same_token(
    oauth_stack: tuple[Authorizer, Stack], home: Home
) -> None:
    authorizer, _ = oauth_stack
    authorizer.rotates = True
    log_in(home, authorizer, got=time.time() - 3600)

    programs = [renewing(home) for _ in range(3)]
    said = {program.communicate()[0] for program in programs}

    assert said == {f"{kept(home)['access']}\n"}
    assert authorizer.grants == ["refresh_token"]
    assert renewing(home).communicate()[0] in said


@pytest.mark.parametrize("grace", [True, False])
def test_a_kill_between_the_answer_and_the_keeping_costs_a_login_at_most(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capsys: pytest.CaptureFixture[str], grace: bool
) -> None:
    """The old token stands whole; whether the provider still takes it is the provider's to say."""
    authorizer, _ = oauth_stack
    authorizer.rotates, authorizer.grace = True, grace
    old = log_in(home, authorizer, got=time.time() - 3600)

    program = renewing(home, "die")
    program.communicate()

    assert program.returncode == 9
    assert authorizer.grants == ["refresh_token"], "the provider had answered"
    assert kept(home)["refresh"] == old.refresh
    capsys.readouterr()
    assert pbem(home, "receive") == (0 if grace else 1)
    assert ("Type: pbem mailbox login" in capsys.readouterr().err) is not grace


def test_a_program_that_is_told_to_end_keeps_the_answer_first(
    oauth_stack: tuple[Authorizer, Stack], home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorizer, _ = oauth_stack
    authorizer.rotates = True
    old = log_in(home, authorizer, got=time.time() - 3600)
    whole = granting.renew_token

    def interrupted(oauth: OAuth, token: Token) -> Token:
        answer = whole(oauth, token)
        signal.raise_signal(signal.SIGINT)
        return answer

    monkeypatch.setattr(granting, "renew_token", interrupted)
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may let it be ignored

    try:
        with pytest.raises(KeyboardInterrupt):
            access_token(oauth_of(home))
    finally:
        signal.signal(signal.SIGINT, inherited)

    assert kept(home)["refresh"] != old.refresh
    monkeypatch.undo()
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert pbem(home, "receive") == 0


def test_logging_out_takes_the_login_back_and_removes_the_token(
    oauth_stack: tuple[Authorizer, Stack], home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    authorizer, _ = oauth_stack
    token = log_in(home, authorizer)

    authorizer.answers_nothing = True
    assert pbem(home, "mailbox logout") == 1
    assert "--keep-grant" in capsys.readouterr().err
    authorizer.answers_nothing = False
    assert pbem(home, "mailbox logout") == 0
    assert capsys.readouterr().out.endswith("The provider has taken the login back.\n")
    assert authorizer.revoked == [token.refresh]
    assert not (top(home) / "mailbox-token.json").exists()
    assert pbem(home, "mailbox status") == 1
    assert pbem(home, "mailbox logout") == 0
    assert "Nobody was logged in." in capsys.readouterr().out
