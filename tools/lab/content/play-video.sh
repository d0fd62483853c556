#!/usr/bin/env bash
# Plays the lab's video file (make-video.sh) over and over with mpv, unscaled at 0,0 of DISPLAY, and
# shows the count of presses beside it. Prints "ready" when both are on the screen; ends on SIGINT
# or SIGTERM, or when one of the two ends.
#
#   tools/lab/content/play-video.sh FILE.mpg [SPEED]
#
# SPEED 0.05 is slow motion, a twentieth of the file's frame rate.
#
# Needs mpv, xdotool and vnchl-lab-content: on the PATH, or named by VNCHL_LAB_CONTENT.
set -uo pipefail

size=352x240
content=${VNCHL_LAB_CONTENT:-vnchl-lab-content}

fail() {
    echo "play-video: $*" >&2
    exit 1
}

[ $# -ge 1 ] && [ $# -le 2 ] && [ "${1#-}" = "$1" ] ||
    { echo 'usage: play-video.sh FILE.mpg [SPEED]' >&2; exit 2; }
[ -f "$1" ] && [ -r "$1" ] || fail "cannot read '$1': make it with make-video.sh"
for program in mpv xdotool; do
    command -v "$program" >/dev/null || fail "$program is missing: install the package $program"
done
command -v "$content" >/dev/null ||
    fail "no program '$content': set VNCHL_LAB_CONTENT to where vnchl-lab-content was built"
[ -n "${DISPLAY:-}" ] || fail 'no X display: set DISPLAY to where the video is to be played'

player= presses= folder=$(mktemp -d) || exit 1
end() {
    trap '' INT TERM
    [ -n "$player" ] && kill "$player" 2>/dev/null
    [ -n "$presses" ] && kill "$presses" 2>/dev/null
    wait
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 0' INT TERM

# No configuration, no scripts, no keys: nothing but the picture. No sound, no screen saver's bus.
mpv --no-config --load-scripts=no --no-input-default-bindings --input-vo-keyboard=no \
    --no-input-cursor --no-osc --osd-level=0 --no-border --cursor-autohide=always \
    --speed="${2:-1}" --vo=x11 --hwdec=no --no-audio --loop-file=inf --no-keepaspect-window --no-window-dragging \
    --stop-screensaver=no --geometry="$size+0+0" --autofit="$size" --really-quiet \
    --title='vnchl-lab video' -- "$1" </dev/null >"$folder/player" 2>&1 &
player=$!
for ((i = 0; i < 100; i++)); do
    xdotool search --onlyvisible --name '^vnchl-lab video$' >/dev/null 2>&1 && break
    kill -0 "$player" 2>/dev/null ||
        fail "mpv has ended: $(grep -m1 . "$folder/player" || echo 'it said nothing')"
    sleep 0.1
done
[ "$i" -lt 100 ] || fail 'mpv has shown no window within 10 s'

"$content" presses --size "$size" >"$folder/presses" 2>&1 &
presses=$!
for ((i = 0; i < 100; i++)); do
    grep -q '^ready' "$folder/presses" && break
    kill -0 "$presses" 2>/dev/null || fail "$(grep -m1 . "$folder/presses")"
    sleep 0.1
done
echo ready

wait -n "$player" "$presses"
kill -0 "$player" 2>/dev/null && fail "vnchl-lab-content has ended: $(tail -1 "$folder/presses")"
fail "mpv has ended: $(grep -m1 . "$folder/player" || echo 'it said nothing')"
