"""Words for yes and no, and for numbers, in the languages of many players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_YES: Final = """
yes y true on x ok okay ja wahr jawohl oui vrai si sí vero verdadero cierto sim verdadeiro tak prawda да
kyllä tosi da sand sant
"""
_NO: Final = """
no n false off nein falsch non faux falso não nie fałsz нет ei epätosi nej falsk never not
"""
_COUNTED: Final = (
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    """,
    """
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn zwanzig
    """,
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
)

YES: Final = frozenset(_YES.split())
NO: Final = frozenset(_NO.split())
NUMBERS: Final[Mapping[str, int]] = {
    word: number for words in _COUNTED for number, word in enumerate(words.split())
}
