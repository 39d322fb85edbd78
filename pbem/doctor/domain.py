"""The domain of the host's address as other mail servers see it: MX, SPF, DKIM, DMARC, its machine's name."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from pbem.doctor.patient import Finding, NotLookedAtError, Patient, by_hand
from pbem.mail.account.settings import MailSettings

if TYPE_CHECKING:
    from dns.resolver import Resolver


SECONDS: Final = 5.0
"""So long a name server is waited for."""


class NoServerAnswersError(Exception):
    """No name server answers, or none can be asked; in words."""


def _library() -> SimpleNamespace:
    """Return the package that asks name servers, with its parts.

    Raises:
        ImportError: It is missing.
    """
    from dns import exception, resolver, reversename

    return SimpleNamespace(exception=exception, resolver=resolver, reversename=reversename)


class Names:
    """Asks name servers; those of this machine, or one that is named."""

    def __init__(self, server: str = "", port: int = 53) -> None:
        """Prepare to ask.

        Args:
            server: The address of a name server; "" for those of this machine.
            port: Its port.

        Raises:
            ImportError: The package dnspython is missing.
            ValueError: It is no address, or no port.
        """
        self._dns = _library()
        if not 0 < port < 1 << 16:
            raise ValueError(f"there is no port {port}")
        try:
            self._resolver: Resolver | None = self._dns.resolver.Resolver(configure=not server)
        except self._dns.resolver.NoResolverConfiguration:
            self._resolver = None
            return
        self._resolver.lifetime = SECONDS
        if server:
            self._resolver.nameservers = [server]
            self._resolver.port = port

    def mail_servers(self, domain: str) -> list[str] | None:
        """Return where mail for a domain goes, best first; "" for nowhere; None if it does not say."""
        found = self._asked(domain, "MX")
        if not found:
            return None
        ranked = sorted((one.preference, str(one.exchange).rstrip(".")) for one in found)
        return [name for _, name in ranked]

    def texts(self, name: str) -> list[str]:
        """Return the texts that stand at a name."""
        return [b"".join(one.strings).decode("utf-8", "replace") for one in self._asked(name, "TXT") or ()]

    def addresses(self, name: str) -> list[str]:
        """Return the IP addresses of a name."""
        return [str(one) for kind in ("A", "AAAA") for one in self._asked(name, kind) or ()]

    def names_of(self, address: str) -> list[str]:
        """Return the names of an IP address."""
        found = self._asked(str(self._dns.reversename.from_address(address)), "PTR")
        return [str(one).rstrip(".") for one in found or ()]

    def is_there(self, name: str) -> bool:
        """Tell whether anything stands at a name or below it."""
        return self._asked(name, "TXT") is not None

    def _asked(self, name: str, kind: str) -> list[Any] | None:
        """Return the records of a kind; none where there are others; None where there is no such name.

        Raises:
            NoServerAnswersError: Nobody can tell.
        """
        dns = self._dns
        if self._resolver is None:
            raise NoServerAnswersError("this machine knows no name server")
        try:
            return list(self._resolver.resolve(name, kind, search=False))
        except dns.resolver.NXDOMAIN:
            return None
        except dns.resolver.NoAnswer:
            return []
        except dns.exception.Timeout:
            raise NoServerAnswersError("none answers in time") from None
        except dns.exception.DNSException as wrong:
            raise NoServerAnswersError(" ".join(str(wrong).split())[:200].rstrip(".")) from None


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
        yield Finding(text, "cat /etc/resolv.conf   # and see that the servers named there answer")


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
        yield Finding(text, f"apt-get install opendkim opendkim-tools && {make}")
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
        yield Finding(text, by_hand(f"keep one of these records of {domain}: {'; '.join(found)}"))
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
            yield Finding(text, by_hand(f"let your provider of the net call {address} {machine} (PTR)"))


def _to_add(text: str, record: str) -> Finding:
    return Finding(text, by_hand(f"add to its zone: {record}"))
