/* What the user asks for: the command line, and the files it names or implies.
 *
 * One table (option_rows.c) drives parsing and --help. Where the same is said twice, what is typed
 * counts more than the address (a vnc:// link or a connection file), the address more than the
 * profile, and the profile more than the defaults. A link or a connection file comes from somewhere
 * else: it can ask for more protection than the profile, never for less.
 */
#ifndef VNCHL_OPTIONS_H
#define VNCHL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/net/address/address.h"
#include "rfb/net/address/candidates.h"
#include "rfb/net/route.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/proto/handshake/vncauth.h"
#include "rfb/session/session.h" /* enum sandbox */
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"
#include "viewer/options/menu_key.h"
#include "viewer/options/window_options.h"
#include "viewer/ui/theme.h"

#ifdef __cplusplus
extern "C" {
#endif

struct option_text; /* texts from files */

/* TigerVNC's AutoSelect. */
enum auto_select { AUTO_SELECT_UNSAID, AUTO_SELECT_ON, AUTO_SELECT_OFF };
/* Where a password is asked for, and whether a certificate is accepted. */
enum ask_where {
    ASK_AUTO, /* in the window, if there is one */
    ASK_WINDOW,
    ASK_TERMINAL,
};

/* What the command line itself says: no file, no profile and no link. */
struct options_typed {
    security_set security; /* the types that it names; 0: none */
    bool passwd_file;      /* it names one, and does not leave the server to a link or a file that
                            * is opened later */
    bool keep;             /* it says how long a far end waits */
};

struct options {
    bool start; /* no server was named, and there will be a window to ask in */
    struct address address;
    struct candidates candidates; /* several servers, the first of which is the address, too; none:
                                   * there is only that */
    struct route route;           /* to the address */
    unsigned keep_s;              /* with --ssh; 0: off */
    struct gateway ssh;           /* --ssh: options_parse() makes it the route's gateway */
    bool asked;                   /* the address is named by a link or a connection file */
    struct options_typed typed;
    const char *server;      /* of a profile; NULL: it names none */
    const char *server_file; /* which says so, */
    int server_line;         /* here */
    const char *named;       /* the server, or servers, of the command line itself; NULL: none */
    enum prp_policy policy;
    bool thesis;          /* said; the policy is PRP_THESIS then */
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
    const char *record;     /* the same */
    const char *play;       /* file that takes the place of a server; or NULL */
    double speed;           /* of playing (rfb/net/recording/playback.h); below 0: not said */
    struct encoding_options encodings;
    bool lossless_refresh;
    bool datagrams; /* auto; off is not */
    bool send_clipboard, accept_clipboard;
    bool send_primary, set_primary; /* X11's primary selection, too */
    bool shared, view_only, full_screen, vsync, reconnect, verbose;
    bool grab_keyboard, dot_cursor;
    struct menu_key menu_key;
    bool statistics;             /* over the picture, from the start */
    struct full_screen monitors; /* that full screen takes */
    struct window_place place;
    struct scale scale;
    bool scale_said; /* else what was chosen in the menu for this server counts */
    bool remote_resize;
    int desktop_width, desktop_height; /* 0: the server's own */
    bool maximize;
    const char *user; /* NULL: not named */
    const char *passwd_file, *x509_ca, *x509_crl;
    const char *x509_also; /* of a connection file: those who must have signed, too */
    bool save_password;
    bool pinned; /* only the certificate with this fingerprint is accepted */
    uint8_t fingerprint[FINGERPRINT_BYTES];
    char password[VNCAUTH_PASSWORD + 1]; /* of a connection file */
    bool has_password;
    bool use_ipv4, use_ipv6;
    enum auto_select auto_select;
    const char *profile;
    bool recent, keep_picture, alert;
    enum sound_wish sound;
    enum ui_theme theme;
    enum ask_where ask;
    enum sandbox sandbox;
    security_set security; /* the types allowed */
    double connect_timeout_s;
    struct reason notice; /* what a file asks for and does not get; empty: nothing */
    struct option_text *texts;
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* OPTIONS_DONE: --help or --version was answered on standard output. OPTIONS_BAD: `why` says what
 * is wrong. Strings in `o` point into argv, or live until options_deinit(). */
enum options_result options_parse(struct options *o, int argc, char **argv, struct reason *why);

/* What of the files counts that says how a server is reached. */
enum files_way {
    FILES_WAY_ALL,
    FILES_WAY_PROFILE, /* that the profile waits for servers, not that the defaults do */
    FILES_WAY_OUT,     /* nobody waits for a server: one is named */
    FILES_WAY_SERVER,  /* nothing but a profile's server: the words say the way */
    FILES_WAY_NONE,    /* nothing: the words say the server, too */
};

/* The same for words in which the window has put a choice. --keep, which no page can take back, may
 * stand there without --ssh. */
enum options_result options_parse_again(struct options *o, int argc, char **argv,
                                        enum files_way files, struct reason *why);

/* Frees what was read from files. Safe on a zeroed one, and after OPTIONS_BAD. */
void options_deinit(struct options *o);

/* What the start window says: an address, a profile, or both. What is NULL was not chosen. */
struct options_choice {
    const char *address, *profile;
    bool view_only, full_screen, shared;
    bool nearby;     /* the address was announced in the network: it counts as one of a link */
    const char *way; /* that leads to the address (way.h), whatever else is said of a way; NULL:
                      * the one that is said */
};

/* Reads the command line again, as if the choice had been typed at its end, in place of a server
 * that it names. `base` is what the command line alone has said: a switch counts as typed where it
 * is other than there. A password file on the command line is for the server beside it, and a
 * --listen there for what was connected first. False, with a reason: also where the choice asks for
 * what cannot change while the program runs. *o is to be freed with options_deinit() in both cases.
 */
bool options_choose(struct options *o, const struct options *base, int argc, char **argv,
                    const struct options_choice *choice, struct reason *why);

/* What a choice is read for. Only who connects needs a server. What is saved may be for a program
 * that starts later. */
enum choice_purpose { CHOICE_CONNECT, CHOICE_USE, CHOICE_SAVE };

/* The same (options_choose() is CHOICE_CONNECT). CHOICE_USE, for a connection that begins later: a
 * profile may name no server. CHOICE_SAVE: it may also ask for what cannot change while the program
 * runs. */
bool options_choose_for(struct options *o, const struct options *base, int argc, char **argv,
                        const struct options_choice *choice, enum choice_purpose purpose,
                        struct reason *why);

/* The profile that a choice is read with: its own, else that of the command line, which still
 * counts. NULL: none. `choice` may be NULL: the command line alone. */
const char *options_profile(const struct options *base, const struct options_choice *choice);

/* Whether a choice is of a server with a way to it, so that no way that was typed leads there: a
 * secret that is for this server would go to another machine. */
bool options_has_way(const struct options_choice *choice);

/* Whether the choice is the server that the command line names, by the same way if it has one. */
bool options_is_same_server(const struct options *base, const struct options_choice *choice);

/* Takes secrets out of *o that stand on the command line for base's server, and not for that
 * address somewhere else. `choice` is NULL: that server again. */
void options_part_from_other_way(struct options *o, const struct options *base,
                                 const struct options_choice *choice);

/* What the box for view only is held against: it counts as typed where it is other. A box that the
 * profile of the command line has ticked counts for another profile, too. */
bool options_view_only_before(const struct options *base, const struct options_choice *choice);

/* Whether a mistake in these words may be shown in a window: they ask for one, and do not turn
 * --alert-on-fatal-error off. Words that are not understood do not count. */
bool options_alert(int argc, char **argv);

/* Takes an address as it is typed (NULL: none is): a server, several with commas between, a
 * vnc:// link with what it asks for, the name of a connection file, or what else the route takes.
 * False: *o may be changed in part. */
bool options_connect_to(struct options *o, const char *address, struct reason *why);

/* "auto", "off" or the fixed period in ms ("40", "33.3"), as --prp takes it. */
void options_prp_text(const struct options *o, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
