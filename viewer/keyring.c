#include "viewer/keyring.h"

#ifndef VNCHL_LIBSECRET

bool keyring_built(void)
{
    return false;
}

bool keyring_find(const struct keyring_key *key, char **user, char **password, struct reason *why)
{
    return reason_set(why, "built without libsecret");
}

struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password)
{
    return NULL;
}

void keyring_save_end(struct keyring_save *save) {}

#else

#include <libsecret/secret.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/log.h"
#include "rfb/secret.h"

/* A keyring that is not locked answers within this time; one that is locked waits for a person, who
 * may have gone. */
#define SAVE_GRACE_S 5

static const SecretSchema schema = {
    .name = "vnchl.Password",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"server", SECRET_SCHEMA_ATTRIBUTE_STRING},
                   {"port", SECRET_SCHEMA_ATTRIBUTE_INTEGER},
                   {"user", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

bool keyring_built(void)
{
    return true;
}

/* ---- to find ---- */

/* Copies what the item holds. False: it is locked. */
static bool take(SecretItem *item, char **user, char **password)
{
    SecretValue *value = secret_item_get_secret(item);
    GHashTable *attributes = secret_item_get_attributes(item);
    const char *name = g_hash_table_lookup(attributes, "user");
    const char *text = value ? secret_value_get_text(value) : NULL;

    *user = name && *name ? strdup(name) : NULL;
    *password = text ? strdup(text) : NULL;
    g_hash_table_unref(attributes);
    if (value)
        secret_value_unref(value);
    return *password;
}

bool keyring_find(const struct keyring_key *key, char **user, char **password, struct reason *why)
{
    GHashTable *wanted =
        secret_attributes_build(&schema, "server", key->host, "port", (gint)key->port,
                                key->user ? "user" : NULL, key->user, NULL);
    GError *error = NULL;
    GList *items =
        secret_service_search_sync(NULL, &schema, wanted, SECRET_SEARCH_LOAD_SECRETS, NULL, &error);
    bool found = items && take(items->data, user, password);

    *why->text = '\0';
    if (error)
        reason_set(why, "%s", error->message);
    else if (items && !found)
        reason_set(why, "it is locked");
    g_clear_error(&error);
    g_list_free_full(items, g_object_unref);
    g_hash_table_unref(wanted);
    return found;
}

/* ---- to save ---- */

struct keyring_save {
    pthread_t thread;
    GCancellable *cancel;
    char *host, *user, *password;
    unsigned port;
};

static void *run(void *argument)
{
    struct keyring_save *s = argument;
    GError *error = NULL;
    char label[300];

    g_snprintf(label, sizeof label, "VNC password for %s port %u", s->host, s->port);
    secret_password_store_sync(&schema, SECRET_COLLECTION_DEFAULT, label, s->password, s->cancel,
                               &error, "server", s->host, "port", (gint)s->port, "user",
                               s->user ? s->user : "", NULL);
    if (error)
        log_line("the password is not saved in the keyring: %s", error->message);
    else
        log_debug("the password is saved in the keyring");
    g_clear_error(&error);
    return NULL;
}

static void forget(struct keyring_save *s)
{
    g_clear_object(&s->cancel);
    secret_free(s->password);
    free(s->host);
    free(s->user);
    free(s);
}

/* Signals stay with the other threads. */
static bool start_thread(struct keyring_save *s)
{
    sigset_t all, before;
    bool ok;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ok = pthread_create(&s->thread, NULL, run, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password)
{
    struct keyring_save *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->cancel = g_cancellable_new();
    s->host = strdup(key->host);
    s->user = key->user ? strdup(key->user) : NULL;
    s->port = key->port;
    s->password = strdup(password);
    if (s->host && s->password && (s->user || !key->user) && start_thread(s))
        return s;
    forget(s);
    return NULL;
}

void keyring_save_end(struct keyring_save *s)
{
    struct timespec until;

    if (!s)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SAVE_GRACE_S;
    if (pthread_timedjoin_np(s->thread, NULL, &until) != 0) {
        g_cancellable_cancel(s->cancel);
        pthread_join(s->thread, NULL);
    }
    forget(s);
}

#endif
