# SPDX-License-Identifier: MIT
"""What the daemon tells, as values. All are frozen and can be hashed; `fields` holds the reply's own words, also those
unknown here, and takes no part in comparisons."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from .boards import Board, boards_svg, sliding_frames
from .errors import PuzzledError
from .pieces import Picture, pictures_svg
from .wire import Reply

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Job:
    """A piece of work. `state` is queued, running, done, stopped, failed or cancelled."""

    id: int
    state: str
    cached: bool = False
    fields: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ended(self) -> bool:
        """True once the job neither waits nor runs."""
        return self.state not in ("queued", "running")

    @classmethod
    def of(cls, reply: Reply) -> Job:
        """Reads a reply that names a job and its state."""
        return cls(reply.integer("job") or 0, reply.text("state"), reply.flag("cached") or False, reply.fields)


class Levels(tuple[int, ...]):
    """The number of states at each distance, from 0 on: a tuple, so that numpy.array(levels) and
    pandas.DataFrame(levels) work as they are. A notebook shows the histogram. Where moves have costs, only the costs that
    states have are levels: `distances` says which. Those of a job that found nothing yet are empty: their figures raise
    ValueError.

    >>> levels = Levels([1, 2, 4])
    >>> levels[2], sum(levels), levels.depth, levels.widest
    (4, 7, 2, 2)
    """

    distances: Sequence[int]

    def __new__(cls, counts: Iterable[int], distances: Iterable[int] | None = None) -> Levels:
        """Makes it from the counts, and the distances of each where they are not 0, 1, 2, ..."""
        levels = tuple.__new__(cls, counts)
        levels.distances = range(len(levels)) if distances is None else tuple(distances)
        return levels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple)) and tuple(self) == tuple(other)

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"Levels({list(self)})"

    def _see_states(self) -> None:
        if not any(self):
            raise ValueError("no state has been found yet")

    @property
    def depth(self) -> int:
        """The greatest distance that was found."""
        self._see_states()
        return self.distances[-1]

    @property
    def widest(self) -> int:
        """The distance at which most states are."""
        self._see_states()
        return self.distances[max(range(len(self)), key=self.__getitem__)]

    @property
    def mean(self) -> float:
        """The mean distance of a state."""
        self._see_states()
        return sum(distance * count for distance, count in zip(self.distances, self, strict=True)) / sum(self)

    @property
    def deviation(self) -> float:
        """The standard deviation of the distance."""
        mean = self.mean
        return math.sqrt(sum(count * (at - mean) ** 2 for at, count in zip(self.distances, self, strict=True)) / sum(self))

    @property
    def median(self) -> int:
        """The distance that half of the states do not exceed."""
        self._see_states()
        below = list(itertools.accumulate(self))
        return self.distances[next(i for i, states in enumerate(below) if 2 * states >= below[-1])]

    def to_pandas(self) -> pandas.Series[int]:
        """Returns a Series of the counts, indexed by level. Needs pandas."""
        import pandas
        return pandas.Series(list(self), index=pandas.Index(self.distances, name="level"), name="states", dtype="int64")

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self, *, log: bool = False, width: int = 640, height: int = 240) -> str:
        """Returns the histogram as SVG, its counts on a logarithmic scale if asked for. Sizes in pixels."""
        def share(count: int) -> float:
            most = max(self, default=0) or 1
            return math.log1p(count) / math.log1p(most) if log else count / most

        left, bottom, plot = 8, 22, height - 40
        bar = (width - 2 * left) / max(len(self), 1)
        parts = []
        for level, count in enumerate(self):
            tall = max(share(count) * plot, 1.0)
            parts.append(f'<rect x="{left + level * bar:.2f}" y="{height - bottom - tall:.2f}" '
                         f'width="{max(bar - 1, 0.5):.2f}" height="{tall:.2f}" fill="#3b78b5">'
                         f"<title>{count:,} states at {self.distances[level]}</title></rect>")
            if level % max(1, len(self) // 12) == 0:
                parts.append(f'<text x="{left + (level + 0.5) * bar:.2f}" y="{height - 7}" text-anchor="middle" '
                             f'font-family="sans-serif" font-size="11" fill="#555">{self.distances[level]}</text>')
        title = f"{sum(self):,} states by distance{', logarithmic' if log else ''}"
        parts.append(f'<text x="{left}" y="13" font-family="sans-serif" font-size="12" fill="#555">{title}</text>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>')


@dataclass(frozen=True)
class Exploration:
    """A finished exploration: `states` states down to `depth` moves; `complete` if nothing lies beyond."""

    job: Job
    puzzle: str
    complete: bool
    states: int
    depth: int
    levels: Levels
    seconds: float
    fields: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, reply: Reply, levels: Levels) -> Exploration:
        """Reads the reply of RESULT."""
        return cls(Job.of(reply), reply.text("puzzle"), reply.flag("complete") or False,
                   reply.integer("states") or 0, reply.integer("depth") or 0, levels,
                   reply.real("seconds") or 0.0, reply.fields)

    @property
    def engine(self) -> str:
        """The engine that made it."""
        return self.fields.get("engine", "")

    @property
    def peak_bytes(self) -> int | None:
        """The most memory that the search held."""
        return Reply("", self.fields).integer("peak_bytes")

    @property
    def reason(self) -> str:
        """The limit that stopped it; "" where none did."""
        return self.fields.get("reason", "")

    @property
    def edges(self) -> tuple[int, ...]:
        """The moves out of each level, of an exploration with edges=True."""
        return tuple(map(int, self.fields.get("edges_by_level", "").split()))

    @property
    def states_by_moves(self) -> tuple[int, ...]:
        """How many states have 0, 1, 2, ... moves, of an exploration with edges=True."""
        return tuple(map(int, self.fields.get("states_by_moves", "").split()))

    @property
    def branching(self) -> float:
        """The mean number of moves of a state, of an exploration with edges=True."""
        if not any(self.levels):
            raise ValueError("no state has been found yet")
        return sum(self.edges) / sum(self.levels)

    def _repr_svg_(self) -> str:
        return self.levels.to_svg()


class Iteration(NamedTuple):
    """One iteration of IDA*: numpy.array(solution.iterations) has a row for each."""

    bound: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """The answer to a SOLVE or PATH. `moves` is -1 where there is none, `solvable` None where that is not known.

    `error` is set by solve_many alone, for a board that was refused.

    `path` has the moves as the protocol writes them: letters for sliding puzzles by single tiles, else words parted by commas.
    """

    puzzle: str
    solvable: bool | None
    moves: int
    path: str
    start: str
    job: Job | None = None
    fields: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    error: PuzzledError | None = None

    @classmethod
    def of(cls, reply: Reply, puzzle: str, start: str, job: Job | None = None) -> Solution:
        """Reads the reply of RESULT or PATH."""
        moves = reply.integer("moves")
        return cls(reply.text("puzzle") or puzzle, reply.flag("solvable"), -1 if moves is None else moves,
                   reply.text("path"), reply.text("start") or start, job, reply.fields)

    @property
    def method(self) -> str:
        """How it was found: idastar, bidirectional, table, ..."""
        return self.fields.get("method", "")

    @property
    def lurd(self) -> str:
        """A Sokoban solution as the community writes it, small letters for walks, capital ones for pushes; else ""."""
        return self.fields.get("lurd", "")

    @property
    def leaves(self) -> str:
        """The letter of the car that leaves, as the Rush Hour board was written; else ""."""
        return self.fields.get("leaves", "")

    @property
    def expanded(self) -> int | None:
        """The nodes that the search expanded; None where none was counted."""
        return Reply("", self.fields).integer("expanded")

    @property
    def rule(self) -> str:
        """The rule of the puzzle by which there is no solution, in words; "" where none tells so."""
        return self.fields.get("rule", "")

    @property
    def generated(self) -> int | None:
        """The nodes that the search generated."""
        return Reply("", self.fields).integer("generated")

    @property
    def iterations(self) -> tuple[Iteration, ...]:
        """The iterations of IDA* that count, the first 64: bound, nodes and seconds of each."""
        rows = (row.split(":") for row in self.fields.get("iterations", "").split(",") if row)
        return tuple(Iteration(int(bound), int(nodes), float(seconds)) for bound, nodes, seconds in rows)

    @property
    def seconds(self) -> float | None:
        """How long the search took; None for a look-up."""
        return Reply("", self.fields).real("seconds")

    @property
    def solutions(self) -> int | None:
        """How many shortest solutions there are, of a SOLVE with all=True."""
        return Reply("", self.fields).integer("solutions")

    @property
    def at_least(self) -> int | None:
        """The lower bound that was proven where a limit ended the search, or weight= found a solution."""
        return Reply("", self.fields).integer("at_least")

    @property
    def bound(self) -> float:
        """How many times as long as a shortest solution this one is at most: more than 1 only by weight=."""
        return Reply("", self.fields).real("bound") or 1.0

    @property
    def cost(self) -> int:
        """What all moves cost together: their number, but for puzzles whose moves have costs; -1 without a solution."""
        return int(self.fields.get("cost", self.moves))

    @property
    def steps(self) -> list[str]:
        """The moves, one by one."""
        if self.is_sliding and "metric:multi" not in self.puzzle:
            return list(self.path)
        return self.path.split(",") if self.path else []

    @property
    def is_sliding(self) -> bool:
        """True for sliding puzzles, whose boards along the path can be drawn here."""
        return re.split("[:,]", self.puzzle)[0] == "slide" or self.puzzle[:1].isdigit()

    def boards(self) -> list[Board]:
        """Returns the boards from start to goal. Sliding puzzles only, and a start with rows ("8,6,7/2,5,4/3,0,1")."""
        if not self.is_sliding or "/" not in self.start:
            raise ValueError("the boards along a path are known for sliding puzzles, with a start in rows")
        return [Board(text) for text in sliding_frames(self.start, self.path)]

    def _repr_svg_(self) -> str | None:
        if not self.is_sliding or "/" not in self.start or self.solvable is not True:
            return None
        captions = ["start", *(f"{number}. {step}" for number, step in enumerate(self.steps, 1))]
        return boards_svg([board.text for board in self.boards()], captions)


@dataclass(frozen=True)
class Grade:
    """How hard a board is, by docs/grade.md. What is not known, or what the puzzle does not have, is None."""

    solution: Solution
    other_metric: str | None
    other_moves: int | None
    branching: float | None
    wrong_turns: int | None
    dead_turns: int | None
    counterintuitive: int | None
    positions: int | None
    dead: int | None
    piece_count: int | None
    must_move: int | None
    box_changes: int | None
    decomposition: int | None
    rating: int | None
    difficulty: str | None

    @classmethod
    def of(cls, reply: Reply, solution: Solution) -> Grade:
        """Reads the reply of RESULT."""
        return cls(solution, reply.fields.get("other_metric"), reply.integer("other_moves"), reply.real("branching"),
                   difficulty=reply.fields.get("difficulty"),
                   **{key: reply.integer(key) for key in ("wrong_turns", "dead_turns", "counterintuitive", "positions", "dead",
                                                          "piece_count", "must_move", "box_changes", "decomposition",
                                                          "rating")})


@dataclass(frozen=True)
class Event:
    """One moment of a watched job. `done` is the share of the level or phase, `rate` states a second."""

    state: str
    phase: str
    level: int | None
    states: int | None
    rate: float | None
    done: float | None
    lost: int
    fields: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, reply: Reply, lost: int) -> Event:
        """Reads an EVENT line; `lost` is how many were left out before it."""
        return cls(reply.text("state"), reply.text("phase"), reply.integer("level"), reply.integer("states"),
                   reply.real("rate"), reply.real("done"), lost, reply.fields)


@dataclass(frozen=True)
class Boards(Sequence[Board]):
    """Boards that SAMPLE or DEEPEST told. A notebook shows them."""

    boards: tuple[Board, ...]
    depth: int
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Board, ...]: ...
    def __getitem__(self, index: int | slice) -> Board | tuple[Board, ...]:
        return self.boards[index]

    def __len__(self) -> int:
        return len(self.boards)

    def _repr_svg_(self) -> str:
        return boards_svg([board.text for board in self.boards[:40]])


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that the daemon knows. `keys` are those that only this puzzle takes."""

    name: str
    example: str
    does: str
    keys: tuple[str, ...] = ()

    @classmethod
    def of(cls, reply: Reply) -> Puzzle:
        """Reads a record of PUZZLES."""
        return cls(reply.text("puzzle"), reply.text("example"), reply.text("does"), tuple(reply.text("keys").split()))


@dataclass(frozen=True)
class Layout:
    """A named layout of a puzzle, with its fewest moves (of Klotski also in steps of one cell); None if unknown."""

    name: str
    board: Board
    moves: int | None
    single_steps: int | None

    @classmethod
    def of(cls, reply: Reply) -> Layout:
        """Reads a record of PUZZLES with a puzzle."""
        return cls(reply.text("layout"), Board(reply.text("board")), reply.integer("moves"),
                   reply.integer("single_steps"))

    def _repr_svg_(self) -> str:
        return boards_svg([self.board.text], [self.name])


@dataclass(frozen=True)
class Frame:
    """A board on a path: the move that led to it ("" for the first), its drawing as lines of text, and its pieces."""

    board: str
    move: str
    drawing: tuple[str, ...]
    picture: Picture

    @classmethod
    def of(cls, reply: Reply) -> Frame:
        """Reads a record of DRAW."""
        return cls(reply.text("board"), reply.text("move"), tuple(reply.text("drawing").split("|")), Picture.of(reply.text("pieces")))


@dataclass(frozen=True)
class Frames(Sequence[Frame]):
    """The boards along a path, of any puzzle. A notebook shows them side by side."""

    frames: tuple[Frame, ...]

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Frame, ...]: ...
    def __getitem__(self, index: int | slice) -> Frame | tuple[Frame, ...]:
        return self.frames[index]

    def __len__(self) -> int:
        return len(self.frames)

    def __str__(self) -> str:
        return "\n\n".join("\n".join(frame.drawing) for frame in self.frames)

    def _repr_svg_(self) -> str:
        captions = [f"{number}. {frame.move}" if frame.move else "start" for number, frame in enumerate(self.frames)]
        return pictures_svg([frame.picture for frame in self.frames], captions)
