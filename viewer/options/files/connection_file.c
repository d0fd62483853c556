#include "viewer/options/files/connection_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TIGERVNC_FIRST_LINE "TigerVNC Configuration file Version 1."

/* All types that encrypt, as SecurityTypes names them. */
#define ENCRYPTED "X509Vnc,X509Plain,X509None,RA2_256,RA2,TLSVnc,TLSPlain,TLSNone"

/* What is neither clearly on nor clearly off is taken as the caller needs it to be safe. */
static bool is_on(const char *value)
{
    return strcmp(value, "1") == 0 || strcasecmp(value, "on") == 0 ||
           strcasecmp(value, "yes") == 0 || strcasecmp(value, "true") == 0;
}

static bool is_off(const char *value)
{
    return *value == '\0' || strcmp(value, "0") == 0 || strcasecmp(value, "off") == 0 ||
           strcasecmp(value, "no") == 0 || strcasecmp(value, "false") == 0;
}

/* ---- TigerVNC ---- */

/* Undoes TigerVNC's \n, \r and \\, in place. */
static bool connection_file_unescape(char *value)
{
    char *out = value;

    for (; *value; value++) {
        if (*value == '\\') {
            value++;
            if (*value != 'n' && *value != 'r' && *value != '\\')
                return false;
            *out++ = *value == 'n' ? '\n' : *value == 'r' ? '\r' : '\\';
        } else {
            *out++ = *value;
        }
    }
    *out = '\0';
    return true;
}

static bool parse_tigervnc(struct setting_lines *lines, setting_taker take, void *user,
                           struct reason *why)
{
    enum setting_line got;

    while ((got = setting_next_line(lines, why)) == LINE_READ) {
        struct setting s = {.name = lines->line, .line = lines->number};
        char *value;

        if (lines->line[0] == '\0' || lines->line[0] == '#')
            continue;
        value = setting_split(lines->line);
        if (!value || !connection_file_unescape(value))
            return reason_set(why, "line %d is not NAME=VALUE", lines->number);
        s.value = value;
        if (!take(user, &s, why))
            return false;
    }
    return got == LINE_END;
}

/* ---- INI ---- */

struct ini {
    setting_taker take;
    void *user;
    struct reason *why;
    char host[300], port[8]; /* empty: not named yet */
    int host_line, input_line;
    bool keys_off, pointer_off;
};

static bool connection_file_emit(struct ini *ini, const char *name, const char *value, int line)
{
    const struct setting s = {name, value, line};

    return ini->take(ini->user, &s, ini->why);
}

static bool as_encoding(struct ini *ini, const struct setting *s)
{
    static const struct {
        const char *number, *name;
    } names[] = {{"0", "Raw"}, {"5", "Hextile"}, {"7", "Tight"}, {"16", "ZRLE"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(s->value, names[i].number) == 0)
            return connection_file_emit(ini, "PreferredEncoding", names[i].name, s->line);
    return connection_file_emit(ini, s->name, s->value, s->line);
}

/* -1 is TightVNC's word for no JPEG. */
static bool as_quality(struct ini *ini, const struct setting *s)
{
    if (strcmp(s->value, "-1") == 0)
        return connection_file_emit(ini, "NoJpeg", "1", s->line);
    return strcasecmp(s->value, "auto") == 0 ||
           connection_file_emit(ini, "QualityLevel", s->value, s->line);
}

static bool as_compression(struct ini *ini, const struct setting *s)
{
    return strcmp(s->value, "-1") == 0 ||
           connection_file_emit(ini, "CompressLevel", s->value, s->line);
}

static bool as_no_clipboard(struct ini *ini, const struct setting *s)
{
    return is_off(s->value) || (connection_file_emit(ini, "AcceptClipboard", "0", s->line) &&
                                connection_file_emit(ini, "SendClipboard", "0", s->line));
}

static bool as_keys(struct ini *ini, const struct setting *s)
{
    ini->keys_off = !is_on(s->value);
    ini->input_line = s->line;
    return true;
}

static bool as_pointer(struct ini *ini, const struct setting *s)
{
    ini->pointer_off = !is_on(s->value);
    ini->input_line = s->line;
    return true;
}

/* RealVNC's words. */
static bool as_encryption(struct ini *ini, const struct setting *s)
{
    static const char *const may[] = {"Server", "PreferOn", "PreferOff", "AlwaysOff"};

    if (strcasecmp(s->value, "AlwaysOn") == 0 || strcasecmp(s->value, "AlwaysMaximum") == 0)
        return connection_file_emit(ini, "SecurityTypes", ENCRYPTED, s->line);
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (strcasecmp(s->value, may[i]) == 0)
            return true;
    return reason_set(ini->why, "line %d: Encryption=%s is not known", s->line, s->value);
}

static bool as_required(struct ini *ini, const struct setting *s)
{
    return is_off(s->value) || connection_file_emit(ini, "SecurityTypes", ENCRYPTED, s->line);
}

static bool as_plugin(struct ini *ini, const struct setting *s)
{
    return is_off(s->value) ||
           reason_set(ini->why,
                      "line %d asks for encryption by a plugin of UltraVNC (%s), which is "
                      "not supported",
                      s->line, s->name);
}

static bool as_proxy(struct ini *ini, const struct setting *s)
{
    return is_off(s->value) ||
           reason_set(ini->why,
                      "line %d asks for a way through a proxy or repeater (%s), which a "
                      "file cannot ask for here",
                      s->line, s->name);
}

static bool as_host(struct ini *ini, const struct setting *s)
{
    if (strlen(s->value) >= sizeof ini->host)
        return reason_set(ini->why, "line %d: the host name is too long", s->line);
    strcpy(ini->host, s->value);
    ini->host_line = s->line;
    return true;
}

static bool as_port(struct ini *ini, const struct setting *s)
{
    if (strlen(s->value) >= sizeof ini->port || strspn(s->value, "0123456789") != strlen(s->value))
        return reason_set(ini->why, "line %d: '%s' is no port", s->line, s->value);
    strcpy(ini->port, s->value);
    return true;
}

/* Names of these files that mean the same as one of TigerVNC's, or more than a name. */
static const struct {
    const char *name, *same;
    bool (*as)(struct ini *ini, const struct setting *s);
} ini_names[] = {
    {"host", NULL, as_host},
    {"port", NULL, as_port},
    {"username", "User", NULL},
    {"user", "User", NULL},
    {"password", "Password", NULL},
    {"autodetect", "AutoSelect", NULL},
    {"preferred_encoding", NULL, as_encoding},
    {"quality", NULL, as_quality},
    {"compresslevel", NULL, as_compression},
    {"disableclipboard", NULL, as_no_clipboard},
    {"acceptcuttext", "AcceptClipboard", NULL},
    {"sendcuttext", "SendClipboard", NULL},
    {"sendkeyevents", NULL, as_keys},
    {"sendptrevents", NULL, as_pointer},
    {"emulate3", "EmulateMiddleButton", NULL},
    {"encryption", NULL, as_encryption},
    {"requireencryption", NULL, as_required},
    {"usedsmplugin", NULL, as_plugin},
    {"useproxy", NULL, as_proxy},
};

static bool take_ini(struct ini *ini, const struct setting *s)
{
    for (size_t i = 0; i < sizeof ini_names / sizeof *ini_names; i++)
        if (strcasecmp(s->name, ini_names[i].name) == 0)
            return ini_names[i].as
                       ? ini_names[i].as(ini, s)
                       : connection_file_emit(ini, ini_names[i].same, s->value, s->line);
    return connection_file_emit(ini, s->name, s->value, s->line);
}

/* One address of host and port. */
static bool emit_server(struct ini *ini)
{
    char server[sizeof ini->host + sizeof ini->port + 4];
    const char *colon = strchr(ini->host, ':');
    bool bare = colon && ini->host[0] != '[' && strchr(colon + 1, ':');
    const char *end = strchr(ini->host, ']');

    if (ini->port[0] == '\0' || ini->host[0] == '\0')
        return connection_file_emit(ini, "ServerName", ini->host, ini->host_line);
    if (end ? end[1] != '\0' : colon && !bare)
        return reason_set(ini->why, "line %d: a port stands in Host, and another in Port",
                          ini->host_line);
    snprintf(server, sizeof server, "%s%s%s::%s", bare ? "[" : "", ini->host, bare ? "]" : "",
             ini->port);
    return connection_file_emit(ini, "ServerName", server, ini->host_line);
}

/* Other viewers can turn keys and pointer off one by one. */
static bool emit_input(struct ini *ini)
{
    if (ini->keys_off != ini->pointer_off)
        return reason_set(ini->why, "line %d: keys and pointer can only be turned off together",
                          ini->input_line);
    return !ini->keys_off || connection_file_emit(ini, "ViewOnly", "1", ini->input_line);
}

static bool parse_ini(struct setting_lines *lines, struct ini *ini)
{
    enum setting_line got;

    while ((got = setting_next_line(lines, ini->why)) == LINE_READ) {
        struct setting s = {.name = lines->line, .line = lines->number};

        if (lines->line[0] == '\0' || strchr("#;[", lines->line[0]))
            continue;
        s.value = setting_split(lines->line);
        if (!s.value)
            return reason_set(ini->why, "line %d is not NAME=VALUE", lines->number);
        if (!take_ini(ini, &s))
            return false;
    }
    return got == LINE_END && emit_input(ini) && emit_server(ini);
}

/* ---- both ---- */

/* The first line that holds something says what the file is. */
bool connection_file_parse(const char *text, size_t size, setting_taker take, void *user,
                           struct reason *why)
{
    struct setting_lines lines = setting_lines_of(text, size), start = lines;
    enum setting_line got;

    while ((got = setting_next_line(&lines, why)) == LINE_READ && lines.line[0] == '\0')
        start = lines;
    if (got == LINE_BAD)
        return false;
    if (got == LINE_READ &&
        strncmp(lines.line, TIGERVNC_FIRST_LINE, strlen(TIGERVNC_FIRST_LINE)) == 0)
        return parse_tigervnc(&lines, take, user, why);
    if (got == LINE_READ && (lines.line[0] == '[' || strchr(lines.line, '='))) {
        struct ini ini = {.take = take, .user = user, .why = why};

        return parse_ini(&start, &ini);
    }
    return reason_set(why, "this is no connection file of a VNC viewer");
}
