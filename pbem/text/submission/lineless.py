"""Orders without a line: press, a withdrawal, or nothing at all, which is a mistake."""

from __future__ import annotations

from pbem.text.submission.orders import Envelope, Fault, Grammar, Submission, read_lines


def read_whole(envelope: Envelope, grammar: Grammar) -> Submission | list[Fault]:
    """Read the lines of an envelope as `read_lines` does; what asks for nothing is a mistake too.

    What carries a receipt was accepted, if only by an older version, and is not refused for that.
    """
    read = read_lines(envelope, grammar)
    if isinstance(read, list) or envelope.receipt or read.orders.lines:
        return read
    return _nothing_faults(read) or read


def _nothing_faults(read: Submission) -> list[Fault]:
    """Say what is wrong with orders without a line: they ask for nothing, or speak of lines."""
    envelope, sent = read.envelope, read.orders
    for name, is_there, why in (
        ("stop_if", bool(sent.stop_if), "is about lines"),
        ("wait", sent.wait, "is about lines"),
        ("detail", bool(sent.detail), "comes with lines"),
    ):
        if is_there:
            text = f"`{name}` {why}, and there are none here"
            hint = "Write all your lines with it; without it, those that you sent before stay as they are."
            return sorted(
                [*envelope.dropped, envelope.fault((name,), text, hint, kind="without-lines", at_key=True)]
            )
    if envelope.withdraws or sent.press:
        return []
    hint = "Write lines or press. The lines that you sent before stay; `orders: none` withdraws them."
    return sorted(envelope.dropped) or [
        envelope.fault(("orders",), "there are no orders in this", hint, kind="no-orders")
    ]
