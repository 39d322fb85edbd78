"""What the rule texts leave open, for game books: `python -m tests.docs.make_readings`.

The readings stand in `tests/rules/PACKAGE/paragraphs.yaml`. Each game's package carries its own in a
`paragraphs.yaml`, from which its book tells them.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.docs.make_coverage import PROJECT, games, paragraphs

_HEAD = "# Made by `make docs` from tests/rules/{name}/paragraphs.yaml: what the rule text leaves open.\n"


def file_of(folder: Path) -> Path:
    """Return the file of a package that holds its readings, by the folder of its tests."""
    return PROJECT / "pbem" / "rules" / folder.name / "paragraphs.yaml"


def made(folder: Path) -> str:
    """Return that file as it must be."""
    rows = [
        {
            "id": row.id,
            "place": row.heading or row.place,
            "says": row.says,
            "how": list(row.how),
            **({"option": row.option} if row.option else {}),
        }
        for row in paragraphs(folder)
        if row.how
    ]
    text = yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=110)
    return _HEAD.format(name=folder.name) + text


def main() -> None:
    """Write the files."""
    for folder in games():
        file_of(folder).write_text(made(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
