/* The command line of vnchl-linkem, checked before anything is set up. Strings point into argv. */
#ifndef VNCHL_LINKEM_OPTIONS_H
#define VNCHL_LINKEM_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/linkem/link/change.h"

#define LINKEM_LIST_MAX 32

/* When linkem itself fails, as env(1) and timeout(1) do: not to be taken for COMMAND's status. */
#define LINKEM_EXIT_FAILED 125

enum linkem_side { LINKEM_CLIENT, LINKEM_SERVER, LINKEM_SIDES };

struct linkem_list {
    const char *items[LINKEM_LIST_MAX];
    int count;
};

struct linkem_options {
    struct linkem_changes changes; /* sorted */
    bool reorder;
    uint64_t seed;
    unsigned mtu;
    const char *congestion[LINKEM_SIDES]; /* NULL: the kernel's default */
    const char *congestion_both;          /* of a side that has none of its own */
    struct linkem_list server_commands;
    struct linkem_list waits; /* each a port number or a path */
    tick_t wait_limit;
    const char *control; /* FIFO; NULL: none */
    const char *stats;   /* file; "-": standard output; NULL: none */
    const char *packets; /* file; NULL: none */
    bool verbose, realtime;
    bool join;      /* run the command at the server's end of a link that stands */
    pid_t join_pid; /* 0: from LINKEM_SERVER_PID */
    char **command; /* ends with NULL */
};

/* -1: go on; else the exit status: 0 after --help, LINKEM_EXIT_FAILED after a line on stderr. */
int linkem_options_parse(struct linkem_options *o, int argc, char **argv);

#endif
