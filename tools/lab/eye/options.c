#include "tools/lab/eye/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 2

#define DAY_S 86400.0

void eye_error(const char *format, ...)
{
    char line[512];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "vnchl-lab-eye: %s\n", line);
}

static void eye_options_help(void)
{
    fputs(
        "Usage: vnchl-lab-eye --frame-buffer FILE [OPTIONS]\n\n"
        "Watches the screen of an Xvfb for the marks of the lab's content, and says what a user\n"
        "of the viewer on it would have seen. JSON lines on standard output.\n\n"
        "  --frame-buffer FILE   Xvfb_screen0 in the folder given to Xvfb -fbdir\n"
        "  --looks N             look N times a second, 100 to 10000 [1000]\n"
        "  --warm-up S           measure from S seconds after the first whole picture [3]\n"
        "  --duration S          measure for S seconds [10]\n"
        "  --limit S             give up when no picture came within S seconds [30]\n"
        "  --press-every MS      press that often on the display, 10 to 60000 [0: never]\n"
        "  --press key|click     press the key 'a', or button 1 on the content [key]\n"
        "  --display :N          the X display to press on\n"
        "  --scene NAME          compare what is shown with what this content draws: PSNR\n"
        "                        and SSIM, and for one that rests when it is exact\n"
        "  --size WxH            its size [its own]\n"
        "  --seed N              of the content, and of the moments of the presses, +-25 % of the\n"
        "                        period [1]\n"
        "  --help                show this text\n"
        "  --version             show the version\n",
        stdout);
}

static bool eye_options_number(const char *option, const char *text, double low, double high,
                               double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (end == text || *end || strspn(text, "0123456789.") != strlen(text) || *out < low ||
        *out > high) {
        eye_error("--%s '%.40s' is not a number from %g to %g", option, text, low, high);
        return false;
    }
    return true;
}

static bool press_kind(const char *text, enum hand_press *out)
{
    *out = strcmp(text, "click") == 0 ? HAND_CLICK : HAND_KEY;
    if (*out == HAND_CLICK || strcmp(text, "key") == 0)
        return true;
    eye_error("--press '%.40s' is neither key nor click", text);
    return false;
}

static bool eye_options_period(const char *text, double *out)
{
    if (strcmp(text, "0") == 0) {
        *out = 0;
        return true;
    }
    return eye_options_number("press-every", text, 10, 60000, out);
}

static bool eye_options_scene(const char *name, const struct scene_kind **out)
{
    *out = scene_kind_find(name);
    if (*out && (*out)->marks != SCENE_MARKS_NONE)
        return true;
    eye_error("--scene '%.40s' is no content that the eye can draw", name);
    return false;
}

static bool eye_options_size(const char *text, int *width, int *height)
{
    char rest;

    if (sscanf(text, "%5dx%5d%c", width, height, &rest) == 2 && *width > 0 && *height > 0)
        return true;
    eye_error("--size '%.40s' is not WxH, for example 640x360", text);
    return false;
}

static bool eye_options_apply(struct eye_options *o, int option, const char *text)
{
    double value;

    switch (option) {
    case 'f':
        o->frame_buffer = text;
        return true;
    case 'D':
        o->display = text;
        return true;
    case 'n':
        return eye_options_number("looks", text, 100, 10000, &o->looks_per_s);
    case 'w':
        return eye_options_number("warm-up", text, 0, DAY_S, &o->warm_up_s);
    case 'd':
        return eye_options_number("duration", text, 0.1, DAY_S, &o->duration_s);
    case 'l':
        return eye_options_number("limit", text, 0.1, DAY_S, &o->limit_s);
    case 'e':
        return eye_options_period(text, &o->press_every_ms);
    case 'p':
        return press_kind(text, &o->press);
    case 'c':
        return eye_options_scene(text, &o->scene);
    case 'z':
        return eye_options_size(text, &o->width, &o->height);
    case 's':
        if (!eye_options_number("seed", text, 0, 4294967295.0, &value))
            return false;
        o->seed = (uint64_t)value;
        return true;
    default:
        return false;
    }
}

static bool eye_options_complete(const struct eye_options *o)
{
    if (!o->frame_buffer)
        eye_error("--frame-buffer FILE is missing (see --help)");
    else if (o->press_every_ms > 0 && !o->display)
        eye_error("--press-every needs --display");
    else if (o->scene && o->width && !scene_fits(o->scene, o->width, o->height))
        eye_error("--size %dx%d is not a size that %s can have", o->width, o->height,
                  o->scene->name);
    else
        return true;
    return false;
}

int eye_options_parse(struct eye_options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        {"frame-buffer", required_argument, NULL, 'f'},
        {"display", required_argument, NULL, 'D'},
        {"looks", required_argument, NULL, 'n'},
        {"warm-up", required_argument, NULL, 'w'},
        {"duration", required_argument, NULL, 'd'},
        {"limit", required_argument, NULL, 'l'},
        {"press-every", required_argument, NULL, 'e'},
        {"press", required_argument, NULL, 'p'},
        {"scene", required_argument, NULL, 'c'},
        {"size", required_argument, NULL, 'z'},
        {"seed", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {0},
    };
    int c;

    *o = (struct eye_options){
        .looks_per_s = 1000, .seed = 1, .warm_up_s = 3, .duration_s = 10, .limit_s = 30};
    opterr = 0;
    while ((c = getopt_long(argc, argv, "+:", longs, NULL)) != -1) {
        if (c == 'h' || c == 'v') {
            c == 'h' ? eye_options_help() : (void)puts("vnchl-lab-eye " VNCHL_VERSION);
            return EXIT_SUCCESS;
        }
        if (c == ':' || c == '?') {
            eye_error(c == ':' ? "option '%.80s' needs a value"
                               : "unknown or bad option '%.80s' (see --help)",
                      argv[optind - 1]);
            return EXIT_USAGE;
        }
        if (!eye_options_apply(o, c, optarg))
            return EXIT_USAGE;
    }
    if (optind < argc) {
        eye_error("'%.80s' is one argument too many (see --help)", argv[optind]);
        return EXIT_USAGE;
    }
    return eye_options_complete(o) ? -1 : EXIT_USAGE;
}
