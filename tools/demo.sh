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

. tools/children.sh

build_all

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
