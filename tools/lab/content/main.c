/* vnchl-lab-content: content for a VNC server's screen whose every frame can be told from the
 * others, and its age, wherever it is seen (tools/marks/mark.h).
 *
 * One thread. The next frame is drawn while there is time and sent when it is due; a press that
 * comes in between is shown at once.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"
#include "tools/lab/content/scene.h"
#include "tools/lab/content/stage.h"

/* ---- the command line ---- */

struct content_options {
    const struct scene_kind *kind;
    int width, height; /* 0: the scene's own */
    double fps;
    uint32_t seed;
    uint32_t frames; /* end after so many; 0: never */
    uint32_t raw;    /* not 0: write so many frames to stdout */
    uint32_t check;  /* not 0: read so many from stdin */
    bool no_sync;    /* go on although the X server has not drawn the frame yet */
};

static void options_print_help(void)
{
    printf(
        "Usage: vnchl-lab-content SCENE [OPTION]...\n"
        "Shows content with frame numbers and times in it, in a window on DISPLAY.\n\n"
        "Scenes that run by themselves: video, starts, inactive, typing, scrolling, drag, pages,\n"
        "               writing, terminal, browsing, windows, captions\n"
        "Scenes that a press of a key or button advances: letter, scroll, fill, bitmap, image,\n"
        "               menu\n"
        "Only the count of presses, beside a picture of --size WxH at 0,0: presses\n\n"
        "  --size WxH   size of the content (default 640x360, pages 1000x740, presses 352x240;\n"
        "               browsing, windows and what a press advances have a fixed size)\n"
        "  --fps N      changes a second (default 30, pages 1)\n"
        "  --frames N   end after N frames\n"
        "  --seed N     another content (default 1)\n"
        "  --raw N      write N frames of video to stdout instead: raw BGRA, marks without time\n"
        "  --check N    read N such frames from stdin and check the marks in them\n"
        "  --no-sync    do not wait for the X server after each frame: for one far away\n"
        "  --help, --version\n\n"
        "Prints \"ready\" when the first picture is drawn. Ends on SIGINT or SIGTERM.\n");
}

static bool options_parse_size(const char *text, struct content_options *o)
{
    const struct scene_kind *k = o->kind;
    char rest;

    if (sscanf(text, "%5dx%5d%c", &o->width, &o->height, &rest) != 2 || o->width < 1 ||
        o->height < 1) {
        demo_error("--size '%.40s' is not WxH, for example 640x360", text);
        return false;
    }
    if (!scene_fits(k, o->width, o->height)) {
        demo_error("--size '%.40s' is not from %dx%d to %dx%d, which %s needs", text, k->min_width,
                   k->min_height, SCENE_SIZE_MAX, SCENE_SIZE_MAX, k->name);
        return false;
    }
    return true;
}

static bool parse_count(const char *option, const char *text, double min, uint32_t *out)
{
    double value;

    if (!demo_parse_integer(option, text, min, MARK_NUMBER_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool check_combination(const struct content_options *o)
{
    if ((o->raw || o->check) && o->kind->marks != SCENE_MARKS_INSIDE) {
        demo_error("--raw and --check are for the scenes video, starts and pages, not %s",
                   o->kind->name);
        return false;
    }
    if (o->frames && o->kind->marks == SCENE_MARKS_NONE) {
        demo_error("%s has no frames: leave --frames out", o->kind->name);
        return false;
    }
    return true;
}

/* Fills `o` with the defaults and what the command line says. -1: go on; else the status to exit
 * with, the reason or the help having been printed. */
static int content_options_parse(struct content_options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        {"size", required_argument, NULL, 's'},   {"fps", required_argument, NULL, 'f'},
        {"frames", required_argument, NULL, 'n'}, {"seed", required_argument, NULL, 'e'},
        {"raw", required_argument, NULL, 'r'},    {"check", required_argument, NULL, 'c'},
        {"no-sync", no_argument, NULL, 'y'},      {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},      {0}};
    const char *size = NULL;
    bool good = true;

    *o = (struct content_options){.seed = 1};
    argv[0] = program_invocation_short_name; /* what getopt begins its messages with */
    for (int c; good && (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 's':
            size = optarg; /* what it may be depends on the scene */
            break;
        case 'f':
            good = demo_parse_number("--fps", optarg, 0.01, 240, &o->fps);
            break;
        case 'n':
            good = parse_count("--frames", optarg, 1, &o->frames);
            break;
        case 'e':
            good = parse_count("--seed", optarg, 0, &o->seed);
            break;
        case 'r':
            good = parse_count("--raw", optarg, 1, &o->raw);
            break;
        case 'c':
            good = parse_count("--check", optarg, 1, &o->check);
            break;
        case 'y':
            o->no_sync = true;
            break;
        case 'h':
            options_print_help();
            return 0;
        case 'v':
            printf("vnchl-lab-content %s\n", VNCHL_VERSION);
            return 0;
        default:
            return 2; /* getopt has said why */
        }
    }
    if (!good)
        return 2;
    if (optind == argc && (o->raw || o->check)) {
        o->kind = scene_kind_find("video");
    } else if (optind == argc) {
        demo_error("no scene; try --help");
        return 2;
    } else {
        o->kind = scene_kind_find(argv[optind]);
        if (!o->kind || optind + 1 < argc) {
            demo_error(o->kind ? "unexpected argument '%.80s'; try --help"
                               : "there is no scene '%.80s'; try --help",
                       argv[o->kind ? optind + 1 : optind]);
            return 2;
        }
    }
    if (!o->fps)
        o->fps = o->kind->fps;
    return (!size || options_parse_size(size, o)) && check_combination(o) ? -1 : 2;
}

/* ---- raw frames ---- */

/* Frames of a scene as raw BGRA on standard output, for an encoder; and the check of what came back
 * from a decoder on standard input. Both report errors themselves. */

/* Frames 0 to count - 1, without the input mark. */
static bool raw_write(struct scene *s, uint32_t count)
{
    struct scene_change change;
    size_t width = (size_t)s->width;

    signal(SIGPIPE, SIG_IGN);
    for (uint32_t n = 0; n < count; n++) {
        if (n) {
            scene_next(s, &change);
            scene_stamp(s, 0, &change);
        }
        for (int y = 0; y < s->height; y++) {
            const uint32_t *row = s->canvas.pixels + (long)y * s->canvas.width;

            if (fwrite(row, sizeof *row, width, stdout) != width) {
                demo_error("cannot write frame %u to stdout: %s", n, strerror(errno));
                return false;
            }
        }
    }
    if (fflush(stdout)) {
        demo_error("cannot write to stdout: %s", strerror(errno));
        return false;
    }
    return true;
}

/* True when there are `count` frames and each has both its marks, in order. */
static bool raw_check(const struct scene *s, uint32_t count)
{
    size_t size = (size_t)s->width * (size_t)s->height;
    uint32_t *pixels = calloc(size, sizeof *pixels);
    struct mark_picture p = {pixels, s->width, s->height, s->width};
    bool good = pixels != NULL;

    if (!pixels)
        demo_error("no memory for a frame of %dx%d", s->width, s->height);
    for (uint32_t n = 0; good && n < count; n++) {
        struct mark first = {0}, last = {0};

        good = fread(pixels, sizeof *pixels, size, stdin) == size;
        if (!good) {
            demo_error("stdin ended after %u of %u frames of %dx%d", n, count, s->width, s->height);
            break;
        }
        good = mark_read(&p, s->frame_at.x, s->frame_at.y, &first) &&
               mark_read(&p, s->end_at.x, s->end_at.y, &last) && first.kind == MARK_FRAME &&
               last.kind == MARK_FRAME_END && first.number == n && last.number == n;
        if (!good)
            demo_error("the marks of frame %u cannot be read: encode with a higher bit rate", n);
    }
    if (good && getchar() != EOF) {
        demo_error("stdin goes on after %u frames of %dx%d", count, s->width, s->height);
        good = false;
    }
    free(pixels);
    return good;
}

/* ---- the window ---- */

static volatile sig_atomic_t stopped;

static void content_on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* The first signal ends the program in order, the second at once. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = content_on_signal, .sa_flags = (int)SA_RESETHAND};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* The input mark goes out before anything else that the presses lead to. */
static void show_presses(struct stage *stage, struct scene *s, int presses)
{
    struct scene_change change;

    for (int i = 0; i < presses; i++)
        scene_press(s, mark_time(tick_now()), &change);
    if (presses) {
        stage_send(stage, &change);
        stage_finish(stage);
    }
}

static void show_frame(struct stage *stage, struct scene *s, struct scene_change *change)
{
    scene_stamp(s, mark_time(tick_now()), change);
    stage_send(stage, change);
    stage_finish(stage);
}

static void content_announce(const char *line)
{
    if (puts(line) < 0 || fflush(stdout))
        demo_error("cannot write to stdout: %s", strerror(errno));
}

/* Frame n's slot is at start + n / fps, whatever the frames before it took. A slot that has passed
 * entirely is left out; the frames that are drawn are numbered without a gap. */
static void run_by_clock(struct stage *stage, struct scene *s, const struct content_options *o)
{
    struct scene_change change;
    tick_t start = tick_now(), last = start;
    uint64_t slot = 1, left_out = 0;
    char line[160];

    while (!stopped && (!o->frames || s->frame < o->frames)) {
        slot = scene_slot(s, slot, o->fps);

        tick_t due = start + (tick_t)((double)slot * (double)TICK_S / o->fps);

        scene_next(s, &change);
        while (!stopped && tick_now() < due)
            show_presses(stage, s, stage_presses(stage, due));
        if (stopped)
            break;
        show_frame(stage, s, &change);
        show_presses(stage, s, stage_presses(stage, 0));
        last = tick_now();

        uint64_t latest = (uint64_t)(tick_to_s(last - start) * o->fps);

        slot++;
        if (latest > slot) { /* more than one is overdue */
            left_out += latest - slot;
            slot = latest;
        }
    }
    snprintf(line, sizeof line, "drew %u frames in %.2f s, %llu left out", s->frame,
             tick_to_s(last - start), (unsigned long long)left_out);
    content_announce(line);
}

static void run_by_presses(struct stage *stage, struct scene *s, const struct content_options *o)
{
    struct scene_change change;

    while (!stopped && (!o->frames || s->frame < o->frames)) {
        int presses = stage_presses(stage, TICK_NEVER);

        show_presses(stage, s, presses);
        for (int i = 0; s->kind->step && i < presses; i++) {
            scene_next(s, &change);
            show_frame(stage, s, &change);
        }
    }
}

static bool content_perform(struct scene *s, const struct content_options *o)
{
    struct stage *stage = stage_open(s, !o->no_sync);

    if (!stage)
        return false;
    catch_signals();
    prctl(PR_SET_TIMERSLACK, 1000UL);
    content_announce("ready");
    if (s->kind->on_press)
        run_by_presses(stage, s, o);
    else
        run_by_clock(stage, s, o);
    stage_close(stage);
    return true;
}

int main(int argc, char **argv)
{
    struct content_options o;
    int status = content_options_parse(&o, argc, argv);

    if (status >= 0)
        return status;

    struct scene *s = scene_create(o.kind, o.width, o.height, o.seed);
    bool good = s != NULL;

    if (!s)
        demo_error("no memory for a picture of %dx%d", o.width, o.height);
    else if (o.raw)
        good = raw_write(s, o.raw);
    else if (o.check)
        good = raw_check(s, o.check);
    else
        good = content_perform(s, &o);
    scene_destroy(s);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
