"""What stands in for a worker: mail is processed, games are run and mails are sent, again and again."""

from __future__ import annotations

import datetime
import signal
import sys
import time

from pbem.host.batch import run
from pbem.mail.delivery import process_all, send
from pbem.play.home import Home
from pbem.store.errors import GateClosedError, WrongInput
from pbem.store.opening import open_store


def main(where: str) -> None:
    """Work until told to end."""
    ended: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    home = Home(open_store(where))

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    while not ended:
        now = datetime.datetime.now(datetime.UTC)
        try:
            for one in process_all(home, now):
                say(one.line())
            for game in home.games():
                try:
                    if (ran := run(home, game, now=now)).turn is not None:
                        say(ran.line())
                except GateClosedError as wrong:
                    say(f"{game}: {wrong}")
            send(home, now, say)
        except (WrongInput, GateClosedError) as wrong:
            say(str(wrong))
        time.sleep(0.2)


if __name__ == "__main__":
    main(sys.argv[1])
