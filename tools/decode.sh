#!/usr/bin/env bash
# Measures how fast recordings are decoded: by vnchl, and by TigerVNC's decoder with the same bytes.
# Run it while nothing else runs.
set -u
cd "$(dirname "$0")/.." || exit 1

repeats=5 tigervnc='' decperf='' files=()

usage() {
    cat <<END
Usage: tools/decode.sh [--repeats N] [--tigervnc SOURCE | --decperf PROGRAM] FILE...

FILE is what vnchl --record has written. Builds vnchl into ./build-decode, with optimisation and
without assertions. Prints, as a Markdown table, the CPU time that decoding each FILE takes: the
median of N runs (default $repeats).

TigerVNC's benchmark decperf gets the same bytes. It is built from a SOURCE folder of TigerVNC's
(apt-get source tigervnc) into ./build-decode/tigervnc; that needs cmake, libpixman-1-dev,
libjpeg-dev, libgnutls28-dev, nettle-dev, libgmp-dev, libpam0g-dev, libx11-dev, libxext-dev,
libxi-dev, libxtst-dev, libxdamage-dev and libxrandr-dev, and neither FLTK nor an X server's source.
Its time is that of updates, the median of its own nine runs. It knows what TigerVNC's server sends,
not what others add to that: record from that server.
END
}

step() {
    echo "decode: $*" >&2
}

fail() {
    step "$*"
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --repeats | --tigervnc | --decperf)
        [ $# -ge 2 ] || fail "$1 needs a value; try --help"
        printf -v "${1#--}" '%s' "$2"
        shift 2
        ;;
    --help) usage && exit 0 ;;
    -*) fail "unknown option '$1'; try --help" ;;
    *) files+=("$1") && shift ;;
    esac
done
[ ${#files[@]} -gt 0 ] || fail "no recording named; try --help"
[[ $repeats =~ ^[1-9][0-9]?$ ]] || fail "--repeats takes 1 to 99"
for file in "${files[@]}"; do
    [ -r "$file" ] || fail "cannot read $file"
done
[ -z "$decperf" ] || [ -x "$decperf" ] || fail "cannot run $decperf"

build=build-decode
[ -d $build ] || meson setup $build --buildtype=release -Dtests=false >&2 || exit 1
ninja -C $build viewer/vnchl >&2 || exit 1

# A copy is built, with two changes: the picture may get another size, and its pixels are in the order
# of the recording, as the viewer has them, so that none is converted.
build_decperf() { # SOURCE
    local folder=$build/tigervnc copy=$build/tigervnc-source
    [ -f "$1/tests/perf/decperf.cxx" ] || fail "$1 is no source folder of TigerVNC's"
    if [ ! -d $copy ]; then
        cp -r "$1" $copy || exit 1
        sed -i -e '/^static const rfb::PixelFormat filePF/s/0, 8, 16/16, 8, 0/' \
            -e '0,/void initDone()/s//void resizeFramebuffer() { initDone(); }\n  void initDone()/' \
            $copy/tests/perf/decperf.cxx
    fi
    cmake -S $copy -B $folder -DCMAKE_BUILD_TYPE=Release -DBUILD_VIEWER=OFF -DENABLE_NLS=OFF >&2 &&
        make -C $folder decperf >&2 || fail "decperf is not built: is a package missing? See --help"
    decperf=$(find $folder -name decperf -type f)
}
[ -z "$tigervnc" ] || build_decperf "$tigervnc"
[ -n "$decperf" ] || step "without --tigervnc or --decperf only vnchl is measured"

# The bytes from ServerInit on, as decperf reads them: without the blocks, version and security type.
bare() { # FILE OUT
    python3 - "$1" "$2" <<'END'
import struct, sys

data = open(sys.argv[1], "rb").read()
at, stream = 12, bytearray()
while at + 4 <= len(data):
    (length,) = struct.unpack_from(">I", data, at)
    end = at + 4 + (length + 3) // 4 * 4
    if end + 4 > len(data):
        break
    stream += data[at + 4 : at + 4 + length]
    at = end + 4
open(sys.argv[2], "wb").write(stream[16:])
END
}

# Frames, bytes, pixels and the median of the CPU times.
ours() { # FILE
    local run
    for ((run = 0; run < repeats; run++)); do
        $build/viewer/vnchl --headless --play "$1" --speed max --json - 2>/dev/null || exit 1
    done | python3 -c '
import json, statistics, sys

text, runs = sys.stdin.read(), []
while text.strip():
    run, end = json.JSONDecoder().raw_decode(text.lstrip())
    runs.append(run)
    text = text.lstrip()[end:]
cpu = statistics.median(run["decode"]["cpu_s"] for run in runs)
print(runs[0]["updates"], runs[0]["bytes_received"], runs[0]["decode"]["pixels"], cpu)'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "| recording | frames | MB | Mpixel | vnchl: CPU s | MB/s | Mpixel/s | TigerVNC: CPU s | vnchl / TigerVNC |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for file in "${files[@]}"; do
    figures=$(ours "$file") || fail "vnchl cannot play $file"
    read -r frames bytes pixels cpu <<<"$figures"
    theirs=
    if [ -n "$decperf" ]; then
        bare "$file" "$scratch/stream"
        theirs=$("$decperf" "$scratch/stream" | sed -n 's/^CPU time: \([0-9.e+-]*\) s.*/\1/p')
        [ -n "$theirs" ] || step "decperf cannot decode $file: was it recorded from TigerVNC's server?"
    fi
    awk -v name="${file##*/}" -v n="$frames" -v b="$bytes" -v p="$pixels" -v c="$cpu" -v t="$theirs" '
        BEGIN {
            printf "| %s | %d | %.2f | %.2f | %.4f | %.1f | %.1f |", name, n, b / 1e6, p / 1e6, c,
                b / 1e6 / c, p / 1e6 / c
            if (t == "") print " - | - |"
            else printf " %s | %.2f |\n", t, c / t
        }'
done
