#!/usr/bin/env bash
set -euo pipefail
echo not yet; exit 1
