#!/usr/bin/env bash
# Shows what the viewer is for, on this machine alone: a demo server, a far link in front of it,
# and the viewer measuring plain VNC against pre-requesting. Opens a window when there is a display.
set -u
cd "$(dirname "$0")/.." || exit 1

rtt=300 fps=30 duration=8

usage() {
    cat <<END
Usage: tools/demo.sh [--rtt MS] [--fps N] [--duration S]

Installs what is missing to build, builds into ./build, and compares plain VNC with pre-requesting
over a link of MS milliseconds (default $rtt) to a film of N frames per second (default $fps),
S seconds each (default $duration). With a display it then opens the viewer on it.
END
}

step() {
    echo "demo: $*"
}

fail() {
    echo "demo: $*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --rtt | --fps | --duration)
        [ $# -ge 2 ] || fail "$1 needs a value; try --help"
        printf -v "${1#--}" '%s' "$2"
        shift 2
        ;;
    --rtt=* | --fps=* | --duration=*)
        name=${1%%=*}
        printf -v "${name#--}" '%s' "${1#*=}"
        shift
        ;;
    --help) usage && exit 0 ;;
    *) fail "unknown option '$1'; try --help" ;;
    esac
done

pids=()
scratch=$(mktemp -d) || exit 1
clean_up() {
    trap - EXIT
    trap '' INT TERM HUP
    local i
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do # the viewer before what it talks to
        kill "${pids[i]}" 2>/dev/null && wait "${pids[i]}" 2>/dev/null
    done
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Children die with this script even when it is killed outright.
with_us=()
if setpriv --pdeathsig TERM true 2>/dev/null; then
    with_us=(setpriv --pdeathsig TERM)
fi

# In the background, because bash answers a signal only between foreground commands.
run() {
    "${with_us[@]}" "$@" &
    pids+=($!)
    wait $!
}

# Starts a program that says where it listens; sets $port.
start() { # LOG PROGRAM...
    local log=$scratch/$1 pid tries
    shift
    : >"$log"
    "${with_us[@]}" "$@" >"$log" &
    pid=$!
    pids+=("$pid")
    for ((tries = 0; tries < 200; tries++)); do
        port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$log")
        [ -n "$port" ] && return
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    fail "$(basename "$1") did not start (see above)"
}

step 'looking for the packages the build needs'
tools/setup.sh build || exit 1

step 'building into ./build (the first time takes a minute)'
if [ ! -f build/build.ninja ]; then
    run meson setup build -Dtests=false >"$scratch/build" 2>&1 ||
        fail "configuring failed: $(tail -n 20 "$scratch/build")"
fi
run ninja -C build viewer/vnchl tools/demo/vnchl-demo-server tools/demo/vnchl-demo-link \
    >"$scratch/build" 2>&1 || fail "building failed: $(tail -n 40 "$scratch/build")"

step "starting a VNC server with a film of $fps frames per second"
start server build/tools/demo/vnchl-demo-server --port 0 --fps "$fps"

step "starting a link with a round trip of $rtt ms in front of it"
start link build/tools/demo/vnchl-demo-link --to "127.0.0.1:$port" --rtt "$rtt"

step "measuring plain VNC, then pre-requesting, $duration seconds each"
run build/viewer/vnchl --headless --compare --duration "$duration" "127.0.0.1::$port" ||
    fail 'the measurement failed (see above)'

if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    step 'opening the viewer; close its window to end the demo'
    run build/viewer/vnchl "127.0.0.1::$port" || fail 'the viewer ended with an error (see above)'
else
    step 'no display here, so no window; the figures above are the demo'
fi
