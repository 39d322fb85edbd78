"""Where the shipped folders are: inside the package in a wheel, at the top of the project in a checkout."""

from __future__ import annotations

from pathlib import Path

import pbem


def shipped(folder: str) -> Path:
    """Return the shipped `templates`, `games` or `orders` folder.

    Raises:
        FileNotFoundError: The installation is damaged.
    """
    package = Path(pbem.__file__).parent
    for place in (package / "shipped" / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation has no {folder} folder; install pbem anew")
