#include "tools/demo/server_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tools/demo/scene.h"

#define DEFAULT_PORT "5950"

static bool server_options_parse_size(const char *text, struct server_options *o)
{
    char rest;
    if (sscanf(text, "%4dx%4d%c", &o->width, &o->height, &rest) != 2 ||
        o->width < SCENE_WIDTH_MIN || o->width > SCENE_WIDTH_MAX || o->height < SCENE_HEIGHT_MIN ||
        o->height > SCENE_HEIGHT_MAX) {
        demo_error("--size '%.40s' is not WxH from %dx%d to %dx%d", text, SCENE_WIDTH_MIN,
                   SCENE_HEIGHT_MIN, SCENE_WIDTH_MAX, SCENE_HEIGHT_MAX);
        return false;
    }
    return true;
}

static bool read_password(const char *path, struct server_options *o)
{
    FILE *f = fopen(path, "re");
    if (!f) {
        demo_error("cannot read the password file '%.200s': %s", path, strerror(errno));
        return false;
    }
    bool good = fgets(o->password, sizeof o->password, f) != NULL;
    fclose(f);
    if (good) {
        o->password[strcspn(o->password, "\r\n")] = 0;
    }
    if (!good || !o->password[0]) {
        demo_error("the first line of the password file '%.200s' is empty", path);
        return false;
    }
    return true;
}

static void server_options_print_help(void)
{
    printf("Usage: vnchl-demo-server [OPTION]...\n"
           "A VNC server with a film, a still part and text, to try a viewer on.\n\n"
           "  --size WxH            size of the picture (default 1024x768)\n"
           "  --fps N               frames per second of the film (default 30)\n"
           "  --marks               frame numbers, times and a count of presses in the picture,\n"
           "                        for programs to read\n"
           "  --port N              TCP port (default " DEFAULT_PORT "; 0: any free one)\n"
           "  --listen ADDR         address to listen on (default 127.0.0.1)\n"
           "  --password-file FILE  ask for the password in the first line of FILE\n"
           "  --name NAME           name of the desktop (default \"vnchl demo\")\n"
           "  --help, --version\n\n"
           "Prints \"listening on ADDR:PORT\" when it is ready and ends on SIGINT or SIGTERM.\n");
}

int server_options_parse(struct server_options *o, int argc, char **argv)
{
    *o = (struct server_options){
        .width = 1024,
        .height = 768,
        .fps = 30,
        .address = {.host = "127.0.0.1", .port = DEFAULT_PORT},
        .name = "vnchl demo",
    };
    static const struct option longs[] = {
        {"size", required_argument, NULL, 's'},   {"fps", required_argument, NULL, 'f'},
        {"marks", no_argument, NULL, 'm'},        {"port", required_argument, NULL, 'p'},
        {"listen", required_argument, NULL, 'l'}, {"password-file", required_argument, NULL, 'w'},
        {"name", required_argument, NULL, 'n'},   {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},      {0}};
    bool good = true;
    double port;
    for (int c; good && (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 's':
            good = server_options_parse_size(optarg, o);
            break;
        case 'f':
            good = demo_parse_number("--fps", optarg, 0.1, 240, &o->fps);
            break;
        case 'm':
            o->marks = true;
            break;
        case 'p':
            good = demo_parse_integer("--port", optarg, 0, 65535, &port);
            snprintf(o->address.port, sizeof o->address.port, "%d", good ? (int)port : 0);
            break;
        case 'l':
            snprintf(o->address.host, sizeof o->address.host, "%s", optarg);
            break;
        case 'w':
            good = read_password(optarg, o);
            break;
        case 'n':
            snprintf(o->name, sizeof o->name, "%s", optarg);
            break;
        case 'h':
            server_options_print_help();
            return 0;
        case 'v':
            printf("vnchl-demo-server %s\n", VNCHL_VERSION);
            return 0;
        default:
            return 2; /* getopt has said why */
        }
    }
    if (good && optind < argc) {
        demo_error("unexpected argument '%.80s'; try --help", argv[optind]);
        good = false;
    }
    return good ? -1 : 2;
}
