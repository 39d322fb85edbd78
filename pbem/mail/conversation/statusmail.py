"""How a game stands, as all its players may know, and a seat's own orders: the answer to `status`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.engine.book import Orders
from pbem.core.engine.press import readers
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.people.ballots import KINDS, count
from pbem.host.run.lostturns import is_to_run_again
from pbem.host.run.notes import Notes, read_notes
from pbem.host.time.deadlines import owing_seats
from pbem.mail.arrivals.desk import Desk
from pbem.mail.conversation.pressmail import called
from pbem.mail.conversation.requests import Told, Wish
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.countagain import waiting_orders
from pbem.play.submissions.gate import Lodged, lodged
from pbem.text.schemas.canonical import canonical
from pbem.text.schemas.codec import encode


def status(desk: Desk, saved: SavedGame, seat: Seat, _wish: Wish) -> Told:
    """Tell how the game stands, as all may know, and the seat's own orders."""
    ask = saved.ask
    if isinstance(ask, Outcome):
        return Told("The game is over", (f"{saved.name} is over: {ask.reason}.",))
    if saved.cancelled is not None:
        ended = f"{saved.name}: {saved.cancelled.told()}. No turn is run any more."
        return Told("The game was ended", (ended,), tells_end=True)
    notes = read_notes(desk.db, saved.home, saved.name)
    asked = [one for one in saved.start.seats if one in ask.seats]
    stands = f"{saved.name} asks {', '.join(asked)} ({ask.label})."
    if is_to_run_again(saved):
        stands += f" Turn {saved.turn + 1} was taken back, and is to be run again."
    found = lodged(saved)
    orders = canonical(found.orders.get(seat, Orders())._replace(press=()))
    owes = seat in owing_seats(saved, notes, found)
    unfit = f"Orders of yours stand, but none of them answers {ask.label}, which you are asked now:"
    if seat in ask.seats:
        stands += " It waits for orders of yours." if owes else " It does not wait for you."
    if [one for one in asked if one != seat]:
        stands += " Nobody is told which others have sent orders."
    mine = "No orders of yours stand." if not orders else unfit if owes else "These orders of yours stand:"
    waiting = waiting_orders(saved, seat) if is_to_run_again(saved) else {}
    if waiting and not orders:
        turn, first = min(waiting.items(), key=lambda one: one[0])
        orders, waiting = canonical(first._replace(press=())), {}
        mine = f"These orders of yours wait until turn {turn} is run again:"
    for turn in waiting:
        stands += f" Orders of yours wait until turn {turn} is run again."
    known = " ".join([*_points_in(saved), *_votes_of(saved, notes, seat)])
    paragraphs = (stands, known, _press_of(saved, found, seat), mine)
    return Told(f"Status: {ask.label}", tuple(filter(None, paragraphs)), orders)


def _points_in(saved: SavedGame) -> Iterator[str]:
    """Yield the points of all seats in a sentence, if the public report shows any."""
    view = encode(saved.view(saved.position.game, None))
    for shown in (view, *view.values()) if isinstance(view, dict) else ():
        points = [(seat, _points_of(shown, seat)) for seat in saved.start.seats]
        if all(number is not None for _, number in points):
            yield f"Points: {'; '.join(f'{called(saved, seat)} {number}' for seat, number in points)}."
            return


def _points_of(shown: Json, seat: Seat) -> int | None:
    side = shown.get(seat) if isinstance(shown, dict) else None
    points = side.get("points") if isinstance(side, dict) else None
    return points if isinstance(points, int) else None


def _votes_of(saved: SavedGame, notes: Notes, seat: Seat) -> Iterator[str]:
    """Yield how the votes of this turn stand; where they are secret, which the seat has given."""
    for found in (count(saved, notes, kind) for kind in KINDS):
        if found.ayes and saved.table.votes == "public":
            ayes = ", ".join(found.ayes)
            yield f"Votes for `{found.kind}`: {len(found.ayes)} of the {found.needed} needed ({ayes})."
        elif seat in found.ayes:
            yield f"You voted for `{found.kind}`."


def _press_of(saved: SavedGame, found: Lodged, seat: Seat) -> str:
    """Return when messages of a seat that no turn has taken yet reach their readers; "" if there are none."""
    orders = found.with_press().get(seat)
    press = orders.press if orders is not None else ()
    number = sum(bool(readers(one, saved.start.seats)) for one in press)
    if not number:
        return ""
    words = ("1 message of yours", "goes") if number == 1 else (f"{number} messages of yours", "go")
    if saved.table.press.deliver != "at once":
        return f"{' '.join(words)} out with the next reports."
    return f"{words[0]} went out at once, and {words[1]} into the next reports too."
