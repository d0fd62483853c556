#include "tools/accelerator/transport/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rfb/plain_file.h"

#define IDENTITY_FILE    "identity.pem"    /* key and certificate */
#define CERTIFICATE_FILE "certificate.pem" /* a copy of the certificate, to give to viewers */

/* Renegotiation is refused where it is asked for (cipher.c). Anonymous key exchange is not in
 * TLS 1.3. */
#define CERTIFICATE_PRIORITY "NORMAL"
#define ANONYMOUS_PRIORITY   "NORMAL:-VERS-TLS1.3:-KX-ALL:+ANON-ECDH:+ANON-DH"

static bool identity_failed(struct reason *why, const char *doing, int error)
{
    return reason_set(why, "%s: %s", doing, gnutls_strerror(error));
}

/* ---- what TLS needs ---- */

static bool identity_set_up(struct identity *i, struct reason *why)
{
    int error = gnutls_certificate_allocate_credentials(&i->certificate);

    if (error == 0)
        error = gnutls_certificate_allocate_credentials(&i->as_client);
    if (error == 0)
        error = gnutls_anon_allocate_server_credentials(&i->anonymous);
    if (error == 0)
        error = gnutls_anon_set_server_known_dh_params(i->anonymous, GNUTLS_SEC_PARAM_MEDIUM);
    if (error == 0)
        error = gnutls_anon_allocate_client_credentials(&i->anonymous_client);
    if (error == 0)
        error = gnutls_priority_init(&i->priority, CERTIFICATE_PRIORITY, NULL);
    if (error == 0)
        error = gnutls_priority_init(&i->anonymous_priority, ANONYMOUS_PRIORITY, NULL);
    return error == 0 || identity_failed(why, "cannot set up TLS", error);
}

static struct identity *identity_create(struct reason *why)
{
    struct identity *i = calloc(1, sizeof *i);

    if (i && identity_set_up(i, why))
        return i;
    if (!i)
        reason_set(why, "out of memory");
    identity_destroy(i);
    return NULL;
}

void identity_destroy(struct identity *i)
{
    if (!i)
        return;
    if (i->certificate)
        gnutls_certificate_free_credentials(i->certificate);
    if (i->as_client)
        gnutls_certificate_free_credentials(i->as_client);
    if (i->anonymous)
        gnutls_anon_free_server_credentials(i->anonymous);
    if (i->anonymous_client)
        gnutls_anon_free_client_credentials(i->anonymous_client);
    if (i->priority)
        gnutls_priority_deinit(i->priority);
    if (i->anonymous_priority)
        gnutls_priority_deinit(i->anonymous_priority);
    free(i);
}

struct identity *identity_anonymous(struct reason *why)
{
    struct identity *i = identity_create(why);

    if (i)
        i->anonymous_only = true;
    return i;
}

/* ---- files ---- */

static void identity_forget(char *secret, size_t size)
{
    if (secret)
        explicit_bzero(secret, size);
    free(secret);
}

/* The fingerprint of the first certificate, as viewers see it. */
static int identity_fingerprint(struct identity *i, const gnutls_datum_t *pem)
{
    gnutls_x509_crt_t *list = NULL;
    size_t size = sizeof i->sha256;
    unsigned count = 0;
    int error = gnutls_x509_crt_list_import2(&list, &count, pem, GNUTLS_X509_FMT_PEM, 0);

    if (error < 0)
        return error;
    error = gnutls_x509_crt_get_fingerprint(list[0], GNUTLS_DIG_SHA256, i->sha256, &size);
    for (unsigned at = 0; at < count; at++)
        gnutls_x509_crt_deinit(list[at]);
    gnutls_free(list);
    return error;
}

static bool identity_load(struct identity *i, const char *certificate, const char *key,
                          struct reason *why)
{
    size_t certificate_size, key_size = 0;
    char *certificate_text = plain_file_read(certificate, &certificate_size, why);
    char *key_text = certificate_text ? plain_file_read(key, &key_size, why) : NULL;
    gnutls_datum_t of_certificate = {(unsigned char *)certificate_text, (unsigned)certificate_size};
    gnutls_datum_t of_key = {(unsigned char *)key_text, (unsigned)key_size};
    int error = 0;

    if (key_text) {
        error = gnutls_certificate_set_x509_key_mem(i->certificate, &of_certificate, &of_key,
                                                    GNUTLS_X509_FMT_PEM);
        error = error < 0 ? error : identity_fingerprint(i, &of_certificate);
        if (error < 0)
            reason_set(why, "no certificate (%s) and its key (%s) in PEM: %s", certificate, key,
                       gnutls_strerror(error));
    }
    identity_forget(certificate_text, certificate_text ? certificate_size : 0);
    identity_forget(key_text, key_size);
    return key_text && error >= 0;
}

struct identity *identity_read(const char *certificate, const char *key, struct reason *why)
{
    struct identity *i = identity_create(why);

    if (i && identity_load(i, certificate, key, why))
        return i;
    identity_destroy(i);
    return NULL;
}

/* ---- making one ---- */

/* The names under which viewers may know this machine; through ssh it is their own. */
static int identity_name(gnutls_x509_crt_t certificate, const char *host)
{
    static const unsigned char v4[] = {127, 0, 0, 1}, v6[16] = {[15] = 1};
    int error = gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, host,
                                              (unsigned)strlen(host));

    if (error == 0)
        error = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, host,
                                                     (unsigned)strlen(host), GNUTLS_FSAN_SET);
    if (error == 0)
        error = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, "localhost",
                                                     9, GNUTLS_FSAN_APPEND);
    if (error == 0)
        error = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, v4,
                                                     sizeof v4, GNUTLS_FSAN_APPEND);
    if (error == 0)
        error = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, v6,
                                                     sizeof v6, GNUTLS_FSAN_APPEND);
    return error;
}

/* That it is valid from a day ago helps where clocks differ. */
static int identity_fill(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key)
{
    char host[HOST_NAME_MAX + 1] = "localhost";
    unsigned char serial[16];
    int error = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);

    if (gethostname(host, sizeof host - 1) != 0 || !host[0])
        strcpy(host, "localhost");
    serial[0] &= 0x7f;
    if (error == 0)
        error = gnutls_x509_crt_set_version(certificate, 3);
    if (error == 0)
        error = gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
    if (error == 0)
        error = gnutls_x509_crt_set_activation_time(certificate, time(NULL) - 86400);
    if (error == 0)
        error = gnutls_x509_crt_set_expiration_time(certificate,
                                                    GNUTLS_X509_NO_WELL_DEFINED_EXPIRATION);
    if (error == 0)
        error = identity_name(certificate, host);
    if (error == 0)
        error = gnutls_x509_crt_set_key_purpose_oid(certificate, GNUTLS_KP_TLS_WWW_SERVER, 0);
    if (error == 0)
        error = gnutls_x509_crt_set_key_usage(certificate, GNUTLS_KEY_DIGITAL_SIGNATURE);
    if (error == 0)
        error = gnutls_x509_crt_set_key(certificate, key);
    return error == 0 ? gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0)
                      : error;
}

static int identity_make_pair(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key,
                              gnutls_datum_t *key_pem, gnutls_datum_t *certificate_pem)
{
    int error = gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
                                             GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);

    if (error == 0)
        error = identity_fill(certificate, key);
    if (error == 0)
        error = gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, key_pem);
    if (error == 0)
        error = gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, certificate_pem);
    return error;
}

static bool identity_make_texts(gnutls_datum_t *key_pem, gnutls_datum_t *certificate_pem,
                                struct reason *why)
{
    gnutls_x509_privkey_t key = NULL;
    gnutls_x509_crt_t certificate = NULL;
    int error = gnutls_x509_privkey_init(&key);

    if (error == 0)
        error = gnutls_x509_crt_init(&certificate);
    if (error == 0)
        error = identity_make_pair(certificate, key, key_pem, certificate_pem);
    if (certificate)
        gnutls_x509_crt_deinit(certificate);
    if (key)
        gnutls_x509_privkey_deinit(key);
    return error == 0 || identity_failed(why, "cannot make a key and a certificate", error);
}

static bool identity_put(int fd, const gnutls_datum_t *text)
{
    return !text || write(fd, text->data, text->size) == (ssize_t)text->size;
}

/* Either all of it stands under the name, or nothing. `also` may be NULL. */
static bool identity_write(const char *folder, const char *name, mode_t mode,
                           const gnutls_datum_t *text, const gnutls_datum_t *also,
                           struct reason *why)
{
    char path[PATH_MAX], new_path[PATH_MAX];
    bool written;
    int fd;

    if ((size_t)snprintf(new_path, sizeof new_path, "%s/%s.new", folder, name) >= sizeof new_path)
        return reason_set(why, "the name of the state folder is too long");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(new_path); /* of a start that did not come to its end */
    fd = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    written = fd >= 0 && identity_put(fd, text) && identity_put(fd, also) && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    if (written && rename(new_path, path) == 0)
        return true;
    reason_set(why, "cannot write %s: %s", path, strerror(errno));
    unlink(new_path);
    return false;
}

static bool identity_make(const char *folder, struct reason *why)
{
    gnutls_datum_t key = {NULL, 0}, certificate = {NULL, 0};
    bool made = identity_make_texts(&key, &certificate, why) &&
                identity_write(folder, CERTIFICATE_FILE, 0644, &certificate, NULL, why) &&
                identity_write(folder, IDENTITY_FILE, 0600, &key, &certificate, why);

    if (key.data)
        explicit_bzero(key.data, key.size);
    gnutls_free(key.data);
    gnutls_free(certificate.data);
    return made;
}

/* ---- the folder ---- */

bool identity_directory(char *out, size_t size)
{
    const char *systemd = getenv("STATE_DIRECTORY"), *xdg = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length = -1;

    if (systemd && *systemd)
        length = snprintf(out, size, "%.*s", (int)strcspn(systemd, ":"), systemd);
    else if (xdg && *xdg == '/')
        length = snprintf(out, size, "%s/vnchl-accel", xdg);
    else if (home && *home == '/')
        length = snprintf(out, size, "%s/.local/state/vnchl-accel", home);
    return length > 0 && (size_t)length < size;
}

/* And those above it. */
static bool identity_make_directory(const char *directory, struct reason *why)
{
    char path[PATH_MAX];

    if ((size_t)snprintf(path, sizeof path, "%s", directory) >= sizeof path)
        return reason_set(why, "the name of the state folder is too long");
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    return reason_set(why, "cannot make the folder %s: %s", directory, strerror(errno));
}

/* Others could read the key, or have put one of theirs there. */
static bool identity_is_private(const char *path, struct reason *why)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return reason_set(why, "cannot read %s: %s", path, strerror(errno));
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return reason_set(why, "%s belongs to another user", path);
    if (status.st_mode & 077)
        return reason_set(why,
                          "%s can be read by other users: chmod 600 it, or remove it, and "
                          "another key is made",
                          path);
    return true;
}

struct identity *identity_keep(const char *directory, struct reason *why)
{
    char path[PATH_MAX];
    struct identity *i;
    bool made = false;

    if (!identity_make_directory(directory, why))
        return NULL;
    if ((size_t)snprintf(path, sizeof path, "%s/" IDENTITY_FILE, directory) >= sizeof path) {
        reason_set(why, "the name of the state folder is too long");
        return NULL;
    }
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        made = identity_make(directory, why);
        if (!made)
            return NULL;
    }
    i = identity_is_private(path, why) ? identity_read(path, path, why) : NULL;
    if (i)
        i->made = made;
    return i;
}
