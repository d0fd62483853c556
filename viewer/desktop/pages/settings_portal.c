#include "viewer/desktop/pages/settings_portal.h"

#ifndef VNCHL_DBUS

struct settings_portal *settings_portal_open(void (*wake)(void *user), void *user)
{
    return NULL;
}

void settings_portal_show(struct settings_portal *p, struct ui *pages) {}

void settings_portal_close(struct settings_portal *p) {}

#else

#include <dbus/dbus.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "viewer/session_bus.h"

#define PORTAL_NAME      "org.freedesktop.portal.Desktop"
#define PORTAL_PATH      "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define PORTAL_CHANGED   "SettingChanged"
#define APPEARANCE       "org.freedesktop.appearance"
#define COLOUR_SCHEME    "color-scheme"

/* Read() wraps its value twice, a signal once. */
#define VARIANTS_MOST    2

/* Owner and thread have it; who leaves last frees it. */
struct settings_portal {
    void (*wake)(void *user);
    void *user;
    int left_fd; /* eventfd: readable once the owner has left */

    pthread_mutex_t lock; /* everything below */
    int holders;
    bool left; /* the owner */
    bool news;
    enum colour_scheme scheme;
};

static void portal_leave(struct settings_portal *p)
{
    bool last;

    pthread_mutex_lock(&p->lock);
    last = --p->holders == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last)
        return;
    close(p->left_fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- the thread's ---- */

static void portal_tell(struct settings_portal *p, enum colour_scheme scheme)
{
    pthread_mutex_lock(&p->lock);
    p->scheme = scheme;
    p->news = true;
    if (!p->left)
        p->wake(p->user);
    pthread_mutex_unlock(&p->lock);
}

/* Numbers that are not known yet mean no wish, as the portal's description says. */
static enum colour_scheme portal_scheme(dbus_uint32_t number)
{
    return number == 1 ? SCHEME_DARK : number == 2 ? SCHEME_LIGHT : SCHEME_NO_WISH;
}

/* The value at `at`. Nothing happens where it is no number. */
static void portal_heed_value(struct settings_portal *p, DBusMessageIter *at)
{
    DBusMessageIter inner = *at;
    dbus_uint32_t number;

    for (int i = 0; i < VARIANTS_MOST; i++)
        if (dbus_message_iter_get_arg_type(&inner) == DBUS_TYPE_VARIANT) {
            DBusMessageIter outer = inner;

            dbus_message_iter_recurse(&outer, &inner);
        }
    if (dbus_message_iter_get_arg_type(&inner) != DBUS_TYPE_UINT32)
        return;
    dbus_message_iter_get_basic(&inner, &number);
    portal_tell(p, portal_scheme(number));
}

/* Whether a string stands at `at`, and is this one. Goes on behind it. */
static bool portal_names(DBusMessageIter *at, const char *expected)
{
    const char *text;

    if (dbus_message_iter_get_arg_type(at) != DBUS_TYPE_STRING)
        return false;
    dbus_message_iter_get_basic(at, &text);
    dbus_message_iter_next(at);
    return strcmp(text, expected) == 0;
}

static void portal_heed(struct settings_portal *p, DBusMessage *m, dbus_uint32_t asked)
{
    DBusMessageIter at;

    if (!dbus_message_iter_init(m, &at))
        return;
    if (dbus_message_is_signal(m, PORTAL_INTERFACE, PORTAL_CHANGED)) {
        if (portal_names(&at, APPEARANCE) && portal_names(&at, COLOUR_SCHEME))
            portal_heed_value(p, &at);
    } else if (dbus_message_get_reply_serial(m) == asked) {
        if (dbus_message_get_type(m) == DBUS_MESSAGE_TYPE_METHOD_RETURN)
            portal_heed_value(p, &at);
        else
            log_debug("no settings portal: %s", dbus_message_get_error_name(m));
    }
}

/* Asks for the value as it is now. 0: out of memory. */
static dbus_uint32_t portal_ask(DBusConnection *bus)
{
    const char *group = APPEARANCE, *key = COLOUR_SCHEME;
    DBusMessage *m =
        dbus_message_new_method_call(PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "Read");
    dbus_uint32_t serial = 0;

    if (m && (!dbus_message_append_args(m, DBUS_TYPE_STRING, &group, DBUS_TYPE_STRING, &key,
                                        DBUS_TYPE_INVALID) ||
              !dbus_connection_send(bus, m, &serial)))
        serial = 0;
    if (m)
        dbus_message_unref(m);
    return serial;
}

/* Until there is something to read. False: the owner has left. */
static bool portal_wait(const struct settings_portal *p, int bus_fd)
{
    struct pollfd fds[] = {{.fd = bus_fd, .events = POLLIN}, {.fd = p->left_fd, .events = POLLIN}};

    return poll(fds, 2, -1) >= 0 && !fds[1].revents;
}

static void portal_follow(struct settings_portal *p, DBusConnection *bus)
{
    DBusMessage *m;
    dbus_uint32_t asked;
    int fd;

    dbus_bus_add_match(bus,
                       "type='signal',sender='" PORTAL_NAME "',path='" PORTAL_PATH
                       "',interface='" PORTAL_INTERFACE "',member='" PORTAL_CHANGED
                       "',arg0='" APPEARANCE "'",
                       NULL); /* without a place for an error nothing is waited for */
    asked = portal_ask(bus);
    dbus_connection_flush(bus);
    if (!asked || !dbus_connection_get_unix_fd(bus, &fd))
        return;
    do {
        dbus_connection_read_write(bus, 0);
        while ((m = dbus_connection_pop_message(bus))) {
            portal_heed(p, m, asked);
            dbus_message_unref(m);
        }
    } while (dbus_connection_get_is_connected(bus) && portal_wait(p, fd));
}

static void *portal_run(void *user)
{
    struct settings_portal *p = user;
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);

    if (bus) {
        dbus_connection_set_exit_on_disconnect(bus, false);
        dbus_connection_set_max_message_size(bus, SETTINGS_PORTAL_MOST);
        portal_follow(p, bus);
        dbus_connection_close(bus);
        dbus_connection_unref(bus);
    }
    portal_leave(p);
    return NULL;
}

/* ---- the owner's ---- */

struct settings_portal *settings_portal_open(void (*wake)(void *user), void *user)
{
    struct settings_portal *p;

    if (!session_bus_there() || !dbus_threads_init_default())
        return NULL;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct settings_portal){.wake = wake, .user = user, .holders = 2};
    pthread_mutex_init(&p->lock, NULL);
    p->left_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (p->left_fd >= 0 && detached_start(portal_run, p))
        return p;
    if (p->left_fd >= 0)
        close(p->left_fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

void settings_portal_show(struct settings_portal *p, struct ui *pages)
{
    enum colour_scheme scheme;
    bool news;

    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    news = p->news;
    scheme = p->scheme;
    p->news = false;
    pthread_mutex_unlock(&p->lock);
    if (news)
        ui_set_colour_scheme(pages, scheme);
}

void settings_portal_close(struct settings_portal *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->left = true;
    pthread_mutex_unlock(&p->lock);
    eventfd_wake(p->left_fd, "the settings portal's listener");
    portal_leave(p);
}

#endif
