#!/bin/sh
# Becomes COMMAND as soon as FILE names an X display, on that display.
#
#   tools/lab/content/on-display.sh FILE COMMAND [ARGUMENT]...
#
# Whoever knows the display writes FILE whole (under another name first).
if [ $# -lt 2 ]; then
    echo 'usage: on-display.sh FILE COMMAND [ARGUMENT]...' >&2
    exit 2
fi
file=$1
shift
until [ -s "$file" ]; do sleep 0.02; done
DISPLAY=$(cat "$file")
export DISPLAY
exec "$@"
