#!/usr/bin/env bash
# Makes the video file of the lab: 834 frames of 352 x 240 at 24 frames per second, as long as the
# clip of Lai and Nieh's video benchmark, MPEG-1. Each frame carries its number twice
# (tools/marks/mark.h); the script decodes the file again and checks them all.
#
#   tools/lab/content/make-video.sh FILE.mpg
#
# Needs ffmpeg and vnchl-lab-content: on the PATH, or named by VNCHL_LAB_CONTENT.
set -euo pipefail

frames=834 size=352x240 fps=24
content=${VNCHL_LAB_CONTENT:-vnchl-lab-content}

fail() {
    echo "make-video: $*" >&2
    exit 1
}

[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { echo 'usage: make-video.sh FILE.mpg' >&2; exit 2; }
command -v ffmpeg >/dev/null || fail 'ffmpeg is missing: install the package ffmpeg'
command -v "$content" >/dev/null ||
    fail "no program '$content': set VNCHL_LAB_CONTENT to where vnchl-lab-content was built"

# beside FILE, so that FILE is there only when it is whole and good
part=$(mktemp "$1.XXXXXX") || fail "cannot write beside $1"
trap 'rm -f "$part"' EXIT
raw=(-f rawvideo -pix_fmt bgra -video_size "$size" -framerate "$fps")
quiet=(-hide_banner -loglevel error -nostdin)

# With a finer quantiser than this MPEG-1 has no coefficient for a step from black to white, and the
# marks' cells turn grey.
"$content" --raw $frames --size $size |
    ffmpeg "${quiet[@]}" -y "${raw[@]}" -i pipe:0 -c:v mpeg1video -b:v 4M -qmin 4 \
        -g 12 -f mpeg "$part" || fail 'encoding failed, see above'
ffmpeg "${quiet[@]}" -i "$part" -f rawvideo -pix_fmt bgra -fps_mode passthrough pipe:1 |
    "$content" --check $frames --size $size || fail 'the encoded video is not good, see above'
chmod 644 "$part"
mv "$part" "$1"
