"""The domain of the host: what keeps mail from coming in, or from being believed, is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from tests.doctor.ward import Ward, a_ward
from tests.facts import tells

SPF = ("pbem.test", "TXT")


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    with a_ward(tmp_path) as found:
        yield found


FAULTS: dict[str, tuple[Any, ...]] = {
    "no server takes mail": ({("pbem.test", "MX"): []}, "pbem.test. MX 10 MACHINE.pbem.test."),
    "no mail is taken": ({("pbem.test", "MX"): ["0 ."]}, "pbem.test. MX 10 MACHINE.pbem.test."),
    "a server without an address": (
        {("pbem.test", "MX"): ["10 mx.pbem.test.", "5 old.pbem.test."]},
        "old.pbem.test. A THE.IP.OF.IT",
    ),
    "no SPF": ({SPF: ['"hello"']}, 'pbem.test. TXT "v=spf1 mx -all"'),
    "two SPF": ({SPF: ['"v=spf1 mx -all"', '"v=spf1 a -all"']}, "pbem.test", "v=spf1 a -all; v=spf1 mx -all"),
    "SPF for anybody": ({SPF: ['"v=spf1 +all"']}, 'pbem.test. TXT "v=spf1 mx -all"'),
    "no DMARC": ({("_dmarc.pbem.test", "TXT"): []}, '_dmarc.pbem.test. TXT "v=DMARC1; p=none"'),
    "something else where DMARC should be": (
        {("_dmarc.pbem.test", "TXT"): ['"v=spf1 -all"']},
        '_dmarc.pbem.test. TXT "v=DMARC1; p=none"',
    ),
    "no DKIM": ({("pbem._domainkey.pbem.test", "TXT"): []}, "opendkim-genkey -d pbem.test -s pbem"),
    "no name": ({("7.2.0.192.in-addr.arpa", "PTR"): []}, "192.0.2.7 mx.pbem.test (PTR)"),
    "another's name": ({("7.2.0.192.in-addr.arpa", "PTR"): ["dsl7.net.test."]}, "192.0.2.7 mx.pbem.test"),
}
"""By what is wrong: the records that are otherwise, and what mends it."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_domain_is_found_and_the_record_that_mends_it_is_said(
    ward: Ward, fault: tuple[Any, ...]
) -> None:
    changed, *mend = fault
    sound = dict(ward.zone.records)
    ward.zone.records = {key: value for key, value in {**sound, **changed}.items() if value}

    found = ward.found()

    assert [one.part for one in found] == ["DNS"]
    assert tells(found[0].mend, *mend)
    ward.zone.records = sound
    assert ward.found() == []


def test_a_policy_of_the_domain_above_counts(ward: Ward) -> None:
    ward.write_settings(address="host@games.pbem.test")
    here = {"pbem.test": "games.pbem.test", "pbem._domainkey.pbem.test": "pbem._domainkey.games.pbem.test"}
    ward.zone.records.update(
        {(here[name], kind): value for (name, kind), value in ward.zone.records.items() if name in here}
    )

    assert ward.found() == []


def test_a_domain_with_an_address_and_no_mx_takes_mail_itself(ward: Ward) -> None:
    del ward.zone.records["pbem.test", "MX"]
    ward.zone.records["pbem.test", "A"] = ["192.0.2.7"]

    assert ward.found() == []


def test_a_name_server_that_is_silent_is_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.doctor.domain.SECONDS", 0.2)
    ward.zone.is_silent = True

    (found,) = ward.found()

    assert tells(found.text, "pbem.test")


@pytest.mark.parametrize("server", ["ns.example.org", "127.0.0.1:x", "127.0.0.1:99999"])
def test_what_is_no_name_server_is_refused(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "--dns", server]) == 2
    assert tells(capsys.readouterr().err)
