#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python client: types, tests and doctests against the daemon that was built.
#
#   tests/python/run.sh PUZZLED
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
export PYTHONPATH=python PUZZLED_PROGRAM=$program PYTHONDONTWRITEBYTECODE=1
/usr/bin/mypy --config-file python/pyproject.toml --cache-dir /dev/null python/puzzled
exec /usr/bin/python3 -W error::ResourceWarning -m unittest -q tests/python/test_puzzled.py
