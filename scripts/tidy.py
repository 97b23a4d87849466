#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy on the files of build/clang, but for those that it has passed as they are: a file is known by the hash of
its text, of the project's headers that it includes, of its command and of the rules.

  scripts/tidy.py            all files
  scripts/tidy.py FILE…      those that are, or include, one of these"""
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzled" / "tidy"
UNUSED_SECONDS = 30 * 24 * 3600


def parts(entry):
    """Returns the paths of the file and of the project's headers that it includes."""
    words = shlex.split(entry["command"])
    del words[words.index("-o"):words.index("-o") + 2]
    rule = subprocess.run([*words, "-MM"], cwd=entry["directory"], capture_output=True, text=True, check=True).stdout
    return [os.path.relpath(os.path.join(entry["directory"], path)) for path in rule.replace("\\\n", " ").split()[1:]]


def key(entry, paths, rules):
    """Returns the name under which it is kept that this file passed."""
    found = hashlib.sha256(rules)
    found.update(entry["command"].replace(os.getcwd(), ".").encode())
    for path in paths:
        found.update(path.encode() + b"\0" + Path(path).read_bytes() + b"\0")
    return CACHE / found.hexdigest()


def passes(entry, wanted, rules):
    """Returns None for a file that was not wanted or has passed before, True for one that passes now."""
    try:
        paths = parts(entry)
    except subprocess.CalledProcessError as failed:
        print(failed.stderr, end="")
        return False
    if wanted and not wanted.intersection(paths):
        return None
    passed = key(entry, paths, rules)
    if passed.exists():
        passed.touch()
        return None
    run = subprocess.run(["clang-tidy", "--quiet", "-p", "build/clang", entry["file"]], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(run.stdout, run.stderr, sep="", end="", flush=True)
        return False
    passed.touch()
    return True


def main():
    """Returns the exit status."""
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.iterdir():
        if old.stat().st_mtime < time.time() - UNUSED_SECONDS:
            old.unlink()
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    rules = version + Path(".clang-tidy").read_bytes()
    entries = list({entry["file"]: entry for entry in json.loads(Path("build/clang/compile_commands.json").read_text("utf-8"))}.values())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda entry: passes(entry, set(sys.argv[1:]), rules), entries))
    print(f"{results.count(True)} of {len(entries)} files were looked at, {results.count(False)} have faults")
    return 1 if False in results else 0


if __name__ == "__main__":
    sys.exit(main())
