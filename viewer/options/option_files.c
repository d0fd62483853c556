/* Options that are not typed: defaults and profiles, connection files of other viewers, links.
 *
 * Defaults and profiles are the user's own. They may say whatever the command line may.
 *
 * A link or a connection file may have been sent by somebody. So it reaches only the options that
 * are listed here, never one that writes a file or starts a program. Where an option protects the
 * user it can ask for more protection, never for less. What it asks for there is got, or nothing
 * happens. What only changes how things look is left out where it is not supported, and one line
 * names it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/proto/security.h"
#include "viewer/options/connection_file.h"
#include "viewer/options/option_table.h"
#include "viewer/options/setting.h"
#include "viewer/options/vnc_uri.h"

#define PATH_BYTES 4096

/* ---- texts ---- */

struct option_text {
    struct option_text *next;
    char text[];
};

const char *option_keep(struct options *o, const char *text)
{
    size_t size = strlen(text) + 1;
    struct option_text *t = malloc(sizeof *t + size);

    if (!t)
        return NULL;
    memcpy(t->text, text, size);
    t->next = o->texts;
    o->texts = t;
    return t->text;
}

void options_deinit(struct options *o)
{
    while (o->texts) {
        struct option_text *t = o->texts;

        o->texts = t->next;
        free(t);
    }
    explicit_bzero(o->password, sizeof o->password);
    o->has_password = false;
}

/* As option_keep(); "~/" is the user's home, as a shell would say it. */
static const char *keep_path(struct options *o, const char *text)
{
    const char *home = getenv("HOME");
    char path[PATH_BYTES];

    if (strncmp(text, "~/", 2) != 0 || !home)
        return option_keep(o, text);
    snprintf(path, sizeof path, "%s%s", home, text + 1);
    return option_keep(o, path);
}

/* ---- files ---- */

struct source {
    struct options *o;
    const char *name;  /* of the file; NULL: a link */
    char server[300];  /* that it names */
    bool quality_auto; /* a level that is written down does not count */
    bool compress_auto;
};

/* Puts in front of a reason where it belongs. */
static bool at(const struct source *s, int line, struct reason *why)
{
    struct reason what = *why;

    if (!s->name)
        return false;
    if (line > 0)
        return reason_set(why, "%.150s:%d: %.240s", s->name, line, what.text);
    return reason_set(why, "%.150s: %.240s", s->name, what.text);
}

/* Reads a whole file. NULL with a reason, or without one when there is no such file. */
static char *read_text(const char *file, size_t *size, bool *missing, struct reason *why)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    struct stat status;
    ssize_t got = -1;

    *missing = fd < 0 && errno == ENOENT;
    if (fd < 0) {
        reason_set(why, "cannot read %s: %s", file, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
        reason_set(why, "cannot read %s: it is no file", file);
    else if (!(text = malloc(SETTINGS_FILE_MAX + 1)))
        reason_set(why, "out of memory");
    else if ((got = read(fd, text, SETTINGS_FILE_MAX + 1)) < 0)
        reason_set(why, "cannot read %s: %s", file, strerror(errno));
    else if (got > SETTINGS_FILE_MAX)
        reason_set(why, "%s is too long for a file of options", file);
    close(fd);
    if (got >= 0 && got <= SETTINGS_FILE_MAX) {
        *size = (size_t)got;
        return text;
    }
    free(text);
    return NULL;
}

/* ---- defaults and profiles ---- */

static bool take_option(struct source *s, const struct setting *set, struct reason *why)
{
    size_t dashes = strspn(set->name, "-");
    const struct option_entry *e = option_named(set->name + (dashes <= 2 ? dashes : 0));
    const char *value = set->value;

    if (!e)
        return option_unknown(set->name, why);
    if (e->kind == HELP || e->kind == VERSION || e->field == offsetof(struct options, profile))
        return reason_set(why, "'%s' has no place in a file", set->name);
    if (e->argument && !value)
        return reason_set(why, "option '%s' needs a value", set->name);
    if (value && !(value = keep_path(s->o, value)))
        return reason_set(why, "out of memory");
    return option_apply(s->o, e, value, why);
}

static bool take_profile(void *user, const struct setting *set, struct reason *why)
{
    struct source *s = user;
    bool ok = true;

    if (strcasecmp(set->name, "server") != 0)
        ok = take_option(s, set, why);
    else if (!set->value || !*set->value)
        ok = reason_set(why, "'server' needs an address");
    else
        ok = (s->o->server = option_keep(s->o, set->value)) != NULL;
    return ok || at(s, set->line, why);
}

/* Where our files are. False: nowhere. */
static bool config_file(const char *name, char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length;

    if (config && *config == '/') /* another path is invalid (XDG base directories) */
        length = snprintf(out, size, "%s/vnchl/%s.conf", config, name);
    else if (home && *home)
        length = snprintf(out, size, "%s/.config/vnchl/%s.conf", home, name);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

static bool read_profile(struct options *o, const char *name, bool needed, struct reason *why)
{
    char file[PATH_BYTES];
    struct source s = {.o = o, .name = file};
    bool missing, ok;
    size_t size;
    char *text;

    if (!config_file(name, file, sizeof file))
        return !needed || reason_set(why,
                                     "neither XDG_CONFIG_HOME nor HOME says where the profile "
                                     "'%s' is",
                                     name);
    text = read_text(file, &size, &missing, why);
    if (!text && missing)
        return !needed ||
               reason_set(why, "there is no profile '%s': it would be the file %s", name, file);
    if (!text)
        return false;
    ok = profile_parse(text, size, take_profile, &s, why);
    free(text);
    return ok || (strncmp(why->text, file, strlen(file)) != 0 && at(&s, 0, why));
}

bool option_read_defaults(struct options *o, struct reason *why)
{
    return read_profile(o, "defaults", false, why);
}

bool option_read_profile(struct options *o, const char *name, struct reason *why)
{
    if (strchr(name, '/') || name[0] == '.')
        return reason_set(why,
                          "'%s' is no name of a profile: it must not hold a '/' or begin with "
                          "a '.'",
                          name);
    return read_profile(o, name, true, why);
}

/* ---- links and connection files ---- */

/* The options that they reach. */
static const struct {
    const char *name;
    bool promise; /* got, or nothing happens */
} reachable[] = {
    {"ViewOnly", true},      {"SecurityTypes", true},    {"X509CA", true},
    {"X509CRL", true},       {"GnuTLSPriority", true},   {"AcceptClipboard", true},
    {"SendClipboard", true}, {"Shared", false},          {"FullScreen", false},
    {"Maximize", false},     {"AutoSelect", false},      {"PreferredEncoding", false},
    {"QualityLevel", false}, {"CompressLevel", false},   {"NoJpeg", false},
    {"UseIPv4", false},      {"UseIPv6", false},         {"ReconnectOnError", false},
    {"SetPrimary", false},   {"SendPrimary", false},     {"FullscreenSystemKeys", false},
    {"AlwaysCursor", false}, {"DotWhenNoCursor", false},
};

#define REACHABLE (sizeof reachable / sizeof *reachable)

static size_t reach(const char *name)
{
    size_t i = 0;

    while (i < REACHABLE && strcasecmp(reachable[i].name, name) != 0)
        i++;
    return i;
}

/* What is left out is named once, in one line. */
static bool leave_out(struct source *s, const char *name)
{
    struct reason *n = &s->o->notice;
    struct reason more = *n;

    if (n->text[0] == '\0')
        reason_set(n, "%.150s: left out what is not supported: %.40s",
                   s->name ? s->name : "the link", name);
    else if (strlen(n->text) < 300)
        reason_set(n, "%s, %.40s", more.text, name);
    else if (strcmp(n->text + strlen(n->text) - 3, "...") != 0)
        reason_set(n, "%s, ...", more.text);
    return true;
}

/* What says nothing: a value that nobody has chosen. */
static bool is_preset(const char *name, const char *value)
{
    for (size_t i = 0; i < foreign_option_count; i++)
        if (strcasecmp(foreign_options[i].entry.name, name) == 0)
            return foreign_options[i].preset && strcasecmp(foreign_options[i].preset, value) == 0;
    return *value == '\0' || strcmp(value, "0") == 0 || strncasecmp(name, "use_encoding_", 13) == 0;
}

/* TigerVNC names these files whether or not they exist. */
static bool is_missing_default(const char *value)
{
    const char *base = strrchr(value, '/');

    return *value == '\0' ||
           (base && (strcmp(base, "/x509_ca.pem") == 0 || strcmp(base, "/x509_crl.pem") == 0) &&
            access(value, F_OK) != 0);
}

/* Only what both the user and the file allow. */
static bool restrict_security(struct source *s, const char *names, struct reason *why)
{
    security_set asked;

    if (!security_parse(&asked, names, why))
        return false;
    if (!(s->o->security & asked))
        return reason_set(why,
                          "SecurityTypes=%s: none of them is allowed here, see "
                          "--security-types",
                          names);
    s->o->security &= asked;
    return true;
}

/* A file of certificates. The user's own choice is not replaced. */
static bool take_certificates(struct source *s, const char **field, const struct setting *set,
                              struct reason *why)
{
    const char *file;

    if (is_missing_default(set->value))
        return true;
    if (!(file = keep_path(s->o, set->value)))
        return reason_set(why, "out of memory");
    if (*field && strcmp(*field, file) != 0)
        return reason_set(why, "%s=%s, but the defaults or the profile name %s", set->name,
                          set->value, *field);
    *field = file;
    return true;
}

/* Obfuscated by every viewer with the same key; UltraVNC adds a byte. */
static bool take_password(struct source *s, const char *digits)
{
    uint8_t block[VNCAUTH_PASSWORD];
    unsigned byte;

    if (*digits == '\0')
        return true;
    if ((strlen(digits) != 16 && strlen(digits) != 18) ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        return leave_out(s, "Password");
    for (size_t i = 0; i < sizeof block; i++) {
        if (sscanf(digits + 2 * i, "%2x", &byte) != 1)
            return false;
        block[i] = (uint8_t)byte;
    }
    vncauth_reveal(block, s->o->password);
    s->o->has_password = true;
    return true;
}

static bool is_level(const struct source *s, const char *name)
{
    return (s->quality_auto &&
            (strcasecmp(name, "QualityLevel") == 0 || strcasecmp(name, "PreferredEncoding") == 0 ||
             strcasecmp(name, "CompressLevel") == 0)) ||
           (s->compress_auto && strcasecmp(name, "CompressLevel") == 0);
}

/* ViewOnly stays when the user has asked for it. */
static bool apply_asked(struct source *s, const struct option_entry *e, const char *value,
                        struct reason *why)
{
    bool view_only = s->o->view_only;

    if (value && !(value = option_keep(s->o, value)))
        return reason_set(why, "out of memory");
    if (!option_apply(s->o, e, value, why))
        return false;
    s->o->view_only = s->o->view_only || view_only;
    return true;
}

static bool take_reachable(struct source *s, const struct setting *set, bool promise,
                           struct reason *why)
{
    const char *name = set->name, *value = set->value;
    const struct option_entry *e = option_named(name);

    if (!e || (e->argument && !value))
        return reason_set(why, "'%s' needs a value", name);
    if (apply_asked(s, e, value, why))
        return true;
    if (!s->name) /* all that a link asks for is got */
        return false;
    return is_preset(name, value) || (!promise && leave_out(s, name));
}

/* Asks for what is done anyway. */
static bool is_done_anyway(struct source *s, const char *name, const char *value)
{
    const struct option_entry *e = option_named(name);
    struct reason never;

    return e && value && (e->kind == MUST_BE_ON || e->kind == MUST_BE_OFF || e->kind == ONE_OF) &&
           option_apply(s->o, e, value, &never);
}

static bool take_one(struct source *s, const struct setting *set, struct reason *why)
{
    const char *name = set->name, *value = set->value;
    size_t i = reach(name);

    if (strcasecmp(name, "ServerName") == 0)
        return snprintf(s->server, sizeof s->server, "%s", value) < (int)sizeof s->server ||
               reason_set(why, "the address is too long");
    if (strcasecmp(name, "Password") == 0)
        return take_password(s, value);
    if (strcasecmp(name, "User") == 0)
        return !value || !*value || (s->o->user = option_keep(s->o, value)) != NULL;
    if (i == REACHABLE)
        return (s->name && is_preset(name, value)) || is_done_anyway(s, name, value) ||
               leave_out(s, name);
    if (is_level(s, name))
        return true;
    if (strcasecmp(name, "SecurityTypes") == 0)
        return restrict_security(s, value, why);
    if (strcasecmp(name, "X509CA") == 0)
        return take_certificates(s, &s->o->x509_ca, set, why);
    if (strcasecmp(name, "X509CRL") == 0)
        return take_certificates(s, &s->o->x509_crl, set, why);
    return take_reachable(s, set, reachable[i].promise, why);
}

static bool take_asked(void *user, const struct setting *set, struct reason *why)
{
    struct source *s = user;

    return take_one(s, set, why) || at(s, set->line, why);
}

/* Looks through the file before it is read: where the quality is automatic, the levels that are
 * written down do not count. */
static bool take_modes(void *user, const struct setting *set, struct reason *why)
{
    struct source *s = user;

    if (strcasecmp(set->name, "AutoSelect") == 0)
        s->quality_auto = strcmp(set->value, "0") != 0;
    if (strcasecmp(set->name, "CustomCompressLevel") == 0)
        s->compress_auto = strcmp(set->value, "0") == 0;
    return true;
}

static bool connect_by_file(struct options *o, const char *file, struct reason *why)
{
    struct source s = {.o = o, .name = file};
    size_t size;
    bool missing, ok;
    char *text = read_text(file, &size, &missing, why);

    if (!text)
        return false;
    ok = (connection_file_parse(text, size, take_modes, &s, why) || at(&s, 0, why)) &&
         connection_file_parse(text, size, take_asked, &s, why);
    explicit_bzero(text, size);
    free(text);
    if (!ok)
        return false;
    if (s.server[0] == '\0')
        return reason_set(why, "%s names no server", file);
    return address_parse(&o->address, s.server, why) || at(&s, 0, why);
}

static bool connect_by_link(struct options *o, const char *link, struct reason *why)
{
    struct source s = {.o = o};
    char address[300];

    return vnc_uri_parse(link, address, sizeof address, take_asked, &s, why) &&
           address_parse(&o->address, address, why);
}

/* Whether the text names a connection file: a file that is there, and that is not the name of a
 * host. A socket may have any name. */
static bool is_connection_file(const char *text)
{
    const char *ending = strrchr(text, '.');
    bool path = strchr(text, '/') != NULL;
    bool named =
        ending && (strcasecmp(ending, ".tigervnc") == 0 || strcasecmp(ending, ".vnc") == 0);
    struct stat status;

    if (stat(text, &status) == 0)
        return (path || named) && S_ISREG(status.st_mode);
    return path && named; /* it is missing */
}

bool options_connect_to(struct options *o, const char *text, struct reason *why)
{
    if (is_vnc_uri(text))
        return connect_by_link(o, text, why);
    if (is_connection_file(text))
        return connect_by_file(o, text, why);
    return address_parse(&o->address, text, why);
}
