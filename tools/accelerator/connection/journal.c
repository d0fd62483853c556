#include "tools/accelerator/connection/journal.h"

#include <stdio.h>

#include "tools/accelerator/events.h"
#include "tools/accelerator/transport/leg.h"

/* A text for a line: event_text() changes it. */
struct journal_text {
    char text[300];
};

static struct journal_text journal_text(const char *text)
{
    struct journal_text copy;

    snprintf(copy.text, sizeof copy.text, "%s", text);
    event_text(copy.text);
    return copy;
}

void journal_init(struct journal *j, uint64_t id, const struct sockaddr_storage *peer, tick_t now)
{
    j->id = id;
    j->begun = now;
    leg_peer(peer, j->client, sizeof j->client);
}

/* "TLSVnc,TLS1.3"; empty: the type alone says it. */
static void journal_way(char *out, size_t size, const char *key, const struct security *way,
                        const struct cipher *tls)
{
    out[0] = '\0';
    if (way)
        snprintf(out, size, " %s=%s%s%s", key, way->name, tls ? "," : "",
                 tls ? cipher_name(tls) : "");
}

/* Clients are offered a certificate, and this one has no encryption. */
static void journal_not_encrypted(const struct journal *j, const struct handshake_framing *h)
{
    const char *why = !h->ends_vencrypt
                          ? "TLS ends here for a server on this machine, or with server-key, and "
                            "only with a key of our own"
                      : h->minor < 8 ? "RFB before 3.8 has no VeNCrypt"
                                     : "the viewer has taken a type without encryption";

    event_log(EVENT_LIMITED, "not-encrypted", "id=%llu client=%s security=%u why=\"%s\"",
              (unsigned long long)j->id, j->client, (unsigned)h->security, why);
}

void journal_session(const struct journal *j, const struct greeting *g,
                     const struct journal_standing *standing)
{
    const struct handshake_framing *h = &g->framing;
    char client[40], server[40];

    journal_way(client, sizeof client, "viewer-leg", g->vencrypt.client, standing->client);
    journal_way(server, sizeof server, "server-leg", g->vencrypt.server, standing->server);
    event_log(EVENT_LIMITED, "session",
              "id=%llu client=%s version=3.%d security=%u%s%s accelerated=%s congestion=%s "
              "size=%dx%d",
              (unsigned long long)j->id, j->client, h->minor, (unsigned)h->security, client, server,
              standing->accelerated ? "yes" : "no",
              *standing->congestion ? standing->congestion : "none", h->width, h->height);
    if (standing->certificate && !standing->client)
        journal_not_encrypted(j, h);
}

void journal_pushed(const struct journal *j)
{
    event_log(EVENT_LIMITED, "pushed", "id=%llu client=%s", (unsigned long long)j->id, j->client);
}

void journal_cannot_follow(const struct journal *j, uint32_t security, const char *why)
{
    event_log(EVENT_LIMITED, "not-accelerated", "id=%llu client=%s security=%u why=\"%s\"",
              (unsigned long long)j->id, j->client, (unsigned)security, journal_text(why).text);
}

bool journal_lost(const struct journal *j, const char *side, const char *why)
{
    if (why)
        event_log(EVENT_LIMITED, "not-accelerated", "id=%llu client=%s side=%s why=\"%s\"",
                  (unsigned long long)j->id, j->client, side, journal_text(why).text);
    return why != NULL;
}

void journal_format_ahead(const struct journal *j, unsigned updates)
{
    event_log(EVENT_LIMITED, "format-ahead", "id=%llu client=%s updates=%u",
              (unsigned long long)j->id, j->client, updates);
}

void journal_no_password(const struct greeting *g, struct target *server)
{
    if (!server || server->open_said || !handshake_framing_open(&g->framing))
        return;
    server->open_said = true;
    event_log(EVENT_ALWAYS, "no-password",
              "server=\"%s\" why=\"it lets everybody in who reaches the port here: give it a "
              "password, or listen on 127.0.0.1 and use ssh\"",
              server->text);
}

void journal_end(const struct journal *j, const struct target *server, uint64_t bytes,
                 uint64_t updates, tick_t now, const char *why)
{
    event_log(EVENT_LIMITED, "end",
              "id=%llu client=%s server=\"%s\" seconds=%.1f bytes=%llu updates=%llu why=\"%s\"",
              (unsigned long long)j->id, j->client, server ? server->text : "",
              tick_to_s(now - j->begun), (unsigned long long)bytes, (unsigned long long)updates,
              journal_text(why).text);
}
