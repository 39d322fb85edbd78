"""What name servers say of a domain: its mail servers, texts, addresses and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dns.resolver import Resolver

SECONDS: Final = 5.0
"""So long a name server is waited for."""


class NoServerAnswersError(Exception):
    """No name server answers, or none can be asked; in words."""


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
        import dns.resolver

        if not 0 < port < 1 << 16:
            raise ValueError(f"there is no port {port}")
        try:
            self._resolver: Resolver | None = dns.resolver.Resolver(configure=not server)
        except dns.resolver.NoResolverConfiguration:
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
        import dns.reversename

        found = self._asked(str(dns.reversename.from_address(address)), "PTR")
        return [str(one).rstrip(".") for one in found or ()]

    def is_there(self, name: str) -> bool:
        """Tell whether anything stands at a name or below it."""
        return self._asked(name, "TXT") is not None

    def _asked(self, name: str, kind: str) -> list[Any] | None:
        """Return the records of a kind; none where there are others; None where there is no such name.

        Raises:
            NoServerAnswersError: Nobody can tell.
        """
        import dns.exception
        import dns.resolver

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
