"""Addresses: what every provider gives out is one, and what no header can hold is none."""

from __future__ import annotations

import pytest

from pbem.text.names import is_plain_address


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.org",
        "mary.pbem@gmail.com",
        "Mary.Anne.O'Hara@Example.ORG",
        "ann+pbem@example.org",
        "_@x.de",
        "1@1and1.example",
        "!#$%&'*+-/?=^_`{|}~@example.org",
        "ann@localhost",
        "ann@xn--bcher-kva.example",
        "x" * 64 + "@example.org",
        "a@" + ".".join(["x" * 63] * 3) + ".example.org",
    ],
)
def test_an_address_that_needs_no_quotes_is_plain(address: str) -> None:
    assert is_plain_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        ".ann@example.org",
        "ann.@example.org",
        "an..n@example.org",
        '"an n"@example.org',
        "ann@example..org",
        "ann@.example.org",
        "ann@example.org.",
        "ann@-example.org",
        "ann@exa_mple.org",
        "ann@[127.0.0.1]",
        "ann@bob@example.org",
        "dörte@example.org",
        "ann@bücher.example",
        "ann@example.org\n",
        "ann@example.org\r\nBcc: x@y",
        "a nn@example.org",
        "=?utf-8?q?ann?=@example.org",
        "x" * 65 + "@example.org",
        "a@" + "x" * 64 + ".org",
        "a@" + ".".join(["x" * 60] * 5),
    ],
)
def test_what_a_mail_server_would_not_take_unquoted_is_no_plain_address(address: str) -> None:
    assert not is_plain_address(address)


def test_a_long_text_is_judged_in_one_pass() -> None:
    for text in ("a" * 100_000, "a." * 50_000, "a@" + "b." * 50_000, "=" * 100_000):
        assert not is_plain_address(text)
