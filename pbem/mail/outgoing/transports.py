"""Carriers take one mail to a server or a program, and say what it said: taken, refused, or nobody knows."""

from __future__ import annotations

import contextlib
import smtplib
import ssl
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from pbem.mail.account.settings import Login, MailSettings, add_error_cure
from pbem.mail.account.tokens import log_into_smtp, with_token
from pbem.store.errors import WrongInput
from pbem.text.names import mask_tokens

TIMEOUT: Final = 60.0
"""Seconds."""

_FINAL_EXITS: Final = (65, 67, 68)
"""Exit codes that are about the mail: its data, its reader, the reader's host (sysexits.h)."""

_TRY_AGAIN: Final = 75
"""The exit code that asks for patience (EX_TEMPFAIL)."""

Fate: TypeAlias = Literal["sent", "refused", "later", "unknown", "unreachable"]


@dataclass(frozen=True, slots=True)
class ServerReply:
    """What became of a mail.

    Attributes:
        fate: "sent": it was taken, for all recipients in one. "refused": it never will be. "later": it was
            not taken this time. "unknown": the line broke when it may have been taken. "unreachable": nothing
            was said to anybody.
        why: What was said, without anything secret.
        is_fault: What takes mails out is itself at fault, as far as can be told; the moderator must mend it.
    """

    fate: Fate
    why: str = ""
    is_fault: bool = False


SENT: Final = ServerReply("sent")


class Carrier(Protocol):
    """Takes mails out."""

    def carry(self, sender: str, recipients: Sequence[str], raw: bytes) -> ServerReply:
        """Take one mail to all recipients in one transaction; the first recipient is the reader."""

    def close(self) -> None:
        """Say goodbye."""


def open_carrier(settings: MailSettings) -> Carrier:
    """Return what takes mails out as `home.yaml` says.

    Raises:
        WrongInput: It does not say.
    """
    if settings.smtp is not None:
        return Smtp(settings.smtp)
    if settings.sendmail is not None:
        return Sendmail(settings.sendmail)
    hint = "Write `smtp: {server: localhost}` there, or `sendmail: /usr/sbin/sendmail`."
    raise WrongInput("the mail section of home.yaml does not say how mail goes out.", hint)


@contextlib.contextmanager
def use_carrier(settings: MailSettings) -> Iterator[Carrier]:
    """Give what takes mails out as `home.yaml` says, for a while.

    Raises:
        WrongInput: It does not say.
    """
    carrier = open_carrier(settings)
    try:
        yield carrier
    finally:
        carrier.close()


class Smtp:
    """A server that speaks SMTP; one connection takes all mails."""

    def __init__(self, login: Login) -> None:
        self.login = login
        self.line: smtplib.SMTP | None = None

    def carry(self, sender: str, recipients: Sequence[str], raw: bytes) -> ServerReply:
        """Take one mail to all recipients in one transaction: each must be accepted, or nothing is sent."""
        try:
            line = self._open_connection()
        except (OSError, smtplib.SMTPException, WrongInput) as wrong:
            self._close_connection()
            said = add_error_cure(_error_text(wrong), wrong, self.login)
            return ServerReply("unreachable", f"{self.login.server}, port {self.login.port}: {said}")
        try:
            answer = self._envelope(line, sender, recipients)
        except (OSError, smtplib.SMTPException) as wrong:
            self._close_connection()
            return ServerReply("later", _error_text(wrong))
        if answer != SENT:
            self._reset_transaction(line)
            return answer
        try:
            code, text = line.data(raw)
        except smtplib.SMTPDataError as wrong:
            self._reset_transaction(line)
            return _refusal(wrong.smtp_code, _text(wrong.smtp_error))
        except (OSError, smtplib.SMTPException) as wrong:
            self._close_connection()
            return ServerReply("unknown", _error_text(wrong))
        return SENT if code == 250 else _refusal(code, _text(text))

    def greet(self) -> None:
        """Connect, make the line secure and log in, as before a mail; nothing is sent.

        Raises:
            OSError: No server is reached, or its certificate is not its own.
            smtplib.SMTPException: The server refuses.
            WrongInput: There is no password.
        """
        try:
            self._open_connection()
        finally:
            self.close()

    def close(self) -> None:
        """Say goodbye."""
        if self.line is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self.line.quit()
            self._close_connection()

    def _close_connection(self) -> None:
        """Close a line on which nothing more can be said: the server may take any word for a mail's."""
        if self.line is not None:
            self.line.close()
            self.line = None

    def _open_connection(self) -> smtplib.SMTP:
        """Return the connection, made or made again if need be."""
        if self.line is not None:
            try:
                if self.line.noop()[0] == 250:
                    return self.line
            except (OSError, smtplib.SMTPException):
                pass
            self._close_connection()
        if self.login.oauth is None:
            return self._connect(None)

        return with_token(self.login.oauth, self._connect)

    def _connect(self, token: str | None) -> smtplib.SMTP:
        """Return a new connection, secure and logged in."""
        login = self.login
        self._close_connection()
        context = ssl.create_default_context()
        if login.security == "tls":
            line: smtplib.SMTP = smtplib.SMTP_SSL(login.server, login.port, timeout=TIMEOUT, context=context)
        else:
            line = smtplib.SMTP(login.server, login.port, timeout=TIMEOUT)
        self.line = line
        line.ehlo_or_helo_if_needed()
        if login.security == "starttls":
            line.starttls(context=context)
            line.ehlo_or_helo_if_needed()
        if token is not None:
            log_into_smtp(line, login, token)
        elif login.user:
            line.login(login.user, login.password())
        return line

    def _envelope(self, line: smtplib.SMTP, sender: str, recipients: Sequence[str]) -> ServerReply:
        code, text = line.mail(sender)
        if code != 250:
            return ServerReply(
                "later", f"{code} {_text(text)}"
            )  # about the sender, which is the same in all mails
        for number, recipient in enumerate(recipients):
            code, text = line.rcpt(recipient)
            if code not in (250, 251):
                refusal = _refusal(code, _text(text))
                return refusal if number == 0 else ServerReply("later", f"{recipient}: {refusal.why}")
        return SENT

    def _reset_transaction(self, line: smtplib.SMTP) -> None:
        """End a transaction in which nothing was sent."""
        try:
            line.rset()
        except (OSError, smtplib.SMTPException):
            self._close_connection()


class Sendmail:
    """A program that takes mails as `/usr/sbin/sendmail` does."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def carry(self, sender: str, recipients: Sequence[str], raw: bytes) -> ServerReply:
        """Give the program one mail for all recipients.

        It reads the mail from a file that is whole before it starts: a pipe would hand it half a mail if this
        program were killed meanwhile.
        """
        words = [str(self.program), "-oi", "-f", sender or "<>", "--", *recipients]
        with tempfile.TemporaryFile() as file:
            file.write(raw.replace(b"\r\n", b"\n"))
            file.seek(0)
            try:
                ended = subprocess.run(
                    words,
                    stdin=file,
                    capture_output=True,
                    timeout=TIMEOUT,
                    check=False,
                    start_new_session=True,
                )
            except subprocess.TimeoutExpired:
                return ServerReply("unknown", f"{self.program} did not end within {TIMEOUT:.0f} seconds")
            except OSError as wrong:
                return ServerReply("unreachable", f"{self.program}: {wrong.strerror}")
        said = _text(ended.stderr) or f"exit {ended.returncode}"
        if ended.returncode == 0:
            return SENT
        if ended.returncode < 0:
            return ServerReply("unknown", f"{self.program} was killed")
        if ended.returncode in _FINAL_EXITS:
            return ServerReply("refused", said)
        return ServerReply("later", said, is_fault=ended.returncode != _TRY_AGAIN)

    def close(self) -> None:
        """Nothing stays open."""


def _refusal(code: int, text: str) -> ServerReply:
    return ServerReply("refused" if 500 <= code < 600 else "later", f"{code} {text}".strip())


def _error_text(wrong: Exception) -> str:
    if isinstance(wrong, smtplib.SMTPResponseException):
        return f"{wrong.smtp_code} {_text(wrong.smtp_error)}"
    return mask_tokens(" ".join(str(wrong).split()))[:300] or type(wrong).__name__


def _text(said: bytes | str) -> str:
    """Return what a server said in one line, without tokens."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return mask_tokens(" ".join(text.split()))[:300]
