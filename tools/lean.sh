#!/usr/bin/env bash
# Measures what the window takes, beside TigerVNC's viewer: docs/lean.md. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

. tools/costs.sh
measure lean tools/lab/lean.py "$@"
