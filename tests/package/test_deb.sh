#!/usr/bin/env bash
# The Debian package: built, installed, used and removed. All of it happens in a copy of this system that is
# thrown away (an overlay in a mount namespace of its own); the system itself is only read.
#
#   test_deb.sh SOURCE_ROOT
#
# Needs root for that. Skipped (77) elsewhere.
set -u
source=${1:?usage: test_deb.sh SOURCE_ROOT}

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "test_deb: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || skip 'installing a package needs root'
for program in dh dpkg-buildpackage lintian unshare Xvnc update-desktop-database update-mime-database; do
    command -v "$program" >/dev/null && continue
    [ "${VNCHL_REQUIRE_SERVERS:-}" = 1 ] && fail "$program is not installed"
    skip "$program is not installed"
done

scratch=$(mktemp -d) || exit 1
server=
clean_up() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    rm -rf "$scratch"
}
trap clean_up EXIT

# ---- built ----

version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$source/meson.build")
DEB_BUILD_OPTIONS=noautodbgsym "$source/tools/deb.sh" "$scratch" >"$scratch/build.log" 2>&1 || {
    tail -n 40 "$scratch/build.log"
    fail 'the package cannot be built'
}
package=$(ls "$scratch"/vnchl_"$version"_*.deb) || fail "no package of version $version"
lintian --allow-root --fail-on error,warning "$package" || fail 'lintian complains'

beside=$(ls "$scratch"/vnchl-accel_"$version"_*.deb) || fail "no package of the accelerator"
lintian --allow-root --fail-on error,warning "$beside" || fail 'lintian complains about the accelerator'
dpkg-deb --field "$beside" Depends | grep -q libuv1 || fail 'the accelerator does not depend on libuv'
dpkg-deb --field "$beside" Depends | grep -q libsdl && fail 'the accelerator depends on SDL'
for file in usr/bin/vnchl-accel etc/vnchl-accel.conf lib/systemd/system/vnchl-accel.service \
    usr/share/man/man1/vnchl-accel.1.gz; do
    dpkg-deb --contents "$beside" | grep -q " \./$file\$" || fail "no $file in the accelerator's package"
done

has() { # WHAT PATTERN
    dpkg-deb --field "$package" "$1" | grep -qE "$2" || fail "no '$2' in $1 of the package"
}
has Version "^$version$"
dpkg-deb --contents "$package" | grep -q ' \./usr/libexec/vnchl/vnchl-session$' ||
    fail 'no vnchl-session in the package'
for library in libseccomp2 libvncclient1 libsdl2 libgnutls libsecret; do
    has Depends "$library"
done

# ---- installed, used and removed ----

mkdir "$scratch/layer" "$scratch/root" "$scratch/home"
unshare --mount true 2>/dev/null || skip 'this system allows no mount namespaces'
export scratch package version

coproc Xvnc -displayfd 1 -SecurityTypes None -localhost -geometry 320x240 2>"$scratch/xvnc.log"
server=$COPROC_PID
read -r -t 120 -u "${COPROC[0]}" display || fail "Xvnc did not start: $(tail -n 3 "$scratch/xvnc.log")"
export display

unshare --mount bash -u <<'END'
fail() {
    echo "test_deb: $*" >&2
    exit 1
}
mount -t tmpfs layer "$scratch/layer" && mkdir "$scratch/layer/upper" "$scratch/layer/work" &&
    mount -t overlay root "$scratch/root" \
        -o "lowerdir=/,upperdir=$scratch/layer/upper,workdir=$scratch/layer/work" ||
    exit 77
for folder in dev proc sys; do
    mount --rbind "/$folder" "$scratch/root/$folder" || exit 77
done
inside() {
    chroot "$scratch/root" env -u DISPLAY -u WAYLAND_DISPLAY HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}
mkdir -p "$scratch/root/tmp" && cp "$package" "$scratch/root/tmp/vnchl.deb"

inside dpkg --install /tmp/vnchl.deb >"$scratch/install.log" 2>&1 ||
    { cat "$scratch/install.log"; fail 'dpkg cannot install it'; }
rm "$scratch/root/tmp/vnchl.deb"
inside dpkg --listfiles vnchl | while read -r file; do
    [ -d "$scratch/root$file" ] || echo "${file#/}"
done >"$scratch/files"
[ "$(wc -l <"$scratch/files")" -gt 15 ] || fail 'the package is nearly empty'

[ "$(inside vnchl --version)" = "vnchl $version" ] || fail 'the installed program is of another version'
inside /usr/bin/vnchl --headless --duration 0.2 "127.0.0.1:$display" >"$scratch/run.log" 2>&1 ||
    { cat "$scratch/run.log"; fail 'the installed program cannot connect'; }
grep -q 'frames per second' "$scratch/run.log" || fail 'the installed program says no figures'
inside man --where vnchl vnchl-replay >/dev/null || fail 'the man pages are not found'
grep -q 'x-scheme-handler/vnc=.*vnchl.desktop' "$scratch/root/usr/share/applications/mimeinfo.cache" ||
    fail 'vnc:// links do not lead to it'
grep -q 'application/x-tigervnc:\*.tigervnc' "$scratch/root/usr/share/mime/globs" ||
    fail 'connection files are not known'

inside dpkg --purge vnchl >"$scratch/purge.log" 2>&1 ||
    { cat "$scratch/purge.log"; fail 'dpkg cannot remove it'; }
while read -r file; do
    [ ! -e "$scratch/root/$file" ] || fail "left behind: $file"
done <"$scratch/files"
# what is now other than before: lists that the system itself keeps of its packages
left=$(cd "$scratch/layer/upper" && find . -type f | grep -vE \
    '^\./(var/(lib/dpkg|cache|log)/|usr/share/(mime/|applications/mimeinfo\.cache|icons/hicolor/icon-theme\.cache)|root/|tmp/)')
[ -z "$left" ] || fail "left behind: $left"
find "$scratch/layer/upper" -name '*vnchl*' -type f | grep . && fail 'left behind (see above)'
echo "installed, used and removed: $(wc -l <"$scratch/files") files"
END
status=$?
[ "$status" -ne 77 ] || skip 'this system allows no overlay'
exit "$status"
