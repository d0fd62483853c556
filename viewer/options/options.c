#include "viewer/options/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rfb/texts/duration.h"
#include "viewer/options/option_table.h"
#include "viewer/trust/keyring.h"
#include "viewer/version.h"

/* Seconds that connecting may take: with --via and --ssh, ssh may have to ask something. */
#define CONNECT_TIMEOUT_S 15
#define VIA_TIMEOUT_S     60

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
    if (o->encodings.push && o->compare)
        return reason_set(why, "--compare compares requests: leave out --push on");
    if (o->x509_ca && !security_with_certificate(o->security))
        return reason_set(why, "--x509-ca asks for a certificate, and --security-types for none: "
                               "add X509Vnc, X509Plain or X509None");
    if (o->x509_also && !security_with_certificate(o->security))
        return reason_set(why, "the connection file asks for a certificate (X509CA), and "
                               "--security-types for none");
    if (o->save_password && !keyring_built())
        return reason_set(why, "--save-password needs libsecret, and this vnchl is built without");
    if (o->pinned && o->x509_ca)
        return reason_set(why, "--fingerprint names the one certificate: leave out --x509-ca");
    if (o->pinned && !security_with_key(o->security))
        return reason_set(why, "--fingerprint asks for a certificate or a key, and "
                               "--security-types for none: add X509Vnc, X509Plain, X509None, "
                               "RA2_256 or RA2");
    if (o->view_only && o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--clipboard send sends nothing with --view-only: leave out one");
    if ((o->send_primary || o->set_primary) && !o->send_clipboard && !o->accept_clipboard)
        return reason_set(why, "--primary on needs the clipboard: leave out --clipboard off");
    if (o->compare && o->candidates.count > 0)
        return reason_set(why, "--compare compares two connections to one server: name only one");
    if (o->compare && o->route.listen)
        return reason_set(why, "--compare connects twice: leave out --listen");
    if (o->ask == ASK_WINDOW && o->headless)
        return reason_set(why, "--ask window needs a window: leave out --headless");
    if (o->sound == SOUND_WISH_ON && (o->headless || o->record || o->play))
        return reason_set(why,
                          "--sound on plays in a window, and a recording holds no sound: "
                          "leave out %s, or say --sound auto",
                          o->headless ? "--headless"
                          : o->record ? "--record"
                                      : "--play");
    if (o->record && o->compare)
        return reason_set(why, "--record is of one connection: leave out --compare");
    if (o->record && strcmp(o->record, "-") == 0)
        return reason_set(why, "--record needs the name of a file");
    if (o->trace && o->compare)
        return reason_set(why, "--trace is of one connection: leave out --compare");
    if (o->trace && strcmp(o->trace, "-") == 0)
        return reason_set(why, "--trace needs the name of a file");
    if (o->log && o->json && strcmp(o->log, o->json) == 0)
        return reason_set(why, "--log and --json cannot both write to '%s'", o->log);
    if (o->trace &&
        ((o->log && strcmp(o->log, o->trace) == 0) || (o->json && strcmp(o->json, o->trace) == 0)))
        return reason_set(why, "--trace and %s cannot both write to '%s'",
                          o->log && strcmp(o->log, o->trace) == 0 ? "--log" : "--json", o->trace);
    return true;
}

/* The way through ssh to a server of the machine that is named. */
static bool settle_ssh(struct options *o, struct reason *why)
{
    if (!o->ssh.host[0]) /* in a file it is for those that are reached so */
        return !o->typed.keep || reason_set(why, "--keep needs --ssh");
    if (o->route.gateway.host[0])
        return reason_set(why, "--ssh leads to a server of that machine, and --via through it to "
                               "another one: leave one of them out");
    if (o->route.listen)
        return reason_set(why, "--listen waits for the server to come: leave out --ssh");
    o->route.gateway = o->ssh;
    o->route.gateway.far_end = true;
    /* who wants a proof, or encryption up to the server, gets it */
    o->route.gateway.asks = !security_has(o->security, CHANNEL_CLEAR, PROOF_NONE);
    o->route.gateway.keep_s = o->keep_s;
    return true;
}

/* A recording takes the place of a server. */
static bool settle_play(struct options *o, const char *server, struct reason *why)
{
    if (!o->play)
        return o->speed < 0 || reason_set(why, "--speed needs --play");
    if (server || o->route.listen || route_is_relayed(&o->route))
        return reason_set(why, "--play plays a file and connects to nobody: leave out the address, "
                               "--listen, --via, --ssh and --repeater");
    if (o->record || o->compare || o->marks)
        return reason_set(why, "--play plays a file: leave out --record, --compare and --marks");
    if (strlen(o->play) >= sizeof o->route.play)
        return reason_set(why, "cannot read %.100s...: %s", o->play, strerror(ENAMETOOLONG));
    strcpy(o->route.play, o->play);
    o->route.speed = o->speed < 0 ? 1 : o->speed;
    o->policy = PRP_OFF;
    return true;
}

/* VNC-HL's requests are a policy of their own. The thesis has no other period than a fixed one. */
static bool settle_requests(struct options *o, struct reason *why)
{
    if (!o->thesis)
        return true;
    if (!prp_is_fixed(o->policy))
        return reason_set(why, "--requests thesis needs a fixed period: use --prp MS, not auto or "
                               "off");
    o->policy = PRP_THESIS;
    return true;
}

/* Seconds: a night, or a day on the way. Chosen. */
#define KEEP_DEFAULT_S (12u * 3600)
#define KEEP_UNSAID    (DURATION_MOST + 1)

static void options_defaults(struct options *o)
{
    struct reason never;

    *o = (struct options){
        .policy = PRP_AUTO,
        .encodings = {.quality = LEVEL_AUTO,
                      .compress = LEVEL_AUTO,
                      .jpeg = true,
                      .local_cursor = true,
                      .key_codes = true,
                      .steps = true,
                      .blocks = true,
                      .kept_mib = KEPT_MIB_USUAL},
        .lossless_refresh = true,
        .datagrams = true,
        .sound = SOUND_WISH_AUTO,
        .security = security_default(),
        .shared = true,
        .send_clipboard = true,
        .accept_clipboard = true,
        .recent = true,
        .alert = true,
        .vsync = true,
        .reconnect = true,
        .keep_s = KEEP_DEFAULT_S,
        .use_ipv4 = true,
        .use_ipv6 = true,
        .dot_cursor = true,
        .menu_key = menu_key_default(),
        .speed = -1,
        .remote_resize = true,
        .monitors = {FULL_SCREEN_CURRENT, 1},
    };
    encoding_list_parse(&o->encodings.list, ENCODINGS_DEFAULT, &never);
}

static enum options_result options_answer(enum option_kind kind)
{
    if (kind == HELP)
        option_help();
    else
        printf("vnchl %s\n", VNCHL_VERSION);
    return OPTIONS_DONE;
}

/* What the words say beside options that are set. */
struct words {
    const char *profile;
    bool listen, ssh;
};

/* Reads all words once, so that what they say counts more than the files they name. */
static enum options_result options_scan(struct options *o, int argc, char **argv,
                                        struct words *words, struct reason *why)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    const struct option_entry *e;
    enum option_word word;
    const char *value;

    while ((word = option_parse(&p, &e, &value, why)) != WORD_END) {
        if (word == WORD_BAD || (word == WORD_OPTION && !option_apply(o, e, value, why)))
            return OPTIONS_BAD;
        if (word == WORD_OPTION && (e->kind == HELP || e->kind == VERSION))
            return options_answer(e->kind);
    }
    words->profile = o->profile;
    words->listen = o->route.listen;
    words->ssh = o->ssh.host[0] != '\0';
    return OPTIONS_RUN;
}

/* Without the blanks at both ends, which come along when an address is copied. */
static const char *options_trimmed(struct options *o, const char *address, struct reason *why)
{
    static const char blanks[] = " \t\r\n";
    size_t begin = strspn(address, blanks), end = strlen(address);
    const char *kept;
    char *copy;

    while (end > begin && strchr(blanks, address[end - 1]))
        end--;
    copy = strndup(address + begin, end - begin);
    kept = copy ? option_keep(o, copy) : NULL;
    free(copy);
    if (!kept)
        reason_set(why, "out of memory");
    return kept;
}

/* Takes the address; where a profile has named it, a reason says in which line. */
static bool options_reach(struct options *o, const char *server, struct reason *why)
{
    return options_connect_to(o, server, why) || (!o->named && option_blame_profile(o, why));
}

/* What the defaults, and then the profile, have said of the way, as far as that does not count. */
static void forget_way(struct options *o, enum files_way files, bool profile)
{
    if (files == FILES_WAY_SERVER || files == FILES_WAY_NONE) {
        o->route = (struct route){.listen = false};
        o->ssh = (struct gateway){.port = 0};
        o->server = files == FILES_WAY_SERVER ? o->server : NULL;
    } else if (files == FILES_WAY_OUT || (files == FILES_WAY_PROFILE && !profile)) {
        o->route.listen = false;
    }
}

/* Everything that counts less than what is typed. `server` gets the address, NULL when there is
 * none. One that asks for options has been taken with them then. */
static bool read_files(struct options *o, const struct words *words, enum files_way files,
                       const char **server, bool *taken, struct reason *why)
{
    if (!option_read_defaults(o, why))
        return false;
    forget_way(o, files, false);
    if (words->profile && !option_read_profile(o, words->profile, why))
        return false;
    forget_way(o, files, true);
    *server = o->named ? o->named : o->server;
    if (*server && !(*server = options_trimmed(o, *server, why)))
        return false;
    *taken = *server && !words->listen && !o->ssh.host[0] && !words->ssh && option_asks(*server);
    o->asked = *taken;
    return !*taken || options_reach(o, *server, why);
}

/* A far end that pushes blocks takes the place of requests, of the server's encodings, and of its
 * compression. A user that has chosen one of these gets that. A recording is for other players,
 * too: it has updates. */
static bool takes_blocks(const struct options *o)
{
    const struct encoding_options *e = &o->encodings;
    struct encoding_list usual = {.count = 0};
    struct reason never;

    encoding_list_parse(&usual, ENCODINGS_DEFAULT, &never);
    return e->blocks && o->policy == PRP_AUTO && !o->compare && !o->record &&
           e->compress == LEVEL_AUTO && memcmp(&usual, &e->list, sizeof usual) == 0;
}

static void set_family(struct options *o, enum address_family family)
{
    o->address.family = o->route.repeater.family = family;
    for (int i = 0; i < o->candidates.count; i++)
        o->candidates.at[i].family = family;
}

/* What depends on more than one option. */
static bool options_settle(struct options *o, struct reason *why)
{
    struct encoding_options *e = &o->encodings;

    if (o->auto_select == AUTO_SELECT_ON && (e->quality != LEVEL_AUTO || e->compress != LEVEL_AUTO))
        return reason_set(why, "AutoSelect chooses the quality, and so does --quality or "
                               "--compress: leave one out");
    if (o->auto_select == AUTO_SELECT_OFF) { /* TigerVNC's levels then */
        e->quality = e->quality == LEVEL_AUTO ? 8 : e->quality;
        e->compress = e->compress == LEVEL_AUTO ? 2 : e->compress;
    }
    if (!settle_requests(o, why))
        return false;
    e->blocks = e->pushing = takes_blocks(o);
    if (!o->use_ipv4 && !o->use_ipv6)
        return reason_set(why, "neither IPv4 nor IPv6 may be used: leave one of them on");
    if (!o->use_ipv4 || !o->use_ipv6)
        set_family(o, o->use_ipv4 ? ADDRESS_IPV4 : ADDRESS_IPV6);
    if (o->connect_timeout_s <= 0)
        o->connect_timeout_s = o->route.gateway.host[0] ? VIA_TIMEOUT_S : CONNECT_TIMEOUT_S;
    return (o->start || route_check(&o->route, &o->address, why)) && check_together(o, why);
}

/* `again`: not as it was typed, but with a choice of the window in it. */
static enum options_result options_read(struct options *o, int argc, char **argv, bool again,
                                        enum files_way files, struct reason *why)
{
    struct words words = {0};
    struct options_typed typed;
    enum options_result result;
    const char *server;
    bool taken;

    options_defaults(o);
    o->security = 0;
    o->keep_s = KEEP_UNSAID;
    result = options_scan(o, argc, argv, &words, why);
    if (result != OPTIONS_RUN)
        return result;
    typed = (struct options_typed){o->security, o->passwd_file != NULL,
                                   !again && o->keep_s != KEEP_UNSAID};
    options_defaults(o);
    o->typed = typed;
    if (!option_servers(o, argc, argv, &o->named, why) ||
        !read_files(o, &words, files, &server, &taken, why) ||
        options_scan(o, argc, argv, &(struct words){0}, why) != OPTIONS_RUN)
        return OPTIONS_BAD;
    if (!settle_ssh(o, why) || !settle_play(o, server, why))
        return OPTIONS_BAD;
    o->start = !server && !o->route.listen && !o->ssh.host[0] && !o->headless && !o->play;
    if (!taken && !o->start && !o->play && !options_reach(o, server, why))
        return OPTIONS_BAD;
    return options_settle(o, why) ? OPTIONS_RUN : OPTIONS_BAD;
}

enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why)
{
    return options_read(o, argc, argv, false, FILES_WAY_ALL, why);
}

enum options_result options_parse_again(struct options *o, int argc, char **argv,
                                        enum files_way files, struct reason *why)
{
    return options_read(o, argc, argv, true, files, why);
}

void options_prp_text(const struct options *o, char *out, size_t size)
{
    if (prp_is_fixed(o->policy))
        snprintf(out, size, "%g", tick_to_ms(o->fixed_prp));
    else
        snprintf(out, size, "%s", o->policy == PRP_OFF ? "off" : "auto");
}
