#!/usr/bin/env bash
# Draws the icon's PNGs again after vnchl.svg has been changed. Needs rsvg-convert (librsvg2-bin),
# convert (imagemagick) and optipng.
#
#   viewer/data/icons.sh [FOLDER]    into FOLDER/hicolor, else beside the drawing
set -eu
cd "$(dirname "$0")"
to=${1:-icons}
for side in 48 64 128; do
    png=$to/hicolor/${side}x$side/apps/vnchl.png
    mkdir -p "$(dirname "$png")"
    rsvg-convert -w "$side" -h "$side" icons/hicolor/scalable/apps/vnchl.svg |
        convert - -strip -define png:color-type=6 -define png:bit-depth=8 "$png"
    optipng -quiet -o5 -nx "$png"
done
