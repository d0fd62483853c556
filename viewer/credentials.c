#include "viewer/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "rfb/secret.h"

#define TYPED_MAX 256
#define CTRL_C    3
#define CTRL_D    4
#define BACKSPACE 127

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

void credentials_deinit(struct credentials *c)
{
    explicit_bzero(c->file_password, sizeof c->file_password);
    secret_free(c->typed_password);
    free(c->typed_name);
    memset(c, 0, sizeof *c);
}

static bool next_character(int tty, int cancel_fd, char *c)
{
    struct pollfd p[2] = {{.fd = tty, .events = POLLIN}, {.fd = cancel_fd, .events = POLLIN}};

    *c = 0;
    return poll(p, 2, -1) > 0 && !p[1].revents && read(tty, c, 1) == 1;
}

/* Reads a line from the terminal, character by character: signals are off meanwhile so that the
 * terminal is never left without echo. NULL when the person gives up. */
static char *type(int tty, int cancel_fd, const char *question, bool echo)
{
    struct termios before, now;
    char line[TYPED_MAX] = "";
    size_t length = 0;
    char c = 0, *typed;

    if (tcgetattr(tty, &before) != 0)
        return NULL;
    now = before;
    now.c_lflag &= (tcflag_t) ~(ECHO | ICANON | ISIG);
    tcsetattr(tty, TCSAFLUSH, &now);
    dprintf(tty, "%s: ", question);
    while (next_character(tty, cancel_fd, &c) && c != '\n' && c != '\r' && c != CTRL_C &&
           c != CTRL_D) {
        if (c == BACKSPACE || c == '\b') {
            if (length > 0 && echo)
                dprintf(tty, "\b \b");
            length -= length > 0;
        } else if (length + 1 < sizeof line) {
            line[length++] = c;
            if (echo)
                dprintf(tty, "%c", c);
        }
    }
    dprintf(tty, "\n");
    tcsetattr(tty, TCSAFLUSH, &before);
    line[length] = '\0';
    typed = c == '\n' || c == '\r' ? strdup(line) : NULL;
    explicit_bzero(line, sizeof line);
    return typed;
}

/* Asks for what is still missing. */
static bool prompt(struct credentials *c, bool name, bool password, int cancel_fd,
                   struct reason *why)
{
    int tty;

    name = name && !c->typed_name;
    password = password && !c->typed_password;
    if (!name && !password)
        return true;
    tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (tty < 0)
        return reason_set(
            why, "the server wants a %s: %s, or run on a terminal", name ? "user name" : "password",
            name ? "set VNC_USERNAME and VNC_PASSWORD" : "set VNC_PASSWORD, use --passwd-file");
    if (name)
        c->typed_name = type(tty, cancel_fd, "User name", true);
    if (password && (!name || c->typed_name))
        c->typed_password = type(tty, cancel_fd, "Password", false);
    close(tty);
    return (!name || c->typed_name) && (!password || c->typed_password)
               ? true
               : reason_set(why, "no password given");
}

bool credentials_get(void *user, bool want_user, int cancel_fd, char **name, char **password,
                     struct reason *why)
{
    struct credentials *c = user;
    const char *use_name = want_user ? getenv("VNC_USERNAME") : NULL;
    const char *use_password = c->from_file ? c->file_password : getenv("VNC_PASSWORD");

    if (!prompt(c, want_user && !use_name, !use_password, cancel_fd, why))
        return false;
    if (want_user)
        *name = strdup(use_name ? use_name : c->typed_name);
    *password = strdup(use_password ? use_password : c->typed_password);
    return *password && (!want_user || *name) ? true : reason_set(why, "out of memory");
}
