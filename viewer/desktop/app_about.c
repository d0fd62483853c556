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
        strcpy(out, "the server came to this machine");
    else if (*r->gateway.host)
        snprintf(out, VALUE_MAX, "through ssh to %s", r->gateway.host);
    else if (*r->repeater.host)
        snprintf(out, VALUE_MAX, "through the repeater %s", r->repeater.host);
    else
        strcpy(out, "directly");
}

/* What protects the connection; for experts with its name. */
static void put_security(const struct session_stats *s, bool expert, char *out)
{
    snprintf(out, VALUE_MAX, "%s%s%s", expert ? s->security : "", expert ? ": " : "",
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
    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (seen >> row & 1)
            append(out, encoding_name(encoding_number(row)));
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
        append(out, "sending by itself");
    if (!*out)
        strcpy(out, "none");
}

/* What keeps a faulty decoder from the rest of the machine. */
static void put_shut_in(struct session *s, bool expert, char *out)
{
    char layers[VALUE_MAX];

    worker_shut_in_by(s, layers, sizeof layers);
    if (!*layers)
        strcpy(out, "not known yet");
    else if (expert)
        strcpy(out, layers);
    else
        strcpy(out, strncmp(layers, "nothing", strlen("nothing")) == 0 ? "no"
                    : strstr(layers, "; not: ") ? "in part (--verbose tells more)"
                                                : "yes, in a process of its own");
}

void app_show_about(struct app *a)
{
    struct facts f = {.count = 0};
    struct session_stats s;
    const bool expert = a->ui->verbose;
    char server[SERVER_MAX];

    if (!a->live)
        return;
    session_stats(a->live, false, &s);
    address_format(&a->options->address, server, sizeof server);
    sanitise(server);
    snprintf(add(&f, "Desktop"), VALUE_MAX, "%s", a->told.name);
    snprintf(add(&f, "Address"), VALUE_MAX, "%s", server);
    put_way(&a->options->route, add(&f, "Reached"));
    put_security(&s, expert, add(&f, "Security"));
    put_shut_in(a->live, expert, add(&f, expert ? "Shut in by" : "Kept apart"));
    if (s.fingerprinted)
        fingerprint_text(s.sha256, add(&f, "Certificate"));
    snprintf(add(&f, "Screen"), VALUE_MAX, "%d x %d pixels", s.width, s.height);
    if (expert)
        put_encodings(s.encodings_seen, add(&f, "Encodings used"));
    snprintf(add(&f, "Picture quality"), VALUE_MAX, "%d of 9, compression %d of 9", s.quality,
             s.compress);
    if (s.rtt_ms > 0)
        snprintf(add(&f, expert ? "Round trip" : "To the server and back"), VALUE_MAX, "%.*f ms",
                 s.rtt_ms < 0.1 ? 2 : 1, s.rtt_ms);
    put_extensions(&s, add(&f, expert ? "Extensions" : "The server also knows"));
    ui_show_facts(a->pages, "About this connection", f.list, f.count);
}
