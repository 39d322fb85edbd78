"""What an archive remembers beside its pages: what each file was made from, and a row of each game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.archive.public import Masking, PublishPolicy, Turn, known_names, public_due_facts
from pbem.archive.rendering import Pages
from pbem.archive.results import Stint, TurnAttendance, attendance, player_page_name, stints
from pbem.archive.story import Scores, ending_of
from pbem.core.book import BEFORE_DEAL, TOGETHER
from pbem.core.interface import Json
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.text.codec import dumps_line, encode

RECORD: Final = "archive.json"
FORMAT: Final = 2


@dataclass(slots=True)
class GameRecord:
    """What the record holds of one game: its mark, its files with their keys, its row of the index."""

    mark: str
    files: dict[str, str]
    row: dict[str, Json]


@dataclass(slots=True)
class Record:
    """The record of an archive.

    Attributes:
        games: What it holds of each game.
        overall: The key of each file that tells of several games.
    """

    games: dict[str, GameRecord] = field(default_factory=dict)
    overall: dict[str, str] = field(default_factory=dict)

    def files(self) -> set[str]:
        """Return the paths of all files."""
        return {file for kept in self.games.values() for file in kept.files} | self.overall.keys()

    def as_bytes(self) -> bytes:
        """Return the content of `archive.json`: a game a line, so that many are written fast."""
        games = (
            dumps_line({name: {"mark": one.mark, "files": dict[str, Json](one.files), "row": one.row}})[1:-1]
            for name, one in sorted(self.games.items())
        )
        told, overall = ",\n".join(games), dumps_line(dict[str, Json](self.overall))
        return f'{{"format":{FORMAT},"games":{{\n{told}\n}},\n"overall":{overall}}}\n'.encode()


def read_record(out: Path) -> Record:
    """Return what was written last, as far as it can be read; what cannot is made again."""
    try:
        value = json.loads((out / RECORD).read_bytes())
        if value["format"] != FORMAT:
            return Record()
        games = {
            name: GameRecord(str(kept["mark"]), dict(kept["files"]), dict(kept["row"]))
            for name, kept in value["games"].items()
        }
        return Record(games, dict(value.get("overall", {})))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Record()


def merge_records(old: Record, new: Record) -> Record:
    """Return the record of an archive that may hold old files and new ones."""
    games = {}
    for name in sorted(old.games.keys() | new.games.keys()):
        was, now = old.games.get(name), new.games.get(name)
        if was is now and now is not None:
            games[name] = now
        else:
            kept = [one for one in (was, now) if one is not None]
            games[name] = GameRecord("", _files_without_keys(one.files for one in kept), kept[-1].row)
    return Record(games, _files_without_keys([old.overall, new.overall]))


def _files_without_keys(files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return files that may be of either kind, so that all are made again."""
    return {file: "" for one in files for file in one}


def row_of(
    saved: SavedGame, turns: Sequence[Turn], scores: Scores, allowed: PublishPolicy, pages: Pages
) -> dict[str, Json]:
    """Return the row of a game; it stands in `archive.json`, and holds only what is published.

    Args:
        saved: The game.
        turns: Its turns as they are published.
        allowed: What may be published of it.
        pages: Makes pages, and knows the words of the rules.

    Raises:
        WrongInput: A template fails.
    """
    newest, rules = turns[-1], saved.start.rules
    facts = newest.told.facts
    ask, events = facts["ask"], saves.objects_in(facts["events"])
    assert isinstance(ask, dict), "every report tells whom the game waits for"
    over = ask["kind"] == "over"
    attended = attendance(saved) if over and allowed.punctual else None
    people = stints(saved, turns, over=over, attended=attended) if allowed.names else []
    with translate_template_errors():
        words = pages.words(rules)
        titles = {str(seat): str(words.seat(seat)) for seat in saved.start.seats}
        title = str(words.title()).strip()
    cancelled, mask = saved.cancelled, Masking(() if allowed.names else known_names(saved))
    seats = len(saved.start.seats)
    standing = pages.text("standing.txt", rules=rules, ask=ask, events=events, seats=seats).strip()
    return {
        "name": saved.name,
        "rules": rules,
        "title": title,
        "players": _seats(newest, allowed, titles, people, attended, scores, pages),
        "counted": scores.title,
        "leaders": [*scores.leaders(newest.number)],
        "people": encode(people),
        "left": _former_players(people, titles),
        "names": allowed.names,
        "turn": newest.number,
        "turns": _turn_count(saved) if over else newest.number,
        "at": newest.at,
        "begun": turns[0].at,
        "over": over,
        "ended": cancelled is not None,
        "ask": {"label": ask["label"], "seats": ask["seats"]} if cancelled is None and not over else {},
        "due": public_due_facts(saved, ask, mask),
        "standing": mask.text(cancelled.sentence()) if cancelled is not None else standing,
    }


def _turn_count(saved: SavedGame) -> int:
    """Return how many turns of a finished game were played; where all order at once, the asks are counted."""
    if (together := saved.position.asked.get(TOGETHER)) is not None:
        return together
    records = (saves.load_record(saved.turns.at(number)) for number in saved.turns.numbers())
    steps = (saves.objects_in(record["steps"]) for record in records)
    return sum(any(step["label"] not in BEFORE_DEAL for step in one) for one in steps)


def _seats(
    newest: Turn,
    allowed: PublishPolicy,
    titles: Mapping[str, str],
    people: Sequence[Stint],
    attended: Mapping[str, TurnAttendance] | None,
    scores: Scores,
    pages: Pages,
) -> list[Json]:
    """Return the seats: who has each, with the page of whoever is a player, how it stands and came out."""
    facts, points = newest.told.facts, scores.at(newest.number)
    ended = ending_of(facts)
    result, winners = ended.get("scores"), ended.get("winners")
    has_page = {(one.seat, one.name) for one in people}
    seats: list[Json] = []
    for player in saves.objects_in(facts["players"]):
        seat, name = str(player["seat"]), str(player["name"])
        seats.append(
            {
                "seat": seat,
                "title": titles[seat],
                "name": name if allowed.names else "",
                "page": player_page_name(name) if (seat, name) in has_page else "",
                "score": result.get(seat) if isinstance(result, dict) else None,
                "points": points.get(seat),
                "colour": pages.colour([*titles], seat),
                "won": isinstance(winners, list) and seat in winners,
                "missed": _missed_turns(attended, seat),
            }
        )
    return seats


def _missed_turns(attended: Mapping[str, TurnAttendance] | None, seat: str) -> Json:
    """Return how many turns a seat missed, and of how many; None if it was never asked or nothing is told."""
    if attended is None or not attended[seat].asked:
        return None
    return [len(attended[seat].missed), len(attended[seat].asked)]


def _former_players(people: Sequence[Stint], titles: Mapping[str, str]) -> list[Json]:
    """Return who had a seat before it changed hands."""
    return [
        {
            "title": titles[one.seat],
            "name": one.name,
            "page": player_page_name(one.name),
            "first": one.first,
            "last": one.last,
        }
        for one in people
        if one.last is not None
    ]
