#!/usr/bin/env bash
# Measures what vnchl-accel costs: docs/accelerator.md. With the word `clients` first: what many of them
# cost at once, and how long their answers take. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

. tools/costs.sh
script=tools/lab/accel_cost.py
if [ "${1-}" = clients ]; then
    script=tools/lab/accel_clients.py
    shift
fi
measure accel "$script" "$@"
