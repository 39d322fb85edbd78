"""Luck words that came with the file of players, lodged as start forms."""

from __future__ import annotations

from pbem.core.labels import START
from pbem.edge.files import Disk, replace_file
from pbem.edge.saved import SavedGame
from pbem.text.orders import stamped
from pbem.text.strictyaml import dump


def lodge_luck_words(disk: Disk, saved: SavedGame) -> None:
    """Lodge a start form for every seat whose luck words stand in `game.yaml`."""
    for seat, words in saved.table.luck.items():
        place = saved.home.orders_file(saved.name, seat)
        disk.make_folder(place.parent)
        form = dump(
            {
                "game": saved.name,
                "seat": seat,
                **({"key": saved.secret.keys[seat]} if saved.table.key else {}),
                "orders": [{"at": START, "do": {"luck": words}}],
            }
        )
        replace_file(disk, place, stamped(form.encode(), 1))
