"""The mail section of home.yaml: what it may say, and that its secrets are secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.mail.account.settings import mail_settings
from pbem.store.errors import WrongInput
from tests.homes import a_home, top
from tests.mail.homes import ADDRESS, write_settings


def test_an_address_is_all_that_is_needed(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    assert not home.mail_section()
    write_settings(home)

    found = mail_settings(home)

    assert home.mail_section()
    assert (found.address, found.local, found.domain) == (ADDRESS, "host", "pbem.test")
    assert (found.zone, found.orders_per_hour, found.receipts_per_hour) == ("UTC", 30, 10)
    assert (found.maildir, found.imap, found.smtp, found.sendmail, found.archive) == (None,) * 5


@pytest.mark.parametrize(
    ("server", "given", "port", "security"),
    [
        ("mx.example.org", {}, 587, "starttls"),
        ("mx.example.org", {"security": "tls"}, 465, "tls"),
        ("mx.example.org", {"port": 2525}, 2525, "starttls"),
        ("127.0.0.1", {}, 25, "none"),
        ("localhost", {"security": "starttls"}, 587, "starttls"),
    ],
)
def test_a_line_is_secure_unless_it_stays_on_this_machine(
    tmp_path: Path, server: str, given: dict[str, Json], port: int, security: str
) -> None:
    home = a_home(tmp_path)
    write_settings(home, smtp={"server": server, **given})

    smtp = mail_settings(home).smtp

    assert smtp is not None
    assert (smtp.port, smtp.security) == (port, security)


@pytest.mark.parametrize(
    "address",
    [
        "mary.pbem@gmail.com",
        "Mary.Pbem@Gmail.com",
        "o'neill@example.org",
        "mary_pbem-2026@mail.example.co.uk",
        "a.b.c.d@xn--bcher-kva.example",
        "1234567@qq.com",
        "x" * 36 + "@example.org",
    ],
)
def test_every_address_that_providers_give_out_can_be_the_hosts_the_moderators_and_the_archives(
    tmp_path: Path, address: str
) -> None:
    home = a_home(tmp_path)
    write_settings(home, address=address, moderator=address, archive="kept", archive_address=address)

    found = mail_settings(home)

    assert (found.address, found.moderator, found.archive_address) == (address, address, address)


@pytest.mark.parametrize("section", ["smtp", "imap"])
def test_a_password_that_others_can_read_is_refused(tmp_path: Path, section: str) -> None:
    home = a_home(tmp_path)
    secret = top(home) / "password"
    secret.write_text("hush-hush\n", encoding="utf-8")
    secret.chmod(0o640)
    login: Json = {"server": "mx.example.org", "user": "host", "password_file": "password"}
    write_settings(home, **{section: login})

    with pytest.raises(WrongInput, match=r"(?s)0640.*600"):
        mail_settings(home)

    secret.chmod(0o600)
    found = mail_settings(home)
    kept = [found.smtp] if found.imap is None else [found.imap.login]
    assert [login.password() for login in kept if login] == ["hush-hush"]


def test_a_password_can_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_home(tmp_path)
    write_settings(home, smtp={"server": "mx.example.org", "user": "host"})
    smtp = mail_settings(home).smtp
    assert smtp is not None
    with pytest.raises(WrongInput, match=r"needs a password\. Name a password_file .*PBEM_SMTP_PASSWORD"):
        smtp.password()

    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "from outside")

    assert smtp.password() == "from outside"
