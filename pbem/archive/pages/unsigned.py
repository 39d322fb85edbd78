"""Anonymous messages: in which turns they went out, for much in such a turn tells who sent them."""

from __future__ import annotations

import json

from pbem.store.place import Place


def has_unsigned(turn: Place) -> bool:
    """Tell whether an anonymous message went out with a turn.

    Its sender has it in his report and in his orders, and a turn's record names the orders that it took. So
    what is published of such a turn must treat all seats alike, and its record stays with the host.
    """
    lines = (turn / "events.jsonl").read_bytes().splitlines()
    return any(json.loads(line)["sender"] == "" for line in lines if b'"PressSent"' in line)
