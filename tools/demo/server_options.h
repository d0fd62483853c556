/* The options of vnchl-demo-server. */
#ifndef VNCHL_DEMO_SERVER_OPTIONS_H
#define VNCHL_DEMO_SERVER_OPTIONS_H

#include "tools/demo/demo_common.h"

struct server_options {
    int width, height;
    double fps;
    bool marks;
    struct demo_address address;
    char name[256];
    char password[256]; /* empty: none */
};

/* Fills `o` with the defaults and what the command line says. -1: go on; else the status to exit
 * with, the reason or the help having been printed. */
int server_options_parse(struct server_options *o, int argc, char **argv);

#endif
