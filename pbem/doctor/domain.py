"""The domain of the host's address as other mail servers see it: MX, SPF, DKIM, DMARC, its machine's name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.doctor.names import Names, NoServerAnswersError
from pbem.doctor.patient import Finding, NotLookedAtError, Patient, by_hand
from pbem.mail.account.settings import MailSettings

PART: Final = "DNS"

RESERVED: Final = ("test", "example", "invalid", "localhost", "local", "internal", "lan", "home.arpa")
"""Ends of domains that are nobody's in the world, so that no name server knows them (RFC 6761 and others)."""


def look_at_domain(patient: Patient) -> Iterator[Finding]:
    """Yield what in the domain of the host keeps mail from coming in, or from being believed elsewhere."""
    settings = patient.needed_mail()
    domain = settings.domain.lower().rstrip(".")
    if not patient.asks_reserved and (
        "." not in domain or f".{domain}".endswith(tuple(f".{end}" for end in RESERVED))
    ):
        raise NotLookedAtError(f"{domain} is no domain of the world")
    if patient.names is None:
        raise NotLookedAtError("type: pip install 'pbem[dns]'")
    try:
        yield from _of_domain(patient.names, domain, settings)
    except NoServerAnswersError as wrong:
        text = f"no name server tells of {domain}: {wrong}."
        yield Finding(PART, text, "cat /etc/resolv.conf   # and see that the servers named there answer")


def _of_domain(names: Names, domain: str, settings: MailSettings) -> Iterator[Finding]:
    servers = names.mail_servers(domain)
    if servers == [""]:
        yield _to_add(f"{domain} says that it takes no mail.", f"{domain}. MX 10 MACHINE.{domain}.")
    elif not servers and not names.addresses(domain):
        text = f"{domain} names no server that takes its mail (MX), so none can come in."
        yield _to_add(text, f"{domain}. MX 10 MACHINE.{domain}.")
    reached = [one for one in servers or [domain] if one]
    lost = [one for one in reached if servers and not names.addresses(one)]
    for one in lost:
        yield _to_add(f"{one}, which takes the mail of {domain}, has no address.", f"{one}. A THE.IP.OF.IT")
    yield from _of_senders(names, domain)
    yield from _of_policy(names, domain)
    if not names.is_there(f"_domainkey.{domain}"):
        text = f"{domain} publishes no key for DKIM, which large providers ask for."
        make = (
            f"opendkim-genkey -d {domain} -s pbem   # and add what stands in pbem.txt to the zone of {domain}"
        )
        yield Finding(PART, text, f"apt-get install opendkim opendkim-tools && {make}")
    sends_itself = settings.sendmail is not None or (settings.smtp is not None and settings.smtp.is_here)
    for one in [one for one in reached if one not in lost][:1] if sends_itself and servers else []:
        yield from _of_machine(names, one)


def _of_senders(names: Names, domain: str) -> Iterator[Finding]:
    """Yield what is wrong with who may send for a domain (SPF, RFC 7208)."""
    found = sorted(one for one in names.texts(domain) if one.lower().split(" ")[0] == "v=spf1")
    if not found:
        text = f"{domain} does not say who may send its mail (SPF): it is taken for forged elsewhere."
        yield _to_add(text, f'{domain}. TXT "v=spf1 mx -all"')
    elif len(found) > 1:
        text = f"{domain} says {len(found)} times who may send its mail (SPF), which counts as never."
        yield Finding(PART, text, by_hand(f"keep one of these records of {domain}: {'; '.join(found)}"))
    elif {"+all", "all"} & set(found[0].lower().split()):
        text = f"{domain} lets anybody send mail in its name (SPF: {found[0]})."
        yield _to_add(text, f'{domain}. TXT "v=spf1 mx -all"')


def _of_policy(names: Names, domain: str) -> Iterator[Finding]:
    """Yield whether a domain says nothing of what becomes of forged mail (DMARC, RFC 7489)."""
    parts = domain.split(".")
    above = [".".join(parts[start:]) for start in range(len(parts) - 1)]
    for one in above:
        if any(text.lower().startswith("v=dmarc1") for text in names.texts(f"_dmarc.{one}")):
            return
    text = f"{domain} does not say what becomes of mail that is forged in its name (DMARC)."
    yield _to_add(text, f'_dmarc.{domain}. TXT "v=DMARC1; p=none"')


def _of_machine(names: Names, machine: str) -> Iterator[Finding]:
    """Yield whether the addresses of the machine that sends have its name."""
    for address in names.addresses(machine):
        found = names.names_of(address)
        if not any(address in names.addresses(one) for one in found):
            told = f"is called {found[0]}, which is another" if found else "has no name (PTR)"
            text = f"{address}, the address of {machine}, {told}: mail from it is not believed elsewhere."
            yield Finding(PART, text, by_hand(f"let your provider of the net call {address} {machine} (PTR)"))


def _to_add(text: str, record: str) -> Finding:
    return Finding(PART, text, by_hand(f"add to its zone: {record}"))
