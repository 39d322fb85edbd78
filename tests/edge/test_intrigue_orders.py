"""Orders of Web of Intrigue as players write them: by any name, kept, in part, and wrong in every way."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.rules.web_of_intrigue.view import View
from tests.homes import NOW, a_game, a_home, orders_path, send, table_of, top

WEB = "web-1"


# What stands in `do`, with ^ before what is wrong, and what is said of it. [x] is a word from above, and
# [x:name] the name of that tile.
def test_a_file_in_part_is_played_in_part_and_recomputed(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, WEB, rules="web-of-intrigue", table=table_of(2))
    words = words_for_start(saved)
    do: Json = {"bid_1": {"for": words["object"], "points": 5}, "bid_2": {"for": "The Moon", "points": 5}}
    receipt = send(home, WEB, "1", [{"at": "turn-1", "do": do}], partial=True)
    assert receipt.orders == f"- at: turn-1\n  do: {{bid_1: {{for: {words['object']}, points: 5}}}}"
    assert orders_path(home, WEB, Seat("1")).read_text().endswith("receipt 1, without order 1.bid_2\n")
    send(home, WEB, "2", [{"do": {"move": "stay"}}])

    run(home, WEB, now=NOW)

    assert "The Moon" not in report(home, WEB, "1")
    told = " ".join(report(home, WEB, "2").split())
    assert f"1 won {words['name']}" in told or f"1 failed at {words['name']}" in told
    assert run_command(["verify", WEB, "--home", str(top(home))]) == 0


def words_for_start(saved: SavedGame) -> dict[str, str]:
    view = saved.opening.view(saved.position.game, Seat("1"))
    assert isinstance(view, View)
    name, offer = next(iter(view.objects.items()))
    return {"object": name, "name": offer.name}
