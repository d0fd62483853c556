#include "viewer/options/files/uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define FILE_SCHEME "file://"
#define VNC_SCHEME  "vnc://"

static int uri_digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return c <= '9' ? c - '0' : tolower(c) - 'a' + 10;
}

bool uri_decode(const char *text, size_t length, char *out, size_t size)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (c == '%') {
            int high = i + 2 < length ? uri_digit(text[i + 1]) : -1;
            int low = high >= 0 ? uri_digit(text[i + 2]) : -1;

            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        if (c == '\0' || size <= 1)
            return false;
        *out++ = c;
        size--;
    }
    *out = '\0';
    return true;
}

/* ---- file:// ---- */

bool is_file_uri(const char *text)
{
    return strncasecmp(text, FILE_SCHEME, strlen(FILE_SCHEME)) == 0;
}

bool file_uri_path(const char *uri, char *path, size_t size, struct reason *why)
{
    static const char here[] = "localhost";
    const char *host = uri + strlen(FILE_SCHEME);
    size_t length = strcspn(host, "/");
    bool local = length == 0 || (length == strlen(here) && strncasecmp(host, here, length) == 0);

    if (!local)
        return reason_set(why, "'%s' is a file on another machine: copy it to this one first", uri);
    if (host[length] == '\0' || !uri_decode(host + length, strlen(host + length), path, size))
        return reason_set(why, "'%s' names no file", uri);
    return true;
}

/* ---- vnc:// ---- */

bool is_vnc_uri(const char *text)
{
    return strncasecmp(text, VNC_SCHEME, strlen(VNC_SCHEME)) == 0;
}

struct vnc_uri {
    setting_taker take;
    void *user;
    struct reason *why;
};

static bool vnc_uri_emit(struct vnc_uri *uri, const char *name, const char *value)
{
    const struct setting s = {.name = name, .value = value};

    return uri->take(uri->user, &s, uri->why);
}

/* Numbers of the protocol, as TigerVNC's names. */
static bool vnc_uri_as_security(struct vnc_uri *uri, const char *value)
{
    static const struct {
        const char *number, *types;
    } ways[] = {
        {"1", "None"},
        {"2", "VncAuth"},
        {"5", "RA2"},
        {"6", "RA2ne"},
        {"18", "TLSVnc,TLSNone"},
        {"19", "X509Vnc,X509Plain,X509None,TLSVnc,TLSPlain,TLSNone"},
        {"30", "DH"},
        {"129", "RA2_256"},
        {"130", "RA2ne_256"},
    };

    for (size_t i = 0; value && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(value, ways[i].number) == 0)
            return vnc_uri_emit(uri, "SecurityTypes", ways[i].types);
    return reason_set(uri->why, "the link asks for a SecurityType that is not supported: it can be "
                                "1 (None), 2 (VncAuth), 5, 6, 129, 130 (RSA-AES), 18 (TLS), 19 "
                                "(VeNCrypt) or 30 (DH)");
}

static const struct {
    const char *name, *same, *instead; /* `instead`: refused */
    bool (*as)(struct vnc_uri *uri, const char *value);
} vnc_uri_parameters[] = {
    {"ViewOnly", "ViewOnly", NULL, NULL},
    {"Shared", "Shared", NULL, NULL},
    {"VncUsername", "User", NULL, NULL},
    {"ConnectionName", "ConnectionName", NULL, NULL},
    {"SecurityType", NULL, NULL, vnc_uri_as_security},
    {"VncPassword", NULL, "use VNC_PASSWORD in the environment, or --passwd-file", NULL},
    {"ColorLevel", NULL, "pictures always have full colour", NULL},
    {"SaveConnection", NULL, "connections are not saved from a link", NULL},
    {"ChannelSecurityType", NULL, "a link cannot open a tunnel", NULL},
    {"SshHost", NULL, "a link cannot open a tunnel", NULL},
    {"SshPort", NULL, "a link cannot open a tunnel", NULL},
    {"SshUsername", NULL, "a link cannot open a tunnel", NULL},
    {"SshPassword", NULL, "a link cannot open a tunnel", NULL},
    {"IdHashAlgorithm", NULL, "name the server's certificate with --x509-ca", NULL},
    {"IdHash", NULL, "name the server's certificate with --x509-ca", NULL},
};

static bool vnc_uri_take_parameter(struct vnc_uri *uri, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof vnc_uri_parameters / sizeof *vnc_uri_parameters; i++) {
        if (strcasecmp(name, vnc_uri_parameters[i].name) != 0)
            continue;
        if (vnc_uri_parameters[i].instead)
            return reason_set(uri->why, "the link's parameter '%s' is not supported: %s", name,
                              vnc_uri_parameters[i].instead);
        return vnc_uri_parameters[i].as ? vnc_uri_parameters[i].as(uri, value)
                                        : vnc_uri_emit(uri, vnc_uri_parameters[i].same, value);
    }
    return reason_set(uri->why, "the link's parameter '%.40s' is not known", name);
}

/* One NAME=VALUE. */
static bool vnc_uri_parse_parameter(struct vnc_uri *uri, const char *text, size_t length)
{
    char name[64], value[256];
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length;

    if (!uri_decode(text, name_length, name, sizeof name))
        return reason_set(uri->why, "a parameter of the link is broken");
    if (equals && !uri_decode(equals + 1, length - name_length - 1, value, sizeof value))
        return reason_set(uri->why, "the value of '%s' in the link is broken or too long", name);
    return vnc_uri_take_parameter(uri, name, equals ? value : NULL);
}

bool vnc_uri_parse(const char *text, char *address, size_t size, setting_taker take, void *user,
                   struct reason *why)
{
    struct vnc_uri uri = {take, user, why};
    size_t length = strcspn(text, "?");

    if (length >= size)
        return reason_set(why, "the link is too long");
    memcpy(address, text, length);
    address[length] = '\0';
    text += length;
    text += *text == '?';
    if (strchr(text, '#'))
        return reason_set(why, "what follows a '#' in the link means nothing here");
    while (*text) {
        length = strcspn(text, "&");
        if (length > 0 && !vnc_uri_parse_parameter(&uri, text, length))
            return false;
        text += length;
        text += *text == '&';
    }
    return true;
}
