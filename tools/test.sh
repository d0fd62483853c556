#!/usr/bin/env bash
# Builds and runs the tests and ends with a line "N passed, N failed[, N skipped]".
#
#   tools/test.sh         what judges each part of the product, in one build with ASan and UBSan: minutes
#   tools/test.sh --all   that, and the rest: -Werror, TSan, the soak, the lab, the packages, what takes
#                         long (the suite `long`)
set -u
cd "$(dirname "$0")/.." || exit 1

# Debian's interpreter: another python3 that comes first in PATH may lack what meson needs.
python=/usr/bin/python3
# Most tests wait most of the time.
jobs=$((3 * $(nproc)))
# Meson takes ccache where there is one. Without these it keeps nothing of what takes a precompiled header: most tests.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}
passed=0 failed=0 skipped=0
step=0 steps=3

fail() {
    echo "test: $*" >&2
    exit 1
}

step() { # says what comes, and how much is left
    step=$((step + 1))
    printf '\ntest: step %d of %d, after %d:%02d: %s\n' $step $steps $((SECONDS / 60)) $((SECONDS % 60)) "$*"
}

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}

count() { # passed|failed|skipped NAME
    printf -v "$1" '%d' $((${!1} + 1))
    echo "test: $2: $1"
}

# What the tests of these suites need, as ninja calls it. A suite after "not" is left out.
targets_of() { # FOLDER "SUITE... not SUITE..."
    meson introspect --tests --targets "$1" | "$python" -c '
import json, os, sys
known = json.load(sys.stdin)
wanted, _, unwanted = (set(words.split()) for words in sys.argv[2].partition("not"))
def chosen(test):
    suites = {suite.split(":")[-1] for suite in test["suite"]}
    return (not wanted or suites & wanted) and not suites & unwanted
needed = {target for test in known["tests"] if chosen(test) for target in test["depends"]}
print(*(os.path.relpath(file, sys.argv[1])
        for target in known["targets"] if target["id"] in needed for file in target["filename"]))' "$@"
}

configure() { # FOLDER MESON-OPTION...
    local folder=$1
    shift
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$@" -Dtests=true # so that what is known of targets is true
    else
        meson setup "$folder" "$@" -Dtests=true
    fi
}

build() { # FOLDER "SUITE... not SUITE..." MESON-OPTION...
    local folder=$1 suites=$2 targets
    shift 2
    configure "$folder" "$@" || return
    targets=$(targets_of "$folder" "$suites") || return
    # shellcheck disable=SC2086
    "${address_layout[@]}" ninja -C "$folder" $targets
}

# Adds what meson wrote down to the three counts. Meson shows only the end of a long output, so what
# Catch2 says of a failure is shown from its log.
add_results() { # testlog.json
    local p f s
    read -r p f s < <("$python" -c '
import json, sys
tests = [json.loads(line) for line in open(sys.argv[1])]
results = [test["result"] for test in tests]
good = sum(r in ("OK", "EXPECTEDFAIL") for r in results)
skip = sum(r in ("SKIP", "IGNORED") for r in results)
print(good, len(results) - good - skip, skip, flush=True)
for test in tests:
    lines = test.get("stdout", "").splitlines()
    for at in [i for i, line in enumerate(lines) if ": FAILED:" in line][:5]:
        print("", test["name"], *lines[max(0, at - 8):at + 40], sep="\n", file=sys.stderr)' "$1")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

build_for() { # FOLDER "SUITE... not SUITE..." MESON-OPTION...
    local folder=$1
    step "building in $folder"
    if ! build "$@" >"$scratch/build" 2>&1; then
        tail -n 60 "$scratch/build"
        count failed "building in $folder"
        return 1
    fi
}

run_suites() { # FOLDER MULTIPLIER "SUITE... not SUITE..."
    local folder=$1 suite option=--suite arguments=()
    for suite in $3; do
        if [ "$suite" = not ]; then
            option=--no-suite
        else
            arguments+=("$option" "$suite")
        fi
    done
    rm -f "$folder/meson-logs/testlog.json"
    "${address_layout[@]}" meson test -C "$folder" --no-rebuild --print-errorlogs --num-processes "$jobs" \
        --timeout-multiplier "$2" "${arguments[@]}"
}

count_results() { # FOLDER
    local log=$1/meson-logs/testlog.json
    if [ -f "$log" ]; then
        add_results "$log"
    else
        count failed "testing in $1"
    fi
}

check_format() {
    local program version files
    step 'checking the format'
    program=$(command -v clang-format-14 || command -v clang-format) || {
        count skipped 'clang-format (not installed)'
        return
    }
    # Versions differ in details; the code is formatted with this one.
    version=$("$program" --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
    if [ "$version" != 14 ]; then
        count skipped "clang-format (version $version; the code follows version 14)"
        return
    fi
    mapfile -d '' files < <(find prerequest rfb viewer tools tests -type f \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' \) -print0)
    if "$program" --dry-run --Werror "${files[@]}"; then
        count passed clang-format
    else
        count failed clang-format
    fi
}

# What sanitizers report names functions and lines. -g1 is enough for that: compilers and linkers work less.
sanitized=(-Dwerror=false -Doptimization=1 -Db_lundef=false -Ddebug=false -Dc_args=-g1)

# What follows the tests with ASan, built as these say.
plain_suites='long plain' plain_options=(-Dwerror=true -Ddebug=false)
thread_suites='threads headless not long mutation' thread_options=(-Db_sanitize=thread)

# While tests wait, what follows them is built, by one compiler and then the packages' own, of what they leave of the
# processors: it has a session of its own, for kernels that give each session its share, whatever is nice within. What
# is not ready when they end, or fails, is left to its own step, which says so.
ahead=
build_ahead() {
    local plain thread
    configure build-test "${plain_options[@]}" >"$scratch/ahead" 2>&1 &&
        configure build-tsan "${thread_options[@]}" "${sanitized[@]}" >>"$scratch/ahead" 2>&1 &&
        plain=$(targets_of build-test "$plain_suites" 2>>"$scratch/ahead") &&
        thread=$(targets_of build-tsan "$thread_suites" 2>>"$scratch/ahead") || return
    # shellcheck disable=SC2016
    setsid nice -n 19 sh -c '
        trap exit TERM # once what it waits for, which gets the signal too, has put its files in order
        echo 19 >/proc/self/autogroup
        ninja -j 1 -C build-test $1
        ninja -j 1 -C build-tsan $2
        [ "$(id -u)" -ne 0 ] || # without root, no test takes them
            tests/package/packages.sh . build-test/tests/package/packages' \
        ahead "$plain" "$thread" >>"$scratch/ahead" 2>&1 </dev/null &
    ahead=$!
}

end_ahead() {
    [ -n "$ahead" ] || return 0
    # Its process group, if it still runs: else the number may be another's by now. Or it alone, if it has no group yet.
    jobs -pr | grep -qx "$ahead" && { kill -- "-$ahead" 2>/dev/null || kill "$ahead"; }
    wait "$ahead"
    ahead=
}

# gcc's sanitizers cannot run where the kernel spreads mappings widely.
address_layout=()
keep_layout() {
    ! setarch -R true 2>/dev/null || address_layout=(setarch -R)
}

address() { # "SUITE... not SUITE..."
    export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    export LSAN_OPTIONS=suppressions=$PWD/tests/e2e/lsan.supp:print_suppressions=0
    keep_layout # the build runs a program of its own, too
    if build_for build-asan "$1" -Db_sanitize=address,undefined "${sanitized[@]}"; then
        [ -z "$all" ] || build_ahead
        step "testing in build-asan: ${1/#not/all suites but}${ahead:+; and building ahead}"
        run_suites build-asan 3 "$1"
        end_ahead
        count_results build-asan
    fi
    address_layout=()
    unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
}

# Most of the first wait, and the second compute: they run side by side. What is to run alone comes last.
plain_and_thread() {
    local plain=yes thread=yes
    build_for build-test "$plain_suites" "${plain_options[@]}" || plain=
    build_for build-tsan "$thread_suites" "${thread_options[@]}" "${sanitized[@]}" || thread=
    step "testing in build-test ($plain_suites not alone) and build-tsan ($thread_suites)"
    if [ -n "$thread" ]; then
        (
            export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
            keep_layout
            run_suites build-tsan 5 "$thread_suites"
        ) >"$scratch/thread" 2>&1 &
    fi
    if [ -n "$plain" ]; then
        run_suites build-test 2 "$plain_suites not alone"
        count_results build-test
    fi
    if [ -n "$thread" ]; then
        wait
        cat "$scratch/thread"
        count_results build-tsan
    fi
    if [ -n "$plain" ]; then
        step "testing in build-test: alone"
        run_suites build-test 1 alone
        count_results build-test
    fi
}

all=
case ${1-} in
'') ;;
--all) all=yes steps=7 ;;
--help)
    usage
    exit 0
    ;;
*) fail "unknown option '$1'; try --help" ;;
esac
[ $# -le 1 ] || fail "one option at most; try --help"

# With --all, builds with sanitizers have -Werror for C++: most of it is tests, and the optimised build makes only some
# of them. For C only the optimised build has it, because sanitizers bring false warnings there.
sanitized+=("-Dcpp_args=-g1${all:+ -Werror}")

tools/setup.sh build test || exit 1
scratch=$(mktemp -d) || exit 1
trap 'end_ahead; rm -rf "$scratch"' EXIT

check_format
if [ -z "$all" ]; then
    address 'not long mutation'
else
    address 'not long' # mutations find most under ASan
    plain_and_thread
fi

line="$passed passed, $failed failed"
[ "$skipped" -gt 0 ] && line="$line, $skipped skipped"
printf '\n%s\n' "$line"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
