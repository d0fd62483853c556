#include "viewer/credentials.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    explicit_bzero(c->file_password, sizeof c->file_password);
    secret_free(c->typed_password);
    free(c->typed_name);
    memset(c, 0, sizeof *c);
}

/* NULL: not known yet. What was given comes before what was typed. */
static const char *user_name(const struct credentials *c)
{
    const char *given = c->given_name ? c->given_name : getenv("VNC_USERNAME");

    return given ? given : c->typed_name;
}

static const char *password(const struct credentials *c)
{
    const char *given = c->from_file ? c->file_password : getenv("VNC_PASSWORD");

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
    return true;
}

/* The prompt's thread. */
static void typed(void *owner, char *user, char *typed_password)
{
    struct credentials *c = owner;

    if (user)
        c->typed_name = user;
    if (typed_password)
        c->typed_password = typed_password;
    if (!answer(c))
        session_refuse(c->session, c->question.number, "no password given");
}

void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q)
{
    struct prompt_options missing = {.done = typed, .owner = c};
    struct reason why;

    if (q->kind == QUESTION_TRUST) {
        session_answer_trust(s, q->number, false);
        return;
    }
    credentials_cancel(c);
    c->session = s;
    c->question = *q;
    if (answer(c))
        return;
    missing.user = wants_user(c) && !user_name(c);
    missing.password = !password(c);
    c->prompt = prompt_create(&missing, &why);
    if (!c->prompt)
        session_refuse(s, q->number, why.text);
}

void credentials_cancel(struct credentials *c)
{
    prompt_destroy(c->prompt);
    c->prompt = NULL;
}
