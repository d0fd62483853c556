#include "viewer/desktop/pages/told/error_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rfb/framing/handshake_framing.h"
#include "rfb/net/sockets/contest.h"
#include "rfb/net/ssh/far_end.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/reason.h"

/* What is said of each kind of failure but FAILURE_GATEWAY. %s is the server. */
struct advice {
    const char *title, *next;
    bool retry;
};

static const struct advice advices[FAILURES] = {
    [FAILURE_NONE] = {"Not connected to %s", "You have stopped connecting again.", true},
    [FAILURE_NAME] = {"No host was found for %s",
                      "Check the spelling of the name. If it is right, this computer may be "
                      "offline, or the name is known in another network only. Where ssh gets "
                      "there, use --via, or Gateway in the options.",
                      true},
    [FAILURE_UNREACHABLE] = {"%s cannot be reached",
                             "Check the address, and whether the server is switched on and in the "
                             "same network as this computer. A firewall may be in the way, too. "
                             "Where ssh gets through, use --via, or Gateway in the options.",
                             true},
    [FAILURE_LOST] = {"No connection to %s",
                      "The server may be busy or starting. Check that it runs, then try again.",
                      true},
    [FAILURE_REFUSED] = {"%s accepts no connection now",
                         "Wait a little, then try again. If that does not help, ask whoever looks "
                         "after the server.",
                         true},
    [FAILURE_AUTHENTICATION] = {"%s does not let you in",
                                "Check the user name and the password, and connect again.", false},
    [FAILURE_TRUST] = {"It is not certain that this is %s",
                       "No password was sent. Ask whoever looks after the server whether its "
                       "certificate or its key is a new one.",
                       false},
    [FAILURE_SECURITY] = {"No safe way to log in to %s",
                          "Ask whoever looks after the server to allow another security type, "
                          "such as X509Vnc or VncAuth.",
                          false},
    [FAILURE_PROTOCOL] = {"%s does not speak VNC as expected",
                          "Check the address and the port: is a VNC server there?", false},
    [FAILURE_START] = {"The connection to %s was not begun",
                       "Nothing was sent to the server. The fault is on this computer: put right "
                       "what is said above, then try again.",
                       true},
    [FAILURE_CRASHED] =
        {"%s has sent something that could not be read",
         "The part of this program that reads what a server sends has failed, and "
         "was ended. It is confined, so nothing else was touched. The server may be "
         "faulty, or hostile: connect again only if you trust it.",
         true},
    [FAILURE_KILLED] = {"The connection to %s was ended on this computer",
                        "Most likely the memory of this computer had run out, or an administrator "
                        "has ended it. Close programs that take much memory, then try again. "
                        "\"journalctl -k\" names what the system has ended for want of memory.",
                        true},
    /* whatever goes wrong with a recording */
    [FAILURE_PLAYED] = {"%s cannot be played",
                        "Is the file whole? It has to be one that --record has written, with a "
                        "picture in it.",
                        false},
};

/* ssh is at the gateway, and cannot go on from there. */
static const struct advice behind_gateway = {
    "%s cannot be reached from the gateway",
    "Check the address, as the gateway sees it, and whether the server is switched on.", true};

/* Where a session was up before, the address is right. */
static const struct advice lost_again = {
    "The connection to %s is lost",
    "Check your network, and whether the server still runs. Then try again.", true};
static const struct advice protocol_again = {
    "%s has sent something wrong",
    "The connection was ended for safety. To connect again may help. If it happens again, the "
    "server is faulty.",
    true};

/* The machine has said so itself: it is there, and it has no server at this port. */
static const struct advice nobody_listens = {
    "No VNC server answers at %s",
    "The computer is there, but no server listens at this address. Check that the server runs, and "
    "the number behind the colon.",
    true};

/* Of several servers. */
static const struct advice none_answers = {
    "None of %s answers",
    "Check the names, the numbers behind the colons, that one of the servers runs, and that this "
    "computer is in their network.",
    true};

/* Servers say so in their own words: "Too many security failures", "authentication failures". */
static const struct advice after_wrong_passwords = {
    "%s accepts no connection now",
    "Wait a little, then try again. The server refuses everybody for a while after some wrong "
    "passwords.",
    true};

/* vnchl-accel was reached, and the password was never asked for. */
static const struct advice nobody_behind = {
    "The VNC server behind %s does not answer",
    "The accelerator in front of it does. Check that the server runs, and the address that the "
    "accelerator was given for it.",
    true};

/* Macs that offer only what Apple's own viewers speak. */
static const struct advice apples_alone = {"%s lets in only Apple's viewers",
                                           "To let other viewers in, on the Mac:", true};
static const char apples_steps[] =
    "1. Open System Settings, General, Sharing. Before macOS 13: System Preferences, Sharing.\n"
    "2. Click the \"i\" beside Screen Sharing, or beside Remote Management where that is on. "
    "Before "
    "macOS 13: Computer Settings.\n"
    "3. Turn on \"VNC viewers may control screen with password\", and choose a password.\n"
    "Then try again with that password. Only ssh (--via) encrypts what follows.";

/* RealVNC's servers, with the settings that they begin with. */
static const struct advice realvncs_alone = {"%s lets in only RealVNC's viewer",
                                             "To let other viewers in, on a Raspberry Pi:", true};
static const char realvncs_steps[] =
    "1. sudo nano /root/.vnc/config.d/vncserver-x11\n"
    "(two lines more: Authentication=VncAuth and Encryption=PreferOn)\n"
    "2. sudo vncpasswd -legacy -service\n"
    "3. sudo systemctl restart vncserver-x11-serviced\n"
    "Then try again with that password. Or turn on Wayland in raspi-config: its wayvnc encrypts.";

/* How to do what is said next; NULL: it is no more than that. */
static const char *advice_steps(const struct advice *a)
{
    return a == &apples_alone ? apples_steps : a == &realvncs_alone ? realvncs_steps : NULL;
}

static const struct advice *advice_if_insecure(const char *why)
{
    if (strstr(why, SECURITY_HAS_NONE) && strstr(why, SECURITY_OF_APPLE))
        return &apples_alone;
    if (strstr(why, SECURITY_HAS_NONE) && strstr(why, SECURITY_OF_REALVNC))
        return &realvncs_alone;
    return &advices[FAILURE_SECURITY];
}

static const struct advice *advice_if_refused(const char *why)
{
    if (strstr(why, HANDSHAKE_NO_SERVER))
        return &nobody_behind;
    return strstr(why, "failures") ? &after_wrong_passwords : &advices[FAILURE_REFUSED];
}

static const struct advice *advice_for(const struct connection_status *s)
{
    if (s->plays)
        return &advices[FAILURE_PLAYED];
    if (s->failure == FAILURE_LOST && s->again)
        return &lost_again;
    if (s->failure == FAILURE_PROTOCOL && s->again)
        return &protocol_again;
    if (strncmp(s->why.text, CONTEST_NOBODY, strlen(CONTEST_NOBODY)) == 0)
        return &none_answers;
    if (s->failure == FAILURE_UNREACHABLE && strstr(s->why.text, strerror(ECONNREFUSED)))
        return &nobody_listens;
    if (s->failure == FAILURE_REFUSED)
        return advice_if_refused(s->why.text);
    if (s->failure == FAILURE_SECURITY)
        return advice_if_insecure(s->why.text);
    return &advices[s->failure];
}

/* ssh, or the command, has failed. That has nothing to do with the VNC server. */
static void blame_gateway(const struct gateway *g, const char *why, struct error_page *out)
{
    char port[16] = "";

    out->retry = true;
    if (strstr(why, GATEWAY_NO_SSH)) {
        snprintf(out->title, sizeof out->title, "This computer has no ssh to get to %s", g->host);
        snprintf(out->next, sizeof out->next,
                 "Install the package openssh-client on this computer, then try again.");
        return;
    }
    if (*g->command) {
        snprintf(out->title, sizeof out->title, "VNC_VIA_CMD does not get through to %s", g->host);
        snprintf(out->next, sizeof out->next,
                 "The VNC server was not asked yet. Check the command in VNC_VIA_CMD.");
        return;
    }
    if (g->port)
        snprintf(port, sizeof port, "-p %u ", (unsigned)g->port);
    snprintf(out->title, sizeof out->title, "ssh does not get through to %s", g->host);
    snprintf(out->next, sizeof out->next,
             "The VNC server was not asked yet. Try \"ssh %s%s\" on a terminal: it says what is "
             "wrong. When that logs you in, try again here.%s%s%s",
             port, g->host, g->far_end ? " " : "", g->far_end ? g->host : "",
             g->far_end ? " needs the package " FAR_END_PROGRAM ", too." : "");
}

/* ssh has done its part: what is wrong is at its other side. */
static void blame_far_end(const struct gateway *g, struct error_page *out)
{
    out->retry = true;
    snprintf(out->title, sizeof out->title, "No VNC server was reached at %s", g->host);
    snprintf(out->next, sizeof out->next,
             "ssh gets there. Put right what is said above, then try again.");
}

void error_page_sentence(const char *reason, char *out, size_t size)
{
    size_t length;

    snprintf(out, size, "%s", reason);
    sanitise(out); /* it may have been cut inside a character */
    capitalise(out);
    length = strlen(out);
    if (length > 0 && length + 1 < size && !strchr(".?!", out[length - 1]))
        strcpy(out + length, ".");
}

/* Leaves the first sentence. */
static void error_page_shorten(char *why)
{
    char *end = strstr(why, ". ");

    if (end)
        end[1] = '\0';
}

/* The table above knows what to say. */
static void error_page_advise(const struct connection_status *status, const char *server,
                              const struct gateway *gateway, struct error_page *out)
{
    const struct advice *a = advice_for(status);

    if (*gateway->host && a == &advices[FAILURE_UNREACHABLE])
        a = &behind_gateway;
    snprintf(out->title, sizeof out->title, a->title, server);
    snprintf(out->next, sizeof out->next, "%s", a->next);
    out->retry = a->retry;
    out->steps = advice_steps(a);
}

/* Why the newest attempt has failed; before that why the session was lost, if that is not how it
 * begins. */
static void error_page_blame(const struct connection_status *s, struct error_page *out)
{
    const bool lost = *s->lost.text && (!s->failure || strncmp(s->why.text, s->lost.text,
                                                               strlen(s->lost.text)) != 0);
    char first[ERROR_PAGE_NOW_MAX], newest[ERROR_PAGE_NOW_MAX], now[ERROR_PAGE_NOW_MAX];

    snprintf(newest, sizeof newest, "%s%s", lost ? "connecting again: " : "", s->why.text);
    error_page_sentence(s->failure ? newest : "", now, sizeof now);
    if (out->steps) /* they say at length what the end of the line says */
        error_page_shorten(now);
    error_page_sentence(lost ? s->lost.text : "", first, sizeof first);
    snprintf(out->why, sizeof out->why, "%s%s%s", first, *first && *now ? " " : "", now);
}

void error_page_make(const struct connection_status *status, const char *server,
                     const struct gateway *gateway, struct error_page *out)
{
    out->steps = NULL;
    if (status->failure == FAILURE_GATEWAY)
        blame_gateway(gateway, status->why.text, out);
    else if (status->failure == FAILURE_UNREACHABLE && gateway->far_end)
        blame_far_end(gateway, out);
    else
        error_page_advise(status, server, gateway, out);
    out->risky = out->retry && status->failure == FAILURE_CRASHED;
    error_page_blame(status, out);
    sanitise(out->title);
    sanitise(out->next);
}
