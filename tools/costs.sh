# shellcheck shell=bash
# Sourced by scripts that measure what a program costs on this machine: builds what is needed, then
# runs the script that measures.

# Debian's interpreter: another python3 that comes first in PATH may be too old.
python=/usr/bin/python3

step() {
    echo "$name: $*" >&2
}

fail() {
    step "$*"
    exit 1
}

. tools/children.sh

measure() { # NAME SCRIPT OPTION...
    local script=$2
    name=$1
    shift 2
    case " $* " in
    *' --help '*) exec "$python" -B "$script" --help ;;
    esac
    step 'looking for servers, viewers and what else the lab needs'
    run tools/setup.sh build lab >&2 || exit 1
    build_all
    run "$python" -B "$script" "$@"
}
