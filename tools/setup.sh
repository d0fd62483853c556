#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing, and says so first.
#
#   tools/setup.sh build         what building and the demo need
#   tools/setup.sh build test    that, and what the tests need
#   tools/setup.sh build deb     what making a Debian package needs
#   tools/setup.sh build guide   what taking the guide's pictures needs (tools/screenshots.sh)
#   tools/setup.sh build test fuzz   that, and what fuzzing (tools/fuzz.sh) needs
#   tools/setup.sh build lab     what the lab (tools/lab.sh) needs: servers, viewers, plots
#   tools/setup.sh browser       a browser with noVNC (400 MB), for the lab's accelerator-peers
#   tools/setup.sh systems       other remote desktops than VNC, for the lab's lai-nieh-systems
#
# Does nothing, and needs no privileges, when nothing is missing. "a|b" is one package under two
# names: either will do.
set -u

build_set=(gcc g++ meson ninja-build 'pkg-config|pkgconf' libvncserver-dev libsdl2-dev zlib1g-dev
    'libturbojpeg0-dev|libturbojpeg-dev' libcjson-dev libpng-dev nettle-dev libgmp-dev libgnutls28-dev
    libisal-dev
    libsecret-1-dev libdbus-1-dev libx11-dev libxcb1-dev libxcb-shm0-dev libxcb-xfixes0-dev libxrandr-dev libwayland-dev
    libxkbcommon-dev libxkbcommon-x11-dev
    libimgui-dev libfontconfig-dev libpango1.0-dev libuv1-dev libinih-dev libsystemd-dev libmicrohttpd-dev
    libseccomp-dev libx264-dev libavcodec-dev libavahi-client-dev)
test_set=(catch2 libx11-dev libxcursor-dev libxfixes-dev libxtst-dev libxext-dev xvfb xauth
    x11-utils x11-apps xdotool iproute2 git
    x11-xserver-utils xclip imagemagick xfonts-base tigervnc-standalone-server tigervnc-tools
    tightvncserver tightvncpasswd x11vnc tigervnc-viewer gvncviewer xtightvncviewer
    qemu-system-x86 weston sway swaybg grim wl-clipboard icewm openbox wayvnc clang-format openssl dbus dbus-tests avahi-daemon avahi-utils gnome-keyring libglib2.0-bin ibus
    openssh-client openssh-server python3 fonts-dejavu-core fonts-lohit-deva fonts-tlwg-loma-otf
    fonts-wqy-microhei fonts-noto-color-emoji ffmpeg mpv python3-matplotlib
    appstream build-essential debhelper desktop-file-utils dpkg-dev fakeroot fish librsvg2-bin lintian mandoc optipng
    shared-mime-info zsh)
deb_set=(build-essential debhelper dpkg-dev fakeroot)
guide_set=(xvfb openbox tigervnc-standalone-server tigervnc-tools xterm x11-apps x11-utils
    x11-xserver-utils xdotool imagemagick openssl pngquant optipng fonts-dejavu-core)
fuzz_set=('clang|clang-14' 'libclang-rt-dev|libclang-rt-14-dev' 'llvm|llvm-14')
lab_set=(iproute2 libx11-dev libxtst-dev xvfb xfonts-base tigervnc-standalone-server tightvncserver x11vnc
    qemu-system-x86 sway wayvnc xwayland tigervnc-viewer gvncviewer xtightvncviewer ssvnc
    remmina remmina-plugin-vnc ffmpeg mpv xdotool
    python3 python3-matplotlib)
browser_set=(novnc websockify chromium)
# The last line is what xpra uses for its pictures without depending on it.
systems_set=(xrdp freerdp2-shadow-x11 freerdp2-x11 openssh-client openssh-server xauth xpra xvfb
    python3-gi-cairo python3-lz4 python3-numpy python3-pil)

fail() {
    echo "setup: $*" >&2
    exit 1
}

installed() { # NAME|NAME...
    local name
    for name in ${1//|/ }; do
        if [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ]; then
            return 0
        fi
    done
    return 1
}

known_to_apt() { # NAME|NAME...: prints the first that can be installed
    local name
    for name in ${1//|/ }; do
        if apt-cache policy "$name" 2>/dev/null | grep -q '^ *Candidate: [^(]'; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" # nobody is there to type a password
    fi
}

# Elsewhere than on Debian only the essentials of the build set can be checked.
check_without_dpkg() {
    local missing=() program library
    for program in cc c++ meson ninja pkg-config; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    for library in libvncserver libvncclient sdl2 libturbojpeg libcjson nettle hogweed gmp gnutls libisal; do
        pkg-config --exists "$library" 2>/dev/null || missing+=("$library (development files)")
    done
    [ ${#missing[@]} -eq 0 ] || fail "please install: $(printf '%s, ' "${missing[@]}" | sed 's/, $//')"
    exit 0
}

wanted=()
why=
for set in "$@"; do
    case $set in
    build) wanted+=("${build_set[@]}") why='to build' ;;
    test) wanted+=("${test_set[@]}") why="${why:+$why and }to test" ;;
    deb) wanted+=("${deb_set[@]}") why="${why:+$why and }for the package" ;;
    guide) wanted+=("${guide_set[@]}") why="${why:+$why and }for the guide" ;;
    fuzz) wanted+=("${fuzz_set[@]}") why="${why:+$why and }to fuzz" ;;
    lab) wanted+=("${lab_set[@]}") why="${why:+$why and }for the lab" ;;
    browser) wanted+=("${browser_set[@]}") why="${why:+$why and }for noVNC in the lab" ;;
    systems) wanted+=("${systems_set[@]}") why="${why:+$why and }for other systems in the lab" ;;
    *) fail "unknown set '$set'; usage: tools/setup.sh build [test] [deb] [guide] [fuzz] [lab] [browser] [systems]" ;;
    esac
done
[ ${#wanted[@]} -gt 0 ] || fail 'usage: tools/setup.sh build [test] [deb] [guide] [fuzz] [lab] [browser] [systems]'

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || check_without_dpkg

missing=()
for package in "${wanted[@]}"; do
    installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

plain="${missing[*]%%|*}"
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail "these packages are needed $why, and this is neither root nor is there sudo; please install: $plain"
fi
echo "setup: installing what is needed $why: $plain"
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -q >/dev/null ||
    fail "apt-get update failed (see above); please install: $plain"

names=()
for package in "${missing[@]}"; do
    if name=$(known_to_apt "$package"); then
        names+=("$name")
    elif [[ " ${build_set[*]} " == *" $package "* ]]; then
        fail "this system has no package $package, which is needed to build"
    else
        echo "setup: this system has no package $package; what needs it is skipped"
    fi
done
[ ${#names[@]} -eq 0 ] && exit 0
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    "${names[@]}" >/dev/null || fail "apt-get install failed (see above); please install: $plain"
