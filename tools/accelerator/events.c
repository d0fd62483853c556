#include "tools/accelerator/events.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

#define LINE_MOST   1500 /* with the NUL */
#define END_LIMIT_S 2

static bool quiet;

/* of this second */
static tick_t second;
static unsigned said, left_out;

/* ---- the thread that writes ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_wait = PTHREAD_COND_INITIALIZER, all_written;
static bool has_thread;
/* under the lock: */
static char waiting[EVENTS_WAIT_MOST];
static size_t waiting_size;
static bool writing; /* what was taken from `waiting` */

/* What cannot be written is lost: nobody can be told. */
static void events_write(const char *bytes, size_t size)
{
    struct pollfd room = {STDERR_FILENO, POLLOUT, 0};

    while (size > 0) {
        ssize_t n = write(STDERR_FILENO, bytes, size);

        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN) {
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return;
        }
    }
}

static void *events_writer(void *unused)
{
    static char taken[EVENTS_WAIT_MOST];

    pthread_mutex_lock(&lock);
    for (;;) {
        size_t size;

        while (waiting_size == 0)
            pthread_cond_wait(&some_wait, &lock);
        size = waiting_size;
        memcpy(taken, waiting, size);
        waiting_size = 0;
        writing = true;
        pthread_mutex_unlock(&lock);
        events_write(taken, size);
        pthread_mutex_lock(&lock);
        writing = false;
        pthread_cond_signal(&all_written);
    }
    return unused;
}

void events_keep_quiet(void)
{
    quiet = true;
}

bool events_begin(struct reason *why)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&all_written, &monotonic);
    pthread_condattr_destroy(&monotonic);
    has_thread = detached_start(events_writer, NULL);
    return has_thread || reason_set(why, "no thread for the log: %s", strerror(errno));
}

void events_end(void)
{
    struct timespec until;

    if (!has_thread)
        return;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += END_LIMIT_S;
    pthread_mutex_lock(&lock);
    while ((waiting_size > 0 || writing) &&
           pthread_cond_timedwait(&all_written, &lock, &until) == 0)
        ;
    pthread_mutex_unlock(&lock);
}

/* ---- lines ---- */

/* False: there is no room for it. */
static bool events_put(const char *line, size_t size)
{
    bool room;

    if (!has_thread) {
        events_write(line, size);
        return true;
    }
    pthread_mutex_lock(&lock);
    room = size <= sizeof waiting - waiting_size;
    if (room) {
        memcpy(waiting + waiting_size, line, size);
        waiting_size += size;
        pthread_cond_signal(&some_wait);
    }
    pthread_mutex_unlock(&lock);
    return room;
}

static bool events_say_left_out(void)
{
    char line[80];
    int size = snprintf(line, sizeof line, "vnchl-accel: event=quiet left_out=%u\n", left_out);

    return events_put(line, (size_t)size);
}

static bool events_may_say(enum event_weight weight)
{
    tick_t now = tick_now() / TICK_S;

    if (now != second) {
        if (left_out == 0 || events_say_left_out())
            left_out = 0;
        second = now;
        said = 0;
    }
    return weight == EVENT_ALWAYS || said < EVENTS_PER_SECOND;
}

void event_log(enum event_weight weight, const char *name, const char *format, ...)
{
    char line[LINE_MOST];
    va_list args;
    size_t head;

    if (quiet)
        return;
    head = (size_t)snprintf(line, sizeof line, "vnchl-accel: event=%s ", name);
    va_start(args, format);
    vsnprintf(line + head, sizeof line - head - 1, format, args); /* the end of the line */
    va_end(args);
    sanitise(line);
    strcat(line, "\n");
    if (events_may_say(weight) && events_put(line, strlen(line)))
        said++;
    else
        left_out++;
}

const char *event_text(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '"')
            *at = '\'';
    return text;
}
