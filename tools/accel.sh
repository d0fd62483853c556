#!/usr/bin/env bash
# Measures what vnchl-accel costs: docs/accelerator.md. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

# Debian's interpreter: another python3 that comes first in PATH may be too old.
python=/usr/bin/python3

step() {
    echo "accel: $*" >&2
}

fail() {
    step "$*"
    exit 1
}

. tools/children.sh

case " $* " in
*' --help '*) exec "$python" -B tools/lab/accel_cost.py --help ;;
esac
step 'looking for servers, viewers and what else the lab needs'
run tools/setup.sh build lab >&2 || exit 1
build_all
run "$python" -B tools/lab/accel_cost.py "$@"
