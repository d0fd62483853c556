#!/usr/bin/env bash
# Measures what the README claims, on this machine alone, and prints it as Markdown tables.
#
# The film is shown by the demo server and, in a window, on a TigerVNC server; both are watched
# through links of several lengths. The systems compared are interleaved
# run by run; a figure is the median of the repeats. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

duration=10 repeats=3 only= records=
thesis_duration=60 # as in the thesis, section 4.1: a PRP longer than the content's period ramps up

usage() {
    cat <<END
Usage: tools/measure.sh [--duration S] [--repeats N] [--only rates|thesis|cpu] [--records FILE]

Builds into ./build and measures frame rates at 300 ms, the thesis's cells (PRP 50 ms at 0 and
500 ms, a minute each) and the CPU time per update. Each run takes S seconds (default $duration),
each figure is the median of N runs (default $repeats). With --records FILE each run is added to FILE, too, as
a record for docs/results.
END
}

step() {
    echo "measure: $*" >&2
}

fail() {
    step "$*"
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --duration | --repeats | --only | --records)
        [ $# -ge 2 ] || fail "$1 needs a value; try --help"
        printf -v "${1#--}" '%s' "$2"
        shift 2
        ;;
    --help) usage && exit 0 ;;
    *) fail "unknown option '$1'; try --help" ;;
    esac
done

. tools/children.sh

wants() {
    [ -z "$only" ] || [ "$only" = "$1" ]
}

# One run: prints the frame rate, the CPU milliseconds per update and the last JPEG level.
figures() { # PORT OPTION...
    local port=$1 json=$scratch/run.json
    shift
    build/viewer/vnchl --headless --duration "$duration" --json "$json" "$@" "127.0.0.1::$port" \
        >"$scratch/run.txt" 2>&1 || fail "a run failed: $(tail -n 3 "$scratch/run.txt")"
    awk '/"fps"/ { fps = $2 + 0 } /"quality":/ { level = $2 + 0 } /^CPU per update/ { cpu = $NF }
        END { print fps, cpu, level }' \
        "$json" "$scratch/run.txt"
}

median() { # COLUMN FILE DIGITS
    cut -d ' ' -f "$1" "$2" | sort -n | awk -v digits="$3" '{ v[NR] = $1 } END {
        m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
        printf "%.*f", digits, m }'
}

# A frame rate with the JPEG level the pictures came with.
rate() { # FILE
    printf '%s at %s' "$(median 1 "$1" 1)" "$(median 3 "$1" 0)"
}

# Interleaves runs with several --prp values at one port; figures go to $scratch/NAME-PRP.
compare() { # NAME PORT PRP...
    local name=$1 port=$2 prp i
    shift 2
    for ((i = 1; i <= repeats; i++)); do
        for prp in "$@"; do
            step "$name, --prp $prp, run $i of $repeats"
            figures "$port" --prp "$prp" >"$scratch/one"
            cat "$scratch/one" >>"$scratch/$name-$prp"
            sed "s/^/$name $prp $EPOCHSECONDS /" "$scratch/one" >>"$scratch/runs"
        done
    done
}

# A link of so many ms in front of a port; sets $port.
link_to() { # PORT RTT
    start link-"$1"-"$2" build/tools/demo/vnchl-demo-link --to "127.0.0.1:$1" --rtt "$2"
}

# A TigerVNC server that shows the demo's film; sets $xvnc_port.
start_xvnc() {
    local display tries
    mkfifo "$scratch/display"
    exec 3<>"$scratch/display"
    "${with_us[@]}" Xvnc -displayfd 3 -geometry 1024x768 -depth 24 -SecurityTypes None -localhost \
        >"$scratch/xvnc" 2>&1 &
    pids+=($!)
    read -r -t 10 -u 3 display || fail "Xvnc did not start: $(tail -n 3 "$scratch/xvnc")"
    exec 3>&-
    xvnc_port=$((5900 + display))
    DISPLAY=:$display "${with_us[@]}" build/tools/demo/vnchl-demo-film 2>"$scratch/film" &
    pids+=($!)
    sleep 1 # for the film to be running before anything is measured
    kill -0 $! 2>/dev/null || fail "the film does not run on Xvnc: $(cat "$scratch/film")"
}

build_all >&2

start demo build/tools/demo/vnchl-demo-server --port 0
demo=$port
servers=(demo)
if command -v Xvnc >/dev/null && [ -x build/tools/demo/vnchl-demo-film ]; then
    start_xvnc
    servers+=(tigervnc)
else
    step 'no TigerVNC here (packages tigervnc-standalone-server, libx11-dev): the demo server only'
fi
declare -A near=([demo]=$demo [tigervnc]=${xvnc_port:-})

if wants rates; then
    for server in "${servers[@]}"; do
        link_to "${near[$server]}" 300
        compare "$server-300" "$port" off 40 auto
    done
    printf '\nA film of 30 frames per second at 300 ms (frames per second shown, and the JPEG level):\n\n'
    printf '| server | plain VNC | PRP 40 ms | auto |\n| --- | --- | --- | --- |\n'
    for server in "${servers[@]}"; do
        printf '| %s | %s | %s | %s |\n' "$server" "$(rate "$scratch/$server-300-off")" \
            "$(rate "$scratch/$server-300-40")" "$(rate "$scratch/$server-300-auto")"
    done
fi

if wants cpu; then
    for server in "${servers[@]}"; do
        compare "$server-cpu" "${near[$server]}" off auto
    done
    printf '\nCPU time of the viewer per update at 0 ms (ms):\n\n'
    printf '| server | plain VNC | auto | ratio |\n| --- | --- | --- | --- |\n'
    for server in "${servers[@]}"; do
        off=$(median 2 "$scratch/$server-cpu-off" 3) auto=$(median 2 "$scratch/$server-cpu-auto" 3)
        printf '| %s | %s | %s | %s |\n' "$server" "$off" "$auto" \
            "$(awk -v a="$auto" -v b="$off" 'BEGIN { printf "%.2f", a / b }')"
    done
fi

if wants thesis; then
    duration=$thesis_duration
    for server in "${servers[@]}"; do
        for ((i = 0; i < 2; i++)); do
            rtt=$((500 * i))
            link_to "${near[$server]}" "$rtt"
            compare "$server-$rtt" "$port" 50
        done
    done
    printf '\nA fixed PRP of 50 ms, near and far:\n\n'
    printf '| server | 0 ms | 500 ms | ratio |\n| --- | --- | --- | --- |\n'
    for server in "${servers[@]}"; do
        at0=$(median 1 "$scratch/$server-0-50" 1) at500=$(median 1 "$scratch/$server-500-50" 1)
        printf '| %s | %s | %s | %s |\n' "$server" "$at0" "$at500" \
            "$(awk -v a="$at500" -v b="$at0" 'BEGIN { printf "%.2f", a / b }')"
    done
fi

if [ -n "$records" ] && [ -s "$scratch/runs" ]; then
    /usr/bin/python3 -B - "$records" "$scratch/runs" <<'END' || fail "cannot write $records"
import sys

sys.path.insert(0, "tools/lab")
import records

runs = []
with open(sys.argv[2], encoding="ascii") as file:
    for line in file:
        name, prp, began, fps, cpu, level = line.split()
        server, _, what = name.partition("-")
        cell = {"server": server, "part": "cpu" if what == "cpu" else "rates"}
        if what != "cpu":
            cell["rtt_ms"] = int(what)
        figures = {"frames per second": float(fps), "CPU of an update, ms": float(cpu), "JPEG level": float(level)}
        runs.append((prp, cell, figures, float(began)))
records.of_program(sys.argv[1], "measure", "build/viewer/vnchl", runs)
END
fi

if version=$(git describe --always --exclude '*' --dirty 2>/dev/null); then
    printf '\nMeasured with version `%s`.\n' "$version"
fi
