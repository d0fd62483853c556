#!/bin/sh
# After "meson install": tells the desktop of the new program, as far as it keeps such lists. A
# package leaves that to the system (meson does not run this with DESTDIR).
share=$MESON_INSTALL_PREFIX/$1
refresh() {
    command -v "$1" >/dev/null || return 0
    "$@" || echo "refresh: $1 failed; the desktop may not see vnchl yet" >&2
}
refresh update-desktop-database -q "$share/applications"
refresh update-mime-database "$share/mime"
refresh gtk-update-icon-cache -q -t -f "$share/icons/hicolor"
exit 0
