#!/usr/bin/env bash
# Fuzzes what reads bytes and words from outside, with libFuzzer (clang 14 or later, compiler-rt).
#
#   tools/fuzz.sh                            every target, an hour each, on one core each
#   tools/fuzz.sh --minutes 5 words server   these two, for five minutes
#   tools/fuzz.sh --merge                    new inputs of earlier runs, into the repository's corpora
#   tools/fuzz.sh --list                     the targets
#
# --out FOLDER   where the build, new inputs and findings go (default: vnchl-fuzz beside the repository)
# --jobs N       targets at a time (default: as many as there are cores)
#
# Ends with a line for each target: minutes of processor time, executions, coverage (edges, features),
# inputs and findings. A finding is an input that crashes, hangs or takes too much memory. For each
# kind of finding, and the function where it is seen, one input is named. The exit status is 1 where
# there is one.
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD

minutes=60 out=${root%/*}/vnchl-fuzz jobs=$(nproc) mode=run targets=()

fail() {
    echo "fuzz: $*" >&2
    exit 1
}

number() { # NAME VALUE
    [[ $2 =~ ^[1-9][0-9]{0,4}$ ]] || fail "$1 takes a number from 1 to 99999, not '$2'"
}

all_targets() {
    basename -s .cpp tests/fuzz/fuzz_*.cpp | sed 's/^fuzz_//'
}

# The folders of a target's inputs. The first is of the repository's archive.
corpora_of() { # TARGET
    echo "$out/$1/seeds"
    [ "$1" != server ] || echo "$root/tests/server-messages"
}

# Debian's interpreter: another python3 may come first in PATH.
corpus() { # unpack|pack FROM TO
    /usr/bin/python3 "$root/tests/fuzz/corpus.py" "$@" || fail "cannot $1 $2"
}

while [ $# -gt 0 ]; do
    case $1 in
    --minutes | --jobs | --out)
        [ $# -ge 2 ] || fail "$1 needs a value"
        [ "$1" = --out ] || number "$1" "$2"
        declare "${1#--}=$2"
        shift 2
        ;;
    --merge)
        mode=merge
        shift
        ;;
    --list)
        all_targets
        exit 0
        ;;
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    -*) fail "unknown option '$1'; try --help" ;;
    *)
        all_targets | grep -qx -- "$1" || fail "there is no target '$1'; --list names them"
        targets+=("$1")
        shift
        ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(all_targets)
mkdir -p "$out" && out=$(cd "$out" && pwd) || fail "cannot make the folder $out"

build() {
    local cc=clang cxx=clang++ programs=()
    command -v "$cc" >/dev/null || cc=clang-14 cxx=clang++-14
    command -v "$cc" >/dev/null || fail "there is no clang: run tools/setup.sh build test fuzz"
    if [ ! -f "$out/build/build.ninja" ]; then
        CC=$cc CXX=$cxx meson setup "$out/build" -Dtests=true -Dfuzzer=true \
            -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 >"$out/build.log" 2>&1 ||
            fail "cannot set the build up: see $out/build.log"
    fi
    programs=("${targets[@]/#/tests/fuzz/libfuzzer_}")
    ninja -C "$out/build" "${programs[@]}" >"$out/build.log" 2>&1 ||
        fail "cannot build: see $out/build.log"
}

# What the sanitizers say, and scratch files in memory.
export ASAN_OPTIONS=abort_on_error=0:symbolize=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS=suppressions=$root/tests/e2e/lsan.supp:print_suppressions=0
[ -w /dev/shm ] && export TMPDIR=/dev/shm

run_one() { # TARGET
    local folder=$out/$1 TIMEFORMAT='%U %S'
    mkdir -p "$folder/corpus" "$folder/findings"
    { time fuzz_one "$1"; } 2>"$folder/processor-seconds"
}

fuzz_one() { # TARGET
    local folder=$out/$1 corpora
    mapfile -t corpora < <(corpora_of "$1")
    "$out/build/tests/fuzz/libfuzzer_$1" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
        -timeout=20 -rss_limit_mb=2048 -max_total_time=$((minutes * 60)) \
        -artifact_prefix="$folder/findings/" "$folder/corpus" "${corpora[@]}" \
        >"$folder/log" 2>&1 </dev/null
}

# "KIND in FUNCTION" of an input that was found: the first frame that is ours or a library's.
describe() { # TARGET INPUT
    timeout 60 "$out/build/tests/fuzz/libfuzzer_$1" -timeout=20 -rss_limit_mb=2048 "$2" 2>&1 </dev/null |
        awk '/runtime error:/ && !kind { kind = $0; sub(/.*runtime error: /, "", kind) }
            /does not hold:/ && !kind { kind = $0 }
            /ERROR: (AddressSanitizer|LeakSanitizer|libFuzzer):/ && !kind { kind = $3 " " $4 }
            /^ *#[0-9]+ / && !where && $3 == "in" && $4 !~ /^(__|fuzzer::|abort|raise|mem(cpy|set|move)|operator|must)/ {
                where = $4 }
            END { print (kind ? kind : "not seen again") " in " (where ? where : "an unknown function") }'
}

merge_one() { # TARGET
    local seeds=$out/$1/seeds archive=$root/tests/fuzz/corpora/$1.tar.gz before
    [ -d "$out/$1/corpus" ] || return
    corpus unpack "$archive" "$seeds"
    before=$(find "$seeds" -type f | wc -l)
    "$out/build/tests/fuzz/libfuzzer_$1" -merge=1 "$seeds" "$out/$1/corpus" >"$out/$1/merge.log" 2>&1 ||
        fail "cannot merge $1: see $out/$1/merge.log"
    corpus pack "$seeds" "$archive"
    echo "$1: $before inputs, now $(find "$seeds" -type f | wc -l)"
}

# Minutes of it and its children, executions, and what its inputs reach now. What libFuzzer says of
# edges with -fork is more than there are.
report_one() { # TARGET
    local folder=$out/$1 corpora processor runs findings edges=0 features=0 inputs=0
    mapfile -t corpora < <(corpora_of "$1")
    processor=$(awk '{ printf "%.1f", ($1 + $2) / 60 }' "$folder/processor-seconds")
    runs=$(sed -nE 's/^#([0-9]+): cov:.*/\1/p' "$folder/log" | tail -n 1)
    findings=$(find "$folder/findings" -type f | wc -l)
    read -r edges features inputs < <(
        "$out/build/tests/fuzz/libfuzzer_$1" -runs=0 "$folder/corpus" "${corpora[@]}" 2>&1 </dev/null |
            sed -nE 's/^#[0-9]+\s+DONE\s+cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).*/\1 \2 \3/p')
    printf '%-12s %6s min %12s executions %6s edges %7s features %6s inputs %4s findings\n' \
        "$1" "$processor" "${runs:-0}" "$edges" "$features" "$inputs" "$findings"
}

build
if [ "$mode" = merge ]; then
    for target in "${targets[@]}"; do
        merge_one "$target"
    done
    exit 0
fi

for target in "${targets[@]}"; do
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
    mkdir -p "$out/$target"
    corpus unpack "$root/tests/fuzz/corpora/$target.tar.gz" "$out/$target/seeds"
    echo "fuzz: $target for $minutes minutes"
    run_one "$target" &
done
wait

for target in "${targets[@]}"; do
    report_one "$target"
done
for target in "${targets[@]}"; do
    for input in "$out/$target/findings"/*; do
        [ -f "$input" ] || continue
        echo "$target: $(describe "$target" "$input"): ${input#"$PWD"/}"
    done
done | sort | awk -F': ' '!seen[$1 $2]++'
[ -z "$(find "${targets[@]/#/$out/}" -path '*/findings/*' -type f -print -quit)" ]
