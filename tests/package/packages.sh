#!/usr/bin/env bash
# Makes the Debian packages in FOLDER, once for all tests that need them: packages of the same sources stay.
#
#   packages.sh SOURCE_ROOT FOLDER
set -eu
source=${1:?usage: packages.sh SOURCE_ROOT FOLDER} folder=${2:?usage: packages.sh SOURCE_ROOT FOLDER}

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9 # another test may be making them
cd "$source"
sources=$({ git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
    find . -path './build*' -prune -o -type f -print0; } | xargs -0 sha256sum 2>/dev/null | sha256sum)
[ "$(cat "$folder/sources" 2>/dev/null)" != "$sources" ] || exit 0
rm -f "$folder/sources"
# A maintainer that lintian takes, on every machine.
export DEBFULLNAME='the tests of vnchl' DEBEMAIL=tests@example.com
# Nobody debugs these: what compilers write for that is made, packed by dwz and stripped for nothing.
export DEB_BUILD_OPTIONS=noautodbgsym DEB_CFLAGS_APPEND=-g1 DEB_CXXFLAGS_APPEND=-g1
tools/deb.sh "$folder" >"$folder/build.log" 2>&1 || {
    tail -n 40 "$folder/build.log"
    echo 'packages.sh: the packages cannot be built' >&2
    exit 1
}
echo "$sources" >"$folder/sources"
