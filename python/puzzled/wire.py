# SPDX-License-Identifier: MIT
"""Lines of protocol version 1: requests are put together here, replies taken apart. No sockets."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import PuzzledError

# A key begins where a word does: no part of a long word is tried again. Only the space of ASCII parts words.
_WORD = re.compile(r'(?<![^\s"])([^\s="]+)=("(?:[^"\\]|\\.)*"|\S*)', re.ASCII)
_ESCAPE = re.compile(r"\\(.)")
_INTEGER = re.compile(r"-?[0-9]{1,20}")
_REAL = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][-+]?[0-9]{1,4})?")
# Control characters, ends of lines and paragraphs, and marks that turn the direction of writing.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_ERROR_FIELDS = re.compile(
    r"^((tag|states|needs_bytes|table_bytes|engine|table_from|table_root|visitor_jobs|missing)=[^:]\S* )+")
_NEEDS_CARE = re.compile(r'[\s"=\ud800-\udfff]|^$')  # what quotes are for, and half a character, which no quotes help


def _one_line(text: str) -> str:
    """Returns the text, of which a request is made. Raises ValueError for a line end: it would begin another request;
    and for half a character: what is no UTF-8 cannot be sent."""
    if "\n" in text or "\r" in text:
        raise ValueError("a request is one line")
    text.encode()
    return text


def quoted(value: str) -> str:
    r"""Returns a value as a request holds it, in quotes where it must be.

    >>> quoted("8,6,7/2,5,4/3,0,1"), quoted('1 2 "x"')
    ('8,6,7/2,5,4/3,0,1', '"1 2 \\"x\\""')
    """
    if not _NEEDS_CARE.search(value):
        return value
    return '"' + _one_line(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def clean(line: bytes) -> str:
    """Returns a received line as text, with marks for broken UTF-8 and for characters that steer a terminal.

    >>> clean(b"OK x=a\\x1b[2J\\xe2\\x80\\xaeb\\xff")
    'OK x=a?[2J?b\ufffd'
    """
    return _STEERING.sub("?", line.decode(errors="replace"))


def request(verb: str, *arguments: object, **keys: object) -> str:
    """Returns a request line without its line end. Keys that are None are left out.

    >>> request("EXPLORE", "3x4", depth=20, keep=None, estimate=True)
    'EXPLORE 3x4 depth=20 estimate=yes'
    """
    words = [verb, *(quoted(str(argument)) for argument in arguments)]
    for key, value in keys.items():
        if value is None:
            continue
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        words.append(f"{key.rstrip('_')}={quoted(text)}")
    return _one_line(" ".join(words))


def fields(text: str) -> dict[str, str]:
    """Returns the key=value words of a line; a key that stands twice keeps its last value.

    >>> fields('job=7 state=done text="not \\\\"there\\\\""')
    {'job': '7', 'state': 'done', 'text': 'not "there"'}
    """
    found = {}
    for key, value in _WORD.findall(text):
        if value.startswith('"'):
            value = _ESCAPE.sub(r"\1", value[1:-1])
        found[key] = value
    return found


@dataclass(frozen=True)
class Reply:
    """One line from the daemon: its first word (OK, EVENT, LOST, or empty for a record) and its fields."""

    word: str
    fields: Mapping[str, str] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """Returns a value, "" where there is none."""
        return self.fields.get(key, "")

    def integer(self, key: str) -> int | None:
        """Returns a whole number, None where there is none ("unknown" included)."""
        value = self.fields.get(key, "")
        return int(value) if _INTEGER.fullmatch(value) else None

    def real(self, key: str) -> float | None:
        """Returns a finite number, None where there is none."""
        value = self.fields.get(key, "")
        number = float(value) if _REAL.fullmatch(value) else math.inf
        return number if math.isfinite(number) else None

    def flag(self, key: str) -> bool | None:
        """Returns True for yes, False for no, and None for anything else."""
        return {"yes": True, "no": False}.get(self.fields.get(key, ""))


def parse(line: str, index: int | None = None) -> Reply:
    """Takes a line apart. Raises the error that an ERR line tells.

    >>> parse("OK moves=31 solvable=yes job=7").integer("moves")
    31
    >>> parse("ERR bad-board fatal 9 cells given, 3x4 needs 12")
    Traceback (most recent call last):
    puzzled.errors.BadBoard: 9 cells given, 3x4 needs 12
    """
    word, _, rest = line.partition(" ")
    if word == "ERR":
        code, retry, text = (rest.split(" ", 2) + ["", ""])[:3]
        text = _ERROR_FIELDS.sub("", text)
        raise PuzzledError.of(code, text, retry=retry == "retry", index=index)
    if word in ("OK", "EVENT", "LOST", "END"):
        return Reply(word, fields(rest))
    return Reply("", fields(line))


UNSOLVABLE = -1
"""The distance of a board that cannot reach the goal."""
BEYOND = -2
"""The distance of a board that lies farther away than the stored exploration reaches."""


def seconds_text(time: float | str | None) -> str | None:
    """Returns a duration as a request holds it; one that has passed already is a millisecond, as 0 would be no limit.

    >>> seconds_text(0.5), seconds_text(0.0001), seconds_text(-3), seconds_text("5m")
    ('500ms', '1ms', '1ms', '5m')
    """
    return time if time is None or isinstance(time, str) else f"{max(round(time * 1000), 1)}ms"


def moves_of(line: str, index: int) -> int:
    """Returns the distance that a reply to DISTANCE tells. Raises what an ERR tells."""
    reply = parse(line, index)
    if reply.text("solvable") == "unknown":
        return BEYOND
    moves = reply.integer("moves" if "moves" in reply.fields else "cost")
    return UNSOLVABLE if moves is None else moves
