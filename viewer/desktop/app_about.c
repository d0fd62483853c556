/* The page about the connection: what was agreed with the server, and how it is reached. */
#include <stdio.h>
#include <string.h>

#include "rfb/fingerprint.h"
#include "rfb/reason.h"
#include "rfb/worker/worker.h"
#include "viewer/desktop/app_state.h"

#define FACTS_MAX  12
#define VALUE_MAX  1100 /* bytes: a desktop's name fits */
#define SERVER_MAX 320  /* bytes that hold every address_format(), with the NUL */

struct facts {
    struct ui_fact list[FACTS_MAX];
    char values[FACTS_MAX][VALUE_MAX];
    int count;
};

static char *add(struct facts *f, const char *name)
{
    char *value = f->values[f->count];

    value[0] = '\0';
    f->list[f->count++] = (struct ui_fact){name, value};
    return value;
}

static void put_way(const struct route *r, char *out)
{
    if (r->listen)
        strcpy(out, "the server came to this machine (--listen)");
    else if (*r->gateway.host)
        snprintf(out, VALUE_MAX, "through ssh to %s (--via)", r->gateway.host);
    else if (*r->repeater.host)
        snprintf(out, VALUE_MAX, "through the repeater %s", r->repeater.host);
    else
        strcpy(out, "straight");
}

/* A name of what protects the connection, and what that means. */
static void put_security(const struct session_stats *s, char *out)
{
    snprintf(out, VALUE_MAX, "%s: %s", s->security,
             s->certificate ? "encrypted, and the server has proved who it is"
             : strncmp(s->security, "TLS", 3) == 0 ? "encrypted, but nobody vouches for the server"
                                                   : "not encrypted by VNC itself");
}

static void append(char *out, const char *text)
{
    size_t used = strlen(out);

    snprintf(out + used, VALUE_MAX - used, "%s%s", used > 0 ? ", " : "", text);
}

static void put_encodings(uint32_t seen, char *out)
{
    for (int32_t number = 0; number < 32; number++)
        if (seen >> number & 1 && encoding_name(number))
            append(out, encoding_name(number));
}

static void put_extensions(const struct session_stats *s, char *out)
{
    if (s->key_codes)
        append(out, "key codes");
    if (s->more_buttons)
        append(out, "back and forward buttons");
    if (s->extended_clipboard)
        append(out, "clipboard in every script");
    if (s->pushed)
        append(out, "continuous updates");
    if (!*out)
        strcpy(out, "none");
}

/* What keeps a faulty decoder from the rest of the machine. */
static void put_shut_in(struct session *s, char *out)
{
    worker_shut_in_by(s, out, VALUE_MAX);
    if (!*out)
        strcpy(out, "not known yet");
}

void app_show_about(struct app *a)
{
    struct facts f = {.count = 0};
    struct session_stats s;
    char server[SERVER_MAX];

    if (!a->live)
        return;
    session_stats(a->live, false, &s);
    address_format(&a->options->address, server, sizeof server);
    sanitise(server);
    snprintf(add(&f, "Desktop"), VALUE_MAX, "%s", a->told.name);
    snprintf(add(&f, "Address"), VALUE_MAX, "%s", server);
    put_way(&a->options->route, add(&f, "Way"));
    put_security(&s, add(&f, "Security"));
    put_shut_in(a->live, add(&f, "Shut in by"));
    if (s.fingerprinted)
        fingerprint_text(s.sha256, add(&f, "Certificate"));
    snprintf(add(&f, "Screen"), VALUE_MAX, "%d x %d pixels, 32 bits each", s.width, s.height);
    put_encodings(s.encodings_seen, add(&f, "Encodings used"));
    snprintf(add(&f, "Quality"), VALUE_MAX, "JPEG %d, compression %d", s.quality, s.compress);
    if (s.rtt_ms > 0)
        snprintf(add(&f, "Round trip"), VALUE_MAX, "%.*f ms", s.rtt_ms < 0.1 ? 2 : 1, s.rtt_ms);
    put_extensions(&s, add(&f, "Extensions"));
    ui_show_facts(a->pages, "About this connection", f.list, f.count);
}
