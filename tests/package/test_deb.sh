#!/usr/bin/env bash
# The Debian packages: built, installed, upgraded, used and removed. All of it happens in a copy of this system that is
# thrown away (an overlay in a mount namespace of its own); the system itself is only read.
#
#   test_deb.sh SOURCE_ROOT PACKAGES_FOLDER
#
# Needs root for that. Skipped (77) elsewhere.
set -u
source=${1:?usage: test_deb.sh SOURCE_ROOT PACKAGES_FOLDER}
packages=${2:?usage: test_deb.sh SOURCE_ROOT PACKAGES_FOLDER}

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
"$source/tests/package/packages.sh" "$source" "$packages" || exit 1

holds() { # PACKAGE FILE...
    local file name=$1
    shift
    for file; do
        dpkg-deb --contents "$scratch/$name.deb" | grep " \./$file\$" >/dev/null || fail "no $file in the package $name"
    done
}
lacks() { # PACKAGE PATTERN
    ! dpkg-deb --contents "$scratch/$1.deb" | grep -E " \./$2" || fail "that is in the package $1 (see above)"
}
says() { # PACKAGE FIELD PATTERN
    dpkg-deb --field "$scratch/$1.deb" "$2" | grep -qE "$3" || fail "no '$3' in $2 of the package $1"
}
says_not() { # PACKAGE FIELD PATTERN
    ! dpkg-deb --field "$scratch/$1.deb" "$2" | grep -E "$3" || fail "'$3' in $2 of the package $1"
}

complaints=(--allow-root --fail-on error,warning)
# AppStream 1.0 wants the address of a home page, and there is none. Older lintians do not know this.
! lintian-explain-tags appstream-metadata-validation-failed >/dev/null 2>&1 ||
    complaints+=(--suppress-tags appstream-metadata-validation-failed)
for name in vnchl vnchl-accel vnchl-session; do
    cp "$packages/${name}_$version"*.deb "$scratch/$name.deb" || fail "no package $name of version $version"
    lintian "${complaints[@]}" "$scratch/$name.deb" || fail "lintian complains about $name"
done
package_version=$(dpkg-deb --field "$scratch/vnchl.deb" Version)
pattern=${package_version//+/\\+}

# Both speak to vnchl-session in a way that may change at any time: nothing but the same version will do.
for name in vnchl vnchl-accel; do
    says "$name" Depends "vnchl-session \\(= $pattern\\)"
    says_not "$name" Depends 'libvncclient|turbojpeg' # what decodes is in vnchl-session only
    lacks "$name" 'usr/libexec/.'
done
holds vnchl usr/bin/vnchl usr/bin/vnchl-replay usr/share/man/man1/vnchl.1.gz
for library in libsdl2 libgnutls libsecret libdbus; do
    says vnchl Depends "$library"
done
holds vnchl-session usr/libexec/vnchl/vnchl-session
for library in libseccomp2 libvncclient1 libturbojpeg; do
    says vnchl-session Depends "$library"
done
for field in Breaks Replaces; do # until then the program was in vnchl
    says vnchl-session "$field" '^vnchl \(<< 0\.2\.0\+1~\)$'
done
holds vnchl-accel usr/bin/vnchl-accel etc/vnchl-accel.conf usr/share/man/man1/vnchl-accel.1.gz \
    '\(usr/\)\?lib/systemd/system/vnchl-accel.service'
says vnchl-accel Depends libuv1
says_not vnchl-accel Depends '\bvnchl\b *(,|\(|$)'

# vnchl as it was while it brought vnchl-session itself.
old=$scratch/old
for name in vnchl vnchl-session; do
    dpkg-deb --extract "$scratch/$name.deb" "$old"
done
mkdir "$old/DEBIAN"
rm -r "$old/usr/share/doc/vnchl-session"
dpkg-deb --field "$scratch/vnchl.deb" |
    sed -e 's/^Version: .*/Version: 0.2.0/' -e 's/^Depends: vnchl-session ([^)]*), /Depends: /' >"$old/DEBIAN/control"
dpkg-deb --root-owner-group --build "$old" "$scratch/vnchl-old.deb" >/dev/null || fail 'no older package'

# ---- installed, upgraded, used and removed ----

mkdir "$scratch/layer" "$scratch/root" "$scratch/home"
unshare --mount true 2>/dev/null || skip 'this system allows no mount namespaces'
export scratch version package_version

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
attempt() { # WHAT COMMAND...
    local what=$1
    shift
    inside "$@" >"$scratch/attempt.log" 2>&1 || { cat "$scratch/attempt.log"; fail "$what"; }
}
# What the packages need is here, because they were built here.
install() { # PACKAGE...
    attempt "apt cannot install $*" apt-get install --yes --no-install-recommends "${@/%/.deb}"
}
mkdir -p "$scratch/root/tmp" && cp "$scratch"/*.deb "$scratch/root/tmp" && cd "$scratch/root/tmp" || exit 77

# This system may have the packages: the copy begins without them.
attempt 'dpkg cannot remove what is installed' dpkg --purge vnchl vnchl-accel vnchl-session

# A machine with servers.
install /tmp/vnchl-accel /tmp/vnchl-session
[ "$(inside vnchl-accel --version)" = "vnchl-accel $version" ] || fail 'vnchl-accel is of another version'
inside /usr/libexec/vnchl/vnchl-session 2>&1 | grep -q 'a part of vnchl' || fail 'vnchl-session does not run'
inside apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances vnchl-accel | grep '^[a-z]' >"$scratch/needed"
grep -qx libvncclient1 "$scratch/needed" || fail 'what vnchl-accel needs cannot be found out'
grep -E '^(vnchl$|libsdl|libx11|libxcb|libxext|libwayland|libgl|libegl|libgbm|libpango|libcairo|libfontconfig|libgtk)' \
    "$scratch/needed" && fail 'vnchl-accel brings something of a desktop (see above)'
attempt 'dpkg cannot remove them' dpkg --purge vnchl-accel vnchl-session

# An older vnchl: its vnchl-session is not taken away from it, and goes with it when it becomes newer.
attempt 'dpkg cannot install the older vnchl' dpkg --install /tmp/vnchl-old.deb
! inside dpkg --install /tmp/vnchl-session.deb >"$scratch/attempt.log" 2>&1 ||
    fail 'vnchl-session goes beside a vnchl that brings it itself'
grep -q 'would break vnchl' "$scratch/attempt.log" || { cat "$scratch/attempt.log"; fail 'dpkg refuses something else'; }
install /tmp/vnchl /tmp/vnchl-session
[ "$(inside dpkg-query --showformat='${Version} ' --show vnchl vnchl-session)" = \
    "$package_version $package_version " ] || fail 'vnchl was not upgraded'
[ "$(inside dpkg --search /usr/libexec/vnchl/vnchl-session)" = \
    'vnchl-session: /usr/libexec/vnchl/vnchl-session' ] || fail 'vnchl-session is in another package'
rm "$scratch/root/tmp"/vnchl*.deb
inside dpkg --listfiles vnchl vnchl-session | while read -r file; do
    [ -d "$scratch/root$file" ] || echo "${file#/}"
done | sort -u >"$scratch/files"
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

attempt 'dpkg cannot remove it' dpkg --purge vnchl vnchl-session
while read -r file; do
    [ ! -e "$scratch/root/$file" ] || fail "left behind: $file"
done <"$scratch/files"
# what is now other than before: lists that the system itself keeps of its packages
left=$(cd "$scratch/layer/upper" && find . -type f | grep -vE \
    '^\./(var/(lib/(dpkg|apt)|cache|log)/|usr/share/(mime/|applications/mimeinfo\.cache|icons/hicolor/icon-theme\.cache)|root/|tmp/)')
[ -z "$left" ] || fail "left behind: $left"
find "$scratch/layer/upper" -name '*vnchl*' -type f | grep . && fail 'left behind (see above)'
echo "installed, upgraded, used and removed: $(wc -l <"$scratch/files") files"
END
status=$?
[ "$status" -ne 77 ] || skip 'this system allows no overlay'
exit "$status"
