# shellcheck shell=bash
# Sourced by the scripts that start servers: builds, starts children that say where they listen, and
# ends them with the script, whatever happens. The script defines step() and fail() before, and is in
# the project's folder. $scratch is a folder of its own for logs.

pids=()
scratch=$(mktemp -d) || exit 1
clean_up() {
    trap - EXIT
    trap '' INT TERM HUP
    local i
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do # the viewer before what it talks to
        kill "${pids[i]}" 2>/dev/null && wait "${pids[i]}" 2>/dev/null
    done
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Children die with this script even when it is killed outright.
with_us=()
if setpriv --pdeathsig TERM true 2>/dev/null; then
    with_us=(setpriv --pdeathsig TERM)
fi

# In the background, because bash answers a signal only between foreground commands.
run() {
    "${with_us[@]}" "$@" &
    pids+=($!)
    wait $!
}

# Starts a program that says where it listens; sets $port.
start() { # LOG PROGRAM...
    local log=$scratch/$1 pid tries
    shift
    : >"$log"
    "${with_us[@]}" "$@" >"$log" &
    pid=$!
    pids+=("$pid")
    for ((tries = 0; tries < 200; tries++)); do
        port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$log")
        [ -n "$port" ] && return
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    fail "$(basename "$1") did not start (see above)"
}

# Builds the programs into ./build.
build_all() {
    step 'looking for the packages the build needs'
    tools/setup.sh build || exit 1
    step 'building into ./build (the first time takes a minute)'
    if [ ! -f build/build.ninja ]; then
        run meson setup build -Dtests=false >"$scratch/build" 2>&1 ||
            fail "configuring failed: $(tail -n 20 "$scratch/build")"
    fi
    run ninja -C build >"$scratch/build" 2>&1 || fail "building failed: $(tail -n 40 "$scratch/build")"
}
