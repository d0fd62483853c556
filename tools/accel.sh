#!/usr/bin/env bash
# Measures what vnchl-accel costs: docs/accelerator.md. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

. tools/costs.sh
measure accel tools/lab/accel_cost.py "$@"
