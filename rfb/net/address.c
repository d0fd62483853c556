#include "rfb/net/address.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define FIRST_PORT_NOT_A_DISPLAY 100
#define URI_SCHEME               "vnc://"

/* ":N" is a display (below 100) or a port, "::N" a port, "" display 0. */
static bool parse_port(struct address *a, const char *text, const char *whole, struct reason *why)
{
    bool port_only = text[0] == ':' && text[1] == ':';
    const char *digits = text + (port_only ? 2 : 1);
    long number;

    if (text[0] == '\0') {
        a->port = ADDRESS_BASE_PORT;
        return true;
    }
    if (text[0] != ':' || digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits) ||
        strlen(digits) > 5)
        return reason_set(why, "bad address '%s': use HOST, HOST:DISPLAY, HOST::PORT or /SOCKET",
                          whole);
    number = strtol(digits, NULL, 10);
    if (!port_only && number < FIRST_PORT_NOT_A_DISPLAY)
        number += ADDRESS_BASE_PORT;
    if (number < 1 || number > UINT16_MAX)
        return reason_set(why, "bad address '%s': the port must be 1 to 65535", whole);
    a->port = (uint16_t)number;
    return true;
}

static bool copy_host(struct address *a, const char *text, size_t length, const char *whole,
                      struct reason *why)
{
    if (length >= sizeof a->host)
        return reason_set(why, "bad address '%.40s...': the host name is too long", whole);
    memcpy(a->host, text, length);
    a->host[length] = '\0';
    return true;
}

static bool parse_bracketed(struct address *a, const char *text, struct reason *why)
{
    const char *end = strchr(text, ']');
    unsigned char binary[16];
    char number[INET6_ADDRSTRLEN];
    size_t length;

    if (!end)
        return reason_set(why, "bad address '%s': the ']' is missing", text);
    if (!copy_host(a, text + 1, (size_t)(end - text - 1), text, why))
        return false;
    length = strcspn(a->host, "%"); /* a scope such as %eth0 may follow */
    if (length >= sizeof number)
        return reason_set(why, "bad address '%s': no IPv6 address between the brackets", text);
    memcpy(number, a->host, length);
    number[length] = '\0';
    if (inet_pton(AF_INET6, number, binary) != 1)
        return reason_set(why, "bad address '%s': no IPv6 address between the brackets", text);
    return parse_port(a, end + 1, text, why);
}

/* What the parameters of a vnc:// address ask for (RFC 7869, and what other viewers add), and how
 * this program is asked. */
static const struct {
    const char *parameter, *instead;
} instead_of[] = {
    {"ViewOnly", ": use --view-only"},
    {"Shared", ": use --shared or --no-shared"},
    {"VncUsername", ": use VNC_USERNAME in the environment"},
    {"VncPassword", ": use VNC_PASSWORD in the environment, or --passwd-file"},
};

/* A parameter that is not obeyed may be the one that keeps keys from the remote: none is ignored.
 * Its value is not repeated, it may be a password. */
static bool refuse_query(const char *query, struct reason *why)
{
    const char *name = query + strspn(query, "&");
    int length = (int)strcspn(name, "=&#");
    const char *instead = "";

    if (*name == '\0')
        return true;
    for (size_t i = 0; i < sizeof instead_of / sizeof *instead_of; i++)
        if (strlen(instead_of[i].parameter) == (size_t)length &&
            strncasecmp(name, instead_of[i].parameter, (size_t)length) == 0)
            instead = instead_of[i].instead;
    return reason_set(why, "a vnc:// address takes no parameters, and '%.*s' is one%s",
                      length < 40 ? length : 40, name, instead);
}

/* What may follow the host: nothing, a '/', or a '?' with nothing behind it. */
static bool check_rest(const char *rest, struct reason *why)
{
    const char *end = rest + (rest[0] == '/');

    if (*end == '?')
        return refuse_query(end + 1, why);
    if (*end == '\0')
        return true;
    return reason_set(why, "bad address: '%.*s' after the host means nothing here",
                      (int)strcspn(rest, "?"), rest);
}

/* vnc://HOST[:PORT] (RFC 7869): here one colon means a port. */
static bool parse_uri(struct address *a, const char *text, struct reason *why)
{
    char rest[sizeof a->host + 16];
    const char *host = text + strlen(URI_SCHEME);
    size_t length = strcspn(host, "/?#"), end;

    if (length == 0 || length >= sizeof rest - 1)
        return reason_set(why, "bad address '%.*s': use vnc://HOST or vnc://HOST:PORT",
                          length < 40 ? (int)(strlen(URI_SCHEME) + length) : 40, text);
    if (!check_rest(host + length, why))
        return false;
    memcpy(rest, host, length);
    rest[length] = '\0';
    end = rest[0] == '[' ? strcspn(rest, "]") : 0;
    end += strcspn(rest + end, ":");
    if (rest[end] == ':' && rest[end + 1] != ':')
        memmove(rest + end + 1, rest + end, strlen(rest + end) + 1);
    return address_parse(a, rest, why);
}

/* A file in which another viewer keeps where a server is; a socket may have any name. */
static bool is_connection_file(const char *text)
{
    const char *ending = strrchr(text, '.');
    struct stat status;

    if (!ending || (strcasecmp(ending, ".tigervnc") != 0 && strcasecmp(ending, ".vnc") != 0))
        return false;
    if (stat(text, &status) == 0)
        return S_ISREG(status.st_mode);
    return strchr(text, '/') != NULL; /* without one it may be the name of a host */
}

static bool parse_path(struct address *a, const char *text, struct reason *why)
{
    if (strlen(text) >= sizeof a->path)
        return reason_set(why, "bad address '%.40s...': a socket path has at most %zu bytes", text,
                          sizeof a->path - 1);
    strcpy(a->path, text);
    return true;
}

static int colons(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += *text == ':';
    return count;
}

bool address_parse(struct address *a, const char *text, struct reason *why)
{
    unsigned char binary[16];
    size_t host;
    bool uri;

    memset(a, 0, sizeof *a);
    if (text[0] == '\0')
        return reason_set(why, "empty address: use HOST, HOST:DISPLAY, HOST::PORT or /SOCKET");
    uri = strncasecmp(text, URI_SCHEME, strlen(URI_SCHEME)) == 0;
    if ((uri || !strchr(text, '/')) && strchr(text, '@'))
        return reason_set(why, "a user name or password in the address is seen by other users of "
                               "this machine: use VNC_USERNAME and VNC_PASSWORD in the "
                               "environment, or --passwd-file");
    if (uri)
        return parse_uri(a, text, why);
    if (is_connection_file(text))
        return reason_set(why,
                          "'%.200s' is a connection file of another viewer, which is not "
                          "supported yet: name the server",
                          text);
    if (strchr(text, '/'))
        return parse_path(a, text, why);
    if (strcmp(text, "::1") == 0) /* IPv6 to some, a port to others */
        return reason_set(why, "bad address '::1': use [::1] for the IPv6 address, localhost::1 "
                               "for port 1 of this machine");
    if (text[0] == '[')
        return parse_bracketed(a, text, why);

    host = strcspn(text, ":");
    /* an IPv6 address without brackets; "fe80::1" with its two colons is HOST::PORT */
    if (colons(text) > 2 && inet_pton(AF_INET6, text, binary) == 1)
        return copy_host(a, text, strlen(text), text, why) && parse_port(a, "", text, why);
    if (strspn(text, " \t") > 0 || strcspn(text, " \t") != strlen(text))
        return reason_set(why, "bad address '%s': it has a space in it", text);
    if (host == 0)
        strcpy(a->host, "localhost");
    else if (!copy_host(a, text, host, text, why))
        return false;
    return parse_port(a, text + host, text, why);
}
