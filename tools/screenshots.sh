#!/usr/bin/env bash
# Takes the pictures of docs/user-guide.md again: the program in a window on an Xvfb of its own, with TigerVNC's
# server behind it.
#
#   tools/screenshots.sh [FOLDER]     into FOLDER, else docs/images
#
# Installs what is missing, and builds into ./build. Takes two minutes, and a user who may make namespaces.
# Look at the pictures before you commit them.
set -u
here=$PWD
cd "$(dirname "$0")/.." || exit 1

step() {
    echo "screenshots: $*"
}

fail() {
    echo "screenshots: $*" >&2
    exit 1
}

case ${1:-} in
-*) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' tools/screenshots.sh && exit 0 ;;
esac
images=docs/images
[ $# -eq 0 ] || images=$(cd "$here" && realpath -m "$1")
mkdir -p "$images" || exit 1

tools/setup.sh build guide || exit 1
. tools/children.sh
build_all

# The user's own settings and servers stay out of the pictures, and untouched.
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data
export XDG_STATE_HOME=$scratch/state XDG_RUNTIME_DIR=$scratch/runtime
unset WAYLAND_DISPLAY VNC_PASSWORD VNC_USERNAME DBUS_SESSION_BUS_ADDRESS GTK_THEME
mkdir -p "$HOME" && mkdir -m 700 "$XDG_RUNTIME_DIR"

# The viewer knows this machine as "desk": it does not warn of what it sends to localhost.
printf '127.0.0.1 localhost desk\n' >"$scratch/hosts"

# In the background; $! is its number.
background() { # PROGRAM...
    "${with_us[@]}" "$@" >>"$scratch/log" 2>&1 &
    pids+=($!)
}

end() { # PID
    kill "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}

until_true() { # COMMAND...
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    fail "waited in vain for: $* ($(tail -n 5 "$scratch/log"))"
}

# Starts an X server that takes a free display; sets $number.
x_server() { # PROGRAM...
    : >"$scratch/number"
    background "$@" -displayfd 3 3>"$scratch/number"
    until_true grep -q . "$scratch/number"
    number=$(cat "$scratch/number")
}

# ---- the user's screen ----

x_server Xvfb -screen 0 1000x760x24 -nolisten tcp
export DISPLAY=:$number
background openbox
until_true xprop -root _NET_SUPPORTED
xsetroot -solid '#8a94a3'

# ---- the server, and what is on it ----

server() { # OPTION...: sets $number and $server
    x_server Xvnc -geometry 800x560 -desktop 'My desk' "$@"
    server=$!
}

content() { # DISPLAY
    xsetroot -display "$1" -solid '#2f4a66'
    background xterm -display "$1" -geometry 54x16+30+30 -fa 'DejaVu Sans Mono' -fs 11 -bg white -fg black \
        -e sh -c 'printf "me@desk:~$ ls\nletters  music  notes.txt  pictures\nme@desk:~$ "; sleep 1000'
    background xclock -display "$1" -geometry 180x180-40+40 -update 60
    background xeyes -display "$1" -geometry 200x130-30-40
    until_true xdotool_on "$1" search --onlyvisible --class xclock
    until_true xdotool_on "$1" search --onlyvisible --class xterm
}

xdotool_on() { # DISPLAY ARGUMENT...
    DISPLAY=$1 xdotool "${@:2}"
}

# ---- the viewer ----

viewer() { # ARGUMENT...: sets $viewer and $window
    background unshare --map-root-user --mount sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$scratch/hosts" \
        build/viewer/vnchl --theme "${theme:-light}" --geometry 800x560+100+90 "$@"
    viewer=$!
    until_true xdotool search --onlyvisible --pid "$viewer"
    window=$(xdotool search --onlyvisible --pid "$viewer" | tail -n 1)
    until_true xdotool windowactivate --sync "$window"
}

# The window with its frame, once two pictures in a row are equal.
shot() { # NAME
    local before= now left top right bottom x y width height tries
    IFS=', ' read -r left right top bottom < <(xprop -id "$window" _NET_FRAME_EXTENTS | sed 's/.*= //')
    read -r x y width height < <(xwininfo -id "$window" |
        sed -n 's/^ *\(Absolute upper-left [XY]\|Width\|Height\): *//p' | tr '\n' ' ')
    for ((tries = 0; tries < 40; tries++)); do
        import -window root -crop \
            "$((width + left + right))x$((height + top + bottom))+$((x - left))+$((y - top))" \
            +repage "$scratch/$1.png"
        now=$(sha256sum <"$scratch/$1.png")
        [ "$now" = "$before" ] && break
        before=$now
        sleep 0.5
    done
    pngquant --force --output "$images/$1.png" 64 -- "$scratch/$1.png" && optipng -quiet "$images/$1.png" ||
        fail "cannot write $images/$1.png"
    step "$images/$1.png: $(stat -c %s "$images/$1.png") bytes"
}

title_has() { # TEXT
    xdotool getwindowname "$window" | grep -q "$1"
}

# The eyes on the desk follow the pointer: something happens.
move_about() { # TURNS
    local turn
    for ((turn = 0; turn < $1; turn++)); do
        xdotool mousemove "$((300 + turn % 10 * 40))" "$((450 + turn % 4 * 30))"
        sleep 0.3
    done
    xdotool mousemove 950 740
}

# ---- the pictures ----

server -SecurityTypes None -AlwaysShared -interface 127.0.0.1
desk=$number desk_server=$server
content ":$desk"
xdotool mousemove 950 740

step 'a session, its menu, its statistics, and the bar in full screen'
viewer "desk:$desk"
until_true title_has 'My desk'
sleep 9 # the hint of the first use goes
shot session
xdotool key F8
shot menu
xdotool key Escape
xdotool key ctrl+alt+s
move_about 40
shot statistics
xdotool key ctrl+alt+s ctrl+alt+s ctrl+alt+s ctrl+alt+s # through the corners, and away
xdotool key ctrl+alt+Return
sleep 2
xdotool mousemove 500 300 mousemove 500 0
sleep 1
shot bar
xdotool key ctrl+alt+Return
sleep 2
xdotool mousemove 950 740
end "$viewer"

step 'the start window, which knows that server now'
mkdir -p "$XDG_CONFIG_HOME/vnchl"
printf 'server desk:%s\n' "$desk" >"$XDG_CONFIG_HOME/vnchl/home.conf"
printf 'server office\nvia me@gateway\n' >"$XDG_CONFIG_HOME/vnchl/work.conf"
viewer
shot start
end "$viewer"
theme=dark viewer
xdotool key Tab # to the first profile
shot dark
end "$viewer"
rm -r "$XDG_CONFIG_HOME/vnchl"

step 'a recording'
viewer --record "$scratch/lesson.fbs" "desk:$desk"
until_true title_has 'My desk'
move_about 40
end "$viewer"
viewer --play "$scratch/lesson.fbs"
until_true title_has '0:0[4-9] of'
xdotool key space
until_true title_has paused
shot recording
end "$viewer"

step 'the options'
viewer --recent off
xdotool type 'desk:1'
xdotool key Tab Tab Tab Tab space # over the boxes to the button
sleep 1
xdotool type 'me@gateway'
shot options
end "$viewer"

step 'a question for a password'
printf 'secret\n' | vncpasswd -f >"$scratch/passwd"
server -SecurityTypes VncAuth -PasswordFile "$scratch/passwd" -interface 127.0.0.1
export DBUS_SESSION_BUS_ADDRESS=unix:path=$scratch/none # where a desktop has a bus, it may have a keyring
viewer "desk:$number"
unset DBUS_SESSION_BUS_ADDRESS
shot password
end "$viewer"
end "$server"

step 'a question about a certificate, the connection with it, and another one'
secure_server() { # OPTION...
    openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=desk -addext subjectAltName=DNS:desk \
        -keyout "$scratch/key.pem" -out "$scratch/cert.pem" 2>>"$scratch/log" || fail 'openssl makes no certificate'
    server -SecurityTypes X509Vnc -PasswordFile "$scratch/passwd" -X509Cert "$scratch/cert.pem" \
        -X509Key "$scratch/key.pem" -interface 127.0.0.1 "$@"
}
secure_server
secure=$number
viewer --passwd-file "$scratch/passwd" "desk:$secure"
shot certificate
content ":$secure"
xdotool key Tab Tab Return # to "Accept and remember"
until_true title_has 'My desk'
xdotool key F8 a
shot about
end "$viewer"
end "$server"
secure_server -rfbport "$((5900 + secure))"
viewer --passwd-file "$scratch/passwd" "desk:$secure"
shot changed
end "$viewer"
end "$server"

step 'an error'
viewer "desk:$secure" # that server has gone
shot error
end "$viewer"

step 'a connection that was lost'
viewer "desk:$desk"
until_true title_has 'My desk'
sleep 5
end "$desk_server"
until_true grep -q 'connecting again' "$scratch/log"
shot reconnecting
end "$viewer"
