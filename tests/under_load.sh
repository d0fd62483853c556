#!/usr/bin/env bash
# Runs a command while busy loops keep the cores from idling, and says how often it failed.
#
#   tests/under_load.sh [--loops N] [--times N] COMMAND...
#
#   --loops N   busy loops (default: as many as there are cores)
#   --times N   runs, whether they fail or not (default: 1)
#
# The exit status is 0 when every run succeeded.
set -u

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}

loops=$(nproc) times=1
while [ $# -gt 0 ]; do
    case $1 in
    --loops) loops=${2:?} && shift 2 ;;
    --times) times=${2:?} && shift 2 ;;
    --help) usage && exit 0 ;;
    --*) echo "under_load: unknown option '$1'; try --help" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || {
    usage >&2
    exit 2
}

busy=()
trap '[ ${#busy[@]} -eq 0 ] || kill "${busy[@]}"' EXIT
trap 'exit 130' INT TERM
# Each in a session of its own: Linux may share the cores out by session. They end with this script.
# shellcheck disable=SC2016
loop='while kill -0 "$1" 2>/dev/null; do for ((i = 0; i < 100000; i++)); do :; done; done'
for ((i = 0; i < loops; i++)); do
    setsid bash -c "$loop" busy-loop $$ &
    busy+=($!)
done

failed=0 took=()
for ((run = 1; run <= times; run++)); do
    printf 'under_load: run %d of %d, with %d busy loops\n' "$run" "$times" "$loops"
    begin=$SECONDS
    "$@" || {
        failed=$((failed + 1))
        echo "under_load: run $run failed"
    }
    took+=("$((SECONDS - begin)) s")
done
printf 'under_load: %d passed, %d failed; they took' $((times - failed)) "$failed"
printf ' %s' "${took[@]}"
echo
[ "$failed" -eq 0 ]
