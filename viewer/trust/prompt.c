#include "viewer/trust/prompt.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "rfb/system/thread.h"

#define TYPED_MAX 256
#define CTRL_C    3
#define CTRL_D    4
#define BACKSPACE 127

struct prompt {
    struct prompt_options options;
    int tty;
    int cancel_fd; /* eventfd: readable once the prompt is to end */
    pthread_t thread;
};

static bool next_character(const struct prompt *p, char *c)
{
    struct pollfd fds[2] = {{.fd = p->tty, .events = POLLIN},
                            {.fd = p->cancel_fd, .events = POLLIN}};

    *c = 0;
    return poll(fds, 2, -1) > 0 && !fds[1].revents && read(p->tty, c, 1) == 1;
}

/* Reads a line from the terminal, character by character: signals are off meanwhile so that the
 * terminal is never left without echo. NULL when the person gives up. */
static char *prompt_type(const struct prompt *p, const char *question, bool echo)
{
    struct termios before, now;
    char line[TYPED_MAX] = "";
    size_t length = 0;
    char c = 0, *typed;

    if (tcgetattr(p->tty, &before) != 0)
        return NULL;
    now = before;
    now.c_lflag &= (tcflag_t) ~(ECHO | ICANON | ISIG);
    tcsetattr(p->tty, TCSAFLUSH, &now);
    dprintf(p->tty, "%s: ", question);
    while (next_character(p, &c) && c != '\n' && c != '\r' && c != CTRL_C && c != CTRL_D) {
        if (c == BACKSPACE || c == '\b') {
            if (length > 0 && echo)
                dprintf(p->tty, "\b \b");
            length -= length > 0;
        } else if (length + 1 < sizeof line) {
            line[length++] = c;
            if (echo)
                dprintf(p->tty, "%c", c);
        }
    }
    dprintf(p->tty, "\n");
    tcsetattr(p->tty, TCSAFLUSH, &before);
    line[length] = '\0';
    typed = c == '\n' || c == '\r' ? strdup(line) : NULL;
    explicit_bzero(line, sizeof line);
    return typed;
}

static void prompt_ask_credentials(const struct prompt *p)
{
    const char *host = p->options.host, *of = *host ? " for " : "";
    const char *between = p->options.between ? p->options.between : "";
    char *user = NULL, *password = NULL, question[640], port[20] = "";

    if (*host && p->options.port > 0)
        snprintf(port, sizeof port, " port %u", p->options.port);
    if (p->options.user) {
        snprintf(question, sizeof question, "User name%s%s%s%s", of, host, port, between);
        user = prompt_type(p, question, true);
    }
    if (p->options.password && (!p->options.user || user)) {
        snprintf(question, sizeof question, "Password%s%s%s%s", of, host, port, between);
        password = prompt_type(p, question, false);
    }
    p->options.done(p->options.owner, user, password);
}

/* False: it is none of the answers. NULL is no. */
static bool read_decision(const struct prompt *p, const char *typed, enum decision *decision)
{
    if (!typed || strcasecmp(typed, "no") == 0)
        *decision = DECISION_NO;
    else if (strcasecmp(typed, "yes") == 0)
        *decision = DECISION_YES;
    else if (p->options.once && strcasecmp(typed, "once") == 0)
        *decision = DECISION_ONCE;
    else
        return false;
    return true;
}

static void ask_decision(const struct prompt *p)
{
    const char *question = p->options.question;
    enum decision decision = DECISION_NO;
    bool decided = false;

    while (!decided) {
        char *typed = prompt_type(p, question, true);

        decided = read_decision(p, typed, &decision);
        free(typed);
        question = p->options.once ? "Please type yes, no or once" : "Please type yes or no";
    }
    p->options.decided(p->options.owner, decision);
}

static void *prompt_run(void *argument)
{
    const struct prompt *p = argument;

    if (p->options.notice)
        dprintf(p->tty, "%s\n", p->options.notice);
    if (p->options.question)
        ask_decision(p);
    else
        prompt_ask_credentials(p);
    return NULL;
}

/* Signals stay with the other threads. */
static bool start_thread(struct prompt *p)
{
    sigset_t all, before;
    bool ok;

    sigfillset(&all);
    /* a program in the background is stopped when it asks, until the shell brings it forward */
    sigdelset(&all, SIGTTOU);
    sigdelset(&all, SIGTTIN);
    sigdelset(&all, SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ok = pthread_create(&p->thread, NULL, prompt_run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static void prompt_let_go(struct prompt *p)
{
    if (p->tty >= 0)
        close(p->tty);
    if (p->cancel_fd >= 0)
        close(p->cancel_fd);
    free(p);
}

struct prompt *prompt_create(const struct prompt_options *options, struct reason *why)
{
    struct prompt *p = calloc(1, sizeof *p);

    if (!p) {
        reason_set(why, "out of memory");
        return NULL;
    }
    p->options = *options;
    p->cancel_fd = eventfd(0, EFD_CLOEXEC);
    p->tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (p->tty < 0)
        reason_set(why, "the server wants a %s: %s, or run on a terminal",
                   options->user ? "user name" : "password",
                   options->user ? "set VNC_USERNAME and VNC_PASSWORD"
                                 : "set VNC_PASSWORD, use --passwd-file");
    else if (p->cancel_fd < 0 || !start_thread(p))
        reason_set(why, "out of memory or threads");
    else
        return p;
    prompt_let_go(p);
    return NULL;
}

void prompt_destroy(struct prompt *p)
{
    if (!p)
        return;
    eventfd_wake(p->cancel_fd, "the prompt");
    pthread_join(p->thread, NULL);
    prompt_let_go(p);
}
