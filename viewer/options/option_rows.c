/* The options: a row each, in the order of --help, and other viewers' names of them. */
#include "viewer/options/option_table.h"

#define FIELD(f) offsetof(struct options, f)

const struct option_entry option_table[] = {
    {"Connection", NULL, NULL, HEADING, 0},
    {"shared", NULL, "leave other viewers of the desktop connected [yes]", SET, FIELD(shared)},
    {"no-shared", NULL, "disconnect other viewers of the desktop", CLEAR, FIELD(shared)},
    {"view-only", NULL, "send no keys, no pointer and no clipboard", SET, FIELD(view_only)},
    {"clipboard", "both|send|receive|off",
     "which way what is copied goes: to the server (send), from it (receive) [both]", CLIPBOARD, 0},
    {"primary", "on|off",
     "X11: the primary selection, which is what the mouse has marked, counts as copied, too [off]",
     PRIMARY, 0},
    {"profile", "NAME", "take options from NAME.conf in $XDG_CONFIG_HOME/vnchl", TEXT,
     FIELD(profile)},
    {"user", "NAME", "user name, for servers that ask for one", TEXT, FIELD(user)},
    {"passwd-file", "FILE", "password file made by vncpasswd", TEXT, FIELD(passwd_file)},
    {"save-password", "on|off",
     "keep a password that was typed and was right in the desktop's keyring, and look there before "
     "asking [off]",
     ON_OFF, FIELD(save_password)},
    {"security-types", "LIST",
     "security types to accept, of X509Vnc, X509Plain, X509None, RA2_256, RA2, TLSVnc, TLSPlain, "
     "TLSNone, RA2ne_256, RA2ne, VncAuth, DH (Apple's), None, Plain; the strongest that the server "
     "has is taken [all but Plain, which shows the password to everybody on the way]",
     SECURITY, FIELD(security)},
    {"x509-ca", "FILE",
     "accept only a server with a certificate that one of those in FILE has signed [the "
     "system's, and certificates that you have accepted]",
     TEXT, FIELD(x509_ca)},
    {"x509-crl", "FILE", "refuse the certificates that the list in FILE has revoked", TEXT,
     FIELD(x509_crl)},
    {"fingerprint", "SHA256",
     "accept only a server with the certificate, or the RSA key, of this SHA-256 fingerprint, "
     "whoever has signed it",
     FINGERPRINT, FIELD(fingerprint)},
    {"sandbox", "auto|require|off",
     "confine the process that reads what the server sends, as far as the kernel can (auto); do "
     "not "
     "connect where it cannot (require); or leave it open (off) [auto]",
     SANDBOX, FIELD(sandbox)},
    {"use-ipv4", NULL, "reach the server by IPv4; =off: only by IPv6 [on]", SET, FIELD(use_ipv4)},
    {"use-ipv6", NULL, "reach the server by IPv6; =off: only by IPv4 [on]", SET, FIELD(use_ipv6)},
    {"connect-timeout", "S",
     "give up connecting when nothing has come for S seconds, and after four times as long in any "
     "case [15; 60 with --via and --ssh, as ssh may have to ask something]",
     SECONDS, FIELD(connect_timeout_s)},
    {"ask", "auto|window|terminal",
     "where a password is asked for, and whether a certificate is accepted; auto: in the window if "
     "there is one [auto]",
     ASK, FIELD(ask)},
    {"reconnect", "on|off",
     "in a window: connect again by itself when a connection was lost that had been established "
     "[on]",
     ON_OFF, FIELD(reconnect)},
    {"via", "[USER@]HOST[:PORT]",
     "through ssh to this machine, which finds ADDRESS from there; ssh takes your configuration "
     "and "
     "your keys, and asks on the terminal; VNC_VIA_CMD in the environment runs instead of it",
     GATEWAY, FIELD(route.gateway)},
    {"ssh", "[USER@]HOST[:PORT]",
     "over ssh to a server of this machine, accelerated: vnchl-accel is started there, and has to "
     "be installed; ADDRESS is as that machine sees it, such as :1, and without one it is your own "
     "server there",
     GATEWAY, FIELD(ssh)},
    {"keep", "TIME|off",
     "with --ssh: when the connection is lost, what was started there keeps your session at the "
     "server for this window, and so long; 90s, 30m, 12h and 2d are times [12h]",
     KEEP, FIELD(keep_s)},
    {"listen", NULL,
     "wait until a server connects to this machine; ADDRESS is then PORT, or HOST::PORT with an "
     "address of this machine [5500]",
     SET, FIELD(route.listen)},
    {"repeater", "HOST[::PORT]",
     "through this repeater of UltraVNC; ADDRESS is a server that it finds, or ID:NUMBER", REPEATER,
     FIELD(route.repeater)},
    {"Window", NULL, NULL, HEADING, 0},
    {"full-screen", NULL, "start in full screen", SET, FIELD(full_screen)},
    {"full-screen-mode", "current|all|selected",
     "which monitors full screen takes: the one with the window, all, or those of "
     "--full-screen-selected-monitors; on Wayland always the one with the window [current]",
     FULL_SCREEN_MODE, FIELD(monitors.mode)},
    {"full-screen-selected-monitors", "LIST",
     "the monitors that are selected, such as 1,2; the leftmost is 1 [1]", FULL_SCREEN_MONITORS,
     FIELD(monitors.selected)},
    {"maximize", NULL, "start with a window as large as the screen", SET, FIELD(maximize)},
    {"geometry", "WxH+X+Y",
     "size and place of the window: 800x600, +0+0 or both; -X and -Y count from the other edges "
     "[as large as the picture]",
     GEOMETRY, FIELD(place)},
    {"scale", "auto|fit|integer|system|RATIO|WxH",
     "size of the picture: as large as fits the window; the same in whole steps; enlarged by this "
     "display's own scale; this ratio, 1 for the server's own pixels; or as large as fits a window "
     "of this size. Only with auto and system the server's screen follows the window [auto, or "
     "system where the menu said so for this server]",
     SCALE, FIELD(scale)},
    {"remote-resize", "on|off",
     "a server that can gets a screen as large as the window, when you change the window's size "
     "[on]",
     ON_OFF, FIELD(remote_resize)},
    {"desktop-size", "WxH", "ask the server for a screen of this size first", DESKTOP_SIZE, 0},
    {"dot-cursor", "on|off", "show a small dot where the server hides the pointer [on]", ON_OFF,
     FIELD(dot_cursor)},
    {"grab-keyboard", NULL, "send the window manager's keys to the server, too", SET,
     FIELD(grab_keyboard)},
    {"menu-key", "KEY|none",
     "the key that opens the menu: " MENU_KEY_NAMES "; pressed twice it goes to the server [F8]",
     MENU_KEY, FIELD(menu_key)},
    {"statistics", "on|off", "show figures of the connection above the picture [off]", ON_OFF,
     FIELD(statistics)},
    {"key-codes", "on|off",
     "tell a server that takes it where a key is on the keyboard, besides what it types; such a "
     "server may go by its own layout [on]",
     ON_OFF, FIELD(encodings.key_codes)},
    {"no-vsync", NULL, "show pictures at once, even if they tear", CLEAR, FIELD(vsync)},
    {"sound", "auto|on|off",
     "play the sound of a server that has QEMU's audio extension; auto: where the connection is "
     "fast enough, about 11 Mbit/s [auto]",
     SOUND, FIELD(sound)},
    {"theme", "auto|light|dark",
     "colours of the viewer's own pages in the window; auto follows the desktop [auto]", THEME,
     FIELD(theme)},
    {"recent", "on|off",
     "remember the servers and their last pictures for the start window; off neither writes nor "
     "shows them [on]",
     ON_OFF, FIELD(recent)},
    {"keep-picture", NULL,
     "in a window: keep the server's last picture on the disk, where only you read it, so that a "
     "vnchl-accel sends only what is different the next time; without this option it is forgotten "
     "when you connect [off]",
     SET, FIELD(keep_picture)},
    {"alert-on-fatal-error", NULL,
     "show in the window why a connection failed, until it is closed; =off: end at once with "
     "status 1; a line on standard error says it in both cases [on]",
     SET, FIELD(alert)},
    {"Keys", NULL, NULL, HEADING, 0},
    {"F8 or Ctrl+Alt+M", NULL, "the menu; F8 is what --menu-key says", KEY, 0},
    {"Ctrl+Alt+Enter", NULL, "full screen, and back", KEY, 0},
    {"Ctrl+Alt and a drag", NULL, "moves a picture that is larger than the window", KEY, 0},
    {"Ctrl+Alt+G", NULL, "all keys for the server, and back", KEY, 0},
    {"Ctrl+Alt+S", NULL, "statistics; again: in the next corner, after the last one away", KEY, 0},
    {"Ctrl+Alt+P", NULL, "a picture of the server's screen as a PNG file", KEY, 0},
    {"Space, Left, Right, Home", NULL,
     "with --play: pause, 10 seconds back or forward (with Shift a minute), from the beginning",
     KEY, 0},
    {"Picture", NULL, NULL, HEADING, 0},
    {"encodings", "LIST",
     "encodings to offer, best first: " ENCODING_NAMES " [" ENCODINGS_DEFAULT "]", ENCODINGS, 0},
    {"quality", "auto|0..9", "quality of JPEG and H.264, 9 is best; auto follows the path [auto]",
     LEVEL, FIELD(encodings.quality)},
    {"compress", "auto|0..9", "compression level, 9 is smallest [auto]", LEVEL,
     FIELD(encodings.compress)},
    {"lossless-refresh", "on|off",
     "what was sent with loss comes again without it once it has been still for half a second, "
     "with "
     "--prp auto [on]",
     ON_OFF, FIELD(lossless_refresh)},
    {"no-jpeg", NULL, "lossless picture: no JPEG, no H.264", CLEAR, FIELD(encodings.jpeg)},
    {"Recording", NULL, NULL, HEADING, 0},
    {"record", "FILE",
     "write what the server sends into a new FILE, to be played later; it holds all that can be "
     "seen, and no password",
     TEXT, FIELD(record)},
    {"play", "FILE", "play a recording, instead of connecting to a server", TEXT, FIELD(play)},
    {"speed", "N|max",
     "with --play: N times as fast as it was recorded, or as fast as this machine can (max) [1]",
     SPEED, FIELD(speed)},
    {"Help", NULL, NULL, HEADING, 0},
    {"verbose", NULL, "say more about what happens", SET, FIELD(verbose)},
    {"help", NULL, "show this text", HELP, 0},
    {"version", NULL, "show the version", VERSION, 0},
    {"Pre-requesting", NULL, NULL, HEADING, 0},
    {"prp", "auto|off|MS",
     "pre-request period: tuned by what is measured (auto), plain VNC (off), or fixed, 1 to 10000 "
     "ms [auto]",
     PRP, 0},
    {"window", "auto|BYTES",
     "TCP receive window: the kernel's own tuning, and more than that where the path needs it "
     "(auto), or set before connecting; 170k and 32M mean KiB and MiB [auto]",
     WINDOW, 0},
    {"push", "auto|on|off",
     "auto: a vnchl-accel that can pushes the picture in blocks, any other server is asked for "
     "updates; on: a server that can also sends updates by itself; off: all are asked [auto]",
     PUSH, FIELD(encodings.push)},
    {"datagrams", "auto|off",
     "auto: what a vnchl-accel pushes comes by UDP where that works, which does not stop at a lost "
     "packet; off: all comes by TCP [auto]",
     DATAGRAMS, FIELD(datagrams)},
    {"tile-memory", "MIB",
     "memory for parts of the picture that come back, so that a vnchl-accel does not send them "
     "again: 0 to 64 MiB [30]",
     MEMORY, FIELD(encodings.kept_mib)},
    {"max-fps", "N",
     "take at most N pictures a second, also of a vnchl-accel that pushes; with --push on other "
     "servers are asked then; with --prp auto [no limit]",
     FPS, FIELD(max_fps)},
    {"max-rate", "BITS",
     "take at most so many bits a second for pictures, in the mean, as --max-fps; 500k and 2M mean "
     "kbit/s and Mbit/s; with --prp auto [no limit]",
     RATE, FIELD(max_rate)},
    {"Measuring", NULL, NULL, HEADING, 0},
    {"headless", NULL, "no window and no display: connect, receive, measure", SET, FIELD(headless)},
    {"duration", "S", "headless: stop after S seconds [until interrupted; 10 with --compare]",
     SECONDS, FIELD(duration_s)},
    {"warm-up", "S",
     "headless: count from S seconds after the first picture; the duration, too [0]", DELAY,
     FIELD(warm_up_s)},
    {"compare", NULL,
     "headless: plain VNC, then pre-requesting, for the duration each, in one table", SET,
     FIELD(compare)},
    {"log", "FILE",
     "write a line of figures a second as CSV into FILE, which is overwritten; - for standard "
     "output",
     LOG_FILE, FIELD(log)},
    {"json", "FILE",
     "write the figures of the whole run as JSON into FILE, which is overwritten; - for standard "
     "output",
     TEXT, FIELD(json)},
    {"trace", "FILE",
     "write what the scheduler sees and decides into FILE, which is overwritten, for a report of a "
     "bug; neither "
     "pictures nor keys are in it, and vnchl-replay reads it",
     TEXT, FIELD(trace)},
    {"For the lab", NULL, NULL, HEADING, 0},
    {"marks", NULL, "headless: read the marks of the lab's content in the picture", SET,
     FIELD(marks)},
    {"press-every", "MS",
     "with --marks: press the key 'a' that often, and see when it shows [never]", PERIOD,
     FIELD(press_every_ms)},
    {"requests", "guarded|thesis",
     "how requests leave with --prp MS: none while the viewer's socket is full (guarded), or as in "
     "the thesis on VNC-HL, to reproduce it (thesis) [guarded]",
     REQUESTS, FIELD(thesis)},
};

const size_t option_count = sizeof option_table / sizeof *option_table;

const struct option_alias option_aliases[] = {
    {"passwd", "passwd-file"},           {"password-file", "passwd-file"},
    {"quality-level", "quality"},        {"compress-level", "compress"},
    {"reconnect-on-error", "reconnect"},
};

const size_t option_alias_count = sizeof option_aliases / sizeof *option_aliases;

/* ---- options of TigerVNC's viewer that have no namesake here ---- */

/* What asks for nothing but what this program does anyway is accepted. Everything else is refused,
 * with what to do instead.
 *
 * The presets are what TigerVNC 1.12 writes into its files when nobody has changed anything. They
 * are nobody's wish, so a file that holds them is not refused or complained about.
 */

#define FULL_COLOUR "pictures always have full colour; --quality and --max-rate save bytes"

/* A row that is refused whatever its value; `argument` only says that it has one. */
#define REFUSED(name, preset, help)                                                                \
    {                                                                                              \
        {name, "VALUE", help, NOT_HERE, 0}, preset                                                 \
    }

const struct foreign_option foreign_options[] = {
    {{"AutoSelect", NULL, "", AUTO_SELECT, 0}, NULL},
    {{"PreferredEncoding", "NAME", "", PREFERRED, 0}, NULL},
    REFUSED("CustomCompressLevel", "0", "say --compress N, or --compress auto"),
    {{"FullColor", NULL, FULL_COLOUR, MUST_BE_ON, 0}, "1"},
    {{"FullColour", NULL, FULL_COLOUR, MUST_BE_ON, 0}, "1"},
    REFUSED("LowColorLevel", "2", FULL_COLOUR),
    REFUSED("LowColourLevel", "2", FULL_COLOUR),
    {{"FullScreenAllMonitors", NULL, "", ALL_MONITORS, 0}, "0"},
    {{"FullscreenSystemKeys", NULL,
      "full screen takes all keys, where the window manager allows it", MUST_BE_ON, 0},
     "1"},
    {{"PointerEventInterval", "0|10|17",
      "motion is sent at once, the newest position only, as the line has room", ONE_OF, 0},
     "17"},
    {{"EmulateMiddleButton", NULL, "two buttons together are not made a middle one", MUST_BE_OFF,
      0},
     "0"},
    {{"DotWhenNoCursor", NULL, "", SET, FIELD(dot_cursor)}, "0"},
    {{"AlwaysCursor", NULL, "", SET, FIELD(dot_cursor)}, "0"},
    REFUSED("CursorType", "Dot", "where the server hides the pointer there is a dot, or nothing"),
    {{"ShortcutModifiers", "Ctrl,Alt|Alt,Ctrl", "the program's own keys begin with Ctrl+Alt",
      ONE_OF, 0},
     "Ctrl,Alt"},
    {{"AcceptClipboard", NULL, "", SET, FIELD(accept_clipboard)}, "1"},
    {{"SendClipboard", NULL, "", SET, FIELD(send_clipboard)}, "1"},
    {{"SetPrimary", NULL, "", SET, FIELD(set_primary)}, "1"},
    {{"SendPrimary", NULL, "", SET, FIELD(send_primary)}, "1"},
    REFUSED("MaxCutText", "262144", "texts up to 4 MiB are exchanged"),
    {{"GnuTLSPriority", "NORMAL", "GnuTLS's own choice is taken", ONE_OF, 0}, "NORMAL"},
    REFUSED("display", "", "set DISPLAY in the environment"),
};

const size_t foreign_option_count = sizeof foreign_options / sizeof *foreign_options;
