#include "viewer/trust/keyring.h"

#ifndef VNCHL_LIBSECRET

bool keyring_built(void)
{
    return false;
}

bool keyring_there(void)
{
    return false;
}

struct keyring_find *keyring_find_start(const struct keyring_key *key, void (*wake)(void *user),
                                        void *user)
{
    return NULL;
}

bool keyring_find_take(struct keyring_find *find, struct keyring_found *out)
{
    return false;
}

void keyring_find_end(struct keyring_find *find) {}

struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password)
{
    return NULL;
}

void keyring_save_leave(struct keyring_save *save) {}
void keyring_save_end(struct keyring_save *save) {}

#else

#include <libsecret/secret.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/system/log.h"
#include "rfb/system/secret.h"
#include "rfb/system/thread.h"
#include "viewer/session_bus.h"

/* A keyring that is not locked answers within this time; one that is locked waits for a person, who
 * may have gone. */
#define SAVE_GRACE_S 5

#define GIVEN_FOR "given-for" /* purpose_write() */

static const SecretSchema schema = {
    .name = "vnchl.Password",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"server", SECRET_SCHEMA_ATTRIBUTE_STRING},
                   {"port", SECRET_SCHEMA_ATTRIBUTE_INTEGER},
                   {"user", SECRET_SCHEMA_ATTRIBUTE_STRING},
                   {GIVEN_FOR, SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

bool keyring_built(void)
{
    return true;
}

bool keyring_there(void)
{
    return session_bus_there();
}

/* ---- a thread with something to do, which nobody has to wait for ---- */

/* Owner and thread have it; who leaves last frees it. */
struct keyring_job {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;          /* the thread has done its work; from here on with the lock held: */
    bool left;          /* the owner has gone */
    GCancellable *stop; /* any thread */
    void (*wake)(void *user);
    void *user;
    /* of the thread, until it is over */
    void (*work)(struct keyring_job *job);
    char *host, *name, *password; /* name: the user's, NULL: see struct keyring_key */
    unsigned port;
    struct purpose purpose;
    struct keyring_found found;
};

static void keyring_forget_found(struct keyring_found *found)
{
    secret_free(found->password);
    free(found->user);
    *found = (struct keyring_found){0};
}

static void keyring_job_free(struct keyring_job *job)
{
    g_clear_object(&job->stop);
    keyring_forget_found(&job->found);
    secret_free(job->password);
    free(job->host);
    free(job->name);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    free(job);
}

static void *keyring_run(void *argument)
{
    struct keyring_job *job = argument;
    bool left;

    job->work(job);
    pthread_mutex_lock(&job->lock);
    job->over = true;
    left = job->left;
    pthread_cond_broadcast(&job->changed);
    if (job->wake && !left)
        job->wake(job->user);
    pthread_mutex_unlock(&job->lock);
    if (left)
        keyring_job_free(job);
    return NULL;
}

static struct keyring_job *keyring_job_create(const struct keyring_key *key, const char *password,
                                              void (*work)(struct keyring_job *job))
{
    struct keyring_job *job = calloc(1, sizeof *job);

    if (!job)
        return NULL;
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->changed, NULL);
    job->stop = g_cancellable_new();
    job->work = work;
    job->host = strdup(key->host);
    job->name = key->user ? strdup(key->user) : NULL;
    job->password = password ? strdup(password) : NULL;
    job->port = key->port;
    job->purpose = key->purpose;
    if (job->host && (job->name || !key->user) && (job->password || !password))
        return job;
    keyring_job_free(job);
    return NULL;
}

static struct keyring_job *keyring_job_begin(struct keyring_job *job)
{
    if (!job || detached_start(keyring_run, job))
        return job;
    keyring_job_free(job);
    return NULL;
}

static void keyring_job_leave(struct keyring_job *job)
{
    bool over;

    if (!job)
        return;
    pthread_mutex_lock(&job->lock);
    job->left = true;
    over = job->over;
    pthread_mutex_unlock(&job->lock);
    if (over)
        keyring_job_free(job);
}

/* ---- to find ---- */

struct keyring_find {
    struct keyring_job job;
};

/* False: it is locked. */
static bool keyring_read_item(SecretItem *item, struct keyring_found *out)
{
    SecretValue *value = secret_item_get_secret(item);
    GHashTable *attributes = secret_item_get_attributes(item);
    const char *name = g_hash_table_lookup(attributes, "user");
    const char *text = value ? secret_value_get_text(value) : NULL;

    out->user = name && *name ? strdup(name) : NULL;
    out->password = text ? strdup(text) : NULL;
    out->purpose = purpose_read(g_hash_table_lookup(attributes, GIVEN_FOR));
    g_hash_table_unref(attributes);
    if (value)
        secret_value_unref(value);
    return out->password;
}

/* Of more than one item the first that may go unasked, else the first that is not locked. */
static void keyring_choose(GList *items, const struct purpose *now, struct keyring_found *out)
{
    for (GList *i = items; i && !(out->password && purpose_allows(&out->purpose, now));
         i = i->next) {
        struct keyring_found next = {0};

        if (keyring_read_item(i->data, &next) &&
            (!out->password || purpose_allows(&next.purpose, now))) {
            keyring_forget_found(out);
            *out = next;
        } else {
            keyring_forget_found(&next);
        }
    }
}

/* The items of this host, port and user, whatever they were given for. */
static GList *keyring_search(const struct keyring_job *job, const char *user, int flags,
                             GError **error)
{
    GHashTable *wanted = secret_attributes_build(&schema, "server", job->host, "port",
                                                 (gint)job->port, user ? "user" : NULL, user, NULL);
    GList *items = secret_service_search_sync(NULL, &schema, wanted, SECRET_SEARCH_ALL | flags,
                                              job->stop, error);

    g_hash_table_unref(wanted);
    return items;
}

static void keyring_find_work(struct keyring_job *job)
{
    GError *error = NULL;
    GList *items = keyring_search(job, job->name, SECRET_SEARCH_LOAD_SECRETS, &error);

    keyring_choose(items, &job->purpose, &job->found);
    if (error)
        reason_set(
            &job->found.why,
            "%.400s; start a keyring (GNOME Keyring, KWallet, KeePassXC) in this session, or "
            "use --save-password off",
            error->message);
    else if (items && !job->found.password)
        reason_set(&job->found.why, "it is locked: unlock it with the keyring's own program");
    g_clear_error(&error);
    g_list_free_full(items, g_object_unref);
}

struct keyring_find *keyring_find_start(const struct keyring_key *key, void (*wake)(void *user),
                                        void *user)
{
    struct keyring_job *job = keyring_job_create(key, NULL, keyring_find_work);

    if (job) {
        job->wake = wake;
        job->user = user;
    }
    return (struct keyring_find *)keyring_job_begin(job);
}

bool keyring_find_take(struct keyring_find *find, struct keyring_found *out)
{
    struct keyring_job *job = &find->job;
    bool over;

    pthread_mutex_lock(&job->lock);
    over = job->over;
    if (over) {
        *out = job->found;
        job->found = (struct keyring_found){0};
    }
    pthread_mutex_unlock(&job->lock);
    return over;
}

void keyring_find_end(struct keyring_find *find)
{
    if (!find)
        return;
    g_cancellable_cancel(find->job.stop);
    keyring_job_leave(&find->job);
}

/* ---- to save ---- */

struct keyring_save {
    struct keyring_job job;
};

/* What the new item takes the place of: the keyring itself only replaces one with the same
 * attributes. */
static void keyring_remove_others(struct keyring_job *job, const char *given_for)
{
    GList *items = keyring_search(job, job->name ? job->name : "", 0, NULL);

    for (GList *i = items; i; i = i->next) {
        GHashTable *attributes = secret_item_get_attributes(i->data);

        if (g_strcmp0(g_hash_table_lookup(attributes, GIVEN_FOR), given_for) != 0)
            secret_item_delete_sync(i->data, job->stop, NULL);
        g_hash_table_unref(attributes);
    }
    g_list_free_full(items, g_object_unref);
}

static void keyring_save_work(struct keyring_job *job)
{
    GError *error = NULL;
    char label[300], given_for[PURPOSE_TEXT_MAX];

    purpose_write(&job->purpose, given_for);
    g_snprintf(label, sizeof label, "VNC password for %s port %u", job->host, job->port);
    secret_password_store_sync(&schema, SECRET_COLLECTION_DEFAULT, label, job->password, job->stop,
                               &error, "server", job->host, "port", (gint)job->port, "user",
                               job->name ? job->name : "", GIVEN_FOR, given_for, NULL);
    if (!error)
        keyring_remove_others(job, given_for);
    if (error)
        log_line("the password is not saved in the keyring: %s", error->message);
    else
        log_debug("the password is saved in the keyring");
    g_clear_error(&error);
}

struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password)
{
    struct keyring_job *job = keyring_job_create(key, password, keyring_save_work);

    return (struct keyring_save *)keyring_job_begin(job);
}

void keyring_save_leave(struct keyring_save *save)
{
    keyring_job_leave(save ? &save->job : NULL);
}

/* True: it is over. */
static bool keyring_await(struct keyring_job *job, int seconds)
{
    struct timespec until;
    int error = 0;
    bool over;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&job->lock);
    while (!job->over && error == 0)
        error = pthread_cond_timedwait(&job->changed, &job->lock, &until);
    over = job->over;
    pthread_mutex_unlock(&job->lock);
    return over;
}

void keyring_save_end(struct keyring_save *save)
{
    if (!save)
        return;
    if (!keyring_await(&save->job, SAVE_GRACE_S)) {
        g_cancellable_cancel(save->job.stop);
        keyring_await(&save->job, 1); /* so that it can say what was not done */
    }
    keyring_job_leave(&save->job);
}

#endif
