"""A start form that sentences say: luck words, and a number beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.core.interface import Ask, Json
from pbem.core.labels import START
from pbem.core.wording import listed
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.sayings.plainwords import asks, luck_words
from pbem.text.yaml.strictyaml import dump_flow


def said_to_start(ask: Ask, example: Json, lines: Sequence[str]) -> Iterator[str]:
    """Yield a start form of luck words that stand in sentences, with the number if one does."""
    luck = luck_words(lines)
    if ask.label != START or not luck or not isinstance(example, dict) or asks(lines):
        return
    said: dict[str, Json] = {"luck": luck}
    fields = [name for name, value in example.items() if type(value) is int]
    field = rf"\b(?:{'|'.join(map(re.escape, fields))})\W+(?:(?:is|of|be|at)\W+)?"
    named = rf"(?:{field}([0-9]{{1,6}})|\b([0-9]{{1,6}}) points?)\b"
    numbers = {one or other for one, other in re.findall(named, " ".join(lines), re.IGNORECASE)}
    if len(numbers) == len(fields) == 1:
        said[fields[0]] = int(numbers.pop())
    yield dump_flow(said)


def unsaid_at_start(saved: SavedGame, ask: Ask, lines: Sequence[str], offer: str) -> str:
    """Say which numbers of a player's words are not in a start form that is offered, and where one may go."""
    numbers = [*dict.fromkeys(re.findall(r"\b[0-9]{1,6}\b", " ".join(lines)))]
    left = [one for one in numbers if not re.search(rf"\b{one}\b", offer)]
    if ask.label != START or not left:
        return ""
    whole = (one.name for one in saved.system.questions if type(one.example) is int)
    fields = [name for name in whole if f"{name}: " not in offer]
    told = f"Of your words, {listed(left)} {'is' if len(left) == 1 else 'are'} not in it."
    if len(left) != 1 or len(fields) != 1:
        return told
    return f"{told} If that is your {fields[0]}, write `, {fields[0]}: {left[0]}` before the closing brace."
