"""What the program does, one function a verb, each in a straight line."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.core.book import Orders
from pbem.core.dice import commitment
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.turn import Policy, advance
from pbem.edge import gate, registry, store
from pbem.edge.chain import receipt_proof, short
from pbem.edge.errors import GateClosedError, Reason, WrongInput
from pbem.edge.files import Disk, locked, replace_file
from pbem.edge.home import Home, Secret, is_game_name, read_game_file
from pbem.edge.saved import SavedGame
from pbem.edge.turnfiles import Batch, first_files, turn_files
from pbem.text.codec import dumps
from pbem.text.judging import Verdict
from pbem.text.orders import Fault, Submission, canonical, open_envelope, receipt_of, stamped
from pbem.text.schema import near
from pbem.text.strictyaml import dump_flow

LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged orders file.

    Attributes:
        saved: Its game.
        submission: Its lines.
        verdict: What they would do; it has no mistakes unless the file says `partial: true`.
        data: The file.
    """

    saved: SavedGame
    submission: Submission
    verdict: Verdict
    data: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a submission that was stored.

    Attributes:
        judged: What was judged.
        number: The receipt's number, from 1, counted for the seat.
        proof: Salted hash of the accepted orders.
        orders: The lines that will run, as YAML.
        replaced: The pending lines that these replace, as YAML; "" if there were none.
    """

    judged: Judged
    number: int
    proof: str
    orders: str
    replaced: str


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of one game came to.

    Attributes:
        game: The id of the game.
        turn: The new turn's number, or None if nothing could be resolved.
        steps: Labels of the steps it took.
        label: The present ask; "" when the game is over.
        waiting: The seats that still owe an answer.
        outcome: How the game ended, or None.
        root: The short root of the new turn, as it stands in the reports; "" without a turn.
    """

    game: str
    turn: int | None
    steps: tuple[Label, ...]
    label: str
    waiting: tuple[Seat, ...]
    outcome: Outcome | None
    root: str


def make_home(disk: Disk, path: Path) -> Home:
    """Make an empty home.

    Raises:
        WrongInput: The folder holds something already.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise WrongInput(f"{path} is not empty.", "Choose a new folder.")
    for name in ("games", "orders", "templates"):
        disk.make_folder(path / name)
    return Home(path)


def new_game(
    disk: Disk,
    home: Home,
    rules: str,
    game: str,
    players: Path,
    options: Mapping[str, Json],
    *,
    now: datetime.datetime,
    seed: bytes | None = None,
) -> SavedGame:
    """Set a game up: freeze options and data, commit to a seed, and write the invitations.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        rules: The name of the rules.
        game: The id of the new game.
        players: A YAML file of the shape of `game.yaml`.
        options: Options of the rules, `forced` and `most_steps`.
        now: The moment.
        seed: 32 secret bytes; made anew if left out.
    """
    system = registry.find(rules)
    if not is_game_name(game):
        raise WrongInput(f"{game!r} cannot be a game's id.", "Use lower case letters, digits and hyphens.")
    if game in home.games():
        raise WrongInput(f"there is a game {game} already.", "Choose another id.")
    assert system.system is not None, "find returns no broken rules"
    seats = _seats(system, players)
    read_game_file(players, seats)
    own, forced, most_steps = _options(system, options)
    data = system.shipped_data()
    system.load(data)
    seed = secrets.token_bytes(32) if seed is None else seed
    secret = Secret(seed, {seat: _key() for seat in seats})
    start: dict[str, Json] = {
        "rules": rules,
        "seats": list[Json](seats),
        "options": own,
        "forced": forced,
        "most_steps": most_steps,
        "commitment": commitment(seed),
    }
    folder = home.games_folder / f".{game}.tmp"
    if folder.exists():
        disk.remove_tree(folder)
    zero = folder / "turns" / "0000"
    disk.make_folder(zero)
    disk.write(folder / "game.yaml", players.read_bytes())
    disk.write(folder / "secret.json", dumps(secret.as_json()).encode(), mode=0o600)
    frozen = {"start.json": dumps(start).encode(), "data.json": dumps(data).encode()}
    for name, content in frozen.items():
        disk.write(zero / name, content)
    draft = SavedGame(home, game, folder=folder, at_turn=0)
    for name, content in first_files(draft, frozen, now.isoformat(timespec="seconds")).items():
        disk.make_folder((zero / name).parent)
        disk.write(zero / name, content)
    disk.sync_tree(folder)
    disk.rename(folder, home.games_folder / game)
    disk.sync_names(home.games_folder)
    return SavedGame(home, game)


def judge(home: Home, path: Path) -> Judged | list[Fault]:
    """Check an orders file against its game as it stands; changes nothing.

    Returns:
        The judged file, or its mistakes in the order of lines.

    Raises:
        WrongInput: The file cannot be read, or the home is damaged.
    """
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None
    envelope = open_envelope(data)
    if isinstance(envelope, list):
        return envelope
    games = home.games()
    if envelope.game not in games:
        text = f"there is no game {envelope.game!r} here"
        return [envelope.fault(("game",), text, near(envelope.game, games))]
    saved = SavedGame(home, envelope.game)
    submission = gate.read_submission(saved, data)
    if isinstance(submission, list):
        return submission
    verdict = saved.judge(submission.envelope.seat).judge(submission)
    if verdict.loose or (verdict.by_line and not _is_partial(submission)):
        return verdict.faults
    return Judged(saved, submission, verdict, data)


def submit(disk: Disk, home: Home, path: Path) -> Receipt | list[Fault]:
    """Check an orders file and lodge it as its seat's newest submission.

    Returns:
        The receipt, or the file's mistakes; then nothing was changed.
    """
    judged = judge(home, path)
    if isinstance(judged, list):
        return judged
    with locked(judged.saved.folder, wait_seconds=LOCK_SECONDS):
        judged = judge(home, path)  # a run may have gone by while we waited
        if isinstance(judged, list):
            return judged
        saved, seat = judged.saved, judged.submission.envelope.seat
        place = home.orders_file(saved.name, seat)
        found = gate.lodged(saved)
        number = _last_receipt(saved, place, seat) + 1
        if not place.parent.is_dir():
            disk.make_folder(place.parent)
            disk.sync_names(place.parent.parent)
        replace_file(disk, place, stamped(judged.data, number))
    accepted = canonical(accepted_orders(judged))
    proof = receipt_proof(saved.secret.seed, saved.name, seat, number, accepted)
    return Receipt(judged, number, proof, accepted, canonical(found.orders.get(seat, Orders())))


def accepted_orders(judged: Judged) -> Orders:
    """Return the lines that will run: all but those that `partial: true` dropped."""
    orders, dropped = judged.submission.orders, judged.verdict.by_line
    return replace(orders, lines=tuple(line for line in orders.lines if line.number not in dropped))


def run(
    disk: Disk,
    home: Home,
    game: str,
    *,
    now: datetime.datetime,
    due: bool = False,
    overrides: tuple[str, ...] = (),
    deal: bool = False,
) -> Ran:
    """Resolve what can be resolved of one game, and commit it as a turn.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        game: The id of the game.
        now: The moment of the run.
        due: If the deadline has passed, answer for silent seats as the game says.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Do not wait for start forms that have not come.

    Raises:
        GateClosedError: The gate refused; nothing was changed.
        WrongInput: The game is damaged; nothing was changed.
    """
    folder = home.game(game)
    with locked(folder):
        saved = SavedGame(home, game)
        found = gate.lodged(saved)
        overridden = _pass(gate.before(saved, found), overrides)
        policy = _policy(saved, now, due=due, deal=deal)
        outcome = advance(
            saved.opening, saved.start.seats, saved.position, found.orders, saved.secret.seed, policy
        )
        if not outcome.steps:
            return _ran(saved, None, (), outcome.ask, outcome.waiting, "")
        overridden += _pass(gate.after(saved, outcome), overrides)
        names = tuple(dict.fromkeys(overridden))
        batch = Batch(now.isoformat(timespec="seconds"), policy, names, found.submissions)
        files = turn_files(saved, outcome, batch)
        store.commit(disk, folder, saved.turn + 1, files)
    root = str(store.load_record(folder, saved.turn + 1)["root"])
    labels = tuple(step.label for step in outcome.steps)
    return _ran(saved, saved.turn + 1, labels, outcome.ask, outcome.waiting, short(root))


def undo(disk: Disk, home: Home, game: str) -> Path:
    """Take the newest turn back; the orders it took count again. Returns where the turn is kept.

    Raises:
        WrongInput: There is no turn to take back.
    """
    folder = home.game(game)
    with locked(folder, wait_seconds=LOCK_SECONDS):
        turn = store.newest(folder)
        if turn == 0:
            raise WrongInput(f"{game} is at its start; there is no turn to take back.")
        return store.take_back(disk, folder, turn)


def report(home: Home, game: str, seat: str, turn: int | None = None, name: str = "report.txt") -> str:
    """Return a file of a seat's report as it was committed.

    Raises:
        WrongInput: There is no such seat or turn.
    """
    saved = SavedGame(home, game)
    if seat not in saved.start.seats:
        raise WrongInput(f"there is no seat {seat!r} in {game}.", near(seat, list(saved.start.seats)))
    number = saved.turn if turn is None else turn
    path = store.turn_folder(saved.folder, number) / "reports" / seat / name
    if not path.exists():
        raise WrongInput(f"{game} has no turn {number}.", f"The newest is {saved.turn}.")
    return path.read_text(encoding="utf-8")


def _policy(saved: SavedGame, now: datetime.datetime, *, due: bool, deal: bool) -> Policy:
    table = saved.table
    if deal:
        silent = dict.fromkeys(saved.start.seats, "hold")
    else:
        silent = dict.fromkeys(saved.start.seats, table.silent)
        due = due and table.deadline is not None and table.deadline <= now
    return Policy(
        due=due or deal,
        silent=silent,
        bots=table.bots,
        forced=saved.start.forced,
        most_steps=saved.start.most_steps,
    )


def _pass(reasons: tuple[Reason, ...], overrides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the reasons that the moderator overrode; any other closes the gate."""
    closed = tuple(reason for reason in reasons if not reason.can_override or reason.name not in overrides)
    if closed:
        raise GateClosedError(closed)
    return tuple(reason.name for reason in reasons)


def _ran(
    saved: SavedGame,
    turn: int | None,
    steps: tuple[Label, ...],
    ask: Ask | Outcome,
    waiting: frozenset[Seat],
    root: str,
) -> Ran:
    owing = tuple(seat for seat in saved.start.seats if seat in waiting)
    if isinstance(ask, Outcome):
        return Ran(saved.name, turn, steps, "", owing, ask, root)
    return Ran(saved.name, turn, steps, ask.label, owing, None, root)


def _is_partial(submission: Submission) -> bool:
    value = submission.envelope.document.value
    return isinstance(value, dict) and value.get("partial") is True


def _last_receipt(saved: SavedGame, place: Path, seat: Seat) -> int:
    """Return the highest receipt number this seat was given: of the file lodged, or of a turn."""
    lodged = receipt_of(place.read_bytes()) if place.exists() else 0
    for turn in reversed(store.turns(saved.folder)):
        taken = store.turn_folder(saved.folder, turn) / "orders" / f"{seat}.yaml"
        if taken.exists() and (number := receipt_of(taken.read_bytes())):
            return max(lodged, number)
    return lodged


def _seats(system: registry.Installed, players: Path) -> tuple[Seat, ...]:
    """Return the game's seats, as many as the file of players names."""
    written = registry.read_table(players).get("seats")
    count = len(written) if isinstance(written, dict) else 0
    assert system.system is not None, "find returns no broken rules"
    if count not in system.system.seats:
        allowed = system.system.seats
        wanted = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        names = ", ".join(system.system.seat_names(allowed[0]))
        raise WrongInput(
            f"{players}: {system.name} needs {wanted} seats, the file names {count}.", f"Seats are {names}."
        )
    return system.system.seat_names(count)


def _options(system: registry.Installed, options: Mapping[str, Json]) -> tuple[dict[str, Json], bool, int]:
    """Return the rules' options in force, and the two that every game has."""
    given = dict(options)
    forced, most_steps = given.pop("forced", False), given.pop("most_steps", 100)
    if not isinstance(forced, bool):
        raise WrongInput(f"option forced: expected true or false, got {dump_flow(forced)}.")
    if not isinstance(most_steps, int) or not 1 <= most_steps <= 10_000:
        raise WrongInput(f"option most_steps: expected 1 to 10000, got {dump_flow(most_steps)}.")
    assert system.system is not None, "find returns no broken rules"
    own: dict[str, Json] = {**system.system.options, **given}
    for problem in system.options_schema.problems(own):
        place = ".".join(map(str, problem.path))
        raise WrongInput(f"option {place}: {problem.text}.", problem.hint)
    return own, forced, most_steps


def _key() -> str:
    """Return a seat's secret key: 40 bits, a letter first, so that YAML reads it as text."""
    letters = "abcdefghjkmnpqrstuvwxyz"
    rest = [secrets.choice(letters + "23456789") for _ in range(8)]
    return secrets.choice(letters) + "".join(rest[:3]) + "-" + "".join(rest[4:])
