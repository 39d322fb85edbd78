"""Names of seats and players, whom words mean, letters that look alike, and mail addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.core.wording import did_you_mean
from pbem.text.schema import near

# Made from confusables.txt, version 13.0.0 (Unicode Security Mechanisms for UTS #39): letters and digits of
# the Basic Multilingual Plane that NFKC leaves as they are and that look like ASCII, and those of Latin,
# Greek, Cyrillic, Armenian, Hebrew, Georgian, Coptic and Cherokee that look like letters.
#
# UNICODE LICENSE V3
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright (c) 1991-2020 Unicode, Inc.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any
# associated documentation (the "Data Files") or software and any associated documentation (the "Software")
# to deal in the Data Files or Software without restriction, including without limitation the rights to use,
# copy, modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit
# persons to whom the Data Files or Software are furnished to do so, provided that either (a) this copyright
# and permission notice appear with all copies of the Data Files or Software, or (b) this copyright and
# permission notice appear in associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
# INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
# NONINFRINGEMENT OF THIRD PARTY RIGHTS.
#
# IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR
# PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN
# CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or
# otherwise to promote the sale, use or other dealings in these Data Files or Software without prior written
# authorization of the copyright holder.


LOOKALIKES: Final = """
! ǃⵑ  & ꝸ  , ꓹ  - Ⲻ  . ٠۰ꓸ  ., ꓻ  .. ꓺ  / Ⳇ〳ノ丿  2 ƧϨᒿꙄꛯꝚ  2̵ ƻ  3 ƷȜЗӠⳌꝪꞫ  3̦ Ҙ  4 Ꮞ  5 Ƽ
6 бᏮⳒ  8 Ȣȣ৪੪  9 ৭੧୨൭ⳊꝮ  : ːꓽ  < ᐸᚲ  > ᐳ  ? ɁʔॽᎮꛫ  A ΑАᎪᗅꓮ  AA Ꜳ  AE ÆӔ  AO Ꜵ  AU Ꜷ  AV ꜸꜺ
AY Ꜽ  B ΒВᏴᗷꓐꞴ  C СᏟⲤꓚ  C̦ ÇҪ  D Ꭰᗞᗪꓓ  D̵ ÐĐƉ  E ΕЕᎬⴹꓰ  E̸ Ɇ  F ϜᖴꓝꞘ  F̦ Ƒ  G ԌᏀᏳꓖ  G̵ Ǥ
H ΗНᎻᕼⲎꓧ  H̦ ӇӉ  H̩ ҢⱧ  H̵ Ħ  J ͿЈᎫᒍꓙꞲ  J̵ Ɉ  K ΚКᏦᛕⲔꓗ  K̩ ҚⱩ  K̵ ҞꝀ  L ᏞᒪⳐꓡ  L̸ Ł
M ΜϺМᎷᗰᛖⲘꓟ  M̦ Ӎ  N ΝⲚꓠ  N̦ Ɲ  O 0ΟОՕ߀০ଠ୦ዐⲞⵔ〇ꓳ  OE Œ  OO ꚘꝎ  O̵ ƟΘθѲӨᎾᏫꝊ  O̸ Ø  Ó̸ Ǿ
P ΡРᏢᑭⲢꓑ  Q ⵕ  R ƦᎡᏒᖇꓣ  S ЅՏᏕᏚꓢ  T ΤТᎢⲦꓔ  T3 Ꜩ  T̨ Ʈ  T̩ Ҭ  T̵ Ŧ  T̸ Ⱦ  U Սሀᑌꓴ  U̵ ɄᏌ
V Ѵ٧۷Ꮩᐯⴸꓦꛟ  W ԜᎳᏔꓪ  X ΧХᚷⲬⵝꓫꞳ  X̩ Ҳ  Y ΥУҮᎩᎽⲨꓬ  Y̵ ɎҰ  Z ΖᏃꓜ  Z̦ Ȥ  Z̵ Ƶ  ^ ˆ  _ ߺ  a ɑαа
aa ꜳ  ae æӕ  ao ꜵ  au ꜷ  av ꜹꜻ  ay ꜽ  b ƄЬᏏᑲᖯ  bl Ы  b̄ ƂƃБ  b̔ ɓ  b̵ ƀѢѣҌҍ  c сᴄⲥꮯ  c̦ çҫ
c̸ ȼ  d ԁᏧᑯꓒ  dz ʣ  dȝ ʤ  dʑ ʥ  d̄ ƌ  d̔ ɗ  d̨ ɖ  d̵ đ  e еҽꬲ  ę ҿ  e̸ ɇ  f քẝꞙꬵ  fŋ ʩ
f̦ ƒ  f̴ ᵮ  g ƍɡցᶃ  g̔ ɠ  g̵ ǥ  h һհᏂ  h̔ ɦᏲꚕ  h̵ ħћ  i ıɩɪιіӏᎥꙇꭵ  i̵ ɨᵻᵼ  j ϳј  j̵ ɉ
k̔ ƙ  l 1I|ƖǀΙІӀוןا١۱ߊᛁⲒⵏꓲ  lO Ю  ll ǁװ  ls ʪ  lz ʫ  lȝ ɮ  l̨ ɭ  l̴ ɫ  l̵ Ɨƚ  l̸ ł  n ոռ
n̨ ɳ  n̩ ƞη  n̴ ᵰ  o οσоօסه٥ھہە۵०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ  oe œ  oo ꚙꝏ  ơ ꭴ  o̵ ɵѳөꝋꮎꮻ  o̸ øꬾ
oᴇ ɶ  p ρрⲣ  p̔ ƥ  p̵ ᵽ  q ԛգզ  q̔ ʠ  r гᴦⲅꭇꭈꮁ  rn m  rn̦ ɱ  rn̴ ᵯ  r̨ ɽ  r̩ ɼ  r̴ ᵲ
r̵ ɍғ  s ƽѕꜱꮪ  s̨ ʂ  s̴ ᵴ  tf ꝷ  ts ʦ  tȝ ꜩ  tɕ ʨ  tʃ ʧ  t̔ ƭ  t̴ ᵵ  t̵ ŧ  u ʋυսᴜꞟꭎꭒ  ue ᵫ
uo ꭣ  u̵ ᵾꮜ  v νѵטᴠꮩ  w ɯѡԝաᴡꮃ  w̦ ꝡ  w҆҇ ѽ  x хᕁᕽ  y ɣʏγуүყᶌỿꭚ  y̔ ƴ  y̵ ɏұ  z ᴢꮓ  z̦ ȥ
z̨ ʐ  z̴ ᵶ  z̵ ƶ  Å Ȧ  Ö Ő  Þ Ϸ  ß βᏰꞵ  å ȧ  þ ƿϸ  Ă Ǎ  ă ǎ  Ĕ Ě  ĕ ě  Ğ Ǧ  ğ ǧ  ģ ǵ  Ĭ Ǐ
ĭ ǐ  ĸ κкᴋⲕꮶ  ĸ̩ қ  ĸ̵ ҟ  Ŏ Ǒ  ŏ ǒ  Ţ Ț  Ŭ Ǔ  ŭ ǔ  ƅ ьꮟ  ƅi ы  Ɔ Ͻ  Ə Ә  Ɛ ԐᏋ  ƨ ϩᴤꙅ  Ʃ Σ
ƫ ţțᎿ  ǝ əә  ǝo ᴔ  ǝo̵ ꭂ  ǝo̸ ꭁ  Ƕ Ԋ  ȝ ʒӡჳⳍꝫ  ȷ յ  ɂ ꭾ  Ʌ ΛЛ  Ʌ̦ Ӆ  ɋ ᶐ  ɔ ͻᴐↄ  ɔe ꭢ
ɔ̸ ꬿ  ɜ зᴈ  ɜ̦ ҙ  ɢ ԍᏻꮐ  ɰ պ  ɲ ņ  ɸ φфⲫ  ɾ̴ ᵳ  ʀ ꭱꮢ  ʃ ꭍ  ʊ̵ ᵿ  ʌ ᴧ  ʍ мᴍꮇ  ʍ̦ ӎ  ʘ Ꙩ
ʙ вᏼ  ʚ ꞝ  ʜ нꮋ  ʜ̦ ӈӊ  ʜ̩ ң  ʟ ⳑꮮ  ˉb ъ  ˉbi ꙑ  Γ ГᎱⲄ  Γ̵ Ғ  Δ Ⲇ  Π ПⲠ  Φ ФՓⲪ  Ψ ѰⲮ  λ Ⲗ
π пᴨ  ς ϛ  χ ⲭꭓꭕ  ψ ѱ  ω ⲱꙍꞷ  ϗ ⳤ  Ϭ Ⳝ  Ѝ Й  Ѝ̦ Ҋ  Ж̩ Җ  И Ͷ  Ш Ⲽ  Ъl Ꙑ  ж̩ җ  й ѝ  й̦ ҋ
л ᴫ  л̦ ӆ  ш ⲽ  љ ꭠ  Ѡ Ꮗ  Ѡ҆҇ Ѽ  Ҷ Ӌ  ҷ ӌ  Ҽ̨ Ҿ  ة ö  ሆ Մ  ቡ Ռ  ኮ Ի  ጣ Պ  Ꮿ ῶ  ᴀ ꭺ  ᴅ ꭰ
ᴇ ꭼ  ᴊ ꭻ  ᴎ ͷи  ᴘ ᴩꮲ  ᴙ я  ᴛ τтꭲ  ᴛ̩ ҭ  ẟ δծ  Ⱶ ͰᎨᎰ  ⱶ ꮀ  ー ꟷ  ꓕ Ʇ  ꓤ Ꞟ  Ꙍ Ꞷ  ꜧ ꞕ  Ꜿ Ͽ
ꜿ ͽ  Ꝺ ꝺ  Ꞇ Ⴀ  Ꞓ ЄⲈ  ꞓ ɛεєԑⲉꮛ  ꭑ ṃ  𐊨 Ꚛ  𐐒 Ꞛ  𐐺 ꞛ
"""
"""What letters look like, a space, and these letters; between such pairs stand two spaces or a line feed."""


TO_ALL: Final = (
    "all", "everybody", "everyone", "alle", "all players", "public", "tous", "todos", "every",
)  # fmt: skip
"""Words that mean all seats."""

TO_MODERATOR: Final = ("moderator", "host", "gm", "game master", "admin", "referee", "spielleiter")
"""Words that mean the moderator."""

_GAP: Final = r"\s,;.&+/\"'()\[\]{}"
"""What stands between the readers of press."""
_IDLE: Final = frozenset(["and", "et", "player", "players", "seat", "seats", "then", "und"])
_LABELS: Final = ("{}", "seat {}", "player {}")
"""What reports and players call a seat."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Signs that no reader sees, besides those that are no letters at all."""


class Meant(NamedTuple):
    """Whom a text names.

    Attributes:
        to: The seats, `all` and `moderator`.
        strange: The words that mean nobody.
        unclear: Words that mean several, each with all whom it can mean.
    """

    to: frozenset[Seat] = frozenset()
    strange: tuple[str, ...] = ()
    unclear: Mapping[str, frozenset[Seat]] = {}


def meant(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> Meant:
    """Return whom a text names: by what a seat is called, or by the full or first name of its player.

    Args:
        text: Such as "Ann, player 3".
        seats: The seats.
        holders: The name of the player of each.
    """
    return _read(text, _phrases(tuple(seats), tuple(holders.items())))


def clear_names(seats: Sequence[Seat], holders: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of players that mean no other seat."""
    known, no_seats = _phrases(tuple(seats), tuple(holders.items())), frozenset([ALL, MODERATOR])
    whose = {seat: known.get(_key(name), no_seats) - no_seats for seat, name in holders.items()}
    return {seat: name for seat, name in holders.items() if whose[seat] == frozenset([seat])}


def written(seat: Seat, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Return what to write so that only a seat can be meant."""
    ways = (label.format(seat) for label in _LABELS)
    return next((one for one in ways if meant(one, seats, holders) == Meant(frozenset([seat]))), str(seat))


def why_unclear(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Say which word of a text means several, and how each is written; "" if none does."""
    for word, several in meant(text, seats, holders).unclear.items():
        names = {one: f" ({holders[one]})" if one in holders else "" for one in several}
        ways = [f"`{written(one, seats, holders)}`{names[one]}" for one in sorted(several)]
        return f"{word!r} can mean {' or '.join(ways)}: write the one that you mean."
    return ""


def why_no_name(name: str, seat: Seat | None, seats: Sequence[Seat], others: Iterable[str]) -> str:
    """Say why a player cannot be called so in a game; "" if they can.

    Args:
        name: The name.
        seat: Whose player is to be called so, and may be called as the seat is; None for a standby.
        seats: The seats.
        others: The other names that are used in the game.
    """
    if not name.strip() or any(unicodedata.category(one)[0] == "C" for one in name):
        return "a name is written with plain letters, in one line"
    if not {",", ";"}.isdisjoint(unicodedata.normalize("NFKC", name)):
        return "a name holds no comma, which stands between names"
    others, looks = tuple(others), _looks(name)
    own = {one for label in _LABELS for one in _looks(label.format(seat))} if seat is not None else set[str]()
    for label, whose in _labels(tuple(seats)).items():
        if looks & _looks(label) - own:
            return f"{name} looks like {label}, which means {', '.join(sorted(whose))}"
    for other in others:
        if looks & _looks(other):
            return f"{name} looks like {other}, a name that is taken"
    used = (*_labels(tuple(seats)), *map(_key, others))
    if _words(_key(name)) - {word for one in used for word in _words(one)}:
        return ""  # a word of it means nobody
    named = tuple((Seat(f"\n{number}"), other) for number, other in enumerate(others))  # no seat is called so
    read = _read(name, _phrases(tuple(seats), named, with_first=False))
    is_own = seat is not None and read == Meant(frozenset([seat]))
    return "" if read.strange or is_own else f"{name} is what others write for somebody else"


def _key(text: str) -> str:
    """Return a text as names are compared: in small letters, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _labels(seats: tuple[Seat, ...]) -> dict[str, frozenset[Seat]]:
    """Return what everybody may be called without a name: seats, all and the moderator."""
    found = {word: frozenset([Seat(one)]) for one, words in _WORDS.items() for word in words}
    return {**found, **{_key(label.format(seat)): frozenset([seat]) for seat in seats for label in _LABELS}}


_WORDS: Final = {ALL: TO_ALL, MODERATOR: TO_MODERATOR}


@lru_cache(maxsize=64)
def _phrases(
    seats: tuple[Seat, ...], names: tuple[tuple[Seat, str], ...], *, with_first: bool = True
) -> Mapping[str, frozenset[Seat]]:
    """Return whom each word or name means; a name that reads, or looks, as others do means these as well."""
    labels = _labels(seats)
    found = dict(labels)
    whole = [(seat, _key(name)) for seat, name in names if _words(_key(name))]
    first = [(seat, key.split(" ")[0]) for seat, key in whole] if with_first else []
    for seat, key in dict.fromkeys([*whole, *first]):
        if _words(key):
            found[key] = found.get(key, frozenset()) | {seat}
    for seat, key in whole:
        rest = {
            one: several
            for one, several in found.items()
            if one != key and (one in labels or several != {seat})
        }
        if _words(key) <= {word for one in rest for word in _words(one)}:
            read = _read(key, rest)
            if not read.strange:
                found[key] |= read.to.union(*read.unclear.values())
    named = [key for _, key in (*whole, *first) if key in found and key not in labels]
    looks = {key: _looks(key) for key in found} if named else {}
    alike = {key: [one for one in found if looks[key] & looks[one]] for key in named}
    return {**found, **{key: frozenset().union(*(found[one] for one in ones)) for key, ones in alike.items()}}


@lru_cache(maxsize=4096)
def _words(key: str) -> frozenset[str]:
    """Return the words of a text but for those that mean nobody."""
    return frozenset(word for word in re.split(rf"[{_GAP}]+", key) if word and word not in _IDLE)


def _read(text: str, phrases: Mapping[str, frozenset[Seat]]) -> Meant:
    """Return whom a text names by the longest of these words and names that stand in it."""
    said, any_phrase = _key(text), "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)"
    pattern = re.compile(rf"(?<![^{_GAP}])(?:{any_phrase})(?![^{_GAP}])")
    named = [(one, phrases[one]) for one in dict.fromkeys(pattern.findall(said))]
    rest = re.split(rf"[{_GAP}]+", pattern.sub(" ", said))
    return Meant(
        frozenset(one for _, several in named for one in several if len(several) == 1),
        tuple(word for word in dict.fromkeys(rest) if word and word not in _IDLE),
        {phrase: several for phrase, several in named if len(several) > 1},
    )


@lru_cache(maxsize=4096)
def _looks(text: str) -> frozenset[str]:
    """Return what a text looks like, in whichever letters it is written: two that share one look alike.

    Source: Unicode Technical Standard 39, "Confusable Detection", with and without capitals.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one)[0] != "C")
    plain = " ".join(_UNSEEN.sub("", plain).split())
    return frozenset((_skeleton(plain).casefold(), _skeleton(plain.casefold()).casefold()))


def _skeleton(text: str) -> str:
    found = unicodedata.normalize("NFD", text).translate(_table())
    return unicodedata.normalize("NFD", found)


@cache
def _table() -> Mapping[int, str]:
    """Return what letters look like.

    A plain letter looks like no two others: `Bem` and `Bern` are names that people have side by side.
    """
    rows = (pair.split(" ") for line in LOOKALIKES.split("\n") for pair in line.split("  ") if pair)
    return {
        ord(letter): looks
        for looks, letters in rows
        for letter in letters
        if len(looks) == 1 or not letter.isascii()
    }


LONGEST_SEAT: Final = 40
"""So many letters a name has at most."""

_TAKEN: Final = (ALL, MODERATOR, "spectator", "turn")
"""Names that mean something else: in press, beside the reports, in labels."""


def why_unfit(seats: Sequence[Seat]) -> str:
    """Say which of these names no seat can have and why, or return ""."""
    seen: dict[str, Seat] = {}
    for seat in seats:
        if wrong := _why_unfit(seat):
            return wrong
        known = unicodedata.normalize("NFC", seat).casefold()
        if known in seen:
            return f"{seat!r} and {seen[known]!r} differ in capitals at most"
        seen[known] = seat
    return ""


def seat_of_player(word: str, holders: Mapping[Seat, str]) -> str:
    """Return what to write for a player who was named for a seat; "" if none or several are called so."""
    seats = [seat for seat, name in holders.items() if name.casefold() == word.casefold()]
    return f"{holders[seats[0]]} plays {seats[0]}: write {seats[0]}." if len(seats) == 1 else ""


def seat_in_game(seat: Seat, game: str) -> str:
    """Return a seat of a game as sentences name it: a number alone says nothing."""
    return f"seat {seat} of {game}" if seat.isdigit() else f"{seat} in {game}"


def near_seat(word: str, seats: Sequence[Seat], holders: Mapping[Seat, str] | None = None) -> str:
    """Return what to write for a seat that there is not: the one it is like, if any, and who there is.

    Args:
        word: What was written.
        seats: The seats.
        holders: The name of who plays each, where it may be told; None where not.
    """
    if named := seat_of_player(word, holders or {}):
        return named
    listed = f"The seats are {', '.join(seats)}."
    return f"{meant_seat(word, seats)} {listed}".lstrip()


def near_reader(word: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Return what to write for a reader of press who is not there: a seat it is like, or who there is.

    No word is taken for one that only looks like `all`, and none that means several for one of them.
    """
    return (
        why_unclear(word, seats, holders)
        or meant_seat(word, seats)
        or near("", [*seats, ALL, MODERATOR]).hint
    )


def meant_seat(word: str, seats: Sequence[Seat]) -> str:
    """Return "Did you mean X?" if a seat is like a word, or ""; no number is taken for another."""
    return "" if word.isdigit() else did_you_mean(word, seats).hint


def _why_unfit(seat: Seat) -> str:
    if not seat:
        return "a seat has no name"
    if len(seat) > LONGEST_SEAT:
        return f"{seat[:LONGEST_SEAT]!r}... has {len(seat)} letters, and {LONGEST_SEAT} is the most"
    if not seat.isprintable() or " " in seat:
        return f"{seat!r} holds a space or what no printer shows"
    if "/" in seat or seat.startswith("."):
        return f"{seat!r} cannot name a file: it begins with a dot or holds a slash"
    return f"{seat!r} means something else" if seat.casefold() in _TAKEN else ""


LONGEST_LOCAL: Final = 64
LONGEST_ADDRESS: Final = 254

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

PLAIN: Final = (
    rf"^(?!.{{{LONGEST_ADDRESS + 1}}})(?![^@]{{{LONGEST_LOCAL + 1}}})(?!.*=\?)"
    rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*(?!\n)$"
)
"""A dot-string, an @ and a domain (RFC 5321, 4.1.2 and 4.5.3.1), as a pattern of a schema.

Without `=?`, with which an encoded word begins.
"""


def is_plain_address(text: str) -> bool:
    """Tell whether a text is one plain address and nothing else."""
    return bool(re.match(PLAIN, text))


def mailbox_of(address: str) -> str:
    """Return what an address has in common with others that lead to the same mailbox (RFC 5233: `ann+x@`)."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_of_one_machine(text: str) -> bool:
    """Tell whether a plain address has no dot behind its @, so that no other machine knows where it is."""
    domain = text.rpartition("@")[2]
    return "." not in domain and domain.casefold() != "localhost"


_TOKEN: Final = (
    r"(?:(?<=\.)|(?<=\+[bm]_))[a-z2-7]{16}(?![a-z0-9])|(?<![a-z0-9])(?=[a-z]*[2-7])[a-z2-7]{16}(?![a-z0-9])"
)


def mask(text: str) -> str:
    """Return a text for a log or for other eyes: whatever looks like a token is starred."""
    return re.sub(_TOKEN, "*" * 4, text, flags=re.IGNORECASE)
