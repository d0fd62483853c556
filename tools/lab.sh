#!/usr/bin/env bash
# Runs a group of the lab's experiments from nothing: installs, builds, runs, writes the report page.
# docs/lab.md is the manual. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

out=lab-results
# Debian's interpreter: another python3 that comes first in PATH may be too old.
python=/usr/bin/python3
options=() groups=()

usage() {
    cat <<END
Usage: tools/lab.sh GROUP... [--quick] [--repeats N] [--jobs N] [--out DIR] [--new-machine]

Installs what is missing, builds into ./build, runs the experiments of these groups into DIR (default
./lab-results) and writes the report page there. Without --quick most take hours. What was run before is not
run again, so it may be interrupted and started again. "quick" takes less than five minutes and compares vnchl, plain VNC and
TigerVNC's viewer on a far and on a slow link; --quick makes any other group shorter, and --jobs makes
N runs at a time where the machine has room for them.

"tools/lab.sh ablate [--seeds N] [RULE...]" is another thing: it switches off each rule of the scheduler
in turn, in virtual time, and prints what gets worse; it takes two minutes and needs no server.

noVNC needs a browser: "tools/setup.sh browser" installs it; RDP, xpra and ssh: "tools/setup.sh systems". Runs
without them are made later.

Groups: quick, headline, thesis, octopus, lai-nieh, systems, accelerator, peers, targets, day; "tools/lab/lab.py
list" tells all experiments, "tools/lab/lab.py show GROUP" how long they take.
END
}

step() {
    echo "lab: $*" >&2
}

fail() {
    step "$*"
    exit 1
}

if [ "${1-}" = ablate ]; then
    shift
    . tools/children.sh
    run tools/setup.sh build test >&2 || exit 1
    step 'building into ./build'
    { [ -f build/build.ninja ] && run meson configure build -Dtests=true ||
        run meson setup build -Dtests=true; } >"$scratch/build" 2>&1 &&
        run ninja -C build tests/sim/vnchl-ablate >"$scratch/build" 2>&1 ||
        fail "building failed: $(tail -n 40 "$scratch/build")"
    run build/tests/sim/vnchl-ablate "$@"
    exit
fi

while [ $# -gt 0 ]; do
    case $1 in
    --repeats | --jobs | --out)
        [ $# -ge 2 ] || fail "$1 needs a value; try --help"
        if [ "$1" = --out ]; then out=$2; else options+=("$1" "$2"); fi
        shift 2
        ;;
    --quick | --new-machine)
        options+=("$1")
        shift
        ;;
    --help) usage && exit 0 ;;
    -*) fail "unknown option '$1'; try --help" ;;
    *)
        groups+=("$1")
        shift
        ;;
    esac
done
[ ${#groups[@]} -gt 0 ] || fail 'which group? For example: tools/lab.sh quick; try --help'

. tools/children.sh

step 'looking for servers, viewers and what else the lab needs'
run tools/setup.sh build lab >&2 || exit 1
# a mistake in the name is told before a minute of building
run "$python" tools/lab/lab.py show "${groups[@]}" >&2 || exit 1
build_all
if [ ! -x build/tools/lab/eye/vnchl-lab-eye ] || [ ! -x build/tools/lab/content/vnchl-lab-content ]; then
    # ./build was configured when there was no X to build against
    run meson setup --reconfigure build >"$scratch/build" 2>&1 && run ninja -C build >"$scratch/build" 2>&1 ||
        fail "building failed: $(tail -n 40 "$scratch/build")"
fi

run "$python" tools/lab/lab.py run "${groups[@]}" --out "$out" "${options[@]}"
status=$?
if ls "$out"/*.jsonl >/dev/null 2>&1; then
    step 'writing the report page'
    run "$python" tools/lab/lab.py report "$out" || status=1
fi
exit $status
