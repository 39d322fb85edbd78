"""What mends a line to a mail server that cannot be made secure."""

from __future__ import annotations

import ssl
from typing import Final

from pbem.mail.account.settings import Login

KNOWN_BY: Final = "export SSL_CERT_FILE=/path/to/certificate.pem"
"""What makes certificates known that this machine does not know; the file is of whoever signed them."""

_UNKNOWN: Final = (18, 19, 20, 21)
"""Signed by itself or by nobody who is known here (X509_V_ERR_... of OpenSSL)."""

_FOREIGN: Final = (62, 64)
"""Of another name, or of another IP address."""


def is_unknown(wrong: Exception) -> bool:
    """Tell whether a certificate was refused because nobody whom this machine knows has signed it."""
    return isinstance(wrong, ssl.SSLCertVerificationError) and wrong.verify_code in _UNKNOWN


def is_foreign(wrong: Exception) -> bool:
    """Tell whether a certificate was refused because it is another server's."""
    return isinstance(wrong, ssl.SSLCertVerificationError) and wrong.verify_code in _FOREIGN


def with_cure(said: str, wrong: Exception, login: Login) -> str:
    """Return what was said of a fault at a server, and what mends it if that is known; no full stop."""
    cure = ""
    if is_unknown(wrong):
        cure = f"Type {KNOWN_BY} with the file of whoever signed it"
    elif is_foreign(wrong):
        cure = "Give the server in home.yaml the name that its certificate has"
    elif login.security == "none" and "timed out" in str(wrong):
        cure = "If it says nothing without encryption, write security: tls for it in home.yaml"
    return f"{said.rstrip('.')}. {cure}" if cure else said
