#include "viewer/trust/trust.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rfb/system/log.h"
#include "viewer/trust/known_servers.h"
#include "viewer/trust/seen_servers.h"

/* "far.example port 5901", or the path of a Unix socket. */
static void server_text(const char *host, unsigned port, char *out, size_t size)
{
    if (!*host)
        snprintf(out, size, "the server");
    else if (*host == '/' || port == 0)
        snprintf(out, size, "%s", host);
    else
        snprintf(out, size, "%s port %u", host, port);
}

bool trust_is_key(const struct session_question *q)
{
    return security_channel_is_rsa(q->channel);
}

static const char *trust_thing(const struct session_question *q)
{
    return trust_is_key(q) ? "key" : "certificate";
}

/* The name under which it is remembered. A key that protects the password only has one of its own:
 * that it was accepted promises nothing about what comes behind the password. */
static void trust_key(const struct session_question *q, char out[SERVER_KEY_MAX])
{
    server_key(q, out);
    if (q->channel == CHANNEL_HANDSHAKE)
        strncat(out, ",handshake", SERVER_KEY_MAX - 1 - strlen(out));
}

static void refuse_changed(struct session *s, const struct session_question *q,
                           const struct known_server *known)
{
    char before[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT], path[PATH_MAX] = "";
    char server[SESSION_HOST_MAX + 16];
    struct reason why;

    fingerprint_text(known->sha256, before);
    fingerprint_text(q->sha256, now);
    known_servers_path(path, sizeof path, &why);
    server_text(q->host, q->port, server, sizeof server);
    reason_set(&why,
               "THE %s OF %.99s HAS CHANGED. Somebody may be answering in the server's "
               "place, or the server was set up anew. SHA-256 accepted on %s: %s; shown now: %s. "
               "Ask whoever looks after the server. If the new one is right, remove line %u of %s "
               "and connect again",
               trust_is_key(q) ? "KEY" : "CERTIFICATE", server, known->date, before, now,
               known->line, path);
    session_refuse(s, q->number, why.text);
}

static void tell_change(const struct session_question *q, const struct known_server *known,
                        struct trust_change *change)
{
    change->there = true;
    change->is_key = trust_is_key(q);
    strcpy(change->host, q->host);
    trust_key(q, change->key);
    change->port = q->port;
    strcpy(change->date, known->date);
    memcpy(change->before, known->sha256, sizeof change->before);
    memcpy(change->now, q->sha256, sizeof change->now);
}

bool trust_forget(const struct trust_change *change, struct reason *why)
{
    return known_servers_forget(change->key, change->port, why);
}

bool trust_answer(struct session *s, const struct session_question *q, struct trust_change *change)
{
    struct known_server known;
    char key[SERVER_KEY_MAX];
    struct reason why;

    *change = (struct trust_change){0};
    if (!q->acceptable) {
        session_answer_trust(s, q->number, false);
        return true;
    }
    trust_key(q, key);
    switch (known_servers_check(key, q->port, q->sha256, &known, &why)) {
    case KNOWN_SAME:
        log_debug("the %s of %s was accepted on %s", trust_thing(q), q->host, known.date);
        session_answer_trust(s, q->number, true);
        return true;
    case KNOWN_CHANGED:
        tell_change(q, &known, change);
        refuse_changed(s, q, &known);
        return true;
    case KNOWN_FAILED:
        session_refuse(s, q->number, why.text);
        return true;
    case KNOWN_NOT:
        break;
    }
    return false;
}

void trust_accept(struct session *s, const struct session_question *q)
{
    char key[SERVER_KEY_MAX];
    struct reason why;

    trust_key(q, key);
    if (!known_servers_add(key, q->port, q->sha256, time(NULL), &why))
        log_line("the %s is accepted for this time only, it cannot be remembered: %s",
                 trust_thing(q), why.text);
    session_answer_trust(s, q->number, true);
}

void trust_refuse_unasked(struct session *s, const struct session_question *q)
{
    char fingerprint[FINGERPRINT_TEXT];
    struct reason why;

    fingerprint_text(q->sha256, fingerprint);
    if (q->channel == CHANNEL_HANDSHAKE)
        reason_set(&why,
                   "the server's key is not accepted: %.300s. To accept exactly this one: run on a "
                   "terminal. Its SHA-256 fingerprint is %s",
                   q->faults, fingerprint);
    else
        reason_set(&why,
                   "the server's %s is not accepted: %.300s. To accept exactly this one: run on a "
                   "terminal, or with --fingerprint %s",
                   trust_thing(q), q->faults, fingerprint);
    session_refuse(s, q->number, why.text);
}

const char *trust_subject(const struct session_question *q)
{
    return *q->subject ? q->subject : "not known";
}

const char *trust_expires(const struct session_question *q)
{
    return *q->expires ? q->expires : "it does not say";
}

/* What is known of it, up to its fingerprint. */
static void trust_describe(const struct session_question *q, char *out, size_t size)
{
    if (trust_is_key(q))
        snprintf(out, size,
                 "This computer cannot verify the server's %s: %s.\n"
                 "Other viewers show its fingerprint as: %s\n"
                 "The whole fingerprint (SHA-256) of the key is:",
                 trust_subject(q), q->faults, q->brief);
    else
        snprintf(out, size,
                 "This computer cannot verify the server's certificate: %s.\n"
                 "It says of itself:\n"
                 "  subject: %s\n"
                 "  expires: %s\n"
                 "The fingerprint (SHA-256) of the certificate is:",
                 q->faults, trust_subject(q), trust_expires(q));
}

void trust_question(const struct session_question *q, char out[TRUST_QUESTION_MAX])
{
    char fingerprint[FINGERPRINT_TEXT], server[SESSION_HOST_MAX + 16];
    char about[SESSION_REASON_MAX + SESSION_SUBJECT_MAX + 250];

    fingerprint_rows(q->sha256, fingerprint);
    server_text(q->host, q->port, server, sizeof server);
    trust_describe(q, about, sizeof about);
    snprintf(out, TRUST_QUESTION_MAX,
             "Is this really %s?\n"
             "%s\n\n%s\n\n"
             "Ask whoever looks after the server for its fingerprint, and compare them. If they\n"
             "differ, somebody else may be answering in the server's place. Who accepts that\n"
             "gives the password, the keys and the picture to somebody else.",
             server, about, fingerprint);
}

/* Whether the server runs on the machine where the way to it begins: this one, or the one that ssh
 * leads to. So nobody in between can listen. */
static bool is_local(const struct session_question *q)
{
    char host[SESSION_HOST_MAX];
    struct in_addr number;

    if (q->way == WAY_REPEATER || q->way == WAY_COMMAND) /* nobody knows where a command leads */
        return false;
    if (*q->host == '/')
        return true;
    address_canonical_host(q->host, host, sizeof host);
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
           (inet_pton(AF_INET, host, &number) == 1 && strncmp(host, "127.", 4) == 0);
}

const char *trust_between(const struct session_question *q, char out[TRUST_BETWEEN_MAX])
{
    const bool leads = q->way == WAY_SSH || q->way == WAY_COMMAND;

    out[0] = '\0';
    if (leads || q->way == WAY_FAR_END)
        snprintf(out, TRUST_BETWEEN_MAX, " %s %.*s", leads ? "through" : "at", SESSION_HOST_MAX - 1,
                 q->gateway);
    return out;
}

/* How far ssh protects, as the beginning of a warning. */
static void write_way(const struct session_question *q, char *out, size_t size)
{
    if (q->way == WAY_SSH)
        snprintf(out, size, "Encrypted by ssh as far as %s. From there to %s: ", q->gateway,
                 q->host);
    else if (q->way == WAY_COMMAND)
        snprintf(out, size,
                 "VNC_VIA_CMD protects the way to %s, or not. From there to %s: ", q->gateway,
                 q->host);
    else
        *out = '\0';
}

/* Apple's login: Macs have an ssh server, too. */
static void write_dh(const struct session_question *q, char *out, size_t size)
{
    char ssh[SESSION_HOST_MAX + 100] = "", port[16] = "";

    if (q->port != ADDRESS_BASE_PORT)
        snprintf(port, sizeof port, "::%u", q->port);
    if (q->way == WAY_STRAIGHT && *q->host)
        snprintf(ssh, sizeof ssh, " Through ssh all of it is encrypted: vnchl --via %s localhost%s",
                 q->host, port);
    snprintf(out, size,
             "Only the name and the password are encrypted, and somebody in between could get "
             "them. Nothing after them is encrypted: everybody on the way can see the screen and "
             "the keys.%s",
             ssh);
}

static void write_warning(const struct session_question *q, char *out, size_t size)
{
    static const char *const texts[][2] = {
        [CHANNEL_CLEAR] = {"Not encrypted: everybody on the way can see the screen and the keys.",
                           "Not encrypted: everybody on the way can read the password."},
        [CHANNEL_HANDSHAKE] = {"Only the password is encrypted: everybody on the way can see the "
                               "screen and the keys.",
                               "Only name and password are encrypted: everybody on the way can "
                               "see the screen and the keys."},
        [CHANNEL_ANONYMOUS] = {"Encrypted, but nothing proves who the server is: somebody in "
                               "between could see the screen and the keys.",
                               "Encrypted, but nothing proves who the server is: somebody in "
                               "between could get the password."},
    };
    _Static_assert(CHANNEL_KEY == 3, "each weaker channel has its warning");

    if (q->proof == PROOF_DH)
        write_dh(q, out, size);
    else
        snprintf(out, size, "%s", texts[q->channel][q->kind == QUESTION_USER_PASSWORD]);
}

bool trust_warning(const struct session_question *q, char out[TRUST_WARNING_MAX])
{
    char way[3 * SESSION_HOST_MAX + 80], text[SESSION_HOST_MAX + 280];

    *out = '\0';
    if (is_local(q) || q->channel >= CHANNEL_KEY)
        return false;
    write_warning(q, text, sizeof text);
    write_way(q, way, sizeof way);
    snprintf(out, TRUST_WARNING_MAX, "%s%c%s", way, *way ? tolower((unsigned char)*text) : *text,
             text + 1);
    return true;
}

bool trust_had_certificate(void *seen, const struct address *server, const struct route *route,
                           bool *had, struct reason *why)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(server, route, key);

    *had = seen_servers_had_certificate(seen, key, port);
    return *had || known_servers_has(key, port, had, why) || reason_set_kind(why, FAILURE_TRUST);
}

void trust_saw_certificate(void *seen, const struct address *server, const struct route *route,
                           bool vouched)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(server, route, key);
    bool written = seen_servers_note_certificate(seen, key, port);
    struct reason why;

    if (vouched && written && !known_servers_add_vouched(key, port, time(NULL), &why))
        log_line("that the server has a certificate cannot be remembered: %s", why.text);
}

void trust_add_advice(struct reason *why)
{
    struct reason before = *why, never;
    char path[PATH_MAX];

    if (strstr(why->text, SECURITY_CERTIFIED_BEFORE) &&
        known_servers_path(path, sizeof path, &never))
        reason_set(
            why,
            "%.400s. To forget its certificate, remove its lines from %.190s and start vnchl again",
            before.text, path);
}
