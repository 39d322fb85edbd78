"""The pictures of the guides, as reports have them: `python -m tests.docs.make_pictures`."""

from __future__ import annotations

from pathlib import Path

from tests.pictures import RULES, scenes

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def pictures() -> dict[str, str]:
    """Return all pictures of the guides by name: of each game the board and the plots of one position."""
    made: dict[str, str] = {}
    for rules in RULES:
        scene = scenes(rules)["middle"]
        reader = scene.asked[0]
        for name, svg in scene.pictures(reader).items():
            made[f"{rules}.svg" if name == "board" else f"{rules}-{name}.svg"] = svg
    return made


def main() -> None:
    """Draw the pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.svg"):
        path.unlink()
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
