#!/usr/bin/env bash
# From the packages to a picture over ssh, between two machines (tools/ssh_trial.py says what they are).
#
#   test_ssh_trial.sh SOURCE_ROOT PACKAGES_FOLDER BUILD_FOLDER
#
# Skipped (77) where they cannot be made.
set -u
source=${1:?usage: test_ssh_trial.sh SOURCE_ROOT PACKAGES_FOLDER BUILD_FOLDER}

[ "$(id -u)" -eq 0 ] || {
    echo 'skipped: installing a package needs root'
    exit 77
}
PATH=$PATH:/usr/sbin:/sbin
for program in ssh sshd vncpasswd xsetroot Xtigervnc; do # before the packages are made, which takes minutes
    command -v "$program" >/dev/null && continue
    [ "${VNCHL_REQUIRE_SERVERS:-}" = 1 ] || {
        echo "skipped: $program is not installed"
        exit 77
    }
done
"$source/tests/package/packages.sh" "$source" "$2" || exit 1
exec /usr/bin/python3 "$source/tools/ssh_trial.py" --check --packages "$2" --build "$3"
