"""A home in which every verb has something to tell."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.play.homes.home import Home
from tests.edge.faults import Image, image_of, lay_out
from tests.homes import orders_text, top, worked_out_once
from tests.hosting.games import DAY, GAME, HOUR, MADE, a_club, pbem, stay
from tests.hosting.verbs import TABLE
from tests.mail.host import Host

NOW = MADE + 2 * HOUR
LATER = MADE + 4 * DAY
ANN = "ann@example.test"


def a_busy_home(folder: Path) -> Home:
    """Return a home with a club that plays by mail: turns, acts, orders, a question, a mail that waits."""
    folder.mkdir(parents=True, exist_ok=True)
    return lay_out(_busy(), folder / "home")


@cache
def _busy() -> Image:
    return worked_out_once("busy", _worked_out)


def _worked_out() -> Image:
    with TemporaryDirectory() as folder:
        home = a_club(Path(folder), by_mail=True, gate={"disk": 0})
        stay(home, "1", "2", "3")
        assert pbem(home, "run", GAME, now=MADE + HOUR) == 0
        assert pbem(home, "announce", GAME, "Welcome, all.", now=NOW) == 0
        assert pbem(home, "hold", GAME, "2", now=NOW) == 0
        host = Host(home, now=NOW)
        asked = host.gets(host.a_mail("to: moderator\n\nWhen do we play?", ANN), host.address("1", GAME))
        assert asked.verdict == "question", asked
        (top(home) / "good.yaml").write_text(
            orders_text(GAME, "1", [{"at": "turn-2", "do": {"move": "stay"}}]), encoding="utf-8"
        )
        (top(home) / "bad.yaml").write_text(orders_text(GAME, "1", [{"do": {"mvoe": 1}}]), encoding="utf-8")
        (top(home) / "press.yaml").write_text(
            f"game: {GAME}\nseat: '1'\npress:\n- to: all\n  say: Peace.\n", encoding="utf-8"
        )
        (top(home) / "kept.txt").write_text(
            f"Your orders for {GAME} are lodged: receipt 4.\n\nProof of what you sent: m4ch-rgdo-26j7-zhfd\n",
            encoding="utf-8",
        )
        (top(home) / "players.yaml").write_text(TABLE.replace("{}", "{player: Bob}"), encoding="utf-8")
        return image_of(top(home))
