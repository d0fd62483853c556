#!/usr/bin/env bash
# Builds and runs all tests and ends with a line "N passed, N failed[, N skipped]".
#
#   tools/test.sh                               everything: what CI runs
#   tools/test.sh --sanitize address,undefined  all suites in ./build-asan
#   tools/test.sh --sanitize thread             the suites TSan can judge, in ./build-tsan
set -u
cd "$(dirname "$0")/.." || exit 1

# Debian's interpreter: another python3 that comes first in PATH may lack what meson needs.
python=/usr/bin/python3
passed=0 failed=0 skipped=0

fail() {
    echo "test: $*" >&2
    exit 1
}

step() {
    printf '\ntest: %s\n' "$*"
}

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}

count() { # passed|failed|skipped NAME
    printf -v "$1" '%d' $((${!1} + 1))
    echo "test: $2: $1"
}

# Which of the suites exist in a build folder. Meson takes an unknown one for an error.
existing_suites() { # FOLDER SUITE...
    local folder=$1
    shift
    meson introspect --tests "$folder" | "$python" -c '
import json, sys
have = {s.split(":")[-1] for t in json.load(sys.stdin) for s in t["suite"]}
print(*(s for s in sys.argv[1:] if s in have))' "$@"
}

# What the tests of these suites need, as ninja calls it; nothing, which is all, without a suite.
targets_of() { # FOLDER SUITE...
    meson introspect --tests --targets "$1" | "$python" -c '
import json, os, sys
known = json.load(sys.stdin)
needed = {target for test in known["tests"] for suite in test["suite"]
          if suite.split(":")[-1] in sys.argv[2:] for target in test["depends"]}
print(*(os.path.relpath(file, sys.argv[1])
        for target in known["targets"] if target["id"] in needed for file in target["filename"]))' "$@"
}

build() { # FOLDER "SUITE..."|"" MESON-OPTION...
    local folder=$1 suites=$2 targets
    shift 2
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$@" -Dtests=true # so that what is known of targets is true
    else
        meson setup "$folder" "$@" -Dtests=true
    fi || return
    # shellcheck disable=SC2086
    targets=$(targets_of "$folder" $suites) && ninja -C "$folder" $targets
}

# Adds what meson wrote down to the three counts.
add_results() { # testlog.json
    local p f s
    read -r p f s < <("$python" -c '
import json, sys
results = [json.loads(line)["result"] for line in open(sys.argv[1])]
good = sum(r in ("OK", "EXPECTEDFAIL") for r in results)
skip = sum(r in ("SKIP", "IGNORED") for r in results)
print(good, len(results) - good - skip, skip)' "$1")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

run_tests() { # FOLDER MULTIPLIER "SUITE..."|"" MESON-OPTION...
    local folder=$1 multiplier=$2 suites=$3 suite log arguments=()
    shift 3
    step "building in $folder"
    if ! build "$folder" "$suites" "$@" >"$scratch/build" 2>&1; then
        tail -n 60 "$scratch/build"
        count failed "building in $folder"
        return
    fi
    if [ -n "$suites" ]; then
        # shellcheck disable=SC2086
        suites=$(existing_suites "$folder" $suites)
        [ -n "$suites" ] || return
        for suite in $suites; do
            arguments+=(--suite "$suite")
        done
    fi
    step "testing in $folder: ${suites:-all suites}"
    log=$folder/meson-logs/testlog.json
    rm -f "$log"
    "${address_layout[@]}" meson test -C "$folder" --no-rebuild --print-errorlogs \
        --timeout-multiplier "$multiplier" "${arguments[@]}"
    if [ -f "$log" ]; then
        add_results "$log"
    else
        count failed "testing in $folder"
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

# The tests themselves are C++ and take gcc minutes to optimise with a sanitizer; what they test is C.
# No -Werror: the sanitizers bring false warnings about the standard library.
quick=(-Dwerror=false -Doptimization=1 -Dcpp_args=-O0 -Db_lundef=false)

sanitize_address() { # "SUITE..."
    export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    if [ -f tests/e2e/lsan.supp ]; then
        export LSAN_OPTIONS=suppressions=$PWD/tests/e2e/lsan.supp:print_suppressions=0
    fi
    run_tests build-asan 3 "$1" -Db_sanitize=address,undefined "${quick[@]}"
    unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
}

sanitize_thread() { # "SUITE..."
    export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
    # gcc's TSan cannot run where the kernel spreads mappings widely.
    setarch -R true 2>/dev/null && address_layout=(setarch -R)
    run_tests build-tsan 5 "$1" -Db_sanitize=thread "${quick[@]}"
    unset TSAN_OPTIONS
    address_layout=()
}

address_layout=()
mode=all
while [ $# -gt 0 ]; do
    case $1 in
    --sanitize)
        [ $# -ge 2 ] || fail '--sanitize needs address,undefined or thread'
        mode=$2
        shift 2
        ;;
    --sanitize=*)
        mode=${1#*=}
        shift
        ;;
    --help)
        usage
        exit 0
        ;;
    *) fail "unknown option '$1'; try --help" ;;
    esac
done
case $mode in
all | address,undefined | thread) ;;
*) fail "--sanitize '$mode' is not address,undefined or thread" ;;
esac

tools/setup.sh build test || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

case $mode in
all)
    check_format
    run_tests build-test 1 '' -Dwerror=true
    sanitize_address 'unit sim e2e headless'
    sanitize_thread 'unit headless'
    ;;
address,undefined) sanitize_address '' ;;
thread) sanitize_thread 'unit sim headless' ;;
esac

line="$passed passed, $failed failed"
[ "$skipped" -gt 0 ] && line="$line, $skipped skipped"
printf '\n%s\n' "$line"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
