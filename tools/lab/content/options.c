#include "tools/lab/content/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tools/demo/demo_common.h"

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

int content_options_parse(struct content_options *o, int argc, char **argv)
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
