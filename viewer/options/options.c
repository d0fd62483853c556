#include "viewer/options/options.h"

#include <stdio.h>
#include <string.h>

#include "viewer/options/option_table.h"
#include "viewer/version.h"

#define FIELD(f) offsetof(struct options, f)

const struct option_entry option_table[] = {
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
    {"marks", NULL, "headless: read the marks of the lab's content in the picture", SET,
     FIELD(marks)},
    {"press-every", "MS",
     "with --marks: press the key 'a' that often, and see when it shows [never]", PERIOD,
     FIELD(press_every_ms)},
    {"log", "FILE", "write a line of figures a second as CSV; - for standard output", TEXT,
     FIELD(log)},
    {"json", "FILE", "write the figures of the whole run as JSON; - for standard output", TEXT,
     FIELD(json)},
    {"trace", "FILE",
     "write what the scheduler sees and decides, for a report of a bug; neither pictures nor keys "
     "are in it, and vnchl-replay reads it",
     TEXT, FIELD(trace)},
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
    {"full-screen", NULL, "start in full screen; Ctrl+Alt+Enter switches", SET, FIELD(full_screen)},
    {"no-vsync", NULL, "show pictures at once, even if they tear", CLEAR, FIELD(vsync)},
    {"Session", NULL, NULL, HEADING, 0},
    {"shared", NULL, "leave other viewers of the desktop connected [yes]", SET, FIELD(shared)},
    {"no-shared", NULL, "disconnect other viewers of the desktop", CLEAR, FIELD(shared)},
    {"view-only", NULL, "send no keys, no pointer and no clipboard", SET, FIELD(view_only)},
    {"clipboard", "both|send|receive|off",
     "which way what is copied goes: to the server (send), from it (receive) [both]", CLIPBOARD, 0},
    {"primary", "on|off",
     "X11: the primary selection, which is what the mouse has marked, counts as copied, too [off]",
     PRIMARY, 0},
    {"passwd-file", "FILE", "password file made by vncpasswd", TEXT, FIELD(passwd_file)},
    {"security-types", "LIST",
     "security types to accept, of X509Vnc, X509Plain, X509None, TLSVnc, TLSPlain, TLSNone, "
     "VncAuth, None, Plain; the strongest that the server has is taken [all but Plain, which shows "
     "the password to everybody on the way]",
     SECURITY, FIELD(security)},
    {"x509-ca", "FILE",
     "accept only a server with a certificate that one of those in FILE has signed [where the "
     "server has a certificate: the system's]",
     TEXT, FIELD(x509_ca)},
    {"connect-timeout", "S", "give up connecting after S seconds [15]", SECONDS,
     FIELD(connect_timeout_s)},
    {"Help", NULL, NULL, HEADING, 0},
    {"verbose", NULL, "say more about what happens", SET, FIELD(verbose)},
    {"help", NULL, "show this text", HELP, 0},
    {"version", NULL, "show the version", VERSION, 0},
};

const size_t option_count = sizeof option_table / sizeof *option_table;

const struct option_alias option_aliases[] = {
    {"passwd", "passwd-file"},
    {"password-file", "passwd-file"},
    {"quality-level", "quality"},
    {"compress-level", "compress"},
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
    if (o->view_only && o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--clipboard send sends nothing with --view-only: leave out one");
    if ((o->send_primary || o->set_primary) && !o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--primary on needs the clipboard: leave out --clipboard off");
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
                      .local_cursor = true},
        .lossless_refresh = true,
        .security = security_default(),
        .shared = true,
        .send_clipboard = true,
        .accept_clipboard = true,
        .vsync = true,
        .connect_timeout_s = 15,
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

enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    const char *address = NULL, *extra = NULL, *value;
    const struct option_entry *e;
    enum option_word word;
    bool ok;

    defaults(o);
    while ((word = option_parse(&p, &e, &value, why)) != WORD_END) {
        if (word == WORD_BAD || (word == WORD_OPTION && !option_apply(o, e, value, why)))
            return OPTIONS_BAD;
        if (word == WORD_OPTION && (e->kind == HELP || e->kind == VERSION))
            return answer(e->kind);
        if (word == WORD_ADDRESS)
            *(address ? &extra : &address) = value;
    }
    if (!address)
        ok = reason_set(why, "no server named (see vnchl --help)");
    else if (extra)
        ok = reason_set(why, "one server at a time: '%s' is one too many", extra);
    else
        ok = address_parse(&o->address, address, why) && check_together(o, why);
    return ok ? OPTIONS_RUN : OPTIONS_BAD;
}

void options_prp_text(const struct options *o, char *out, size_t size)
{
    if (o->policy == PRP_FIXED)
        snprintf(out, size, "%g", tick_to_ms(o->fixed_prp));
    else
        snprintf(out, size, "%s", o->policy == PRP_OFF ? "off" : "auto");
}
