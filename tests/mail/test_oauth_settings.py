"""What `home.yaml` says of a login with OAuth 2, and what is made of it."""

from __future__ import annotations

import errno
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.mail.account import granting, tokens
from pbem.mail.account.settings import OAuth, mail_settings
from pbem.mail.account.tokens import LoginNeededError, Token, access_token, next_token, read_token, save_token
from pbem.store.disk import Disk
from pbem.store.errors import WrongInput
from tests.facts import tells
from tests.homes import a_home, top
from tests.mail.homes import a_mailbox_home, write_settings


def oauth_of(path: Path, **more: Json) -> OAuth:
    found = mail_settings(a_mailbox_home(path, is_logged_in=False, **more)).oauth
    assert found is not None
    return found


def test_microsoft_is_asked_for_mail_in_and_mail_out_and_for_what_renews_it(tmp_path: Path) -> None:
    provider = oauth_of(tmp_path, tenant="consumers").provider

    place = "https://login.microsoftonline.com/consumers/oauth2/v2.0"
    assert (provider.device, provider.token) == (f"{place}/devicecode", f"{place}/token")
    assert provider.scopes == (
        "https://outlook.office.com/IMAP.AccessAsUser.All",
        "https://outlook.office.com/SMTP.Send",
        "offline_access",
    )


X = "https://x.example"


@pytest.mark.parametrize("scopes", ["mail.read offline_access", ["mail.read", "offline_access"]])
def test_the_scopes_of_another_provider_are_a_list_or_words_as_it_writes_them(
    tmp_path: Path, scopes: Json
) -> None:
    urls: dict[str, Json] = {"token_url": f"{X}/token", "device_url": f"{X}/device"}

    found = oauth_of(tmp_path, provider="other", scopes=scopes, **urls)

    assert found.provider.scopes == ("mail.read", "offline_access")


def test_google_has_no_login_on_another_device_for_mail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oauth = oauth_of(tmp_path, provider="google")
    assert oauth.provider.scopes == ("https://mail.google.com/",)

    assert run_command(["mailbox", "login", "--device", "--home", str(oauth.file.parent)]) == 1

    assert tells(capsys.readouterr().err, "--device")


def test_a_server_with_a_password_file_or_without_a_user_needs_no_token(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    (top(home) / "password").touch(mode=0o600)
    write_settings(
        home,
        imap={"server": "mx.example.org", "user": "x", "password_file": "password"},
        smtp={"server": "127.0.0.1"},
        oauth={"provider": "google", "client_id": "1"},
    )

    found = mail_settings(home)

    assert found.imap is not None and found.smtp is not None
    assert (found.imap.login.oauth, found.smtp.oauth) == (None, None)


def a_token(**more: Json) -> Token:
    return next_token(None, {"access_token": "at", "expires_in": 3600, **more}, "11-22", 1000.0)


def test_a_token_is_kept_for_its_owner_alone_whatever_was_there(tmp_path: Path) -> None:
    oauth = oauth_of(tmp_path)
    oauth.file.write_text("x", encoding="utf-8")
    oauth.file.chmod(0o644)
    (oauth.file.parent / f".{oauth.file.name}.tmp").write_text("x", encoding="utf-8")

    save_token(oauth, a_token())

    assert stat.S_IMODE(oauth.file.stat().st_mode) == 0o600
    assert read_token(oauth) == a_token()
    assert not (oauth.file.parent / f".{oauth.file.name}.tmp").exists()


def test_a_token_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    oauth = oauth_of(tmp_path)
    save_token(oauth, a_token())
    oauth.file.chmod(0o640)

    with pytest.raises(WrongInput, match=r"(?s)0640.*600"):
        access_token(oauth)


@pytest.mark.parametrize(
    ("lasts", "after", "is_fresh"),
    [(3600, 3299, True), (3600, 3301, False), (60, 29, True), (60, 31, False), (None, 10**9, True)],
)
def test_a_token_is_renewed_five_minutes_early_or_at_half_of_a_short_time(
    lasts: int | None, after: float, is_fresh: bool
) -> None:
    assert a_token(expires_in=lasts).is_fresh(1000.0 + after) == is_fresh


def test_a_token_that_nothing_renews_is_used_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oauth, now = oauth_of(tmp_path), time.time()
    status = ["mailbox", "status", "--home", str(oauth.file.parent)]
    last = {"access_token": "at", "expires_in": 60}
    save_token(oauth, next_token(None, last, "11-22", now - 50))
    assert access_token(oauth) == "at"
    assert run_command(status) == 0
    assert tells(capsys.readouterr().out)

    save_token(oauth, next_token(None, last, "11-22", now - 61))

    with pytest.raises(WrongInput):
        access_token(oauth)
    assert run_command(status) == 1


@pytest.mark.parametrize("way", ["--browser", "--device"])
def test_the_package_that_lacks_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    oauth = oauth_of(tmp_path)
    save_token(oauth, a_token(refresh_token="rt"))
    monkeypatch.setitem(sys.modules, "oauthlib", None)

    assert run_command(["mailbox", "login", way, "--home", str(oauth.file.parent)]) == 1

    assert tells(capsys.readouterr().err, "2")
    with pytest.raises(WrongInput):
        access_token(oauth)


REFUSED: dict[str, dict[str, Json]] = {
    "nothing": {},
    "no token": {"token_type": "Bearer"},
    "an error with colours": {"error": "\x1b[31mno", "error_description": "a\nb\x07"},
    "an error that is a list": {"error": ["no"]},
    "a time in words": {"access_token": "at", "expires_in": "soon"},
    "a time that is a list": {"access_token": "at", "expires_in": []},
    "no time at all": {"access_token": "at", "expires_in": float("nan")},
    "scopes as a number": {"access_token": "at", "scope": 5},
}
TAKEN: dict[str, dict[str, Json]] = {
    "a time as a text": {"access_token": "at", "expires_in": "3600"},
    "a time long ago": {"access_token": "at", "expires_in": -5},
    "a time beyond all times": {"access_token": "at", "expires_in": 10**15},
    "scopes with colours": {"access_token": "at", "scope": "\x1b[31mmail"},
    "scopes of all kinds": {"access_token": "at", "scope": ["mail", 5, None]},
}
"""What a server may answer."""


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> Callable[[Json], None]:
    """Return what lets a provider answer whatever it is asked."""

    def answer(value: Json) -> None:
        for module in (tokens, granting):
            monkeypatch.setattr(module, "post_form", lambda address, body: value)

    return answer


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_what_is_no_token_is_refused_in_one_plain_line(
    tmp_path: Path, answered: Callable[[Json], None], answer: dict[str, Json]
) -> None:
    answered(dict(answer))

    with pytest.raises(WrongInput) as wrong:
        granting.renew_token(oauth_of(tmp_path), a_token(refresh_token="rt"))

    assert str(wrong.value).isprintable()


@pytest.mark.parametrize("answer", TAKEN.values(), ids=TAKEN)
def test_a_token_is_kept_whatever_stands_beside_it_and_shown_in_plain_lines(
    tmp_path: Path,
    answered: Callable[[Json], None],
    capsys: pytest.CaptureFixture[str],
    answer: dict[str, Json],
) -> None:
    oauth = oauth_of(tmp_path)
    answered(dict(answer))

    save_token(oauth, granting.renew_token(oauth, a_token(refresh_token="rt")))

    assert read_token(oauth).access == "at"
    capsys.readouterr()
    assert run_command(["mailbox", "status", "--home", str(oauth.file.parent)]) == 0
    assert capsys.readouterr().out.replace("\n", "").isprintable()


def test_a_code_and_a_page_are_shown_without_what_a_terminal_would_obey(
    tmp_path: Path, answered: Callable[[Json], None]
) -> None:
    page = "https://x\n.example"
    answered({"user_code": "A\x1b[2JB", "verification_url": page, "device_code": "d", "interval": 1e9})

    begun = granting.request_device_code(oauth_of(tmp_path))

    assert (begun.code, begun.page, begun.every) == ("A [2JB", "https://x .example", 3600.0)


def test_a_login_on_another_device_that_is_not_begun_as_it_should_be_is_told(
    tmp_path: Path, answered: Callable[[Json], None]
) -> None:
    oauth = oauth_of(tmp_path)
    bad: list[Json] = [{}, {"user_code": "A", "verification_uri": "x", "device_code": "d", "interval": "x"}]
    for said in bad:
        answered(said)
        with pytest.raises(WrongInput, match=r"RFC 8628"):
            granting.request_device_code(oauth)


@pytest.mark.parametrize(
    ("provider", "said", "is_plain"),
    [("microsoft", {}, True), ("google", {}, False), ("microsoft", {"plain_sender": False}, False)],
)
def test_to_microsoft_mails_go_as_from_the_very_address_unless_it_is_said_otherwise(
    tmp_path: Path, provider: str, said: dict[str, Json], is_plain: bool
) -> None:
    home = a_home(tmp_path)
    write_settings(
        home,
        smtp={"server": "smtp.example.org", "user": "x"},
        oauth={"provider": provider, "client_id": "1"},
        **said,
    )

    assert mail_settings(home).plain_sender is is_plain


def test_on_a_full_disk_the_provider_is_not_asked_for_what_could_not_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oauth = oauth_of(tmp_path)
    old = a_token(refresh_token="rt")
    save_token(oauth, old)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def asked(*_: object) -> Token:
        raise AssertionError

    monkeypatch.setattr(granting, "renew_token", asked)
    monkeypatch.setattr(Disk, "write", full)

    with pytest.raises(OSError, match="No space left"):
        access_token(oauth)
    assert read_token(oauth) == old


@pytest.mark.parametrize("kind", [tokens.NotReachedError, LoginNeededError])
def test_nothing_is_left_beside_a_token_that_is_not_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[WrongInput]
) -> None:
    oauth = oauth_of(tmp_path)
    save_token(oauth, a_token(refresh_token="rt"))
    before = sorted(oauth.file.parent.iterdir())

    def silent(*_: object) -> Token:
        raise kind("nobody answers.")

    monkeypatch.setattr(granting, "renew_token", silent)

    with pytest.raises(WrongInput, match="nobody answers"):
        access_token(oauth)
    assert sorted(oauth.file.parent.iterdir()) == before
