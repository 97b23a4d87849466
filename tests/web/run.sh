#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# puzzled-web against a real daemon: its API, hostile and slow clients, and its page in headless Chromium.
#
#   tests/web/run.sh DIRECTORY    where puzzled and puzzled-web were built; pictures of the page go to $PICTURES, if set
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../.."
if [ ! -x "$bin/puzzled-web" ]; then
    echo "SKIP: puzzled-web was not built: it needs Debian's package libmicrohttpd-dev"
    exit 0
fi
export PUZZLED_BIN=$bin PYTHONPATH=tests/torture:tests/web PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 -W ignore::ResourceWarning -m unittest -q tests/web/test_api.py tests/web/test_safety.py
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    echo "SKIP: the page was not opened: Debian's packages chromium and chromium-driver are missing"
    exit 0
fi
/usr/bin/python3 -W ignore::ResourceWarning -m unittest -q tests/web/test_page.py tests/web/test_page_play.py tests/web/test_page_lessons.py tests/web/test_page_walks.py tests/web/test_page_twisty.py tests/web/test_page_make.py tests/web/test_page_names.py
