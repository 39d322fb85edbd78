"""Mail: how quickly `pbem-spool` starts and orders are lodged, and what memory ten thousand mails take."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.mail.account.addresses import orders_address, token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals import spool
from pbem.mail.outgoing.delivery import receive
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.lodging import lodge
from pbem.text.strictyaml import dump
from tests.benchmarks.cold import peak, process
from tests.benchmarks.homes import NOW, in_memory
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import make_home, top

MANY, FEW, LONG = 10_000, 100, 3000
SEATS = 12
TABLE = """seats:
  red: {player: Ann, address: ann@example.org}
  white: {player: Bob, address: bob@example.org}
"""
SPOOL = "import sys; from pbem.mail.arrivals.spool import main; sys.exit(main())"


def rows() -> Iterator[Row]:
    """Yield the rows of mail."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        yield _spool(_home(Path(folder) / "spool"))
        yield _lodging(Path(folder) / "lodging")
        yield _batch(Path(folder))
        yield _memory(Path(folder))


def _home(folder: Path) -> Home:
    home = make_home(folder)
    settings: Json = {
        "mail": {"address": "host@pbem.example", "orders_per_hour": 1000, "receipts_per_hour": 1000}
    }
    (folder / "home.yaml").write_text(dump(settings), encoding="utf-8")
    players = folder / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    new_game(home, "rose-king", "rose-1", players, {}, now=NOW, seed=bytes(32))
    return home


def _spool(home: Home) -> Row:
    """Compare the whole program, a mail kept durably, with one that does nothing."""
    words = ("--home", str(top(home)), "ann@example.org", "host@pbem.example")
    keep = process(SPOOL, *words, given=_orders(0))
    return paired("pbem-spool, a mail kept, against python -c pass", keep, process("pass"), 2)


def _lodging(folder: Path) -> Row:
    """Compare lodging orders of one seat when eleven others have lodged theirs with doing it alone."""
    home = make_home(folder)
    players = folder / "players.yaml"
    rows: dict[str, Json] = {str(seat): {"player": f"Player {seat}"} for seat in range(1, SEATS + 1)}
    players.write_text(dump({"seats": rows}), encoding="utf-8")
    for name in ("alone", "full"):
        new_game(home, "web-of-intrigue", name, players, {}, now=NOW, seed=bytes(32))
        run(home, name, now=NOW, deal=True)
    for seat in range(2, SEATS + 1):
        lodge(home, _turns("full", seat))

    def lodged(name: str) -> Callable[[], float]:
        return lambda: timed(lambda: lodge(home, _turns(name, 1)))

    title = f"lodging orders beside those of {SEATS - 1} other seats, against alone"
    return paired(title, lodged("full"), lodged("alone"), 1.15)


def _turns(game: str, seat: int) -> bytes:
    """Return orders for twenty turns."""
    lines: list[Json] = [{"at": f"turn-{number}", "do": {"move": "stay"}} for number in range(1, 21)]
    return dump({"game": game, "seat": str(seat), "orders": lines}).encode()


def _batch(folder: Path) -> Row:
    """Compare what a mail costs in a long batch with what it costs in a short one, in processor time."""

    def each(name: str, mails: int) -> float:
        home = _home(folder / name)
        _fill(home, mails)
        start = time.process_time()
        done = receive(home, NOW, lambda text: None, MailedCommands()).processed
        assert len(done) == mails
        return (time.process_time() - start) / mails * 1000

    ours, other = each("long", LONG), median(each(f"short-{number}", LONG // 10) for number in range(3))
    title = f"receiving a mail, of {LONG} in one batch against {LONG // 10}"
    return Row(title, ours, other, ours / other, 1.3, note="once against the median of 3")


def _memory(folder: Path) -> Row:
    """Compare the most memory that `pbem receive` ever held, in MiB: half orders, half from strangers."""

    def receiving(name: str, mails: int) -> float:
        home = _home(folder / name)
        _fill(home, mails)
        most = peak("receive", "--home", str(top(home)))
        with home.journal() as db:
            assert db.rows("SELECT state, count(*) FROM intake GROUP BY state") == [("done", mails)]
        return most

    ours, other = receiving("many", MANY), median(receiving(f"few-{number}", FEW) for number in range(3))
    title = f"peak memory of receiving {MANY} mails in one batch against {FEW}"
    return Row(title, ours, other, ours / other, 1.15, note="MiB, not ms; once against the median of 3")


def _fill(home: Home, mails: int) -> None:
    with home.journal() as db:
        saved, settings = SavedGame(home, "rose-1"), mail_settings(home)
        to = orders_address(settings, "rose-1", token_of(saved, Seat("red"), db))
    read: Callable[[int], bytes]
    for number in range(mails):
        sender = "ann@example.org" if number % 2 else "stranger@example.org"
        read = io.BytesIO(_orders(number, sender)).read
        spool.keep(str(top(home)), sender, to, read, int(NOW.timestamp()) * 10**9 + number)


def _orders(number: int, sender: str = "ann@example.org") -> bytes:
    head = f"From: {sender}\r\nMessage-ID: <{number}@example.org>\r\nSubject: orders\r\n"
    text = f"game: rose-1\r\nseat: red\r\norders:\r\n- at: start\r\n  do: {{luck: words {number}}}\r\n"
    return f"{head}\r\n{text}".encode()
