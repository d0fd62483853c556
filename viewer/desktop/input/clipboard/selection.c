#include "viewer/desktop/input/clipboard/selection.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "viewer/desktop/input/clipboard/text_parts.h"

/* ns: an owner that says nothing for so long does not answer any more. Chosen. */
#define OWNER_PATIENCE (5 * TICK_S)

struct selection {
    struct selection_options options;
    int wake_fd; /* eventfd: look at what is below the lock */
    pthread_t thread;

    /* The thread's alone, but for the beginning. */
    xcb_connection_t *x;
    xcb_window_t window; /* never shown; owners write into its property */
    uint8_t owner_event; /* the number of XFixesSelectionNotify */
    xcb_atom_t clipboard, utf8, incr, property;
    bool focus;       /* the viewer's window has it */
    bool looks;       /* it has got it: even that nothing is new is to be said */
    xcb_atom_t due;   /* the selection that changed last, if it has not been read; else NONE */
    xcb_atom_t asked; /* the selection that is being read, or NONE */
    bool in_parts;    /* its text comes in parts */
    struct text_parts text;
    tick_t deadline; /* of the owner's next answer */

    pthread_mutex_t lock; /* everything below */
    bool stopping;
    char *news;
    size_t too_long;
};

/* ---- reading: the thread's ---- */

/* The reading is over. */
static void selection_finish(struct selection *s)
{
    size_t length = s->text.length;

    s->asked = XCB_NONE;
    s->looks = false;
    pthread_mutex_lock(&s->lock);
    if (length > 0) {
        free(s->news);
        s->too_long = text_parts_too_long(&s->text) ? length : 0;
        s->news = text_parts_take(&s->text);
    }
    pthread_mutex_unlock(&s->lock);
    s->options.wake(s->options.user);
}

/* The owner has written into the property: takes what is there, and deletes it. */
static void take_part(struct selection *s)
{
    xcb_get_property_cookie_t cookie =
        xcb_get_property(s->x, true, s->window, s->property, XCB_GET_PROPERTY_TYPE_ANY, 0,
                         (uint32_t)(s->options.most / 4 + 1));
    xcb_get_property_reply_t *part = xcb_get_property_reply(s->x, cookie, NULL);
    size_t size = part && part->format == 8 ? (size_t)xcb_get_property_value_length(part) : 0;

    s->deadline = tick_now() + OWNER_PATIENCE;
    if (part && part->type == s->incr && !s->in_parts) {
        s->in_parts = true;
        free(part);
        return;
    }
    if (size > 0) {
        text_parts_add(&s->text, xcb_get_property_value(part), size);
        if (part->bytes_after > 0) { /* more than `most`: it is not deleted yet */
            xcb_delete_property(s->x, s->window, s->property);
            text_parts_miss(&s->text, part->bytes_after);
        }
    }
    free(part);
    if (size == 0 || !s->in_parts)
        selection_finish(s);
}

/* Asks the owner for its text, if there is a new one and the window has the focus. */
static void selection_begin(struct selection *s)
{
    bool nothing = s->looks && s->due == XCB_NONE && s->asked == XCB_NONE;

    if (nothing) {
        s->looks = false;
        s->options.wake(s->options.user);
    }
    if (!s->focus || s->due == XCB_NONE || s->asked != XCB_NONE)
        return;
    s->asked = s->due;
    s->due = XCB_NONE;
    s->in_parts = false;
    text_parts_clear(&s->text);
    s->deadline = tick_now() + OWNER_PATIENCE;
    xcb_delete_property(s->x, s->window, s->property);
    xcb_convert_selection(s->x, s->window, s->asked, s->utf8, s->property, XCB_CURRENT_TIME);
}

/* Not when the focus goes to a window inside, or only the keyboard's grab changes. */
static void selection_note_focus(struct selection *s, const xcb_focus_in_event_t *e, bool in)
{
    if (e->mode != XCB_NOTIFY_MODE_GRAB && e->mode != XCB_NOTIFY_MODE_UNGRAB &&
        e->detail != XCB_NOTIFY_DETAIL_INFERIOR && e->detail != XCB_NOTIFY_DETAIL_POINTER)
        s->focus = s->looks = in;
}

static void selection_handle(struct selection *s, const xcb_generic_event_t *e)
{
    uint8_t type = e->response_type & 0x7f; /* the highest bit: another client sent it */

    if (type == s->owner_event) {
        s->due = ((const xcb_xfixes_selection_notify_event_t *)e)->selection;
    } else if (type == XCB_FOCUS_IN || type == XCB_FOCUS_OUT) {
        selection_note_focus(s, (const void *)e, type == XCB_FOCUS_IN);
    } else if (type == XCB_SELECTION_NOTIFY) {
        const xcb_selection_notify_event_t *answer = (const void *)e;

        if (answer->selection != s->asked || s->asked == XCB_NONE || s->in_parts)
            return;
        if (answer->property == XCB_NONE) /* there is no owner, or it has no text */
            selection_finish(s);
        else
            take_part(s);
    } else if (type == XCB_PROPERTY_NOTIFY) {
        const xcb_property_notify_event_t *change = (const void *)e;

        if (s->in_parts && s->asked != XCB_NONE && change->atom == s->property &&
            change->state == XCB_PROPERTY_NEW_VALUE)
            take_part(s);
    }
}

/* Handles all that has come. False when the X server is gone. */
static bool selection_take_events(struct selection *s)
{
    xcb_generic_event_t *e;

    while ((e = xcb_poll_for_event(s->x))) {
        selection_handle(s, e);
        free(e);
    }
    return !xcb_connection_has_error(s->x);
}

static void wait_for_more(struct selection *s)
{
    struct pollfd p[] = {{.fd = xcb_get_file_descriptor(s->x), .events = POLLIN},
                         {.fd = s->wake_fd, .events = POLLIN}};
    struct timespec left = tick_to_timespec(s->deadline - tick_now());
    uint64_t count;

    if (ppoll(p, 2, s->asked != XCB_NONE ? &left : NULL, NULL) > 0 && p[1].revents &&
        read(s->wake_fd, &count, sizeof count) < 0)
        log_debug("cannot read the clipboard's wake-up");
}

static bool selection_stopping(struct selection *s)
{
    bool stop;

    pthread_mutex_lock(&s->lock);
    stop = s->stopping;
    pthread_mutex_unlock(&s->lock);
    return stop;
}

static void *selection_reader(void *user)
{
    struct selection *s = user;

    while (!selection_stopping(s) && selection_take_events(s)) {
        if (s->asked != XCB_NONE && tick_now() >= s->deadline) {
            log_debug("the owner of the clipboard does not answer");
            text_parts_clear(&s->text);
            selection_finish(s);
        }
        selection_begin(s);
        xcb_flush(s->x);
        wait_for_more(s);
    }
    return NULL;
}

/* ---- the UI thread's ---- */

static xcb_atom_t selection_intern(xcb_connection_t *x, const char *name)
{
    xcb_intern_atom_cookie_t cookie = xcb_intern_atom(x, false, (uint16_t)strlen(name), name);
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(x, cookie, NULL);
    xcb_atom_t atom = reply ? reply->atom : XCB_NONE;

    free(reply);
    return atom;
}

/* Whether the viewer's window has the focus, or the window below the pointer does. */
static bool selection_ask_focus(struct selection *s)
{
    xcb_get_input_focus_reply_t *r =
        xcb_get_input_focus_reply(s->x, xcb_get_input_focus(s->x), NULL);
    bool has = r && (r->focus == s->options.window || r->focus == XCB_INPUT_FOCUS_POINTER_ROOT);

    free(r);
    return has;
}

/* Asks to be told when the viewer's window gets the focus, and when it loses it. */
static void selection_watch_focus(struct selection *s)
{
    const uint32_t wanted = XCB_EVENT_MASK_FOCUS_CHANGE;

    xcb_change_window_attributes(s->x, s->options.window, XCB_CW_EVENT_MASK, &wanted);
    s->focus = selection_ask_focus(s);
}

/* Asks to be told of new owners. False: the X server cannot. */
static bool watch_owners(struct selection *s, xcb_window_t root)
{
    const xcb_query_extension_reply_t *fixes = xcb_get_extension_data(s->x, &xcb_xfixes_id);
    xcb_xfixes_query_version_reply_t *version;

    if (!fixes || !fixes->present)
        return false;
    version = xcb_xfixes_query_version_reply(s->x, xcb_xfixes_query_version(s->x, 1, 0), NULL);
    free(version);
    if (!version)
        return false;
    s->owner_event = fixes->first_event + XCB_XFIXES_SELECTION_NOTIFY;
    xcb_xfixes_select_selection_input(s->x, root, s->clipboard,
                                      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER);
    if (s->options.primary)
        xcb_xfixes_select_selection_input(s->x, root, XCB_ATOM_PRIMARY,
                                          XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER);
    return true;
}

static bool selection_open_window(struct selection *s)
{
    const uint32_t wanted = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_screen_t *screen;

    s->x = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(s->x))
        return false;
    screen = xcb_setup_roots_iterator(xcb_get_setup(s->x)).data;
    s->clipboard = selection_intern(s->x, "CLIPBOARD");
    s->utf8 = selection_intern(s->x, "UTF8_STRING");
    s->incr = selection_intern(s->x, "INCR");
    s->property = selection_intern(s->x, "VNCHL_SELECTION");
    s->due = s->clipboard;
    s->window = xcb_generate_id(s->x);
    xcb_create_window(s->x, XCB_COPY_FROM_PARENT, s->window, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &wanted);
    selection_watch_focus(s);
    return watch_owners(s, screen->root);
}

/* Signals stay with the UI thread, whose wait they interrupt. */
static bool start_reader(struct selection *s)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(&s->thread, NULL, selection_reader, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void selection_release(struct selection *s)
{
    if (s->x)
        xcb_disconnect(s->x);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    text_parts_clear(&s->text);
    free(s->news);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct selection *selection_create(const struct selection_options *options)
{
    struct selection *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->options = *options;
    s->text.most = options->most;
    pthread_mutex_init(&s->lock, NULL);
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->wake_fd < 0 || !selection_open_window(s) || !start_reader(s)) {
        selection_release(s);
        return NULL;
    }
    return s;
}

static void wake_reader(struct selection *s)
{
    eventfd_wake(s->wake_fd, "the clipboard's reader");
}

void selection_destroy(struct selection *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_mutex_unlock(&s->lock);
    wake_reader(s);
    pthread_join(s->thread, NULL);
    selection_release(s);
}

bool selection_has_focus(struct selection *s)
{
    bool has = selection_ask_focus(s);

    wake_reader(s); /* events that came before the answer are in xcb's queue */
    return has;
}

char *selection_take(struct selection *s, size_t *too_long)
{
    char *news;

    pthread_mutex_lock(&s->lock);
    news = s->news;
    *too_long = s->too_long;
    s->news = NULL;
    s->too_long = 0;
    pthread_mutex_unlock(&s->lock);
    return news;
}
