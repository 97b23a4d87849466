#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The results in docs/results: runs their spaces by puzzlectl and a daemon (scripts/reproduce.sh starts one), compares or
writes their files, and writes the tables of pages from the files.

  results.py [NAME|check|hand|all|figures]…   runs and compares; check is the default
  results.py --write NAME…                    runs and writes the files
  results.py --page                           writes the tables of docs/results/README.md and of other pages from the files
  results.py --look                           holds page, files, sums and published counts together; runs nothing"""
import csv
import functools
import hashlib
import itertools
import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy
except ImportError:
    numpy = None

FOLDER = Path("docs/results")
VERSIONS = FOLDER / "versions.csv"
LEVELS = Path("tests/data/levels")
DEEPEST_MOST = 1000


def fail(text):
    sys.exit(f"results.py: {text}")


# ---- the list of spaces ----

def spaces():
    """Yields (name, arguments of explore, "check" or "hand", what it is)."""
    for line in (FOLDER / "spaces.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield tuple(part.strip() for part in line.split("|"))


def chosen(words):
    """Returns the rows that the words name."""
    rows = list(spaces())
    known = {row[0] for row in rows}
    for word in words:
        if word not in known | {"all", "check", "hand"}:
            fail(f"no space is named '{word}'; docs/results/spaces.txt lists them")
    return [row for row in rows if "all" in words or row[0] in words or row[2] in words]


def is_part(row):
    """Returns true if only the first levels of the space are searched."""
    return "depth=" in row[1]


# ---- runs ----

def ask(*words):
    """Returns what puzzlectl answers in JSON; None if it says nothing."""
    program = Path(os.environ.get("PUZZLED_BIN", "build/release/bin")) / "puzzlectl"
    done = subprocess.run([program, "--json", "--quiet", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"puzzlectl {' '.join(words)}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout or "null")


def above_manhattan(distances, columns, goal):
    """Counts boards by how many moves more they take than their Manhattan distance. distances: a row for each cell of the
    blank, as `puzzlectl export` writes them. Of all orders of the last tiles half belong to boards that can be solved."""
    cells, last = len(goal), min(len(goal) - 1, 7)
    home = {tile: cell for cell, tile in enumerate(goal)}
    steps = numpy.array([[abs(cell // columns - home[tile] // columns) + abs(cell % columns - home[tile] % columns)
                          for tile in range(cells)] for cell in range(cells)], dtype=numpy.uint8)
    orders = numpy.array(list(itertools.permutations(range(last))))
    odd = sum((orders[:, [i]] > orders[:, i + 1:]).sum(axis=1) for i in range(last)) % 2
    of_parity = [orders[odd == parity] for parity in (0, 1)]
    counts = numpy.zeros(256, dtype=numpy.int64)
    for blank, row in enumerate(distances):
        places = [cell for cell in range(cells) if cell != blank]
        wanted = inversions([tile for tile in goal if tile]) + (columns - 1) * (blank // columns - home[0] // columns)
        for number, first in enumerate(itertools.permutations(range(1, cells), cells - 1 - last)):
            rest = [tile for tile in range(1, cells) if tile not in first]
            chosen_orders = of_parity[(wanted - inversions(list(first) + rest)) % 2]
            table = steps[numpy.ix_(places[cells - 1 - last:], rest)]
            bound = sum(table[i][chosen_orders[:, i]] for i in range(last)) + sum(steps[places[i], tile] for i, tile in enumerate(first))
            half = len(chosen_orders)
            counts += numpy.bincount(row[number * half:(number + 1) * half] - bound, minlength=256)
    if counts[1::2].any() or counts[0] == 0:
        fail("distances and Manhattan distances do not fit together")
    return numpy.trim_zeros(counts, "b")


def inversions(tiles):
    """Returns how many pairs of a list stand the wrong way round."""
    return sum(one > other for one, other in itertools.combinations(tiles, 2))


def deepest_boards(arguments, job, levels):
    """Returns the boards of the last level in order, or [] if they are more than are listed."""
    puzzle, *keys = arguments.split()
    if levels[-1] > DEEPEST_MOST or "depth=" in arguments:
        return []
    if "keep=levels" in keys:
        last = ask("levels", str(job), "examples=16")["levels"][-1]["example"].split()
        return sorted(last) if len(last) == levels[-1] else []
    if "from=goals" not in keys:
        keys = ["from=root"] + [key.replace("root=", "goal=") for key in keys]
    return sorted(one["board"] for one in ask("deepest", puzzle, *[key for key in keys if key != "from=goals"])["boards"])


def gaps_of(row, board, most):
    """Returns how many boards take k moves more than their Manhattan distance, for k = 0, 2, 4, …; [] if the board has more
    than `most` cells, or tables of the space are not exported. The table has to be stored."""
    size = re.match(r"(\d+)x(\d+)( root=\S+)?$", row[1])
    if size is None or min(int(size[1]), int(size[2])) < 2 or int(size[1]) * int(size[2]) > most:
        return []
    if numpy is None:
        fail("python3-numpy is needed to count boards above Manhattan")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "distances.npy")
        ask("export", *row[1].replace("root=", "goal=").split(), str(path))
        counts = above_manhattan(numpy.load(path, mmap_mode="r"), int(size[2]), [int(tile) for tile in re.split("[,/]", board)])
    return [int(count) for count in counts[::2]]


def run(row, most_cells=12):
    """Explores the space. Returns (facts, states by level, deepest boards, boards by how much above Manhattan)."""
    _, arguments, _, _ = row
    puzzle, *keys = arguments.split()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        if re.match(r"(lrx\d+|cube3-[a-z-]+)\.tws$", puzzle):  # only their generator is kept
            text = subprocess.run([sys.executable, "definitions/generate_twisty.py", puzzle[:-4]], capture_output=True, check=True).stdout
            puzzle = str(Path(folder, puzzle))
            Path(puzzle).write_bytes(text)
        result = ask("explore", puzzle, *keys)
    if not result["complete"] and not (is_part(row) and result["reason"] == "depth"):
        fail(f"{arguments} ended early: {result.get('reason')}")
    levels = [level["states"] for level in ask("levels", str(result["job"]))["levels"]]
    named = re.search(r"root=(\S+)", arguments)
    facts = {"puzzle": result["puzzle"], "root": named[1] if named else result["root"], "command": f"puzzlectl explore {arguments}",
             "engine": result["engine"], "seconds": result["seconds"], "clock": time.monotonic() - began,
             "memory": result["peak_bytes"], "disk": result.get("disk_bytes", 0)}
    return facts, levels, deepest_boards(arguments, result["job"], levels), gaps_of(row, facts["root"], most_cells)


# ---- files ----

def body(levels, boards, gaps):
    """Returns the lines of a file below its head."""
    lines = ["level,states"] + [f"{level},{states}" for level, states in enumerate(levels)]
    lines += [f"Manhattan + {2 * i},{states}" for i, states in enumerate(gaps)]
    return "\n".join(lines + [f'deepest,"{board}"' for board in boards]) + "\n"


def machine():
    """Returns the processors and the memory in words."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} x {model[1] if model else platform.machine()}, {memory:.0f} GiB"


def commit():
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()


def write(row, facts, levels, boards, gaps):
    text = body(levels, boards, gaps)
    head = {"SPDX-License-Identifier": "CC0-1.0", "what": row[3], **facts, "seconds": f"{facts['seconds']:.3f}",
            "clock": f"{facts['clock']:.3f}", "commit": commit(), "machine": machine(),
            "load": f"{os.getloadavg()[0]:.1f} when it ended", "states": sum(levels),
            "sha256": hashlib.sha256(text.encode()).hexdigest()}
    lines = [f"# {key}: {value}" for key, value in head.items()]
    (FOLDER / f"{row[0]}.csv").write_text("\n".join(lines) + "\n" + text, encoding="utf-8")


def read(row):
    """Returns (head, states by level, deepest boards, boards by how much above Manhattan) of a file; None if there is none
    yet. Ends for a damaged one."""
    path = FOLDER / f"{row[0]}.csv"
    if not path.exists():
        return None
    head, lines = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            head[key] = value
        else:
            lines.append(line)
    if hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest() != head["sha256"]:
        fail(f"{path}: the lines are not those of its checksum")
    rows = list(csv.reader(lines))[1:]
    levels = [int(states) for level, states in rows if level.isdigit()]
    gaps = [int(states) for level, states in rows if level.startswith("Manhattan")]
    if sum(levels) != int(head["states"]):
        fail(f"{path}: the levels do not add up to its states")
    if gaps and sum(gaps) != sum(levels):
        fail(f"{path}: the boards above Manhattan are not all")
    return head, levels, [board for level, board in rows if level == "deepest"], gaps


def compare(row, named):
    """Runs a space and says how it stands to its file. Returns True if every number is the same. What lies above Manhattan takes
    20 seconds for 12 cells: that is for spaces that were named."""
    kept = read(row)
    facts, levels, boards, gaps = run(row, 12 if named else 10)
    if kept is None:
        print(f"{row[0]}: {sum(levels)} states, {facts['seconds']:.3f} s; there is no file to compare with")
        return False
    head, kept_levels, kept_boards, kept_gaps = kept
    same = levels == kept_levels and boards == kept_boards and (gaps == kept_gaps or not (gaps or named))
    ratio = facts["seconds"] / max(float(head["seconds"]), 1e-6)
    print(f"{row[0]}: {'every level and board as printed' if same else 'NOT AS PRINTED'}; "
          f"{facts['seconds']:.3f} s, {ratio:.2f} of the printed time")
    return same


# ---- second sources ----

def rows_of(path):
    """Returns the lines of a CSV file without remarks, divided."""
    with open(path, encoding="utf-8") as file:
        return list(csv.reader(line for line in file if not line.startswith("#")))


# Texts of spaces that have another name, too.
SAME = {"text-slide3x3": "slide-3x3-8", "text-pancake8": "pancake-8", "text-hanoi8": "hanoi-3-8", "cube3-corners-twists": "cube2"}


def published(name):
    """Returns the published states by level of a space, or None: tests/data names the sources."""
    name = SAME.get(name, name)
    kind, _, rest = name.partition("-")
    if kind in ("slide", "first", "multi"):
        metric = "multi-" if kind == "multi" or rest.startswith("multi-") else ""
        size, _, blank = rest.removeprefix("multi-").partition("-")
        corner = re.match(r"(\d+)x(\d+)$", size)
        is_usual = corner is not None and int(blank) == int(corner[1]) * int(corner[2]) - 1
        home = "" if is_usual else f"-blank{blank}" if corner else f"-{blank}"
        paths = [LEVELS / f"{metric}{size}{home}{kept}.csv" for kept in ("", "-first-levels")]
        return next(([int(row[1]) for row in rows_of(path) if row[0].isdigit()] for path in paths if path.exists()), None)
    if kind in ("torus", "lrx", "burnt"):
        path = LEVELS / f"{name}.csv"
        return [int(row[1]) for row in rows_of(path)[1:]] if path.exists() else None
    if kind in ("pancake", "topspin"):
        found = [row for row in rows_of(f"tests/data/{kind}_levels.csv") if row[0] == rest]
        return [int(number) for number in found[0][1:]] if found else None
    plain = [row for row in rows_of("tests/data/plain_levels.csv") if row[0] == name]
    if plain:
        return [int(number) for number in plain[0][1:]]
    twisty = {"cube2": "2x2x2"}.get(name, name)
    found = [int(row[2]) for row in rows_of("tests/data/twisty_levels.csv") if row[0] == twisty]
    return found or None


def expected_sum(name):
    """Returns how many states a space must have by a formula, or None."""
    kind, *rest = SAME.get(name, name).split("-")
    if kind in ("slide", "multi"):
        rows, columns = (int(part) for part in rest[0].split("x"))
        return math.factorial(rows * columns) // 2
    if kind == "torus":  # a closed line of an odd number of cells breaks the parity
        sides = [int(part) for part in rest[0].split("x")]
        return math.factorial(math.prod(sides)) // (1 if any(side > 2 and side % 2 for side in sides) else 2)
    if kind in ("pancake", "lrx"):
        return math.factorial(int(rest[0]))
    if kind == "burnt":
        return math.factorial(int(rest[0])) * 2 ** int(rest[0])
    if kind == "hanoi":
        return int(rest[0]) ** int(rest[1])
    if kind == "cube3":
        ways = {"twists": 3**7, "flips": 2**11, "slice": math.comb(12, 4), "corners": math.factorial(8), "edges": math.factorial(12)}
        return math.prod(ways.get(word, 1) for word in rest)
    return None


def check_sources(row, levels):
    """Holds a space against a formula and against published counts. Returns the word for the page."""
    words = []
    formula = expected_sum(row[0])
    if formula is not None:
        if sum(levels) != formula:
            fail(f"{row[0]}: {sum(levels)} states, {formula} by the formula")
        words.append("sum")
    counts = published(row[0])
    if counts is not None:
        both = min(len(levels), len(counts)) if is_part(row) or len(counts) < len(levels) else None
        if levels[:both] != counts[:both]:
            fail(f"{row[0]}: the levels are not the published ones")
        words.append("levels" if both is None else f"levels to {both - 1}")
    return ", ".join(words) or "one run"


# ---- the page's tables ----

def table(head, rows):
    """Returns a table in Markdown."""
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rows])


def searched(head):
    """Returns the seconds of a search, and the load of a machine that was busy with more than it."""
    load = head.get("load", "0").split()[0]
    return f"{float(head['seconds']):.2f} s" + (f", load {load}" if float(load) >= 4 else "")


@functools.cache
def summaries():
    """Returns the tables that all files make together, by their names on the page."""
    whole, parts, above = [], [], []
    for row in spaces():
        kept = read(row)
        if kept is None:
            continue
        head, levels, _, gaps = kept
        total = sum(levels)
        named = [f"[{row[0]}]({row[0]}.csv)", row[3]]
        reached = [f"{total:,}", str(len(levels) - 1), f"{levels[-1]:,}"]
        known = [check_sources(row, levels), searched(head)]
        if is_part(row):
            parts.append(named + reached + known)
            continue
        mean = sum(depth * states for depth, states in enumerate(levels)) / total
        variance = sum(depth * depth * states for depth, states in enumerate(levels)) / total - mean * mean
        widest = max(range(len(levels)), key=levels.__getitem__)
        whole.append(named + reached + [f"{mean:.4f}", f"{variance:.4f}", str(widest)] + known)
        if gaps:
            excess = sum(2 * i * count for i, count in enumerate(gaps)) / total
            within = [f"{sum(gaps[:i]) / total:.2%}" for i in range(1, 7)]
            above.append(named + [f"{excess:.3f}", *within, str(2 * len(gaps) - 2)])
    return {"whole-spaces": table("file|space|states|depth|deepest|mean|variance|widest level|also known|searched".split("|"), whole),
            "first-levels": table("file|space|states|depth|of that depth|also known|searched".split("|"), parts),
            "above-manhattan": table("file|space|mean|+ 0|+ 2|+ 4|+ 6|+ 8|+ 10|most".split("|"), above)}


# ---- versions ----

def fingerprint():
    """Returns (number of files, SHA-256 of a line "checksum name" for each of them in the order of spaces.txt)."""
    lines = [f"{kept[0]['sha256']} {row[0]}.csv\n" for row in spaces() if (kept := read(row)) is not None]
    return len(lines), hashlib.sha256("".join(lines).encode()).hexdigest()


def version():
    return re.search(r"VERSION (\d+\.\d+\.\d+)", Path("CMakeLists.txt").read_text(encoding="utf-8"))[1]


def note_version():
    """Writes what the files are now into the line of this version in versions.csv."""
    lines = [line for line in VERSIONS.read_text(encoding="utf-8").splitlines() if not line.startswith(f"{version()},")]
    files, sum_of_all = fingerprint()
    VERSIONS.write_text("\n".join([*lines, f"{version()},{time.strftime('%Y-%m-%d')},{files},{sum_of_all}"]) + "\n", encoding="utf-8")


# ---- tables in pages ----

TABLE = re.compile(r"(<!-- table (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def cell(text):
    """Returns a cell of a table for reading: thousands apart, a dash for nothing."""
    return f"{int(text):,}" if text.isdigit() else text or "–"


def table_named(name):
    """Returns a CSV file's rows as a table, or a summary of all files."""
    if not name.endswith(".csv"):
        return summaries()[name]
    head, *rows = rows_of(name)
    names = {"commit"}  # which may have digits only
    return table(head, [[text if column in names else cell(text) for column, text in zip(head, row)] for row in rows])


def pages_with_tables():
    """Yields (path, text, text with its tables as they must be) of each page that has such a table."""
    for path in sorted(Path("docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if TABLE.search(text):
            yield path, text, TABLE.sub(lambda found: found[1] + table_named(found[2]) + found[3], text)


def look():
    """Holds the pages to the files, and the files to what is known otherwise."""
    tables = set()
    for path, text, wanted in pages_with_tables():
        tables |= {Path(found[1]).name for found in TABLE.findall(text)}
        if text != wanted:
            fail(f"a table of {path} is not what its file says: scripts/reproduce.sh --page")
    for name in summaries().keys() - tables:
        fail(f"no page has the table {name}")
    named = {f"{row[0]}.csv" for row in spaces()} | {"figures.csv", "boxoban-lengths.csv"} | tables
    for row in spaces():
        kept = read(row)
        if kept is not None and kept[0]["command"] != f"puzzlectl explore {row[1]}":
            fail(f"{row[0]}: the file is of another command than spaces.txt names")
    if rows_of(VERSIONS)[-1][0::2] != [version(), str(fingerprint()[0])] or rows_of(VERSIONS)[-1][3] != fingerprint()[1]:
        fail(f"{VERSIONS} is not what the files are: scripts/reproduce.sh --page")
    for path in FOLDER.glob("*.csv"):
        if path.name not in named:
            fail(f"{path} stands in no line of spaces.txt, and no page has its table")
    for row in rows_of(FOLDER / "figures.csv")[1:]:
        if row[2] not in Path(row[0]).read_text(encoding="utf-8"):
            fail(f"{row[0]} does not print '{row[2]}' ({row[1]})")
    print(f"{sum(read(row) is not None for row in spaces())} spaces and the figures are as the pages say")


# ---- figures of other pages ----

def figures():
    """Runs the commands of figures.csv in a shell and says how far each figure is from the printed one."""
    for where, what, printed, command, pattern in rows_of(FOLDER / "figures.csv")[1:]:
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{os.environ['PUZZLED_BIN']}:{os.environ['PATH']}"})
        found = re.search(pattern, done.stdout)
        if found is None:
            print(f"{where}: {what}: no figure in what '{command}' printed: {done.stdout[-200:]}{done.stderr[-200:]}")
            continue
        value = float(found[1].replace(",", ""))
        number = float(re.search(r"[\d.,]+", printed)[0].replace(",", ""))
        print(f"{where}: {what}: {value:g}, printed {printed}: {value / number:.2f} of it", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}: a busy machine's times say little")


def main(words):
    if words[:1] == ["--page"]:
        note_version()
        for path, _, wanted in pages_with_tables():
            path.write_text(wanted, encoding="utf-8")
        return 0
    if words[:1] == ["--look"]:
        look()
        return 0
    if words[:1] == ["--write"]:
        for row in chosen(words[1:]):
            write(row, *run(row))
            print(f"{row[0]} written", flush=True)
        return 0
    names = [word for word in words if word != "figures"] or ([] if words else ["check"])
    same = [compare(row, row[0] in names or "all" in names) for row in chosen(names)]
    if "figures" in words:
        figures()
    print(f"{sum(same)} of {len(same)} as printed")
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
