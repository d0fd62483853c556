#include "rfb/net/crypto/certificate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rfb/net/crypto/kept_file.h"
#include "rfb/system/plain_file.h"

/* So much of a name is shown, and so many of the names. Chosen: fit to be read in one line. */
#define NAME_SHOWN  64
#define NAMES_SHOWN 4

#define LIST_OUTDATED                                                                              \
    (GNUTLS_CERT_REVOCATION_DATA_SUPERSEDED | GNUTLS_CERT_REVOCATION_DATA_ISSUED_IN_FUTURE)

/* Of these faults a person may know better than this machine. */
#define ACCEPTABLE                                                                                 \
    (GNUTLS_CERT_INVALID | GNUTLS_CERT_EXPIRED | GNUTLS_CERT_NOT_ACTIVATED |                       \
     GNUTLS_CERT_PURPOSE_MISMATCH | GNUTLS_CERT_SIGNER_NOT_FOUND | GNUTLS_CERT_SIGNER_NOT_CA |     \
     GNUTLS_CERT_UNEXPECTED_OWNER)

bool certificate_acceptable(unsigned status)
{
    return (status & ~(unsigned)ACCEPTABLE) == 0;
}

/* NULL: it cannot be read. The caller frees it with gnutls_x509_crt_deinit(). */
static gnutls_x509_crt_t certificate_import(const struct certificate_der *der)
{
    gnutls_datum_t bytes = {(unsigned char *)der->bytes, (unsigned)der->size};
    gnutls_x509_crt_t crt;

    if (gnutls_x509_crt_init(&crt) != 0)
        return NULL;
    if (gnutls_x509_crt_import(crt, &bytes, GNUTLS_X509_FMT_DER) == 0)
        return crt;
    gnutls_x509_crt_deinit(crt);
    return NULL;
}

/* Appends to `out`, which stays a whole text when it is full. */
static void certificate_append(struct reason *out, const char *before, const char *text)
{
    size_t used = strlen(out->text);

    snprintf(out->text + used, sizeof out->text - used, "%s%s", before, text);
    sanitise(out->text); /* it may have been cut inside a character */
}

static void append_fault(struct reason *faults, const char *fault)
{
    certificate_append(faults, *faults->text ? "; " : "", fault);
}

/* ---- names ---- */

/* Makes as many of `size` bytes as there is room for a text that is fit to be shown. */
static void show_bytes(const char *bytes, size_t size, char *out, size_t room)
{
    size_t length = size < room ? size : room - 1;

    memcpy(out, bytes, length);
    out[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!out[i]) /* a NUL inside a name would hide what follows */
            out[i] = '?';
    sanitise(out);
}

static void show_name(const char *bytes, size_t size, char out[NAME_SHOWN + 1])
{
    show_bytes(bytes, size, out, NAME_SHOWN + 1);
}

/* The name of number `i` that the certificate is for, DNS name or address. False: there are no
 * more. `out` is empty when it is of another kind. */
static bool name_for(gnutls_x509_crt_t crt, unsigned i, char out[NAME_SHOWN + 1])
{
    char bytes[1024];
    size_t size = sizeof bytes;
    int kind = gnutls_x509_crt_get_subject_alt_name(crt, i, bytes, &size, NULL);

    *out = '\0';
    if (kind == GNUTLS_SAN_DNSNAME)
        show_name(bytes, size, out);
    else if (kind == GNUTLS_SAN_IPADDRESS && (size == 4 || size == 16))
        inet_ntop(size == 4 ? AF_INET : AF_INET6, bytes, out, NAME_SHOWN);
    return kind >= 0 || kind == GNUTLS_E_SHORT_MEMORY_BUFFER;
}

/* The names that the certificate is for: "'a', 'b' and 3 more", or "no name". */
static void names_for(gnutls_x509_crt_t crt, struct reason *out)
{
    char name[NAME_SHOWN + 1], bytes[256];
    size_t size = sizeof bytes;
    unsigned shown = 0, more = 0;

    *out->text = '\0';
    for (unsigned i = 0; i < 1000 && name_for(crt, i, name); i++) {
        if (!*name)
            continue;
        if (shown == NAMES_SHOWN) {
            more++;
            continue;
        }
        certificate_append(out, shown++ ? ", '" : "'", name);
        certificate_append(out, "'", "");
    }
    if (more > 0) {
        snprintf(name, sizeof name, " and %u more", more);
        certificate_append(out, name, "");
    }
    if (shown > 0)
        return;
    /* old certificates have their name here only */
    if (gnutls_x509_crt_get_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, 0, bytes, &size) == 0) {
        show_name(bytes, size, name);
        reason_set(out, "'%s'", name);
    } else {
        reason_set(out, "no name");
    }
}

static void append_wrong_name(struct reason *faults, gnutls_x509_crt_t own, const char *host)
{
    struct reason names, fault;

    if (own)
        names_for(own, &names);
    else
        reason_set(&names, "another name");
    reason_set(&fault, "it is for %s, not for '%s'", names.text, host);
    append_fault(faults, fault.text);
}

/* ---- dates ---- */

static void write_date(time_t t, char out[CERTIFICATE_DATE_MAX])
{
    struct tm utc = {0};

    if (!gmtime_r(&t, &utc) || !strftime(out, CERTIFICATE_DATE_MAX, "%Y-%m-%d %H:%M UTC", &utc))
        *out = '\0';
}

/* "it expired on 2026-11-22 14:05 UTC" */
static void append_date(struct reason *faults, const char *before, time_t t, const char *after)
{
    struct reason fault;
    char date[CERTIFICATE_DATE_MAX];

    write_date(t, date);
    reason_set(&fault, "%s%s%s", before, date, after);
    append_fault(faults, fault.text);
}

/* The library says that a date is wrong, and not in which certificate of the chain. */
static void append_dates(struct reason *faults, gnutls_x509_crt_t own, unsigned status)
{
    time_t now = time(NULL);
    time_t from = own ? gnutls_x509_crt_get_activation_time(own) : (time_t)-1;
    time_t to = own ? gnutls_x509_crt_get_expiration_time(own) : (time_t)-1;

    if ((status & GNUTLS_CERT_EXPIRED) && to != (time_t)-1 && to < now)
        append_date(faults, "it expired on ", to, "");
    else if (status & GNUTLS_CERT_EXPIRED)
        append_fault(faults, "the certificate that it was signed with has expired");
    if ((status & GNUTLS_CERT_NOT_ACTIVATED) && from != (time_t)-1 && from > now)
        append_date(faults, "it is not valid before ", from,
                    " (or the clock of this computer is wrong)");
    else if (status & GNUTLS_CERT_NOT_ACTIVATED)
        append_fault(faults, "the certificate that it was signed with is not valid yet");
}

/* ---- signers ---- */

static bool is_self_signed(const struct certificate_case *c, gnutls_x509_crt_t last)
{
    return last && c->own.bytes == c->last.bytes && gnutls_x509_crt_check_issuer(last, last);
}

static void append_signer(struct reason *faults, gnutls_x509_crt_t last, bool self_signed,
                          const char *ca_file)
{
    struct reason fault;
    char bytes[256], signer[NAME_SHOWN + 1] = "somebody without a name";
    size_t size = sizeof bytes;

    if (self_signed) {
        if (ca_file)
            reason_set(&fault, "it is self-signed, and it is not in %s", ca_file);
        else
            reason_set(&fault, "it is self-signed, so only the server itself confirms it");
        append_fault(faults, fault.text);
        return;
    }
    if (last && gnutls_x509_crt_get_issuer_dn_by_oid(last, GNUTLS_OID_X520_COMMON_NAME, 0, 0, bytes,
                                                     &size) == 0)
        show_name(bytes, size, signer);
    if (ca_file)
        reason_set(&fault, "it is signed by '%s', and by nobody in %s", signer, ca_file);
    else
        reason_set(&fault, "it is signed by '%s', whom this computer does not know", signer);
    append_fault(faults, fault.text);
}

/* One of the signer's name is trusted, and has not signed it. */
static void append_forged(struct reason *faults, gnutls_x509_crt_t last,
                          const struct certificate_case *c)
{
    /* the file holds another certificate of the same name, perhaps an older one of this server */
    if (c->ca_file && is_self_signed(c, last))
        append_signer(faults, last, true, c->ca_file);
    else
        append_fault(faults, "its signature is wrong: it is forged or damaged");
}

void certificate_faults(const struct certificate_case *c, struct reason *faults)
{
    static const struct {
        unsigned status;
        const char *text;
    } plain[] = {
        {GNUTLS_CERT_REVOKED, "it was revoked: whoever has signed it declares it invalid"},
        {GNUTLS_CERT_INSECURE_ALGORITHM,
         "its signature or its key is of a kind that is no longer safe"},
        {LIST_OUTDATED, "the list of revoked certificates is out of date"},
        {GNUTLS_CERT_PURPOSE_MISMATCH, "it is not made for servers"},
        {GNUTLS_CERT_SIGNER_NOT_CA, "it is signed by somebody who may not sign certificates"},
    };
    gnutls_x509_crt_t own = certificate_import(&c->own), last = certificate_import(&c->last);

    *faults->text = '\0';
    if (c->status & GNUTLS_CERT_UNEXPECTED_OWNER)
        append_wrong_name(faults, own, c->host);
    append_dates(faults, own, c->status);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (c->status & plain[i].status)
            append_fault(faults, plain[i].text);
    if (c->status & GNUTLS_CERT_SIGNER_NOT_FOUND)
        append_signer(faults, last, is_self_signed(c, last), c->ca_file);
    if (c->status & GNUTLS_CERT_SIGNATURE_FAILURE)
        append_forged(faults, last, c);
    if (!*faults->text)
        reason_set(faults, "it cannot be verified");
    if (own)
        gnutls_x509_crt_deinit(own);
    if (last)
        gnutls_x509_crt_deinit(last);
}

/* ---- facts ---- */

static void write_subject(gnutls_x509_crt_t own, char out[CERTIFICATE_SUBJECT_MAX])
{
    gnutls_datum_t name = {NULL, 0};
    struct reason names;

    if (gnutls_x509_crt_get_dn2(own, &name) == 0 && name.size > 0) {
        show_bytes((const char *)name.data, name.size, out, CERTIFICATE_SUBJECT_MAX);
    } else { /* a newer one may have its names beside the subject only */
        names_for(own, &names);
        show_bytes(names.text, strlen(names.text), out, CERTIFICATE_SUBJECT_MAX);
    }
    gnutls_free(name.data);
}

void certificate_facts(const struct certificate_der *own, struct certificate_facts *facts)
{
    gnutls_x509_crt_t crt = certificate_import(own);
    time_t to;

    *facts = (struct certificate_facts){"", ""};
    if (!crt)
        return;
    write_subject(crt, facts->subject);
    to = gnutls_x509_crt_get_expiration_time(crt);
    if (to != (time_t)-1 && to != GNUTLS_X509_NO_WELL_DEFINED_EXPIRATION)
        write_date(to, facts->expires);
    gnutls_x509_crt_deinit(crt);
}

/* ---- files ---- */

static bool certificate_copy(const void *from, size_t size, unsigned char **bytes,
                             struct reason *why)
{
    *bytes = malloc(size + 1);
    if (!*bytes)
        return reason_set(why, "out of memory");
    memcpy(*bytes, from, size);
    return true;
}

bool certificate_file_read(const char *file, unsigned char **bytes, size_t *size,
                           struct reason *why)
{
    const void *kept;

    if (kept_file_get(file, &kept, size))
        return certificate_copy(kept, *size, bytes, why);
    *bytes = (unsigned char *)plain_file_read(file, size, why);
    if (*bytes && *size == 0) {
        free(*bytes);
        *bytes = NULL;
        reason_set(why, "%s is empty: it has to hold certificates in PEM", file);
    }
    return *bytes;
}

bool certificate_file_check(const char *file, struct reason *why)
{
    gnutls_x509_crt_t *list = NULL;
    unsigned char *bytes;
    gnutls_datum_t pem;
    unsigned count = 0;
    size_t size;
    int error;

    if (!certificate_file_read(file, &bytes, &size, why))
        return false;
    pem = (gnutls_datum_t){bytes, (unsigned)size};
    error = gnutls_x509_crt_list_import2(&list, &count, &pem, GNUTLS_X509_FMT_PEM, 0);
    free(bytes);
    if (error == GNUTLS_E_NO_CERTIFICATE_FOUND)
        return reason_set(why,
                          "there is no certificate in %s: it has to be PEM, with lines "
                          "-----BEGIN CERTIFICATE-----",
                          file);
    if (error < 0)
        return reason_set(why, "the certificates in %s are damaged: %s", file,
                          gnutls_strerror(error));
    for (unsigned i = 0; i < count; i++)
        gnutls_x509_crt_deinit(list[i]);
    gnutls_free(list);
    return true;
}

unsigned certificate_verify(gnutls_certificate_credentials_t authorities,
                            const gnutls_datum_t *chain, unsigned count,
                            gnutls_typed_vdata_st *wanted)
{
    gnutls_x509_crt_t all[16] = {NULL};
    gnutls_x509_trust_list_t list;
    unsigned status = GNUTLS_CERT_INVALID, used = 0;

    while (used < count && used < sizeof all / sizeof *all) {
        const struct certificate_der der = {chain[used].data, chain[used].size};

        if (!(all[used] = certificate_import(&der)))
            break;
        used++;
    }
    gnutls_certificate_get_trust_list(authorities, &list);
    if (used == 0 ||
        gnutls_x509_trust_list_verify_crt2(list, all, used, wanted, 2, 0, &status, NULL) < 0)
        status = GNUTLS_CERT_INVALID;
    while (used > 0)
        gnutls_x509_crt_deinit(all[--used]);
    return status;
}

/* ---- lists of revoked certificates ---- */

struct certificate_lists {
    gnutls_x509_crl_t *all;
    unsigned count;
};

static void certificate_lists_free(struct certificate_lists *l)
{
    while (l->count > 0)
        gnutls_x509_crl_deinit(l->all[--l->count]);
    gnutls_free(l->all);
}

static bool certificate_lists_read(struct certificate_lists *l, const char *file,
                                   struct reason *why)
{
    unsigned char *bytes;
    gnutls_datum_t pem;
    size_t size;
    int error;

    *l = (struct certificate_lists){0};
    if (!certificate_file_read(file, &bytes, &size, why))
        return false;
    pem = (gnutls_datum_t){bytes, (unsigned)size};
    error = gnutls_x509_crl_list_import2(&l->all, &l->count, &pem, GNUTLS_X509_FMT_PEM, 0);
    free(bytes);
    return (error >= 0 && l->count > 0) ||
           reason_set(why, "cannot read a list of revoked certificates (PEM) in %s: %s", file,
                      error < 0 ? gnutls_strerror(error) : "it is empty");
}

static bool certificate_list_is_dated(gnutls_x509_crl_t list, const char *file, struct reason *why)
{
    time_t now = time(NULL), from = gnutls_x509_crl_get_this_update(list),
           until = gnutls_x509_crl_get_next_update(list), date = from > now ? from : until;
    struct tm utc = {0};
    char text[32] = "";

    if (from <= now && (until == (time_t)-1 || until >= now))
        return true;
    gmtime_r(&date, &utc);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
    return reason_set(why, "the list of revoked certificates in %s is %s %s: get the present one",
                      file, from > now ? "not valid before" : "out of date since", text);
}

bool certificate_list_check(const char *file, struct reason *why)
{
    struct certificate_lists l;
    bool ok = certificate_lists_read(&l, file, why);

    for (unsigned i = 0; ok && i < l.count; i++)
        ok = certificate_list_is_dated(l.all[i], file, why);
    certificate_lists_free(&l);
    return ok;
}

/* Whether `signer` has signed one of the lists. */
static bool certificate_lists_have(const struct certificate_lists *l, gnutls_x509_crt_t signer)
{
    unsigned status;

    for (unsigned i = 0; i < l->count; i++)
        if (gnutls_x509_crl_check_issuer(l->all[i], signer) &&
            gnutls_x509_crl_verify(l->all[i], &signer, 1, 0, &status) == 0 && status == 0)
            return true;
    return false;
}

/* Who has signed the server's certificate: of the chain, or an authority. NULL: not known. */
static gnutls_x509_crt_t certificate_signer(gnutls_certificate_credentials_t authorities,
                                            gnutls_x509_crt_t own, const gnutls_datum_t *chain,
                                            unsigned count)
{
    gnutls_x509_trust_list_t trusted;
    gnutls_x509_crt_t signer = NULL;

    if (count > 1) {
        const struct certificate_der next = {chain[1].data, chain[1].size};

        signer = certificate_import(&next);
        if (signer && gnutls_x509_crt_check_issuer(own, signer))
            return signer;
        gnutls_x509_crt_deinit(signer);
    }
    gnutls_certificate_get_trust_list(authorities, &trusted);
    return gnutls_x509_trust_list_get_issuer(trusted, own, &signer, GNUTLS_TL_GET_COPY) == 0
               ? signer
               : NULL;
}

bool certificate_list_covers(gnutls_certificate_credentials_t authorities, const char *file,
                             const gnutls_datum_t *chain, unsigned count, struct reason *why)
{
    const struct certificate_der der = {chain[0].data, chain[0].size};
    gnutls_x509_crt_t own = certificate_import(&der), signer = NULL;
    struct certificate_lists l;
    bool ok = own && certificate_lists_read(&l, file, why);

    if (!ok) {
        if (own)
            gnutls_x509_crt_deinit(own);
        return false;
    }
    ok = gnutls_x509_crt_check_issuer(own, own);
    if (!ok && (signer = certificate_signer(authorities, own, chain, count)))
        ok = certificate_lists_have(&l, signer);
    if (!ok)
        reason_set(why,
                   "no list of revoked certificates in %s is signed by the one who has signed the "
                   "server's certificate",
                   file);
    certificate_lists_free(&l);
    if (signer)
        gnutls_x509_crt_deinit(signer);
    gnutls_x509_crt_deinit(own);
    return ok;
}
