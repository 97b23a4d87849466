# SPDX-License-Identifier: MIT
"""Boards in pieces, as DRAW gives them: what stands where, and a picture of it in the colours of the page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

# web/page/pieces.css has these colours.
_INK, _FLOOR, _LINE = "#1d2430", "#ece8de", "#8d897e"
_FILL = {
    "wall": "#6f6a60", "chief": "#c0453a", "block1": "#9a6a12", "block2": "#3f8069", "block3": "#7a68a8", "block4": "#577796",
    "box": "#9c6327", "home": "#357f47", "water": "#2b7db5", "line": "#357f47",
}
_TILE = "#3b7dbb"
_STICKER = {
    "white": "#f7f6f1", "red": "#c9302c", "green": "#25935a", "yellow": "#f3d02f", "orange": "#ef8121", "blue": "#2d6fd0",
    "purple": "#8659bd",
}
_CORNERS = {  # of a sticker's shape, within its rectangle
    "up": ((0.5, 0), (1, 1), (0, 1)), "down": ((0, 0), (1, 0), (0.5, 1)), "left": ((1, 0), (1, 1), (0, 0.5)),
    "right": ((0, 0), (1, 0.5), (0, 1)), "diamond": ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)), "upperleft": ((0, 0), (1, 0), (0, 1)),
    "upperright": ((0, 0), (1, 0), (1, 1)), "lowerleft": ((0, 0), (1, 1), (0, 1)), "lowerright": ((1, 0), (1, 1), (0, 1)),
    "": ((0, 0), (1, 0), (1, 1), (0, 1)),
}
_STROKE = {
    "exit": f'stroke="{_FILL["chief"]}" stroke-width=".8" stroke-dasharray="2 1"', "jug": f'stroke="{_FILL["wall"]}" stroke-width=".5"',
    "goal": f'stroke="{_FILL["home"]}" stroke-width=".8" stroke-dasharray="1.6 1"', "cell": f'stroke="{_LINE}" stroke-width=".3"',
    "letter": "", "label": "",
}
_UNIT, _GAP = 10, 0.4  # a cell's side, and what a piece leaves free of it
_CELL, _WIDEST, _CAPTION, _SPACE = 36, 320, 24, 16  # pixels


@dataclass(frozen=True)
class Piece:
    """A thing on a board: how it looks, its name, its rectangles (x, y, width, height, in cells), and what stands on it."""

    kind: str
    id: str
    rectangles: tuple[tuple[float, float, float, float], ...]
    text: str = ""

    @classmethod
    def of(cls, word: str) -> Piece:
        """Reads a piece.

        >>> Piece.of("chief:A:0,0;1,0:12")
        Piece(kind='chief', id='A', rectangles=((0.0, 0.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0)), text='12')
        """
        kind, name, places, *text = word.split(":", 3)
        rectangles = []
        for place in places.split(";"):
            x, y, *size = map(float, place.split(","))
            width, height = size or (1.0, 1.0)
            rectangles.append((x, y, width, height))
        return cls(kind, name, tuple(rectangles), "".join(text))

    def _sticker_svg(self, colour: str, shape: str = "") -> str:
        x, y, w, h = self.rectangles[0]
        points = " ".join(f"{x * _UNIT + _GAP + a * (w * _UNIT - 2 * _GAP):g},{y * _UNIT + _GAP + b * (h * _UNIT - 2 * _GAP):g}"
                          for a, b in _CORNERS.get(shape, _CORNERS[""]))
        return f'<polygon points="{points}" fill="{_STICKER.get(colour, _LINE)}" stroke="#10141b" stroke-width=".5"/>'

    def _svg(self) -> str:
        """Returns the piece as SVG.

        >>> Piece.of("sticker-red-up:0-0:0,0")._svg()
        '<polygon points="5,0.4 9.6,9.6 0.4,9.6" fill="#c9302c" stroke="#10141b" stroke-width=".5"/>'
        >>> Piece.of("block1-soldier:N:0,0")._svg()[54:101], Piece.of("gate:gate:1,3,2,0")._svg()
        ('fill="#9a6a12"/><text x="2.2" y="2.4" dy=".35em', '')
        """
        look = self.kind.split("-")[0]  # further words say who or what it is
        if look == "gate":
            return ""
        if self.kind.startswith("sticker-"):
            return self._sticker_svg(*self.kind.split("-")[1:3])
        radius = _UNIT / 2 if self.kind in ("player", "token") else 1
        paint = f'fill="none" {_STROKE[look]}' if look in _STROKE else f'fill="{_FILL.get(look, _TILE)}"'
        parts = [f'<rect x="{x * _UNIT + _GAP:g}" y="{y * _UNIT + _GAP:g}" width="{w * _UNIT - 2 * _GAP:g}" '
                 f'height="{max(0, h * _UNIT - 2 * _GAP):g}" rx="{radius:g}" {paint}/>' for x, y, w, h in self.rectangles]
        if self.text:
            x, y, w, h = self.rectangles[0]
            size = 3 if self.kind == "label" else 3.2 if len(self.text) > 2 else 4.6
            ink = _INK if self.kind in ("cell", "letter", "label") else "#fff"
            parts.append(f'<text x="{(x + w / 2) * _UNIT:g}" y="{(y + h / 2) * _UNIT:g}" dy=".35em" text-anchor="middle" font-size="{size}" '
                         f'font-weight="600" fill="{ink}">{html.escape(self.text)}</text>')
        elif len(self.id) == 1 and look in _FILL:  # the letter by which solutions name a block
            x, y, _, _ = self.rectangles[0]
            parts.append(f'<text x="{x * _UNIT + 2.2:g}" y="{y * _UNIT + 2.4:g}" dy=".35em" text-anchor="middle" font-size="2.4" '
                         f'font-weight="600" fill="#fff">{html.escape(self.id)}</text>')
        return "".join(parts)


@dataclass(frozen=True)
class Picture:
    """A board's size in cells, and its pieces, those below others first."""

    columns: float
    rows: float
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, text: str) -> Picture:
        """Reads what DRAW tells of a board; what cannot be read is empty.

        >>> Picture.of("2x1.5 tile:a:0,0:7").pieces[0].text, Picture.of("2x").pieces
        ('7', ())
        """
        size, *words = text.split(" ")
        try:
            columns, rows = map(float, size.split("x"))
            return cls(columns, rows, tuple(map(Piece.of, words)))
        except ValueError:
            return cls(1, 1, ())

    def _scale(self) -> float:
        return min(_CELL, _WIDEST / max(self.columns, 1)) / _UNIT

    def _svg(self) -> str:
        return (f'<rect width="{self.columns * _UNIT:g}" height="{self.rows * _UNIT:g}" fill="{_FLOOR}"/>'
                + "".join(piece._svg() for piece in self.pieces))


def pictures_svg(pictures: Sequence[Picture], captions: Sequence[str], columns: int = 6) -> str:
    """Returns the pictures, laid out in rows of `columns`, with a caption below each."""
    width = max((picture.columns * picture._scale() * _UNIT for picture in pictures), default=0) + _SPACE
    inner = max((picture.rows * picture._scale() * _UNIT for picture in pictures), default=0)
    height = inner + _CAPTION + _SPACE
    parts = []
    for index, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left, top = index % columns * width + _SPACE / 2, index // columns * height + _SPACE / 2
        parts.append(f'<g transform="translate({left:g},{top:g})"><g transform="scale({picture._scale():g})">{picture._svg()}</g>'
                     f'<text y="{inner + _CAPTION - 8:g}" font-size="13" fill="#555">{html.escape(caption)}</text></g>')
    size = (min(len(pictures), columns) * width, (len(pictures) + columns - 1) // columns * height)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]:g}" height="{size[1]:g}" viewBox="0 0 {size[0]:g} {size[1]:g}" '
            f'font-family="sans-serif">{"".join(parts)}</svg>')
