#!/usr/bin/env bash
# Builds a Debian package of the program, for the machine's own Debian or Ubuntu.
#
#   tools/deb.sh [FOLDER]     writes FOLDER/vnchl_VERSION_ARCHITECTURE.deb, vnchl-accel_..., the proxy
#                             for servers, and vnchl-session_..., which both need, in the place of
#                             those that are there; without FOLDER into build-deb
#
# The maintainer is whoever builds it: $DEBFULLNAME and $DEBEMAIL, else what git knows, else the user.
#
# Installs what is missing to build. docs/packaging.md is the manual. The files of the package are in
# tools/deb/debian; the version comes from meson.build, and a revision of the packages behind it.
set -eu
folder=${1:-$(dirname "$0")/../build-deb}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

case ${1:-} in
-*)
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' tools/deb.sh
    exit 0
    ;;
esac

tools/setup.sh build deb

version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
# One more whenever other files go into a package than before, within a version: 1, since
# vnchl-session has a package of its own.
package_version=$version+1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/vnchl-$version

# The sources as they are now: what git knows or would take; without git, all but folders of builds.
mkdir "$tree"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
    moment=$(git log -1 --format=%cD)
else
    find . -path './build*' -prune -o -type f -print0
    moment=$(date -R -r CHANGELOG.md)
fi >"$scratch/files"
while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || printf '%s\0' "$file"
done <"$scratch/files" | tar -c --null -T - | tar -x -C "$tree"

name=${DEBFULLNAME:-$(git config user.name || id -un)}
email=${DEBEMAIL:-$(git config user.email || echo "$(id -un)@$(hostname)")}
cp -r tools/deb/debian "$tree"
maintainer="$name <$email>" perl -pi -e 's/\@MAINTAINER\@/$ENV{maintainer}/' "$tree/debian/control"
cat >"$tree/debian/changelog" <<END
vnchl ($package_version) unstable; urgency=medium

  * What has changed is in CHANGELOG.md.

 -- $name <$email>  $moment
END

(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --jobs=auto)
rm -f "$folder"/vnchl{,-accel,-session}_*.deb # *.deb are those of one version
cp "$scratch"/*.deb "$folder"
echo
for package in "$folder"/vnchl{,-accel,-session}_"$package_version"_*.deb; do
    echo "deb: $package"
done
