#!/usr/bin/env bash
# Runs a command in another release of Debian or Ubuntu: by default all tests. For root.
#
#   tools/on_release.sh RELEASE FOLDER [COMMAND...]      RELEASE: bookworm, trixie, noble
#
# FOLDER gets that release when it is empty, 1.5 GB with what the tests install, and keeps it. What is committed here
# is copied to FOLDER/src, and COMMAND runs there: FOLDER/src/tools/test.sh --all. debootstrap has to be installed.
set -u
cd "$(dirname "$0")/.." || exit 1

fail() {
    echo "on_release: $*" >&2
    exit 1
}

[ "${1-}" != --help ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit; }
[ $# -ge 2 ] || fail "needs a release and a folder; try --help"
release=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- tools/test.sh --all
case $release in
bookworm | trixie) mirror=http://deb.debian.org/debian components=main like=sid ;;
noble) mirror=http://archive.ubuntu.com/ubuntu components=main,universe like=gutsy ;;
*) fail "'$release' is no release that it knows: bookworm, trixie, noble" ;;
esac
[ "$(realpath -m "$folder")" != / ] || fail "needs a folder of its own, not this system's"
[ "$(id -u)" -eq 0 ] || fail "changing the root folder needs root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

if [ ! -e "$folder/etc/os-release" ]; then
    script=/usr/share/debootstrap/scripts/$release # older than the release: all of a family do the same
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/$like
    keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if [ $release = noble ] && [ ! -e $keyring ]; then
        fail "$keyring is missing: it is in the package ubuntu-keyring, and in each Ubuntu system"
    fi
    echo "on_release: installing $release into $folder" >&2
    debootstrap --variant=minbase --components=$components "$release" "$folder" "$mirror" "$script" >&2 ||
        fail "debootstrap has failed; $folder/debootstrap/debootstrap.log says more"
fi
grep -q "^VERSION_CODENAME=$release\$" "$folder/etc/os-release" || fail "$folder holds another release"
rm -rf "$folder/src"
git clone -q . "$folder/src" || fail "cannot copy what is committed to $folder/src"
cp /etc/resolv.conf "$folder/etc/resolv.conf"

# The mounts are gone with the command, also when it is killed. The folder becomes the root of these mounts: below a
# mere chroot, the kernel refuses the namespaces of users that some tests need.
exec unshare --mount --pid --fork --kill-child sh -c '
    mount --rbind "$1" "$1" && cd "$1" && mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys &&
        pivot_root . . && umount -l . && cd /src || exit 1
    shift
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        sh -c "apt-get update -qq && exec \"\$@\"" sh "$@"' sh "$(realpath "$folder")" "$@"
