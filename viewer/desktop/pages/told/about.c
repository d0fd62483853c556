#include "viewer/desktop/pages/told/about.h"

#include <stdio.h>
#include <string.h>

#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"
#include "viewer/statistics.h"

#define ABOUT_FACTS  13
#define ABOUT_VALUE  1100 /* bytes: a desktop's name fits */
#define ABOUT_SERVER 320  /* bytes that hold every address_format(), with the NUL */

struct about_facts {
    struct ui_fact list[ABOUT_FACTS];
    char values[ABOUT_FACTS][ABOUT_VALUE];
    int count;
};

static char *about_add(struct about_facts *f, const char *name)
{
    char *value = f->values[f->count];

    value[0] = '\0';
    f->list[f->count++] = (struct ui_fact){name, value};
    return value;
}

static void about_put_way(const struct route *r, char *out)
{
    if (r->listen)
        strcpy(out, "the server came to this machine");
    else if (*r->gateway.host)
        snprintf(out, ABOUT_VALUE, "%s %s",
                 r->gateway.far_end    ? "by vnchl-accel, which ssh has started at"
                 : *r->gateway.command ? "through your command VNC_VIA_CMD, by way of"
                                       : "through ssh to",
                 r->gateway.host);
    else if (*r->repeater.host)
        snprintf(out, ABOUT_VALUE, "through the repeater %s", r->repeater.host);
    else
        strcpy(out, "directly");
}

/* RSA-AES, where the server has a key and no certificate. */
static bool about_has_key(const struct session_stats *s)
{
    return strncmp(s->security, "RA2", 3) == 0;
}

/* What VNC itself does. */
static const char *about_vnc_security(const struct session_stats *s)
{
    return s->certificate && about_has_key(s) ? "encrypted, and the server's key is trusted"
           : s->certificate                   ? "encrypted, and the server's certificate is trusted"
           : strncmp(s->security, "TLS", 3) == 0 ? "encrypted, but nobody vouches for the server"
                                                 : "not encrypted by VNC itself";
}

void about_security(const struct session_stats *s, const struct route *route, bool expert,
                    char *out, size_t size)
{
    const struct gateway *g = &route->gateway;
    const bool ssh = *g->host && !*g->command; /* nobody knows what a command does */
    size_t used;

    snprintf(out, size, "%s%s", expert ? s->security : "", expert ? ": " : "");
    used = strlen(out);
    out += used;
    size -= used;
    if (!ssh)
        snprintf(out, size, "%s", about_vnc_security(s));
    else if (!g->far_end)
        snprintf(out, size, "ssh as far as %s; from there %s", g->host, about_vnc_security(s));
    else
        snprintf(out, size, "ssh encrypts, and knows the machine%s%s",
                 s->certificate ? "; inside it " : "", s->certificate ? about_vnc_security(s) : "");
}

static void about_append(char *out, const char *text)
{
    size_t used = strlen(out);

    snprintf(out + used, ABOUT_VALUE - used, "%s%s", used > 0 ? ", " : "", text);
}

static void about_put_encodings(const struct session_stats *s, char *out)
{
    char one[48];

    for (int row = 0; row < ENCODINGS_MAX; row++) {
        if (!(s->encodings_seen >> row & 1))
            continue;
        snprintf(one, sizeof one, "%s %.1f MB", encoding_name(encoding_number(row)),
                 (double)s->weights[row].bytes / 1e6);
        about_append(out, one);
        if (encoding_number(row) == ENCODING_H264 && s->h264_unread > 0) {
            snprintf(one, sizeof one, "%llu of them not shown", (unsigned long long)s->h264_unread);
            about_append(out, one);
        }
    }
}

static void about_put_round_trip(double ms, char *out)
{
    if (ms < 0.1)
        snprintf(out, ABOUT_VALUE, "below 0.1 ms");
    else
        snprintf(out, ABOUT_VALUE, "%.1f ms", ms);
}

static void about_put_extensions(const struct session_stats *s, char *out)
{
    if (s->key_codes)
        about_append(out, "key codes");
    if (s->more_buttons)
        about_append(out, "back and forward buttons");
    if (s->extended_clipboard)
        about_append(out, "clipboard in every script");
    if (s->sound != SOUND_NONE)
        about_append(out, "sound");
    if (s->pushed)
        about_append(out, "sending by itself");
    if (!*out)
        strcpy(out, "none");
}

static void about_put_accelerated(const struct session_stats *s, bool expert, char *out)
{
    strcpy(out, s->accelerated ? "yes, by vnchl-accel beside the server" : "no");
    if (s->accelerated && expert && *s->congestion)
        snprintf(out + strlen(out), ABOUT_VALUE - strlen(out), "; congestion control %s",
                 s->congestion);
}

/* What keeps a faulty decoder from the rest of the machine. */
static void about_put_confined(struct session *s, bool expert, char *out)
{
    char layers[ABOUT_VALUE];

    session_confined_by(s, layers, sizeof layers);
    if (!*layers)
        strcpy(out, "not known yet");
    else if (expert)
        strcpy(out, layers);
    else
        strcpy(out, strncmp(layers, "nothing", strlen("nothing")) == 0 ? "no"
                    : strstr(layers, "; not: ") ? "in part (--verbose tells more)"
                                                : "yes, in a process of its own");
}

void about_show(struct ui *ui, const struct about *about)
{
    struct about_facts f = {.count = 0};
    struct session_stats s;
    const bool expert = about->expert;
    char server[ABOUT_SERVER];
    struct address address;

    session_stats(about->session, false, &s);
    if (!session_server(about->session, &address))
        address = about->options->address;
    address_format(&address, server, sizeof server);
    sanitise(server);
    snprintf(about_add(&f, "Desktop"), ABOUT_VALUE, "%s", about->name);
    snprintf(about_add(&f, "Address"), ABOUT_VALUE, "%s", server);
    about_put_way(&about->options->route, about_add(&f, "Reached"));
    about_security(&s, &about->options->route, expert, about_add(&f, "Security"), ABOUT_VALUE);
    if (s.accelerated || expert)
        about_put_accelerated(&s, expert, about_add(&f, "Accelerated"));
    about_put_confined(about->session, expert,
                       about_add(&f, expert ? "Confined by" : "Kept apart"));
    if (s.fingerprinted)
        fingerprint_halves(s.sha256,
                           about_add(&f, about_has_key(&s) ? "The server's key" : "Certificate"));
    snprintf(about_add(&f, "Screen"), ABOUT_VALUE, "%d x %d pixels", s.width, s.height);
    if (expert)
        about_put_encodings(&s, about_add(&f, "Encodings used"));
    statistics_quality(about_add(&f, "Picture quality"), ABOUT_VALUE, &s, false);
    if (s.rtt_ms > 0)
        about_put_round_trip(s.rtt_ms,
                             about_add(&f, expert ? "Round trip" : "To the server and back"));
    about_put_extensions(&s, about_add(&f, expert ? "Extensions" : "The server also knows"));
    ui_show_facts(ui, "About this connection", f.list, f.count);
}
