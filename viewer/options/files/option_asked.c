/* What somebody else asks for: links, and connection files of other viewers.
 *
 * They may have been sent by anybody. So they reach only the options that are listed here, never
 * one that writes a file or starts a program. Where an option protects the user they can ask for
 * more protection, never for less. What they ask for there is got, or nothing happens. What only
 * changes how things look is left out where it is not supported, and one line names it.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/proto/handshake/security.h"
#include "viewer/options/files/connection_file.h"
#include "viewer/options/files/option_files.h"
#include "viewer/options/files/uri.h"

struct source {
    struct options *o;
    const char *name;  /* of the file; NULL: a link */
    char server[300];  /* that it names */
    bool quality_auto; /* a level that is written down does not count */
    bool compress_auto;
};

/* The options that they reach. */
static const struct {
    const char *name;
    bool promise; /* got, or nothing happens */
} reachable[] = {
    {"ViewOnly", true},
    {"SecurityTypes", true},
    {"X509CA", true},
    {"X509CRL", true},
    {"GnuTLSPriority", true},
    {"AcceptClipboard", true},
    {"SendClipboard", true},
    {"Shared", false},
    {"FullScreen", false},
    {"Maximize", false},
    {"AutoSelect", false},
    {"PreferredEncoding", false},
    {"QualityLevel", false},
    {"CompressLevel", false},
    {"NoJpeg", false},
    {"UseIPv4", false},
    {"UseIPv6", false},
    {"ReconnectOnError", false},
    {"SetPrimary", false},
    {"SendPrimary", false},
    {"FullscreenSystemKeys", false},
    {"AlwaysCursor", false},
    {"DotWhenNoCursor", false},
    {"MenuKey", false},
    {"RemoteResize", false},
    {"DesktopSize", false},
    {"FullScreenMode", false},
    {"FullScreenSelectedMonitors", false},
    {"FullScreenAllMonitors", false},
};

#define REACHABLE (sizeof reachable / sizeof *reachable)

static size_t option_asked_reach(const char *name)
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
        reason_set(n, "%.150s: left out what is not supported: %.60s",
                   s->name ? s->name : "the link", name);
    else if (strlen(n->text) < 300)
        reason_set(n, "%s, %.60s", more.text, name);
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

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);

    return length >= n && strcmp(text + length - n, end) == 0;
}

/* TigerVNC names these files in its own folders whether or not they exist: whoever has saved the
 * connection did not ask for them. */
static bool is_missing_default(const char *path)
{
    static const char *const defaults[] = {
        "/.vnc/x509_ca.pem",
        "/.vnc/x509_crl.pem",
        "/tigervnc/x509_ca.pem", /* ~/.config, or XDG_CONFIG_HOME */
        "/tigervnc/x509_crl.pem",
    };

    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (ends_with(path, defaults[i]))
            return access(path, F_OK) != 0 && errno == ENOENT;
    return false;
}

/* Takes away what is weaker than all that the user allows and the file asks for. What is stronger
 * stays: a list without it would take the encryption away. */
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
    s->o->security = security_at_least(s->o->security, s->o->security & asked);
    return true;
}

/* A file of certificates, as one condition more. Those who may sign, and a list of what was
 * revoked, stay as the user has them. */
static bool take_certificates(struct source *s, const struct setting *set, struct reason *why)
{
    bool list = strcasecmp(set->name, "X509CRL") == 0;
    const char *file;

    if (!set->value)
        return reason_set(why, "'%s' needs a value", set->name);
    if (!*set->value)
        return true;
    if (!(file = option_keep_path(s->o, set->value)))
        return reason_set(why, "out of memory");
    if (is_missing_default(file))
        return true;
    if (list && s->o->x509_crl && strcmp(s->o->x509_crl, file) != 0)
        return reason_set(why, "%s=%s, but the defaults or the profile name %s", set->name,
                          set->value, s->o->x509_crl);
    if (list)
        s->o->x509_crl = file;
    else
        s->o->x509_also = file;
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

/* A file or a link may only take away: ViewOnly, and a clipboard that is off, stay as the user has
 * asked for it. The connections of other viewers are not the file's to end. A menu that cannot be
 * opened would hide that the picture is a server's. */
static bool apply_asked(struct source *s, const struct option_entry *e, const char *value,
                        struct reason *why)
{
    const struct options before = *s->o;

    if (value && !(value = option_keep(s->o, value)))
        return reason_set(why, "out of memory");
    if (!option_apply(s->o, e, value, why))
        return false;
    s->o->view_only = s->o->view_only || before.view_only;
    s->o->send_clipboard = s->o->send_clipboard && before.send_clipboard;
    s->o->accept_clipboard = s->o->accept_clipboard && before.accept_clipboard;
    s->o->send_primary = s->o->send_primary && before.send_primary;
    s->o->set_primary = s->o->set_primary && before.set_primary;
    if (!s->o->menu_key.name)
        s->o->menu_key = before.menu_key;
    if (s->o->shared || !before.shared)
        return true;
    s->o->shared = true;
    return leave_out(s, e->name);
}

/* Whether TigerVNC's default of the option is not ours. */
static bool has_other_default(const char *name)
{
    static const char *const names[] = {"SetPrimary", "SendPrimary", "DotWhenNoCursor",
                                        "AlwaysCursor", "Shared"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

/* An option that there is, with a value that it does not take. */
static bool leave_out_value(struct source *s, const struct option_entry *e, const char *name,
                            const char *value)
{
    char what[60];

    if (!value || e->kind == MUST_BE_ON || e->kind == MUST_BE_OFF || e->kind == ONE_OF)
        return leave_out(s, name);
    snprintf(what, sizeof what, "%.30s (bad value '%.12s')", name, value);
    return leave_out(s, what);
}

static bool take_reachable(struct source *s, const struct setting *set, bool promise,
                           struct reason *why)
{
    const char *name = set->name, *value = set->value;
    const struct option_entry *e = option_named(name);

    /* TigerVNC writes its default, which is another one than ours: nobody has chosen it */
    if (s->name && has_other_default(name) && is_preset(name, value))
        return true;
    if (!e || (e->argument && !value))
        return reason_set(why, "'%s' needs a value", name);
    if (apply_asked(s, e, value, why))
        return true;
    if (!s->name) /* all that a link asks for is got */
        return false;
    return is_preset(name, value) || (!promise && leave_out_value(s, e, name, value));
}

/* Asks for what is done anyway. */
static bool is_done_anyway(struct source *s, const char *name, const char *value)
{
    const struct option_entry *e = option_named(name);
    struct reason never;

    return e && value && (e->kind == MUST_BE_ON || e->kind == MUST_BE_OFF || e->kind == ONE_OF) &&
           option_apply(s->o, e, value, &never);
}

static bool refuse_way(const struct setting *set, struct reason *why)
{
    return reason_set(why,
                      "it asks for a way to the server (%.40s=%.200s), which a file cannot ask for "
                      "here: if you want it, type it as an option, with the server's address",
                      set->name, set->value ? set->value : "");
}

static bool take_one(struct source *s, const struct setting *set, struct reason *why)
{
    const char *name = set->name, *value = set->value;
    size_t i = option_asked_reach(name);

    if (strcasecmp(name, "ServerName") == 0)
        return snprintf(s->server, sizeof s->server, "%s", value) < (int)sizeof s->server ||
               reason_set(why, "the address is too long");
    if (strcasecmp(name, "Password") == 0)
        return take_password(s, value);
    if (strcasecmp(name, "User") == 0)
        return !value || !*value || (s->o->user = option_keep(s->o, value)) != NULL;
    if (s->name && setting_is_way(name))
        return is_preset(name, value) || refuse_way(set, why);
    if (i == REACHABLE)
        return (s->name && is_preset(name, value)) || is_done_anyway(s, name, value) ||
               leave_out(s, name);
    if (is_level(s, name))
        return true;
    if (strcasecmp(name, "SecurityTypes") == 0)
        return restrict_security(s, value, why);
    if (strcasecmp(name, "X509CA") == 0 || strcasecmp(name, "X509CRL") == 0)
        return take_certificates(s, set, why);
    return take_reachable(s, set, reachable[i].promise, why);
}

static bool take_asked(void *user, const struct setting *set, struct reason *why)
{
    struct source *s = user;

    return take_one(s, set, why) || option_reason_at(s->name, set->line, why);
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

/* It may have been meant as the name of a host. */
static bool say_missing(const char *file, struct reason *why)
{
    if (strchr(file, '/'))
        return reason_set(why, "there is no file %s", file);
    return reason_set(why,
                      "there is no file %s in this folder (if it is the name of a computer, write "
                      "%s:0)",
                      file, file);
}

/* The user may mean any socket; somebody else could name one of a program that is no server. */
static bool take_server(struct options *o, const char *text, struct reason *why)
{
    struct address a;

    if (!address_parse(&a, text, why))
        return false;
    if (*a.path)
        return reason_set(why,
                          "a link or a connection file cannot name a Unix socket: type its path, "
                          "%.108s, as the address",
                          a.path);
    o->address = a;
    return true;
}

static bool connect_by_file(struct options *o, const char *file, struct reason *why)
{
    struct source s = {.o = o, .name = file};
    size_t size;
    bool missing, ok;
    char *text = option_read_text(file, &size, &missing, why);

    if (!text)
        return missing ? say_missing(file, why) : false;
    ok = (connection_file_parse(text, size, take_modes, &s, why) ||
          option_reason_at(file, 0, why)) &&
         connection_file_parse(text, size, take_asked, &s, why);
    explicit_bzero(text, size);
    free(text);
    if (!ok)
        return false;
    if (s.server[0] == '\0')
        return reason_set(why, "%s names no server", file);
    return take_server(o, s.server, why) || option_reason_at(file, 0, why);
}

static bool connect_by_link(struct options *o, const char *link, struct reason *why)
{
    struct source s = {.o = o};
    char address[300];

    return vnc_uri_parse(link, address, sizeof address, take_asked, &s, why) &&
           take_server(o, address, why);
}

/* Whether the name ends like that of a connection file. */
static bool has_ending(const char *text)
{
    const char *ending = strrchr(text, '.');

    return ending && (strcasecmp(ending, ".tigervnc") == 0 || strcasecmp(ending, ".vnc") == 0);
}

/* Whether the text names a connection file. Where nothing has this name, it would be one if it
 * ends so. A socket may have any name. */
static bool is_connection_file(const char *text)
{
    struct stat status;

    if (is_vnc_uri(text))
        return false;
    if (stat(text, &status) == 0)
        return (strchr(text, '/') || has_ending(text)) && S_ISREG(status.st_mode);
    return has_ending(text);
}

/* File managers name a file in this way. */
static bool connect_by_file_link(struct options *o, const char *link, struct reason *why)
{
    char path[PATH_MAX];

    return file_uri_path(link, path, sizeof path, why) && connect_by_file(o, path, why);
}

bool option_asks(const char *address)
{
    return is_vnc_uri(address) || is_file_uri(address) || is_connection_file(address);
}

/* As a path, which is a socket's otherwise. */
static bool option_asked_is_folder(const char *text)
{
    struct stat status;

    return strchr(text, '/') && stat(text, &status) == 0 && S_ISDIR(status.st_mode);
}

bool options_connect_to(struct options *o, const char *text, struct reason *why)
{
    bool here = text && !o->route.listen && !o->route.gateway.far_end;

    if (here && is_vnc_uri(text))
        return connect_by_link(o, text, why);
    if (here && is_file_uri(text))
        return connect_by_file_link(o, text, why);
    if (here && is_connection_file(text))
        return connect_by_file(o, text, why);
    if (here && option_asked_is_folder(text))
        return reason_set(
            why, "%.400s is a folder, and neither a server's socket nor a connection file", text);
    if (text && candidates_named(text))
        return option_connect_to_several(o, text, why);
    return route_address(&o->route, &o->address, text, why);
}
