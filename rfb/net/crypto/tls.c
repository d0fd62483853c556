#include "rfb/net/crypto/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/net/crypto/certificate.h"
#include "rfb/net/crypto/kept_file.h"
#include "rfb/net/transport.h"
#include "rfb/system/log.h"

/* Without certificates only these key exchanges are possible (VeNCrypt's TLS* subtypes). */
#define ANONYMOUS_PRIORITY "NORMAL:-VERS-TLS1.3:-KX-ALL:+ANON-ECDH:+ANON-DH"
#define X509_PRIORITY      "NORMAL"

/* The name under which that file is kept. */
#define SYSTEM_AUTHORITIES "the system's authorities"

struct tls {
    struct layer layer;
    char *host;
    const char *ca_file, *also_file, *crl_file;
    const uint8_t *pinned;           /* fingerprint of the only certificate accepted; NULL: any */
    gnutls_typed_vdata_st wanted[2]; /* of a certificate: host name, key purpose */
    key_trust *trust;
    void *user;
    struct reason refusal; /* why the certificate is not accepted */
    gnutls_anon_client_credentials_t anonymous;
    gnutls_certificate_credentials_t certificate;
    pthread_mutex_t lock; /* one call of the library at a time */
    gnutls_session_t session;
    char fault[120]; /* the fatal one, when reading; empty: none */
    short needs;     /* of the transport below, before it is read again: POLLIN or POLLOUT */
    /* The server has said something; if not, it is waited for until this time. */
    bool answered;
    tick_t answer_until;
    uint8_t hello[TLS_HELLO_MAX];
    size_t hello_size;
    bool shown_certificate; /* the server has shown a certificate, with this fingerprint */
    uint8_t sha256[FINGERPRINT_BYTES];
};

static bool library_failed(int error, const char *doing, struct reason *why)
{
    return reason_set(why, "%s: %s", doing, gnutls_strerror(error));
}

/* ---- the server's certificate ---- */

/* Those who may sign, as a file names them. */
static bool load_file(gnutls_certificate_credentials_t to, const char *file, struct reason *why)
{
    unsigned char *bytes;
    gnutls_datum_t pem;
    size_t size;
    int count;

    if (!certificate_file_check(file, why) || !certificate_file_read(file, &bytes, &size, why))
        return false;
    pem = (gnutls_datum_t){bytes, (unsigned)size};
    count = gnutls_certificate_set_x509_trust_mem(to, &pem, GNUTLS_X509_FMT_PEM);
    free(bytes);
    return count > 0 ||
           reason_set(why, "cannot read the certificates in %s: %s", file, gnutls_strerror(count));
}

/* The first one of the chain is the server's own. */
static struct certificate_der der_of(const gnutls_datum_t *chain, unsigned i)
{
    return (struct certificate_der){chain[i].data, chain[i].size};
}

/* Says what is wrong, to whoever is asked and in the refusal. */
static void tls_judge(struct tls *t, const gnutls_datum_t *chain, unsigned count, unsigned status,
                      struct key_doubt *doubt)
{
    const struct certificate_case c = {.status = status,
                                       .own = der_of(chain, 0),
                                       .last = der_of(chain, count - 1),
                                       .host = t->host,
                                       .ca_file = t->ca_file};

    certificate_faults(&c, &doubt->faults);
    certificate_facts(&c.own, &doubt->facts);
    doubt->acceptable = certificate_acceptable(status);
    reason_set(&t->refusal, "the server's certificate is not accepted: %s", doubt->faults.text);
}

/* Exactly this certificate was asked for. Whoever has signed it, nothing else counts. */
static bool is_pinned(struct tls *t, const uint8_t *sha256)
{
    char shown[FINGERPRINT_TEXT];

    if (memcmp(sha256, t->pinned, FINGERPRINT_BYTES) == 0)
        return true;
    fingerprint_text(sha256, shown);
    return reason_set(&t->refusal,
                      "the server shows another certificate than the one that --fingerprint asks "
                      "for; its SHA-256 fingerprint is %s",
                      shown);
}

/* Whether those who must have signed the certificate as well have done so. */
static bool is_signed_also(struct tls *t, const gnutls_datum_t *chain, unsigned count)
{
    struct certificate_case c = {.own = der_of(chain, 0),
                                 .last = der_of(chain, count - 1),
                                 .host = t->host,
                                 .ca_file = t->also_file};
    gnutls_certificate_credentials_t also;
    struct reason faults = {0};

    if (gnutls_certificate_allocate_credentials(&also) != 0)
        return false;
    if (!load_file(also, t->also_file, &t->refusal)) {
        gnutls_certificate_free_credentials(also);
        return false;
    }
    c.status = certificate_verify(also, chain, count, t->wanted);
    gnutls_certificate_free_credentials(also);
    if (c.status == 0)
        return true;
    certificate_faults(&c, &faults);
    return reason_set(&t->refusal,
                      "the server's certificate is not what the connection file asks for: %s",
                      faults.text);
}

/* Whether the certificate is verified, or is trusted all the same by somebody who is asked. */
static bool tls_accepts(struct tls *t, const gnutls_datum_t *chain, unsigned count)
{
    struct key_doubt doubt = {.host = t->host};
    size_t size = sizeof doubt.sha256;
    unsigned status;

    if (gnutls_fingerprint(GNUTLS_DIG_SHA256, chain, doubt.sha256, &size) != 0)
        return false;
    t->shown_certificate = true;
    memcpy(t->sha256, doubt.sha256, sizeof t->sha256);
    if (t->also_file && !is_signed_also(t, chain, count))
        return false;
    if (t->pinned)
        return is_pinned(t, doubt.sha256);
    if (gnutls_certificate_verify_peers(t->session, t->wanted, 2, &status) < 0)
        return false;
    if (status == 0)
        return !t->crl_file ||
               certificate_list_covers(t->certificate, t->crl_file, chain, count, &t->refusal);
    tls_judge(t, chain, count, status, &doubt);
    return !t->ca_file && t->trust && t->trust(t->user, &doubt, &t->refusal) && doubt.acceptable;
}

/* Called by the library inside the handshake, which fails when this does. */
static int tls_verify(gnutls_session_t session)
{
    struct tls *t = gnutls_session_get_ptr(session);
    unsigned count = 0;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);

    reason_set(&t->refusal, "the server's certificate cannot be read");
    return chain && count > 0 && tls_accepts(t, chain, count)
               ? 0
               : GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR;
}

/* ---- setting up ---- */

void tls_keep_authorities(void)
{
    /* of Debian, Fedora, openSUSE, Alpine and the BSDs */
    static const char *const lists[] = {
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/var/lib/ca-certificates/ca-bundle.pem", "/etc/ssl/cert.pem"};
    bool kept = false;

    for (size_t i = 0; i < sizeof lists / sizeof *lists && !kept; i++) {
        int fd = kept_file_open(lists[i]);

        if (fd < 0)
            continue;
        kept = kept_file_keep(SYSTEM_AUTHORITIES, fd);
        close(fd);
    }
}

/* Those who may sign, as the system has them. Returns how many, or an error of the library. */
static int load_system(struct tls *t)
{
    const void *bytes;
    gnutls_datum_t pem;
    size_t size;

    if (!kept_file_get(SYSTEM_AUTHORITIES, &bytes, &size))
        return gnutls_certificate_set_x509_system_trust(t->certificate);
    pem = (gnutls_datum_t){(unsigned char *)bytes, (unsigned)size};
    return gnutls_certificate_set_x509_trust_mem(t->certificate, &pem, GNUTLS_X509_FMT_PEM);
}

static bool load_authorities(struct tls *t, struct reason *why)
{
    if (t->ca_file)
        return load_file(t->certificate, t->ca_file, why);
    /* without a list nobody vouches for any server, and the person is asked */
    if (load_system(t) <= 0)
        log_debug("this machine has no list of those who may sign certificates");
    return true;
}

static bool load_revoked(struct tls *t, struct reason *why)
{
    unsigned char *bytes;
    gnutls_datum_t pem;
    size_t size;
    int count;

    if (!t->crl_file)
        return true;
    if (!certificate_list_check(t->crl_file, why) ||
        !certificate_file_read(t->crl_file, &bytes, &size, why))
        return false;
    pem = (gnutls_datum_t){bytes, (unsigned)size};
    count = gnutls_certificate_set_x509_crl_mem(t->certificate, &pem, GNUTLS_X509_FMT_PEM);
    free(bytes);
    return count > 0 ||
           reason_set(why, "cannot read a list of revoked certificates (PEM) in %s: %s",
                      t->crl_file, count < 0 ? gnutls_strerror(count) : "it is empty");
}

static bool tls_is_number(const char *host)
{
    unsigned char binary[16];

    return inet_pton(AF_INET, host, binary) == 1 || inet_pton(AF_INET6, host, binary) == 1;
}

static int set_up_x509(struct tls *t)
{
    int error = gnutls_credentials_set(t->session, GNUTLS_CRD_CERTIFICATE, t->certificate);

    if (error == 0 && !tls_is_number(t->host))
        error = gnutls_server_name_set(t->session, GNUTLS_NAME_DNS, t->host, strlen(t->host));
    /* the handshake itself then fails with a certificate that is not the one asked for */
    t->wanted[0] = (gnutls_typed_vdata_st){GNUTLS_DT_DNS_HOSTNAME, (unsigned char *)t->host, 0};
    t->wanted[1] = (gnutls_typed_vdata_st){GNUTLS_DT_KEY_PURPOSE_OID,
                                           (unsigned char *)GNUTLS_KP_TLS_WWW_SERVER, 0};
    gnutls_session_set_ptr(t->session, t);
    gnutls_session_set_verify_function(t->session, tls_verify);
    return error;
}

/* How the library reads and writes. Before TLS lies on a transport nothing comes, and the
 * ClientHello is kept for the caller. */
static ssize_t tls_pull(gnutls_transport_ptr_t user, void *out, size_t size)
{
    struct tls *t = user;
    ssize_t n;

    if (!t->layer.below) {
        errno = EAGAIN;
        return -1;
    }
    n = t->layer.below->ops->read(t->layer.below, out, size);
    t->answered = t->answered || n > 0;
    return n;
}

static ssize_t keep_hello(struct tls *t, const giovec_t *parts, int count)
{
    size_t before = t->hello_size;

    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len > sizeof t->hello - t->hello_size) {
            errno = EMSGSIZE;
            return -1;
        }
        memcpy(t->hello + t->hello_size, parts[i].iov_base, parts[i].iov_len);
        t->hello_size += parts[i].iov_len;
    }
    return (ssize_t)(t->hello_size - before);
}

static ssize_t tls_push(gnutls_transport_ptr_t user, const giovec_t *parts, int count)
{
    struct tls *t = user;

    return t->layer.below ? t->layer.below->ops->write(t->layer.below, parts, count)
                          : keep_hello(t, parts, count);
}

static bool set_up(struct tls *t, const struct tls_options *o, struct reason *why)
{
    int error;

    error = o->certificate ? gnutls_certificate_allocate_credentials(&t->certificate)
                           : gnutls_anon_allocate_client_credentials(&t->anonymous);
    if (error == 0)
        error = gnutls_init(&t->session, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL);
    if (error == 0)
        error = gnutls_priority_set_direct(
            t->session, o->certificate ? X509_PRIORITY : ANONYMOUS_PRIORITY, NULL);
    if (error != 0)
        return library_failed(error, "cannot set up TLS", why);
    if (o->certificate && (!load_authorities(t, why) || !load_revoked(t, why)))
        return false;
    error = o->certificate ? set_up_x509(t)
                           : gnutls_credentials_set(t->session, GNUTLS_CRD_ANON, t->anonymous);
    if (error != 0)
        return library_failed(error, "cannot set up TLS", why);
    gnutls_transport_set_ptr(t->session, t);
    gnutls_transport_set_pull_function(t->session, tls_pull);
    gnutls_transport_set_vec_push_function(t->session, tls_push);
    gnutls_handshake_set_timeout(t->session, 0); /* the session has a deadline of its own */
    error = gnutls_handshake(t->session);        /* as far as it goes alone */
    return error == GNUTLS_E_AGAIN || library_failed(error, "cannot begin TLS", why);
}

void tls_destroy(struct tls *t)
{
    if (!t)
        return;
    if (t->session)
        gnutls_deinit(t->session);
    if (t->certificate)
        gnutls_certificate_free_credentials(t->certificate);
    if (t->anonymous)
        gnutls_anon_free_client_credentials(t->anonymous);
    pthread_mutex_destroy(&t->lock);
    free(t->host);
    free(t);
}

struct tls *tls_create(const struct tls_options *options, struct reason *why)
{
    struct tls *t = calloc(1, sizeof *t);

    /* a Unix socket has no host name: its server runs on this machine */
    if (!t || !(t->host = strdup(options->host && *options->host ? options->host : "localhost"))) {
        free(t);
        reason_set(why, "out of memory");
        return NULL;
    }
    t->host[strcspn(t->host, "%")] = '\0'; /* no certificate names the scope of an address */
    t->ca_file = options->ca_file;
    t->also_file = options->also_file;
    t->crl_file = options->crl_file;
    t->pinned = options->fingerprint;
    t->needs = POLLIN;
    t->answer_until = TICK_NEVER;
    t->trust = options->trust;
    t->user = options->user;
    pthread_mutex_init(&t->lock, NULL);
    if (set_up(t, options, why))
        return t;
    reason_set_kind(why, FAILURE_TRUST); /* its certificates cannot be used */
    tls_destroy(t);
    return NULL;
}

size_t tls_hello(const struct tls *t, const uint8_t **bytes)
{
    *bytes = t->hello;
    return t->hello_size;
}

void tls_answer_until(struct tls *t, tick_t until)
{
    t->answer_until = until;
}

/* ---- the operations of a transport ---- */

static struct tls *tls_of(struct transport *t)
{
    return (struct tls *)t; /* the layer is its first member */
}

static short tls_direction(struct tls *t)
{
    return gnutls_record_get_direction(t->session) ? POLLOUT : POLLIN;
}

static const char *fault_of(struct tls *t, ssize_t error)
{
    if (error == GNUTLS_E_PULL_ERROR || error == GNUTLS_E_PUSH_ERROR)
        return strerror(errno);
    if (error == GNUTLS_E_FATAL_ALERT_RECEIVED)
        return gnutls_alert_get_name(gnutls_alert_get(t->session));
    return gnutls_strerror((int)error);
}

/* As read() and write() say it. */
static ssize_t result_of(ssize_t n)
{
    if (n >= 0)
        return n;
    if (n == GNUTLS_E_PREMATURE_TERMINATION)
        return 0;
    errno = gnutls_error_is_fatal((int)n) ? EPROTO : EAGAIN;
    return -1;
}

static ssize_t tls_read(struct transport *transport, void *out, size_t size)
{
    struct tls *t = tls_of(transport);
    ssize_t n;

    pthread_mutex_lock(&t->lock);
    n = gnutls_record_recv(t->session, out, size);
    if (n < 0 && n != GNUTLS_E_PREMATURE_TERMINATION && gnutls_error_is_fatal((int)n))
        snprintf(t->fault, sizeof t->fault, "%s", fault_of(t, n));
    n = result_of(n);
    t->needs = tls_direction(t);
    pthread_mutex_unlock(&t->lock);
    return n;
}

/* After EAGAIN the library takes the same bytes only, which is what a stream writes then. */
static ssize_t tls_write(struct transport *transport, const struct iovec *parts, int count)
{
    struct tls *t = tls_of(transport);
    ssize_t n;

    if (count < 1)
        return 0;
    pthread_mutex_lock(&t->lock);
    n = result_of(gnutls_record_send(t->session, parts->iov_base, parts->iov_len));
    pthread_mutex_unlock(&t->lock);
    return n;
}

/* Bytes that were decrypted and not read. */
static int tls_pending(struct tls *t)
{
    size_t n;

    pthread_mutex_lock(&t->lock);
    n = gnutls_record_check_pending(t->session);
    pthread_mutex_unlock(&t->lock);
    return (int)n;
}

static enum transport_wake tls_wait(struct transport *t, short events, int wake_fd, tick_t until)
{
    if (events == POLLIN && tls_pending(tls_of(t)) > 0)
        return TRANSPORT_READY;
    return layer_wait(t, events == POLLIN ? tls_of(t)->needs : events, wake_fd, until);
}

static int tls_waiting(struct transport *t)
{
    return tls_pending(tls_of(t)) + layer_waiting(t);
}

static bool tls_explain(struct transport *t, struct reason *why)
{
    if (layer_explain(t, why))
        return true;
    if (*tls_of(t)->fault)
        reason_set(why, "the connection broke: %s", tls_of(t)->fault);
    return *tls_of(t)->fault;
}

static bool tls_key(const struct transport *transport, uint8_t sha256[FINGERPRINT_BYTES])
{
    const struct tls *t = (const struct tls *)transport;

    memcpy(sha256, t->sha256, FINGERPRINT_BYTES);
    return t->shown_certificate;
}

static void tls_close(struct transport *transport)
{
    struct transport *below = layer_below(transport);

    tls_destroy(tls_of(transport));
    below->ops->destroy(below);
}

/* ---- the handshake ---- */

static enum failure kind_of(int error)
{
    switch (error) {
    case GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR:
        return FAILURE_TRUST;
    case GNUTLS_E_PREMATURE_TERMINATION:
    case GNUTLS_E_PULL_ERROR:
    case GNUTLS_E_PUSH_ERROR:
        return FAILURE_LOST;
    default:
        return FAILURE_PROTOCOL;
    }
}

static void tls_failed(struct tls *t, int error, struct reason *why)
{
    if (error == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
        *why = t->refusal;
    else if (error == GNUTLS_E_PREMATURE_TERMINATION)
        reason_set(why, "the server closed the connection during the handshake");
    else
        reason_set(why, "the TLS handshake failed: %s", fault_of(t, error));
    reason_set_kind(why, kind_of(error));
}

/* Waits for what the handshake needs next. False: the server does not answer. */
static bool tls_wait_for_server(struct tls *t)
{
    tick_t until = t->answered ? TICK_NEVER : t->answer_until;

    return layer_wait(&t->layer.transport, tls_direction(t), -1, until) != TRANSPORT_LATE;
}

/* Ends when the transport is cut, too: it can be neither read nor written then. */
static bool tls_shake_hands(struct tls *t, struct reason *why)
{
    int result;

    while ((result = gnutls_handshake(t->session)) < 0 && !gnutls_error_is_fatal(result))
        if (!tls_wait_for_server(t))
            return reason_set(why, "the server does not answer the beginning of TLS");
    if (result < 0)
        tls_failed(t, result, why);
    else
        log_debug("encrypted: %s, %s",
                  gnutls_protocol_get_name(gnutls_protocol_get_version(t->session)),
                  gnutls_cipher_get_name(gnutls_cipher_get(t->session)));
    return result >= 0;
}

struct transport *tls_begin(struct transport *below, void *tls, struct reason *why)
{
    static const struct transport_ops ops = {
        .read = tls_read,
        .write = tls_write,
        .wait = tls_wait,
        .waiting = tls_waiting,
        .unsent = layer_unsent,
        .info = layer_info,
        .window = layer_window,
        .set_window = layer_set_window,
        .explain = tls_explain,
        .key = tls_key,
        .cut = layer_cut,
        .destroy = tls_close,
    };
    struct tls *t = tls;

    t->layer.transport.ops = &ops;
    t->layer.below = below;
    return tls_shake_hands(t, why) ? &t->layer.transport : NULL;
}
