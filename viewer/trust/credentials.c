#include "viewer/trust/credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/system/log.h"
#include "rfb/system/secret.h"
#include "viewer/servers/server_marks.h"
#include "viewer/trust/passwd_file.h"

#define CREDENTIALS_OBJECTION_MAX (2 * PURPOSE_TEXT_MAX + 100)

/* ---- what was given before a server asks ---- */

/* A connection file's password is for the server that it names, a file that the command line names
 * for whatever server that names. What was set up for all is for no server in particular. */
static struct purpose credentials_first_purpose(const struct credentials *c)
{
    const struct credentials_options *o = &c->options;
    bool own = c->from_file && (o->named || o->password);
    bool chosen = own || (!o->asked && !o->listens);

    return (struct purpose){.state = chosen ? PURPOSE_SERVER : PURPOSE_NOBODY};
}

bool credentials_init(struct credentials *c, const struct credentials_options *options,
                      struct reason *why)
{
    memset(c, 0, sizeof *c);
    c->options = *options;
    if (options->passwd_file && !passwd_file_read(options->passwd_file, c->file_password, why))
        return false;
    if (options->password && !options->named)
        snprintf(c->file_password, sizeof c->file_password, "%s", options->password);
    c->from_file = options->passwd_file || options->password;
    c->given_for = credentials_first_purpose(c);
    return true;
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

void credentials_replace(struct credentials *c, struct credentials *next)
{
    struct keyring_save *saving = c->saving;

    c->saving = NULL;
    credentials_deinit(c);
    *c = *next;
    c->saving = saving;
    explicit_bzero(next, sizeof *next);
}

/* Both may be given by the environment. */
static bool credentials_same_name(const struct credentials *a, const struct credentials *b)
{
    const char *one = a->options.user, *other = b->options.user;

    return one == other || (one && other && strcmp(one, other) == 0);
}

/* Which server it is for goes along: it is forgotten when another one asks. */
void credentials_keep_typed(struct credentials *c, struct credentials *next)
{
    next->typed_name = c->typed_name;
    next->typed_password = c->typed_password;
    next->typed_for = c->typed_for;
    next->overruled = c->overruled;
    next->given_refused = c->given_refused && credentials_same_name(c, next);
    next->looked = c->looked;
    next->keeps = c->keeps;
    next->keep_said = c->keep_said;
    next->question = c->question;
    next->trusted = c->trusted;
    memcpy(next->key, c->key, sizeof next->key);
    c->typed_name = c->typed_password = NULL;
}

/* NULL: not known yet. What was given comes before what was typed. */
static const char *user_name(const struct credentials *c)
{
    const char *given = c->options.user ? c->options.user : getenv("VNC_USERNAME");

    if (c->given_refused)
        given = NULL;
    return given ? given : c->typed_name;
}

/* NULL: none was given, or it does not count any more. */
static const char *credentials_given(const struct credentials *c)
{
    if (c->given_refused || c->overruled)
        return NULL;
    return c->from_file ? c->file_password : getenv("VNC_PASSWORD");
}

static const char *credentials_password(const struct credentials *c)
{
    const char *given = credentials_given(c);

    return given ? given : c->typed_password;
}

static bool wants_user(const struct credentials *c)
{
    return c->question.kind == QUESTION_USER_PASSWORD;
}

/* What the password that is to be sent was given for. */
static struct purpose *credentials_purpose(struct credentials *c)
{
    return credentials_given(c) ? &c->given_for : &c->typed_for;
}

/* Whether the command line itself names this security type, and where the password is. */
static bool credentials_named(const struct credentials *c)
{
    return c->options.named && credentials_given(c) &&
           security_has(c->options.types, c->now.channel, c->now.proof);
}

/* Whether the password may go without a question. */
static bool credentials_unasked(struct credentials *c)
{
    return purpose_allows(credentials_purpose(c), &c->now) &&
           (!purpose_exposes(&c->now) || credentials_named(c));
}

/* Sends what is known. */
static void credentials_send(struct credentials *c)
{
    struct purpose *p = credentials_purpose(c);

    if (p->state != PURPOSE_GIVEN)
        *p = c->now;
    if (credentials_given(c) && c->options.seen)
        seen_servers_note_purpose(c->options.seen, c->key, c->question.port, p);
    session_answer_credentials(c->session, c->question.number, wants_user(c) ? user_name(c) : NULL,
                               credentials_password(c));
    c->answered = true;
}

static bool credentials_known(const struct credentials *c)
{
    return credentials_password(c) && (!wants_user(c) || user_name(c));
}

/* The asker's thread. */
static void credentials_keep(void *owner, bool on)
{
    struct credentials *c = owner;

    c->keeps = on;
    c->keep_said = true;
}

/* The prompt's thread, or the asker's. */
static void credentials_typed(void *owner, char *user, char *typed_password)
{
    struct credentials *c = owner;

    if (user) {
        free(c->typed_name);
        c->typed_name = user;
    }
    if (typed_password) {
        secret_free(c->typed_password);
        c->typed_password = typed_password;
        c->typed_for = c->now;
        c->overruled = true;
    }
    c->unsaved = typed_password;
    if (credentials_known(c) && (typed_password || credentials_unasked(c)))
        credentials_send(c);
    else
        session_refuse(c->session, c->question.number, "no password given");
}

/* The same: whether the password that is known may go. */
static void credentials_agreed(void *owner, enum decision decision)
{
    struct credentials *c = owner;
    struct purpose *p = credentials_purpose(c);

    if (decision == DECISION_NO) {
        session_refuse(c->session, c->question.number, "the password was not sent");
        return;
    }
    /* what the keyring had without a note gets one */
    c->unsaved = c->unsaved || p->state == PURPOSE_UNKNOWN;
    *p = c->now;
    credentials_send(c);
}

/* The prompt's thread, or the asker's. */
static void credentials_decided(void *owner, enum decision decision)
{
    struct credentials *c = owner;

    if (decision != DECISION_NO)
        c->trusted = c->question;
    if (decision == DECISION_YES)
        trust_accept(c->session, &c->question);
    else
        session_answer_trust(c->session, c->question.number, decision == DECISION_ONCE);
}

/* Accepted in this run already; perhaps for this run only, or it could not be remembered. */
static bool trusted_before(const struct credentials *c)
{
    const struct session_question *a = &c->trusted, *b = &c->question;

    return a->number != 0 && strcmp(a->host, b->host) == 0 && a->port == b->port &&
           a->way == b->way && a->channel == b->channel && strcmp(a->gateway, b->gateway) == 0 &&
           memcmp(a->sha256, b->sha256, sizeof a->sha256) == 0;
}

/* False, with a reason: there is nobody to ask. */
static bool credentials_ask(struct credentials *c, const struct prompt_options *prompt,
                            struct reason *why)
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
                                     .question = trust_is_key(&c->question)
                                                     ? "Accept this key and remember it? "
                                                       "(yes/no, or once: only this time)"
                                                     : "Accept this certificate and remember it? "
                                                       "(yes/no, or once: only this time)",
                                     .once = true,
                                     .decided = credentials_decided,
                                     .owner = c};
    struct reason why;

    if (trusted_before(c) && c->question.acceptable) {
        session_answer_trust(c->session, c->question.number, true);
        return;
    }
    if (trust_answer(c->session, &c->question, &c->change))
        return;
    trust_question(&c->question, c->notice);
    if (!credentials_ask(c, &options, &why))
        trust_refuse_unasked(c->session, &c->question);
}

/* Says it once when nobody is asked, and so nobody sees it at the prompt. */
static void credentials_warn(struct credentials *c)
{
    if (*c->warning && !c->warned)
        log_line("%s: %s", c->question.host, c->warning);
    c->warned = true;
}

static struct keyring_key key_of(const struct credentials *c, const struct purpose *purpose)
{
    return (struct keyring_key){.host = c->key,
                                .port = c->question.port,
                                .user = wants_user(c) ? user_name(c) : NULL,
                                .purpose = *purpose};
}

/* What is there is for servers that the user goes to. Anybody can come to us, from the address of
 * another one, too. */
static bool credentials_use_keyring(const struct credentials *c)
{
    return c->keeps && !c->options.listens;
}

/* The option says it for all servers; for one a person has said it in this run, or an earlier one.
 */
static void credentials_recall_keep(struct credentials *c)
{
    if (!c->keep_said)
        c->keeps =
            c->options.save ||
            (c->options.noted && server_marks_has(SERVER_MARK_PASSWORD, c->key, c->question.port));
}

static void credentials_note_keep(struct credentials *c)
{
    struct reason why;

    if (c->keep_said && c->options.noted &&
        !server_marks_note(SERVER_MARK_PASSWORD, c->key, c->question.port, c->keeps, &why))
        log_line("it is not noted that this password is remembered: %s", why.text);
}

/* Whether a person may choose that it is kept. */
static bool credentials_may_keep(const struct credentials *c)
{
    return !c->options.listens && (c->options.noted || c->options.save) && keyring_there();
}

/* Once in a run: a password from there that is wrong is not tried again. True: the answer waits
 * for what is found. */
static bool look_into_keyring(struct credentials *c)
{
    struct keyring_key key = key_of(c, &c->now);

    if (!credentials_use_keyring(c) || c->looked || credentials_password(c))
        return false;
    c->looked = true;
    c->finding = keyring_find_start(&key, c->wake, c->wake_user);
    if (c->finding && c->asker.wait)
        c->asker.wait(c->asker.user, "the keyring's answer");
    return c->finding;
}

static void credentials_take_found(struct credentials *c, struct keyring_found *found)
{
    if (*found->why.text)
        log_line("cannot look into the keyring: %s", found->why.text);
    c->typed_password = found->password;
    c->typed_for = found->purpose;
    if (!c->typed_name)
        c->typed_name = found->user;
    else
        free(found->user);
}

/* Waits for the prompt's thread: what it has written belongs to this thread again. */
static void end_prompt(struct credentials *c)
{
    prompt_destroy(c->prompt);
    c->prompt = NULL;
}

/* Nobody answers the question that is open, if there is one. */
static void credentials_end_question(struct credentials *c)
{
    keyring_find_end(c->finding);
    c->finding = NULL;
    if (c->asker.cancel)
        c->asker.cancel(c->asker.user);
    end_prompt(c);
}

void credentials_accepted(struct credentials *c)
{
    struct keyring_key key;

    end_prompt(c);
    key = key_of(c, &c->typed_for);
    c->answered = false;
    c->refused = (struct reason){0};
    if (!c->unsaved || !c->session) /* this session has not asked */
        return;
    credentials_note_keep(c);
    if (!credentials_use_keyring(c))
        return;
    c->unsaved = false;
    keyring_save_leave(c->saving);
    c->saving = keyring_save_start(&key, c->typed_password);
}

/* ---- to ask before a password goes ---- */

/* Why it does not go unasked, as sentences. */
static void credentials_objection(struct credentials *c, char *out, size_t size)
{
    const struct purpose *p = credentials_purpose(c);
    char before[PURPOSE_TEXT_MAX], now[PURPOSE_TEXT_MAX];

    purpose_words(p, before);
    purpose_words(&c->now, now);
    *out = '\0';
    if (p->state == PURPOSE_NOBODY)
        snprintf(out, size, "%s, and %s is for no server in particular.",
                 c->options.listens ? "Nobody knows who has come"
                                    : "A link, a file or the network names this server",
                 c->from_file ? "the password file" : "VNC_PASSWORD");
    else if (p->state == PURPOSE_UNKNOWN)
        snprintf(out, size, "The keyring does not say how the password was protected before.");
    else if (!purpose_allows(p, &c->now) && p->channel == c->now.channel && p->keyed)
        snprintf(out, size, "The server has another %s than when the password was given.",
                 security_channel_is_rsa(p->channel) ? "key" : "certificate");
    else if (!purpose_allows(p, &c->now))
        snprintf(out, size, "The password was given for %s. Now it is for %s.", before, now);
    else if (purpose_exposes(&c->now) && !*c->warning)
        snprintf(out, size, "The password itself is sent to the server.");
}

/* There is no way to ask: refuses, and says what to do. */
static void credentials_refuse(struct credentials *c)
{
    char objection[CREDENTIALS_OBJECTION_MAX] = "";
    struct reason why;

    if (credentials_password(c))
        credentials_objection(c, objection, sizeof objection);
    reason_set(&why, "%s not sent to %.200s (%s). %s%s%sTo send it: run on a terminal%s%s%s",
               wants_user(c) ? "user name and password are" : "the password is",
               *c->question.host ? c->question.host : "the server", purpose_name(&c->now),
               objection, *objection ? " " : "",
               *c->warning && !*objection ? "Nothing proves who the server is. " : "",
               wants_user(c) || c->options.asked || c->options.listens
                   ? ", or name on the command line --passwd-file FILE"
                   : "",
               purpose_exposes(&c->now) ? " and --security-types " : "",
               purpose_exposes(&c->now) ? purpose_name(&c->now) : "");
    session_refuse(c->session, c->question.number, why.text);
}

/* A password is known, and may not go without a question. */
static void credentials_ask_to_send(struct credentials *c)
{
    char objection[CREDENTIALS_OBJECTION_MAX];
    struct prompt_options options = {.notice = c->notice,
                                     .host = c->question.host,
                                     .question = c->send,
                                     .decided = credentials_agreed,
                                     .owner = c};
    struct reason why;

    credentials_objection(c, objection, sizeof objection);
    snprintf(c->notice, sizeof c->notice, "%s%s%s", c->warning,
             *c->warning && *objection ? " " : "", objection);
    snprintf(c->send, sizeof c->send, "Send %s password to %s? (yes/no)",
             credentials_given(c) ? "the" : "your", *c->question.host ? c->question.host : "it");
    if (!credentials_ask(c, &options, &why))
        credentials_refuse(c);
}

static void credentials_ask_to_type(struct credentials *c)
{
    struct prompt_options missing = {
        .host = c->question.host, .port = c->question.port, .done = credentials_typed, .owner = c};
    struct reason why;

    missing.notice = *c->warning ? c->warning : NULL;
    missing.between = trust_between(&c->question, c->between);
    missing.password = !credentials_password(c) || !credentials_unasked(c);
    missing.keeps = c->keeps;
    if (missing.password && credentials_may_keep(c))
        missing.keep = credentials_keep;
    /* a name that was wrong once may be wrong again */
    missing.user = wants_user(c) && (!user_name(c) || (c->given_refused && missing.password));
    if (credentials_ask(c, &missing, &why))
        return;
    if (purpose_exposes(&c->now) || c->options.asked || c->options.listens)
        credentials_refuse(c);
    else
        session_refuse(c->session, c->question.number, why.text);
}

/* All is known that is known without a person. */
static void credentials_settle(struct credentials *c)
{
    if (!credentials_known(c)) {
        credentials_ask_to_type(c);
    } else if (credentials_unasked(c)) {
        credentials_send(c);
        credentials_warn(c);
    } else {
        credentials_ask_to_send(c);
    }
}

static void answer_credentials(struct credentials *c)
{
    trust_warning(&c->question, c->warning);
    credentials_recall_keep(c);
    if (!look_into_keyring(c))
        credentials_settle(c);
}

void credentials_continue(struct credentials *c)
{
    struct keyring_found found;

    if (!c->finding || !keyring_find_take(c->finding, &found))
        return;
    keyring_find_end(c->finding);
    c->finding = NULL;
    if (c->asker.wait)
        c->asker.wait(c->asker.user, NULL);
    credentials_take_found(c, &found);
    credentials_settle(c);
}

/* ---- questions ---- */

static void credentials_forget_typed(struct credentials *c)
{
    secret_free(c->typed_password);
    free(c->typed_name);
    c->typed_password = c->typed_name = NULL;
    c->typed_for = (struct purpose){0};
    c->given_for = credentials_first_purpose(c);
    c->answered = c->looked = c->unsaved = c->overruled = c->warned = c->keep_said = false;
}

/* What was given before a server asks, for whichever is named, may have gone to this one earlier in
 * this run. Then it stays what it was given for. */
static void credentials_recall_purpose(struct credentials *c, const char *key, unsigned port)
{
    if (c->given_for.state == PURPOSE_SERVER && c->options.seen)
        seen_servers_purpose(c->options.seen, key, port, &c->given_for);
}

/* What was typed for one server is not told to another one. With --listen any may come next, from
 * the same address, too. */
static void credentials_meet(struct credentials *c, const char *key, unsigned port)
{
    bool other = strcmp(c->key, key) != 0 || c->question.port != port;

    c->now = (struct purpose){.state = PURPOSE_GIVEN};
    if (c->question.number == 0)
        return;
    if (!other && !c->options.listens)
        return;
    credentials_forget_typed(c);
    c->given_refused = false;
    c->refused = (struct reason){0};
}

/* What an answer is given for. Which certificate was accepted is known from the question about it,
 * which came before in the same session. */
static void credentials_note_purpose(struct credentials *c, const struct session_question *q)
{
    if (q->kind == QUESTION_TRUST) {
        c->now.keyed = true;
        c->now.channel = (enum security_channel)q->channel;
        memcpy(c->now.sha256, q->sha256, sizeof c->now.sha256);
        return;
    }
    /* that question was about a key of this kind, not about another one in an attempt before */
    c->now.keyed = c->now.keyed && c->now.channel == (enum security_channel)q->channel;
    c->now.channel = (enum security_channel)q->channel;
    c->now.proof = (enum security_proof)q->proof;
}

void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q)
{
    char key[SERVER_KEY_MAX];

    credentials_end_question(c);
    server_key(q, key);
    if (c->session != s || strcmp(c->key, key) != 0 || c->question.port != q->port)
        credentials_meet(c, key, q->port);
    credentials_recall_purpose(c, key, q->port);
    strcpy(c->key, key);
    c->session = s;
    c->question = *q;
    c->change = (struct trust_change){0};
    credentials_note_purpose(c, q);
    if (q->kind == QUESTION_TRUST)
        answer_trust(c);
    else
        answer_credentials(c);
}

void credentials_set_wake(struct credentials *c, void (*wake)(void *user), void *user)
{
    c->wake = wake;
    c->wake_user = user;
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
    c->answered = c->unsaved = c->overruled = false;
    c->given_refused = true;
    secret_free(c->typed_password);
    c->typed_password = NULL;
    c->refused = *why;
    return true;
}

void credentials_cancel(struct credentials *c)
{
    credentials_end_question(c);
    c->session = NULL;
}
