/* The demo's film in a window of any X server: content of a known frame rate for servers that are
 * not ours. Each frame is one request to the X server, so it is seen whole or not at all. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"
#include "tools/demo/film.h"

#define WIDTH  640
#define HEIGHT 360

static volatile sig_atomic_t stopped;

static void demo_film_stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static bool demo_film_parse(int argc, char **argv, double *fps)
{
    *fps = 30;
    if (argc == 3 && strcmp(argv[1], "--fps") == 0)
        return demo_parse_number("--fps", argv[2], 0.1, 240, fps);
    if (argc == 1)
        return true;
    fprintf(argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr,
            "Usage: vnchl-demo-film [--fps N]\n"
            "The demo's film, %d x %d, N frames per second (default 30), in a window on DISPLAY.\n"
            "Ends on SIGINT or SIGTERM.\n",
            WIDTH, HEIGHT);
    return false;
}

/* A window without decoration in the top left corner. */
static Window demo_film_open_window(Display *d)
{
    XSetWindowAttributes bare = {.override_redirect = True};
    Window w = XCreateWindow(d, DefaultRootWindow(d), 0, 0, WIDTH, HEIGHT, 0, CopyFromParent,
                             InputOutput, CopyFromParent, CWOverrideRedirect, &bare);

    XMapWindow(d, w);
    XSync(d, False);
    return w;
}

static void demo_film_play(Display *d, Window w, struct film *film, uint32_t *pixels, double fps)
{
    int screen = DefaultScreen(d);
    XImage *image =
        XCreateImage(d, DefaultVisual(d, screen), (unsigned)DefaultDepth(d, screen), ZPixmap, 0,
                     (char *)pixels, WIDTH, HEIGHT, 32, WIDTH * (int)sizeof *pixels);
    tick_t start = tick_now();

    for (uint64_t frame = 0; image && !stopped; frame++) {
        /* an absolute schedule: a late frame does not delay the next */
        tick_t due = start + (tick_t)((double)frame * (double)TICK_S / fps);
        struct timespec at = tick_to_timespec(due);

        film_draw(film, pixels, WIDTH, frame);
        if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
            continue;
        XPutImage(d, w, DefaultGC(d, screen), image, 0, 0, 0, 0, WIDTH, HEIGHT);
        XSync(d, True);
    }
    if (image) {
        image->data = NULL; /* ours */
        XDestroyImage(image);
    }
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = demo_film_stop};
    uint32_t *pixels = calloc(WIDTH * HEIGHT, sizeof *pixels);
    struct film *film = film_create(WIDTH, HEIGHT);
    Display *display;
    double fps;

    if (!demo_film_parse(argc, argv, &fps))
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? EXIT_SUCCESS : 2;
    display = XOpenDisplay(NULL);
    if (!display || !film || !pixels) {
        demo_error(display ? "out of memory" : "no X display: set DISPLAY");
        return EXIT_FAILURE;
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    demo_film_play(display, demo_film_open_window(display), film, pixels, fps);
    XCloseDisplay(display);
    film_destroy(film);
    free(pixels);
    return EXIT_SUCCESS;
}
