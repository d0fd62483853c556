#include "viewer/options/options.h"

#include <stdio.h>
#include <string.h>

#include "viewer/keyring.h"
#include "viewer/options/option_table.h"
#include "viewer/version.h"

/* Seconds that connecting may take: with --via ssh may have to ask something. */
#define CONNECT_TIMEOUT_S 15
#define VIA_TIMEOUT_S     60

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
     "security types to accept, of X509Vnc, X509Plain, X509None, TLSVnc, TLSPlain, TLSNone, "
     "VncAuth, None, Plain; the strongest that the server has is taken [all but Plain, which shows "
     "the password to everybody on the way]",
     SECURITY, FIELD(security)},
    {"x509-ca", "FILE",
     "accept only a server with a certificate that one of those in FILE has signed [the "
     "system's, and certificates that you have accepted]",
     TEXT, FIELD(x509_ca)},
    {"x509-crl", "FILE", "refuse the certificates that the list in FILE has revoked", TEXT,
     FIELD(x509_crl)},
    {"fingerprint", "SHA256",
     "accept only a server with the certificate of this SHA-256 fingerprint, whoever has signed it",
     FINGERPRINT, FIELD(fingerprint)},
    {"use-ipv4", NULL, "reach the server by IPv4; =off: only by IPv6 [on]", SET, FIELD(use_ipv4)},
    {"use-ipv6", NULL, "reach the server by IPv6; =off: only by IPv4 [on]", SET, FIELD(use_ipv6)},
    {"connect-timeout", "S",
     "give up connecting after S seconds [15; 60 with --via, as ssh may have to ask something]",
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
    {"listen", NULL,
     "wait until a server connects to this machine; ADDRESS is then PORT, or HOST::PORT with an "
     "address of this machine [5500]",
     SET, FIELD(route.listen)},
    {"repeater", "HOST[::PORT]",
     "through this repeater of UltraVNC; ADDRESS is a server that it finds, or ID:NUMBER", REPEATER,
     FIELD(route.repeater)},
    {"Window", NULL, NULL, HEADING, 0},
    {"full-screen", NULL, "start in full screen", SET, FIELD(full_screen)},
    {"maximize", NULL, "start with a window as large as the screen", SET, FIELD(maximize)},
    {"geometry", "WxH+X+Y",
     "size and place of the window: 800x600, +0+0 or both; -X and -Y count from the other edges "
     "[as large as the picture]",
     GEOMETRY, FIELD(place)},
    {"dot-cursor", "on|off", "show a small dot where the server hides the pointer [on]", ON_OFF,
     FIELD(dot_cursor)},
    {"grab-keyboard", NULL, "send the window manager's keys to the server, too", SET,
     FIELD(grab_keyboard)},
    {"key-codes", "on|off",
     "tell a server that takes it where a key is on the keyboard, besides what it types; such a "
     "server may go by its own layout [on]",
     ON_OFF, FIELD(encodings.key_codes)},
    {"no-vsync", NULL, "show pictures at once, even if they tear", CLEAR, FIELD(vsync)},
    {"theme", "auto|light|dark",
     "colours of the viewer's own pages in the window; auto follows the desktop [auto]", THEME,
     FIELD(theme)},
    {"recent", "on|off",
     "remember the servers and their last pictures for the start window; off neither writes nor "
     "shows them [on]",
     ON_OFF, FIELD(recent)},
    {"alert-on-fatal-error", NULL,
     "show in the window why a connection failed, until it is closed; =off: end at once with "
     "status 1; a line on standard error says it in both cases [on]",
     SET, FIELD(alert)},
    {"Keys", NULL, NULL, HEADING, 0},
    {"Ctrl+Alt+Enter", NULL, "full screen, and back", KEY, 0},
    {"Ctrl+Alt+G", NULL, "all keys for the server, and back", KEY, 0},
    {"Picture", NULL, NULL, HEADING, 0},
    {"encodings", "LIST",
     "encodings to offer, best first: tight, zrle, zlib, hextile, corre, rre, copyrect, raw "
     "[" ENCODINGS_DEFAULT "]",
     ENCODINGS, 0},
    {"quality", "auto|0..9", "JPEG quality, 9 is best; auto follows the path [auto]", LEVEL,
     FIELD(encodings.quality)},
    {"compress", "auto|0..9", "compression level, 9 is smallest [auto]", LEVEL,
     FIELD(encodings.compress)},
    {"lossless-refresh", "on|off",
     "what was sent with loss comes again without it once it has been still for half a second, "
     "with "
     "--prp auto [on]",
     ON_OFF, FIELD(lossless_refresh)},
    {"no-jpeg", NULL, "lossless picture", CLEAR, FIELD(encodings.jpeg)},
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
     "let a server that can send updates by itself do so (on), or ask for them (off); auto asks, "
     "as long as measurement does not favour the other [auto]",
     PUSH, FIELD(encodings.push)},
    {"max-fps", "N", "ask for at most N pictures a second; with --prp auto [no limit]", FPS,
     FIELD(max_fps)},
    {"max-rate", "BITS",
     "take at most so many bits a second for pictures, in the mean; 500k and 2M mean kbit/s and "
     "Mbit/s; with --prp auto [no limit]",
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
    {"log", "FILE", "write a line of figures a second as CSV; - for standard output", LOG_FILE,
     FIELD(log)},
    {"json", "FILE", "write the figures of the whole run as JSON; - for standard output", TEXT,
     FIELD(json)},
    {"trace", "FILE",
     "write what the scheduler sees and decides, for a report of a bug; neither pictures nor keys "
     "are in it, and vnchl-replay reads it",
     TEXT, FIELD(trace)},
    {"For the lab", NULL, NULL, HEADING, 0},
    {"marks", NULL, "headless: read the marks of the lab's content in the picture", SET,
     FIELD(marks)},
    {"press-every", "MS",
     "with --marks: press the key 'a' that often, and see when it shows [never]", PERIOD,
     FIELD(press_every_ms)},
};

const size_t option_count = sizeof option_table / sizeof *option_table;

const struct option_alias option_aliases[] = {
    {"passwd", "passwd-file"},           {"password-file", "passwd-file"},
    {"quality-level", "quality"},        {"compress-level", "compress"},
    {"reconnect-on-error", "reconnect"},
};

const size_t option_alias_count = sizeof option_aliases / sizeof *option_aliases;

static bool check_together(const struct options *o, struct reason *why)
{
    if (o->compare && !o->headless)
        return reason_set(why, "--compare needs --headless");
    if (o->duration_s > 0 && !o->headless)
        return reason_set(why, "--duration needs --headless");
    if (o->warm_up_s > 0 && !o->headless)
        return reason_set(why, "--warm-up needs --headless");
    if (o->marks && !o->headless)
        return reason_set(why, "--marks needs --headless");
    if (o->press_every_ms > 0 && !o->marks)
        return reason_set(why, "--press-every needs --headless --marks");
    if (o->press_every_ms > 0 && o->view_only)
        return reason_set(why, "--press-every sends keys: leave out --view-only");
    if ((o->max_fps > 0 || o->max_rate > 0) && o->policy != PRP_AUTO)
        return reason_set(why, "--max-fps and --max-rate need --prp auto");
    if (o->compare && o->policy == PRP_OFF)
        return reason_set(why, "--compare compares with plain VNC: use --prp auto or a period");
    if (o->encodings.push && (o->compare || o->max_fps > 0 || o->max_rate > 0))
        return reason_set(why, "--compare, --max-fps and --max-rate need requests: leave out "
                               "--push on");
    if (o->x509_ca && !security_with_certificate(o->security))
        return reason_set(why, "--x509-ca asks for a certificate, and --security-types for none: "
                               "add X509Vnc, X509Plain or X509None");
    if (o->save_password && !keyring_built())
        return reason_set(why, "--save-password needs libsecret, and this vnchl is built without");
    if (o->pinned && o->x509_ca)
        return reason_set(why, "--fingerprint names the one certificate: leave out --x509-ca");
    if (o->pinned && !security_with_certificate(o->security))
        return reason_set(why, "--fingerprint asks for a certificate, and --security-types for "
                               "none: add X509Vnc, X509Plain or X509None");
    if (o->view_only && o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--clipboard send sends nothing with --view-only: leave out one");
    if ((o->send_primary || o->set_primary) && !o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--primary on needs the clipboard: leave out --clipboard off");
    if (o->compare && o->route.listen)
        return reason_set(why, "--compare connects twice: leave out --listen");
    if (o->ask == ASK_WINDOW && o->headless)
        return reason_set(why, "--ask window needs a window: leave out --headless");
    if (o->trace && o->compare)
        return reason_set(why, "--trace is of one connection: leave out --compare");
    if (o->trace && strcmp(o->trace, "-") == 0)
        return reason_set(why, "--trace needs the name of a file");
    if (o->log && o->json && strcmp(o->log, o->json) == 0 && strcmp(o->log, "-") != 0)
        return reason_set(why, "--log and --json cannot both write to '%s'", o->log);
    if (o->trace &&
        ((o->log && strcmp(o->log, o->trace) == 0) || (o->json && strcmp(o->json, o->trace) == 0)))
        return reason_set(why, "--trace and %s cannot both write to '%s'",
                          o->log && strcmp(o->log, o->trace) == 0 ? "--log" : "--json", o->trace);
    return true;
}

static void defaults(struct options *o)
{
    struct reason never;

    *o = (struct options){
        .policy = PRP_AUTO,
        .encodings = {.quality = LEVEL_AUTO,
                      .compress = LEVEL_AUTO,
                      .jpeg = true,
                      .local_cursor = true,
                      .key_codes = true},
        .lossless_refresh = true,
        .security = security_default(),
        .shared = true,
        .send_clipboard = true,
        .accept_clipboard = true,
        .recent = true,
        .alert = true,
        .vsync = true,
        .reconnect = true,
        .use_ipv4 = true,
        .use_ipv6 = true,
        .dot_cursor = true,
    };
    encoding_list_parse(&o->encodings.list, ENCODINGS_DEFAULT, &never);
}

static enum options_result answer(enum option_kind kind)
{
    if (kind == HELP)
        option_help();
    else
        printf("vnchl %s\n", VNCHL_VERSION);
    return OPTIONS_DONE;
}

/* What the words say beside options that are set. */
struct words {
    const char *address, *profile;
    bool listen;
};

/* Reads all words once, so that what they say counts more than the files they name. */
static enum options_result scan(struct options *o, int argc, char **argv, struct words *words,
                                struct reason *why)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    const struct option_entry *e;
    enum option_word word;
    const char *value;

    while ((word = option_parse(&p, &e, &value, why)) != WORD_END) {
        if (word == WORD_BAD || (word == WORD_OPTION && !option_apply(o, e, value, why)))
            return OPTIONS_BAD;
        if (word == WORD_OPTION && (e->kind == HELP || e->kind == VERSION))
            return answer(e->kind);
        if (word == WORD_ADDRESS && words->address) {
            reason_set(why, "one server at a time: '%s' is one too many", value);
            return OPTIONS_BAD;
        }
        if (word == WORD_ADDRESS)
            words->address = value;
    }
    words->profile = o->profile;
    words->listen = o->route.listen;
    return OPTIONS_RUN;
}

/* Everything that counts less than what is typed. `server` gets the address, NULL when there is
 * none. One that asks for options has been taken with them then. */
static bool read_files(struct options *o, const struct words *words, const char **server,
                       bool *taken, struct reason *why)
{
    if (!option_read_defaults(o, why) ||
        (words->profile && !option_read_profile(o, words->profile, why)))
        return false;
    *server = words->address ? words->address : o->server;
    *taken = *server && !words->listen && option_asks(*server);
    return !*taken || options_connect_to(o, *server, why);
}

/* What depends on more than one option. */
static bool settle(struct options *o, struct reason *why)
{
    struct encoding_options *e = &o->encodings;

    if (o->auto_select == AUTO_SELECT_ON && (e->quality != LEVEL_AUTO || e->compress != LEVEL_AUTO))
        return reason_set(why, "AutoSelect chooses the quality, and so does --quality or "
                               "--compress: leave one out");
    if (o->auto_select == AUTO_SELECT_OFF) { /* TigerVNC's levels then */
        e->quality = e->quality == LEVEL_AUTO ? 8 : e->quality;
        e->compress = e->compress == LEVEL_AUTO ? 2 : e->compress;
    }
    if (!o->use_ipv4 && !o->use_ipv6)
        return reason_set(why, "neither IPv4 nor IPv6 may be used: leave one of them on");
    if (!o->use_ipv4 || !o->use_ipv6)
        o->address.family = o->route.repeater.family = o->use_ipv4 ? ADDRESS_IPV4 : ADDRESS_IPV6;
    if (o->connect_timeout_s <= 0)
        o->connect_timeout_s = o->route.gateway.host[0] ? VIA_TIMEOUT_S : CONNECT_TIMEOUT_S;
    return (o->start || route_check(&o->route, &o->address, why)) && check_together(o, why);
}

enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why)
{
    struct words words = {0};
    enum options_result result;
    const char *server;
    bool taken;

    defaults(o);
    result = scan(o, argc, argv, &words, why);
    if (result != OPTIONS_RUN)
        return result;
    defaults(o);
    if (!read_files(o, &words, &server, &taken, why) ||
        scan(o, argc, argv, &(struct words){0}, why) != OPTIONS_RUN)
        return OPTIONS_BAD;
    o->start = !server && !o->route.listen && !o->headless;
    if (!taken && !o->start && !options_connect_to(o, server, why))
        return OPTIONS_BAD;
    return settle(o, why) ? OPTIONS_RUN : OPTIONS_BAD;
}

void options_prp_text(const struct options *o, char *out, size_t size)
{
    if (o->policy == PRP_FIXED)
        snprintf(out, size, "%g", tick_to_ms(o->fixed_prp));
    else
        snprintf(out, size, "%s", o->policy == PRP_OFF ? "off" : "auto");
}
