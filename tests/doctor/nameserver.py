"""A name server for tests, in a thread: it knows what a test tells it, and nothing else."""

from __future__ import annotations

import contextlib
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

SOUND = {
    ("pbem.test", "MX"): ["10 mx.pbem.test."],
    ("pbem.test", "TXT"): ['"google-site-verification=x"', '"v=spf1 mx -all"'],
    ("_dmarc.pbem.test", "TXT"): ['"v=DMARC1; " "p=none"'],
    ("pbem._domainkey.pbem.test", "TXT"): ['"v=DKIM1; p=abc"'],
    ("mx.pbem.test", "A"): ["192.0.2.7"],
    ("7.2.0.192.in-addr.arpa", "PTR"): ["mx.pbem.test."],
}
"""A domain in which nothing is wrong."""


@dataclass
class Zone:
    """What a name server knows.

    Attributes:
        records: By name and kind.
        port: Where it listens.
        is_silent: It answers nobody.
    """

    records: dict[tuple[str, str], list[str]] = field(default_factory=lambda: dict(SOUND))
    port: int = 0
    is_silent: bool = False

    def answer(self, asked: bytes) -> bytes | None:
        query = dns.message.from_wire(asked)
        name, kind = query.question[0].name, dns.rdatatype.to_text(query.question[0].rdtype)
        plain = name.to_text(omit_final_dot=True).lower()
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if found := self.records.get((plain, kind)):
            reply.answer.append(dns.rrset.from_text_list(name, 60, "IN", kind, found))
        elif not any(one == plain or one.endswith(f".{plain}") for one, _ in self.records):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return None if self.is_silent else reply.to_wire()


@contextlib.contextmanager
def a_name_server() -> Iterator[Zone]:
    """Give a name server that listens on a free port, and knows a domain in which nothing is wrong."""
    zone = Zone()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked, line = self.request
            if (reply := zone.answer(asked)) is not None:
                line.sendto(reply, self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Handler) as server:
        zone.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))  # so soon it stops
        thread.start()
        try:
            yield zone
        finally:
            server.shutdown()
            thread.join()
