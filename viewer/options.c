#include "viewer/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/version.h"

enum kind {
    SET,       /* bool: true */
    CLEAR,     /* bool: false */
    ON_OFF,    /* bool */
    TEXT,      /* const char *: not empty */
    LEVEL,     /* int: 0..9, or LEVEL_AUTO */
    SECONDS,   /* double: above 0, at most a year */
    DELAY,     /* double: 0 s or more, at most a day */
    PERIOD,    /* double: 10..60000 ms, 0 for never */
    FPS,       /* double: 0.1..240 */
    RATE,      /* double: bits per second */
    PRP,       /* auto, off or ms */
    PUSH,      /* bool: on; auto and off are not */
    WINDOW,    /* auto or bytes */
    ENCODINGS, /* list of names */
    SECURITY,  /* security_set: list of names */
    HELP,
    VERSION,
    HEADING, /* no option: a line of --help */
};

struct option_entry {
    const char *name, *argument, *help;
    enum kind kind;
    size_t field; /* offset in struct options */
};

#define FIELD(f) offsetof(struct options, f)

static const struct option_entry table[] = {
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
    {"view-only", NULL, "send no keys and no pointer", SET, FIELD(view_only)},
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

#define ENTRIES (sizeof table / sizeof *table)

/* getopt_long() returns this + the position in the table. */
#define FIRST_LONG 256

/* ---- help ---- */

#define HELP_COLUMN 24
#define HELP_WIDTH  80

static void print_wrapped(const char *text)
{
    int column = HELP_COLUMN;

    while (*text) {
        int word = (int)strcspn(text, " ");
        bool fits = column + 1 + word <= HELP_WIDTH;

        if (column > HELP_COLUMN && !fits) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_help(void)
{
    printf("Usage: vnchl [OPTIONS] ADDRESS\n\n"
           "A VNC viewer that stays smooth over far links: it asks for pictures ahead of time\n"
           "instead of waiting a round trip for each.\n\n"
           "ADDRESS is HOST, HOST:DISPLAY (below 100), HOST:PORT, HOST::PORT, [IPV6]:DISPLAY,\n"
           "[IPV6]::PORT, :DISPLAY on this machine, vnc://HOST:PORT, or the path of a Unix\n"
           "socket (with a / in it).\n");
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct option_entry *e = &table[i];
        char left[64];

        if (e->kind == HEADING) {
            printf("\n%s:\n", e->name);
            continue;
        }
        snprintf(left, sizeof left, "  --%s%s%s", e->name, e->argument ? " " : "",
                 e->argument ? e->argument : "");
        printf("%-*s", HELP_COLUMN, left);
        if (strlen(left) >= HELP_COLUMN)
            printf("\n%*s", HELP_COLUMN, "");
        print_wrapped(e->help);
    }
    printf("\nThe password comes from --passwd-file, else from VNC_PASSWORD (and VNC_USERNAME) in\n"
           "the environment, else from a prompt on the terminal.\n");
}

/* ---- values ---- */

static bool parse_number(const char *text, double low, double high, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && isfinite(*out) && *out >= low &&
           *out <= high && strspn(text, "0123456789.") == strlen(text);
}

static bool parse_prp(struct options *o, const char *text)
{
    double ms;

    if (strcmp(text, "auto") == 0) {
        o->policy = PRP_AUTO;
    } else if (strcmp(text, "off") == 0) {
        o->policy = PRP_OFF;
    } else {
        if (!parse_number(text, PRP_FIXED_MIN_MS, PRP_FIXED_MAX_MS, &ms))
            return false;
        o->policy = PRP_FIXED;
        o->fixed_prp = tick_from_ms(ms);
    }
    return true;
}

/* A number that may end in k, m or g, for `thousand` of the unit before. */
static bool parse_scaled(const char *text, double thousand, double low, double high, double *out)
{
    static const char units[] = "kmg";
    char digits[24];
    size_t length = strlen(text);
    double scale = 1, number;

    if (length == 0 || length >= sizeof digits)
        return false;
    strcpy(digits, text);
    for (int i = 0; units[i]; i++)
        if (tolower((unsigned char)digits[length - 1]) == units[i]) {
            scale = pow(thousand, i + 1);
            digits[length - 1] = '\0';
            break;
        }
    if (!parse_number(digits, 0, high, &number) || number * scale < low || number * scale > high)
        return false;
    *out = number * scale;
    return true;
}

/* The window is at least one large segment and at most what TCP can scale to (RFC 7323). */
static bool parse_window(struct options *o, const char *text)
{
    double bytes = 0;

    if (strcmp(text, "auto") != 0 && !parse_scaled(text, 1024, 2048, 1 << 30, &bytes))
        return false;
    o->window_bytes = (int64_t)bytes;
    return true;
}

static bool bad(const struct option_entry *e, const char *value, const char *takes,
                struct reason *why)
{
    return reason_set(why, "bad value '%s' for --%s: it takes %s", value, e->name, takes);
}

static bool apply(struct options *o, const struct option_entry *e, const char *value,
                  struct reason *why)
{
    void *field = (char *)o + e->field;
    double number;

    switch (e->kind) {
    case SET:
    case CLEAR:
        *(bool *)field = e->kind == SET;
        return true;
    case ON_OFF:
        *(bool *)field = strcmp(value, "on") == 0;
        return *(bool *)field || strcmp(value, "off") == 0 || bad(e, value, "on or off", why);
    case TEXT:
        *(const char **)field = value;
        return *value || bad(e, value, "a file name", why);
    case LEVEL:
        number = LEVEL_AUTO;
        if (strcmp(value, "auto") != 0 &&
            (strlen(value) != 1 || !parse_number(value, 0, 9, &number)))
            return bad(e, value, "auto or a number from 0 to 9", why);
        *(int *)field = (int)number;
        return true;
    case SECONDS:
        return parse_number(value, 1e-3, 366 * 86400.0, (double *)field) ||
               bad(e, value, "a number of seconds above 0", why);
    case DELAY:
        return parse_number(value, 0, 86400, (double *)field) ||
               bad(e, value, "a number of seconds from 0", why);
    case PERIOD:
        if (!parse_number(value, 0, 60000, &number) || (number > 0 && number < 10))
            return bad(e, value, "10 to 60000 ms, or 0 for never", why);
        *(double *)field = number;
        return true;
    case FPS:
        return parse_number(value, 0.1, 240, (double *)field) ||
               bad(e, value, "a number from 0.1 to 240", why);
    case RATE:
        return parse_scaled(value, 1000, 1e4, 1e12, (double *)field) ||
               bad(e, value, "bits per second, 10k or more", why);
    case PRP:
        return parse_prp(o, value) || bad(e, value, "auto, off or 1 to 10000 ms", why);
    case PUSH: /* docs/decisions/push-when-asked-to.md */
        *(bool *)field = strcmp(value, "on") == 0;
        return *(bool *)field || strcmp(value, "auto") == 0 || strcmp(value, "off") == 0 ||
               bad(e, value, "auto, on or off", why);
    case WINDOW:
        return parse_window(o, value) || bad(e, value, "auto or 2k to 1G bytes", why);
    case SECURITY:
        return security_parse(field, value, why);
    case ENCODINGS:
        return encoding_list_parse(&o->encodings.list, value, why);
    default:
        return true;
    }
}

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
    if (o->log && o->json && strcmp(o->log, o->json) == 0 && strcmp(o->log, "-") != 0)
        return reason_set(why, "--log and --json cannot both write to '%s'", o->log);
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
        .vsync = true,
        .connect_timeout_s = 15,
    };
    encoding_list_parse(&o->encodings.list, ENCODINGS_DEFAULT, &never);
}

/* What getopt_long() did not like. */
static void explain(int code, int option, const char *text, struct reason *why)
{
    if (code == ':')
        reason_set(why, "option '%s' needs a value", text);
    else if (option >= FIRST_LONG)
        reason_set(why, "option --%s takes no value", table[option - FIRST_LONG].name);
    else if (option)
        reason_set(why, "unknown option '-%c' (see vnchl --help)", option);
    else
        reason_set(why, "unknown option '%s' (see vnchl --help)", text);
}

static enum options_result answer(enum kind kind)
{
    if (kind == HELP)
        print_help();
    else
        printf("vnchl %s\n", VNCHL_VERSION);
    return OPTIONS_DONE;
}

static enum options_result parse_options(struct options *o, int argc, char **argv,
                                         struct reason *why)
{
    struct option longs[ENTRIES + 1];
    size_t count = 0;
    int c;

    for (size_t i = 0; i < ENTRIES; i++)
        if (table[i].kind != HEADING)
            longs[count++] =
                (struct option){table[i].name, table[i].argument ? required_argument : no_argument,
                                NULL, FIRST_LONG + (int)i};
    memset(&longs[count], 0, sizeof longs[count]);

    optind = 0; /* glibc: start afresh */
    opterr = 0;
    while ((c = getopt_long_only(argc, argv, ":hv", longs, NULL)) != -1) {
        const struct option_entry *e;

        if (c == 'h' || c == 'v')
            return answer(c == 'h' ? HELP : VERSION);
        if (c < FIRST_LONG) {
            explain(c, optopt, argv[optind - 1], why);
            return OPTIONS_BAD;
        }
        e = &table[c - FIRST_LONG];
        if (e->kind == HELP || e->kind == VERSION)
            return answer(e->kind);
        if (!apply(o, e, optarg, why))
            return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why)
{
    enum options_result result;
    bool ok;

    defaults(o);
    result = parse_options(o, argc, argv, why);
    if (result != OPTIONS_RUN)
        return result;
    if (optind == argc)
        ok = reason_set(why, "no server named (see vnchl --help)");
    else if (optind + 1 < argc)
        ok = reason_set(why, "one server at a time: '%s' is one too many", argv[optind + 1]);
    else
        ok = address_parse(&o->address, argv[optind], why) && check_together(o, why);
    return ok ? OPTIONS_RUN : OPTIONS_BAD;
}

void options_prp_text(const struct options *o, char *out, size_t size)
{
    if (o->policy == PRP_FIXED)
        snprintf(out, size, "%g", tick_to_ms(o->fixed_prp));
    else
        snprintf(out, size, "%s", o->policy == PRP_OFF ? "off" : "auto");
}
