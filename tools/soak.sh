#!/usr/bin/env bash
# Pictures come as datagrams for an hour, over a link of 100 ms that loses 5 % of all packets both ways
# and is cut every 30 s: only UDP, then all of it, in turn. Half of the time it is thin, and what moves
# comes as a film.
#
#   tools/soak.sh               an hour
#   tools/soak.sh --minutes 5
#
# After each cut the window's picture has to become exactly the server's, and pictures have to come as
# datagrams and as a film again. The memory of vnchl's two processes, of vnchl-accel and of its far end may not grow.
# Says how it stands after each cut, and ends with one line. The exit status is 1 where something is wrong.
# It builds into ./build-test.
set -u
cd "$(dirname "$0")/.." || exit 1

minutes=60
fail() {
    echo "soak: failed: $*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --minutes)
        [[ ${2-} =~ ^[1-9][0-9]{0,4}$ ]] || fail "--minutes takes a number from 1 to 99999"
        minutes=$2
        shift 2
        ;;
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *) fail "unknown option '$1'; try --help" ;;
    esac
done

tools/setup.sh build test || exit 1
folder=build-test
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
echo "soak: building into ./$folder"
if [ ! -f "$folder/build.ninja" ]; then
    meson setup "$folder" -Dwerror=true -Dtests=true >"$said" 2>&1 || fail "configuring: $(tail -n 20 "$said")"
fi
targets=(viewer/vnchl viewer/vnchl-session tools/linkem/vnchl-linkem tools/accelerator/vnchl-accel
    tools/accelerator/vnchl-session tests/linkem/test-soak-datagrams)
ninja -C "$folder" "${targets[@]}" >"$said" 2>&1 || fail "building: $(tail -n 40 "$said")"

# The end of the test is not the last line: meson says something, too.
VNCHL_SOAK_S=$((minutes * 60)) meson test -C "$folder" --no-rebuild --verbose --timeout-multiplier 0 \
    'soak of datagrams' 2>&1 | tee "$said"
status=${PIPESTATUS[0]}
line=$(grep -a '^soak: .*; memory: ' "$said")
[ "$status" -eq 0 ] && [ -n "$line" ] || fail "see above"
echo "$line"
