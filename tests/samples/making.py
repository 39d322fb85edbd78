"""What making sample games has in common."""

from __future__ import annotations

import json

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.home import Home, Secret, read_secret
from pbem.play.running import submit
from pbem.text.strictyaml import dump_flow
from tests.homes import top


def send(home: Home, game: str, seat: Seat, lines: list[tuple[str, Json]]) -> None:
    """Lodge orders that must be accepted: for each ask what to do."""
    path = top(home) / "sent.yaml"
    written = "".join(f"- at: {at}\n  do: {dump_flow(do)}\n" for at, do in lines)
    path.write_text(f"game: {game}\nseat: {seat}\norders:\n{written}", encoding="utf-8")
    answer = submit(home, path)
    assert not isinstance(answer, list), [str(fault) for fault in answer]
    path.unlink()


def mark_as_sample(home: Home, game: str) -> None:
    """Give a game keys that anybody may read, and say that its seed is no secret."""
    path = (top(home) / "games") / game / "secret.json"
    before = read_secret(home.game(game))
    secret = Secret(before.seed, {seat: f"sample-{seat}" for seat in before.keys}, sample=True)
    path.write_text(json.dumps(secret.as_json(), indent=1) + "\n", encoding="utf-8")
