#include "tools/accelerator/transport/cipher.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* So many bytes may come without one for the owner, in the handshake and behind it: a chain of
 * certificates is the longest that is said there. The library itself would keep whatever comes of a
 * message, up to 16 MB. */
#define UNHEARD_MOST ((size_t)128 << 10)

struct cipher {
    gnutls_session_t session;
    int fd;
    struct bytes_held early; /* to be read before the socket */
    const uint8_t *pinned;
    bool serves; /* the peer is a viewer */
    bool stands;
    bool waits; /* a record waits for room in the socket */
    bool broken;
    bool over;           /* nothing more comes */
    size_t unheard;      /* bytes that have come since there were some for the owner */
    struct reason fault; /* empty: none */
};

/* ---- how the library reads and writes ---- */

static const char *cipher_peer(const struct cipher *c)
{
    return c->serves ? "client" : "server";
}

static void cipher_blame(struct cipher *c, const char *what)
{
    reason_set(&c->fault, "TLS with the %s: %s", cipher_peer(c), what);
}

static ssize_t cipher_take_early(struct cipher *c, void *out, size_t size)
{
    if (size > c->early.size)
        size = c->early.size;
    memcpy(out, bytes_first(&c->early), size);
    bytes_take(&c->early, size);
    return (ssize_t)size;
}

static ssize_t cipher_pull(gnutls_transport_ptr_t user, void *out, size_t size)
{
    struct cipher *c = user;
    ssize_t n;

    if (c->unheard > UNHEARD_MOST) {
        cipher_blame(c, "it says too much to TLS itself");
        errno = EMSGSIZE;
        return -1;
    }
    n = c->early.size > 0 ? cipher_take_early(c, out, size) : recv(c->fd, out, size, MSG_DONTWAIT);
    c->unheard += n > 0 ? (size_t)n : 0;
    return n;
}

static ssize_t cipher_push(gnutls_transport_ptr_t user, const giovec_t *parts, int count)
{
    struct cipher *c = user;
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};

    return sendmsg(c->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool cipher_is_of_socket(int error)
{
    return error == GNUTLS_E_PREMATURE_TERMINATION || error == GNUTLS_E_PULL_ERROR ||
           error == GNUTLS_E_PUSH_ERROR;
}

static void cipher_explain(struct cipher *c, int error)
{
    char text[100];

    if (c->fault.text[0])
        return;
    if (error == GNUTLS_E_FATAL_ALERT_RECEIVED) {
        snprintf(text, sizeof text, "it refuses: %s",
                 gnutls_alert_get_name(gnutls_alert_get(c->session)));
        cipher_blame(c, text);
    } else if (!c->stands && cipher_is_of_socket(error)) {
        cipher_blame(c, "it has gone in the handshake");
    } else if (error == GNUTLS_E_REHANDSHAKE) {
        cipher_blame(c, "it wants to negotiate again, which is not allowed");
    } else {
        cipher_blame(c, gnutls_strerror(error));
    }
}

/* ---- the server's certificate ---- */

/* Called by the library inside the handshake, which fails when this does. */
static int cipher_verify(gnutls_session_t session)
{
    struct cipher *c = gnutls_session_get_ptr(session);
    unsigned count = 0;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
    uint8_t sha256[FINGERPRINT_BYTES];
    size_t size = sizeof sha256;
    char shown[FINGERPRINT_TEXT], text[FINGERPRINT_TEXT + 60];

    if (!chain || count == 0 || gnutls_fingerprint(GNUTLS_DIG_SHA256, chain, sha256, &size) != 0) {
        cipher_blame(c, "its certificate cannot be read");
        return GNUTLS_E_CERTIFICATE_ERROR;
    }
    if (!c->pinned || memcmp(sha256, c->pinned, sizeof sha256) == 0)
        return 0;
    fingerprint_text(sha256, shown);
    snprintf(text, sizeof text, "its certificate is not server-key, but %s", shown);
    cipher_blame(c, text);
    return GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR;
}

/* ---- life ---- */

static int cipher_set_up(struct cipher *c, const struct identity *i, bool certificate)
{
    int error = gnutls_init(&c->session, (c->serves ? GNUTLS_SERVER : GNUTLS_CLIENT) |
                                             GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);

    if (error != 0)
        return error;
    gnutls_session_set_ptr(c->session, c);
    gnutls_handshake_set_timeout(c->session, 0); /* the connection has a deadline of its own */
    gnutls_transport_set_ptr(c->session, c);
    gnutls_transport_set_pull_function(c->session, cipher_pull);
    gnutls_transport_set_vec_push_function(c->session, cipher_push);
    error = gnutls_priority_set(c->session, certificate ? i->priority : i->anonymous_priority);
    if (error != 0)
        return error;
    if (!certificate)
        return gnutls_credentials_set(c->session, GNUTLS_CRD_ANON,
                                      c->serves ? (void *)i->anonymous
                                                : (void *)i->anonymous_client);
    if (!c->serves)
        gnutls_session_set_verify_function(c->session, cipher_verify);
    return gnutls_credentials_set(c->session, GNUTLS_CRD_CERTIFICATE,
                                  c->serves ? i->certificate : i->as_client);
}

static struct cipher *cipher_create(const struct identity *i, struct cipher with, bool certificate,
                                    struct bytes_held *early, struct reason *why)
{
    struct cipher *c = malloc(sizeof *c);
    int error;

    if (!c) {
        reason_set(why, "out of memory");
        return NULL;
    }
    *c = with;
    error = cipher_set_up(c, i, certificate);
    if (error != 0) {
        reason_set(why, "cannot set up TLS: %s", gnutls_strerror(error));
        cipher_destroy(c);
        return NULL;
    }
    c->early = *early;
    *early = (struct bytes_held){0};
    return c;
}

struct cipher *cipher_serve(const struct identity *i, int fd, bool certificate,
                            struct bytes_held *early, struct reason *why)
{
    return cipher_create(i, (struct cipher){.fd = fd, .serves = true}, certificate, early, why);
}

struct cipher *cipher_join(const struct identity *i, int fd, bool certificate,
                           const uint8_t *pinned, struct bytes_held *early, struct reason *why)
{
    return cipher_create(i, (struct cipher){.fd = fd, .pinned = pinned}, certificate, early, why);
}

void cipher_destroy(struct cipher *c)
{
    if (!c)
        return;
    if (c->session)
        gnutls_deinit(c->session);
    bytes_deinit(&c->early);
    free(c);
}

enum cipher_state cipher_shake(struct cipher *c, struct reason *why)
{
    int result;

    if (c->stands)
        return CIPHER_STANDS;
    result = gnutls_handshake(c->session);
    c->stands = result == GNUTLS_E_SUCCESS;
    if (c->stands)
        return CIPHER_STANDS;
    if (!gnutls_error_is_fatal(result))
        return gnutls_record_get_direction(c->session) ? CIPHER_WRITES : CIPHER_READS;
    c->broken = true;
    cipher_explain(c, result);
    gnutls_alert_send_appropriate(c->session, result);
    *why = c->fault;
    return CIPHER_FAILED;
}

/* ---- bytes ---- */

/* What one record holds; 0: none is there now, or `over` has become true. */
static size_t cipher_read_record(struct cipher *c, void *out, size_t size)
{
    ssize_t n;

    do
        n = gnutls_record_recv(c->session, out, size);
    while (n == GNUTLS_E_INTERRUPTED);
    if (n > 0) {
        c->unheard = 0;
        return (size_t)n;
    }
    if (n == GNUTLS_E_AGAIN || n == GNUTLS_E_WARNING_ALERT_RECEIVED)
        return 0;
    c->over = true;
    if (n < 0 && n != GNUTLS_E_PREMATURE_TERMINATION) {
        c->broken = true;
        cipher_explain(c, (int)n);
    }
    return 0;
}

/* Several records, as far as they have come: each turn of the loop costs more than a record. */
size_t cipher_read(struct cipher *c, void *out, size_t size, bool *ended)
{
    uint8_t *to = out;
    size_t at = 0, n = 1;

    while (at < size && n > 0 && c->stands && !c->over && !c->broken) {
        n = cipher_read_record(c, to + at, size - at);
        at += n;
    }
    if (at == 0 && (c->over || c->broken))
        *ended = true;
    return at;
}

bool cipher_pending(const struct cipher *c)
{
    return c->stands && (c->over || c->broken || c->early.size > 0 ||
                         gnutls_record_check_pending(c->session) > 0);
}

/* One record, or what is left of one that waits (NULL). As cipher_write(). */
static ssize_t cipher_write_record(struct cipher *c, const void *bytes, size_t size)
{
    ssize_t n = gnutls_record_send(c->session, bytes, size);

    c->waits = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED;
    if (c->waits)
        return 0;
    c->broken = c->broken || n < 0;
    return n < 0 ? -1 : n;
}

/* From byte `at` of the pieces on. */
static ssize_t cipher_write_from(struct cipher *c, size_t at, const struct iovec *pieces, int count)
{
    ssize_t n = 1;
    size_t taken = 0;

    for (int i = 0; i < count && n > 0; i++) {
        for (; n > 0 && at < pieces[i].iov_len; at += (size_t)n, taken += (size_t)n) {
            const uint8_t *from = pieces[i].iov_base;

            n = cipher_write_record(c, from + at, pieces[i].iov_len - at);
            if (n <= 0)
                break;
        }
        at -= n > 0 ? pieces[i].iov_len : 0;
    }
    return n < 0 && taken == 0 ? -1 : (ssize_t)taken;
}

ssize_t cipher_write(struct cipher *c, const struct iovec *pieces, int count)
{
    ssize_t first = 0, n;

    if (c->broken || !c->stands)
        return -1;
    if (c->waits) {
        first = cipher_write_record(c, NULL, 0);
        if (first <= 0)
            return first;
    }
    n = cipher_write_from(c, (size_t)first, pieces, count);
    return n < 0 && first == 0 ? -1 : first + (n > 0 ? n : 0);
}

void cipher_bye(struct cipher *c)
{
    if (c->stands && !c->broken && !c->waits)
        gnutls_bye(c->session, GNUTLS_SHUT_WR);
}

const char *cipher_fault(const struct cipher *c)
{
    return c->fault.text[0] ? c->fault.text : NULL;
}

const char *cipher_name(const struct cipher *c)
{
    return gnutls_protocol_get_name(gnutls_protocol_get_version(c->session));
}
