/* The command line. One table (options.c) drives parsing and --help. Pure but for what it prints.
 */
#ifndef VNCHL_OPTIONS_H
#define VNCHL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/net/address.h"
#include "rfb/proto/encodings.h"
#include "rfb/proto/security.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct options {
    struct address address;
    enum prp_policy policy;
    tick_t fixed_prp;     /* ns */
    double max_fps;       /* 0: no limit */
    double max_rate;      /* bits per second; 0: no limit */
    int64_t window_bytes; /* 0: the kernel's own tuning */
    bool headless, compare;
    double duration_s;      /* headless; 0: until stopped */
    double warm_up_s;       /* headless; 0: none */
    bool marks;             /* headless: read the lab's marks in the picture */
    double press_every_ms;  /* with marks; 0: never */
    const char *log, *json; /* files to write, "-" for standard output; or NULL */
    const char *trace;      /* file to write; or NULL */
    struct encoding_options encodings;
    bool lossless_refresh;
    bool send_clipboard, accept_clipboard;
    bool send_primary, set_primary; /* X11's primary selection, too */
    bool shared, view_only, full_screen, vsync, verbose;
    const char *passwd_file, *x509_ca;
    security_set security; /* the types allowed */
    double connect_timeout_s;
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* OPTIONS_DONE: --help or --version was answered on standard output. OPTIONS_BAD: `why` says what
 * is wrong. Strings in `o` point into argv. */
enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why);

/* "auto", "off" or the fixed period in ms ("40", "33.3"), as --prp takes it. */
void options_prp_text(const struct options *o, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
