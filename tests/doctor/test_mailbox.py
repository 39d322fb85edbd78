"""What the doctor finds of a mailbox with OAuth 2, without asking the provider."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.mail.account.settings import mail_settings
from pbem.mail.account.tokens import keep_token, next_token
from tests.doctor.ward import Found, Ward, a_ward
from tests.facts import tells
from tests.mail.sink import a_sink
from tests.mail.stack import CERTIFICATE

OAUTH: dict[str, Json] = {"provider": "microsoft", "client_id": "11-22"}
TOKEN: dict[str, Json] = {"access_token": "at", "refresh_token": "rt", "expires_in": 3600}


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    with a_ward(tmp_path) as found:
        found.write_settings(oauth=OAUTH)
        yield found


def log_in(ward: Ward, **more: Json) -> None:
    oauth = mail_settings(ward.home).oauth
    assert oauth is not None
    answer = {name: value for name, value in (TOKEN | more).items() if value is not None}
    keep_token(oauth, next_token(None, answer, oauth.client_id, ward.now.timestamp()))


def the_one(ward: Ward) -> Found:
    (found,) = ward.found()
    return found


@pytest.mark.parametrize("file", ["mailbox-token.json", "secret-of-the-program"])
def test_what_others_can_read_is_told_with_what_mends_it(ward: Ward, file: str) -> None:
    ward.file("secret-of-the-program").touch(mode=0o600)
    ward.write_settings(oauth={**OAUTH, "client_secret_file": "secret-of-the-program"})
    log_in(ward)
    ward.file(file).chmod(0o644)

    found = the_one(ward)

    assert tells(found.text, file, "0644")
    ward.mend(found.mend)
    assert ward.found() == []


def test_a_token_that_nothing_renews_is_told_before_it_runs_out(ward: Ward) -> None:
    log_in(ward, refresh_token=None)

    found = the_one(ward)

    assert tells(found.text, "2026-11-21T21:00+00:00")
    assert found.mend.startswith("pbem mailbox login")


@pytest.mark.parametrize("text", ["{}", "not JSON"])
def test_a_damaged_token_is_told(ward: Ward, text: str) -> None:
    log_in(ward)
    ward.file("mailbox-token.json").write_text(text, encoding="utf-8")

    assert the_one(ward).part == "settings"


def test_a_secret_of_the_program_that_is_lost_is_told(ward: Ward) -> None:
    ward.write_settings(oauth={**OAUTH, "client_secret_file": "lost"})

    found = the_one(ward)

    ward.mend(found.mend, answer="hush\n")
    log_in(ward)
    assert ward.found() == []


def test_the_package_that_lacks_is_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(ward)
    monkeypatch.setitem(sys.modules, "oauthlib", None)

    assert the_one(ward).mend == "pip install 'pbem[oauth]'"


def test_a_server_that_takes_tokens_only_on_an_encrypted_line_is_told(ward: Ward) -> None:
    log_in(ward, expires_in=10**9)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with a_sink(tls=context) as sink:
        ward.write_settings(oauth=OAUTH, smtp=ward.login(user="host", port=sink.port))

        found = the_one(ward)

    assert found.mend.endswith("home.yaml   # below smtp: security: starttls")
