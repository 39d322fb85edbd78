"""Makes the sample games and orders anew: `make samples`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.homes import make_home, top
from tests.samples import game_of_powers, rose_king, web_of_intrigue, web_of_power, web_of_power_cards

PROJECT = Path(__file__).parents[2]

for sample in (game_of_powers, rose_king, web_of_intrigue, web_of_power, web_of_power_cards):
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder) / "home")
        orders = sample.make(home)
        for name in ("games", "orders"):
            shutil.rmtree(PROJECT / name / sample.GAME, ignore_errors=True)
        without = shutil.ignore_patterns("reports", "newest.json")  # `pbem demo` makes them again
        shutil.copytree((top(home) / "games") / sample.GAME, PROJECT / "games" / sample.GAME, ignore=without)
        (PROJECT / "orders" / sample.GAME).mkdir(parents=True)
        for seat, text in orders.items():
            (PROJECT / "orders" / sample.GAME / f"{seat}.yaml").write_text(text, encoding="utf-8")
