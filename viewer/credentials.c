#include "viewer/credentials.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/log.h"
#include "rfb/secret.h"

bool credentials_init(struct credentials *c, const char *passwd_file, struct reason *why)
{
    uint8_t block[VNCAUTH_PASSWORD];
    size_t got;
    FILE *f;

    memset(c, 0, sizeof *c);
    if (!passwd_file)
        return true;
    f = fopen(passwd_file, "rb");
    if (!f)
        return reason_set(why, "cannot read the password file %s: %s", passwd_file,
                          strerror(errno));
    got = fread(block, 1, sizeof block, f);
    fclose(f);
    if (got < sizeof block)
        return reason_set(why, "%s is no password file: make one with vncpasswd", passwd_file);
    vncauth_reveal(block, c->file_password);
    c->from_file = true;
    return true;
}

void credentials_give(struct credentials *c, const char *user, const char *password)
{
    c->given_name = user;
    if (!password || c->from_file)
        return;
    snprintf(c->file_password, sizeof c->file_password, "%s", password);
    c->from_file = true;
}

void credentials_deinit(struct credentials *c)
{
    credentials_cancel(c);
    keyring_save_end(c->saving);
    explicit_bzero(c->file_password, sizeof c->file_password);
    secret_free(c->typed_password);
    free(c->typed_name);
    memset(c, 0, sizeof *c);
}

/* NULL: not known yet. What was given comes before what was typed. */
static const char *user_name(const struct credentials *c)
{
    const char *given = c->given_name ? c->given_name : getenv("VNC_USERNAME");

    if (c->given_refused)
        given = NULL;
    return given ? given : c->typed_name;
}

static const char *password(const struct credentials *c)
{
    const char *given = c->from_file ? c->file_password : getenv("VNC_PASSWORD");

    if (c->given_refused)
        given = NULL;
    return given ? given : c->typed_password;
}

static bool wants_user(const struct credentials *c)
{
    return c->question.kind == QUESTION_USER_PASSWORD;
}

/* False when something is not known yet. */
static bool answer(struct credentials *c)
{
    const char *user = wants_user(c) ? user_name(c) : NULL;

    if ((wants_user(c) && !user) || !password(c))
        return false;
    session_answer_credentials(c->session, c->question.number, user, password(c));
    c->answered = true;
    return true;
}

/* The prompt's thread, or the asker's. */
static void typed(void *owner, char *user, char *typed_password)
{
    struct credentials *c = owner;

    if (user) {
        free(c->typed_name);
        c->typed_name = user;
    }
    if (typed_password)
        c->typed_password = typed_password;
    c->unsaved = typed_password;
    if (!answer(c))
        session_refuse(c->session, c->question.number, "no password given");
}

/* The prompt's thread, or the asker's. */
static void decided(void *owner, bool yes)
{
    struct credentials *c = owner;

    if (yes) {
        c->trusted = c->question;
        trust_accept(c->session, &c->question);
    } else {
        session_answer_trust(c->session, c->question.number, false);
    }
}

/* Accepted in this run already; perhaps it could not be remembered. */
static bool trusted_before(const struct credentials *c)
{
    const struct session_question *a = &c->trusted, *b = &c->question;

    return a->number != 0 && strcmp(a->host, b->host) == 0 && a->port == b->port &&
           strcmp(a->gateway, b->gateway) == 0 &&
           memcmp(a->sha256, b->sha256, sizeof a->sha256) == 0;
}

/* False, with a reason: there is nobody to ask. */
static bool ask(struct credentials *c, const struct prompt_options *prompt, struct reason *why)
{
    struct asker_question q = {.prompt = *prompt,
                               .session = &c->question,
                               .refused = *c->refused.text ? c->refused.text : NULL,
                               .user = c->typed_name};

    if (!c->asker.ask)
        return (c->prompt = prompt_create(prompt, why));
    c->asker.ask(c->asker.user, &q);
    return true;
}

static void answer_trust(struct credentials *c)
{
    struct prompt_options options = {.notice = c->notice,
                                     .question =
                                         "Accept this certificate and remember it? (yes/no)",
                                     .decided = decided,
                                     .owner = c};
    struct reason why;

    if (trusted_before(c) && c->question.acceptable) {
        session_answer_trust(c->session, c->question.number, true);
        return;
    }
    if (trust_answer(c->session, &c->question, &c->change))
        return;
    trust_question(&c->question, c->notice);
    if (!ask(c, &options, &why))
        trust_refuse_unasked(c->session, &c->question);
}

/* Says it once when nobody is asked, and so nobody sees it at the prompt. */
static void warn(struct credentials *c)
{
    if (*c->warning && !c->warned)
        log_line("%s: %s", c->question.host, c->warning);
    c->warned = true;
}

static struct keyring_key key_of(const struct credentials *c, const char *user)
{
    return (struct keyring_key){.host = c->key, .port = c->question.port, .user = user};
}

/* Once in a run: a password from there that is wrong is not tried again. */
static void look_into_keyring(struct credentials *c)
{
    struct keyring_key key = key_of(c, wants_user(c) ? user_name(c) : NULL);
    char *user = NULL, *found = NULL;
    struct reason why;

    if (!c->saves || c->looked || password(c))
        return;
    c->looked = true;
    if (keyring_find(&key, &user, &found, &why)) {
        c->typed_password = found;
        if (user && !c->typed_name)
            c->typed_name = user;
        else
            free(user);
    } else if (*why.text) {
        log_line("cannot look into the keyring: %s", why.text);
    }
}

/* Waits for the prompt's thread: what it has written belongs to this thread again. */
static void end_prompt(struct credentials *c)
{
    prompt_destroy(c->prompt);
    c->prompt = NULL;
}

void credentials_accepted(struct credentials *c)
{
    struct keyring_key key;

    end_prompt(c);
    key = key_of(c, wants_user(c) ? user_name(c) : NULL);
    c->answered = false;
    c->refused = (struct reason){0};
    if (!c->saves || !c->unsaved)
        return;
    c->unsaved = false;
    keyring_save_end(c->saving);
    c->saving = keyring_save_start(&key, c->typed_password);
}

static void answer_credentials(struct credentials *c)
{
    struct prompt_options missing = {.host = c->question.host, .done = typed, .owner = c};
    struct reason why;

    if (trust_warning(&c->question, c->warning))
        missing.notice = c->warning;
    look_into_keyring(c);
    if (answer(c)) {
        warn(c);
        return;
    }
    missing.password = !password(c);
    /* a name that was wrong once may be wrong again */
    missing.user = wants_user(c) && (!user_name(c) || (c->given_refused && missing.password));
    if (!ask(c, &missing, &why))
        session_refuse(c->session, c->question.number, why.text);
}

/* What was typed for one server is not told to another one. With --listen any may come next. */
static void forget(struct credentials *c)
{
    secret_free(c->typed_password);
    free(c->typed_name);
    c->typed_password = c->typed_name = NULL;
    c->answered = c->given_refused = c->looked = c->unsaved = c->warned = false;
    c->refused = (struct reason){0};
}

void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q)
{
    char key[SERVER_KEY_MAX];

    credentials_cancel(c);
    server_key(q, key);
    if (c->question.number != 0 && (strcmp(c->key, key) != 0 || c->question.port != q->port))
        forget(c);
    strcpy(c->key, key);
    c->session = s;
    c->question = *q;
    c->change = (struct trust_change){0};
    if (q->kind == QUESTION_TRUST)
        answer_trust(c);
    else
        answer_credentials(c);
}

void credentials_set_asker(struct credentials *c, const struct asker *asker)
{
    c->asker = asker ? *asker : (struct asker){0};
}

bool credentials_ask_again(struct credentials *c, const struct reason *why)
{
    end_prompt(c);
    if (!c->answered || !c->asker.ask)
        return false;
    c->answered = c->unsaved = false;
    c->given_refused = true;
    secret_free(c->typed_password);
    c->typed_password = NULL;
    c->refused = *why;
    return true;
}

void credentials_cancel(struct credentials *c)
{
    if (c->asker.cancel)
        c->asker.cancel(c->asker.user);
    end_prompt(c);
}
