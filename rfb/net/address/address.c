#include "rfb/net/address/address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_PORT_NOT_A_DISPLAY 100
#define URI_SCHEME               "vnc://"

/* ":N" is a display (below 100) or a port, "::N" a port, "" display 0. */
static bool address_parse_port(struct address *a, const char *text, const char *whole,
                               struct reason *why)
{
    bool port_only = text[0] == ':' && text[1] == ':';
    const char *digits = text + (port_only ? 2 : 1);
    long number;

    a->port_given = port_only;
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
    else
        a->port_given = true;
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
    /* what is known of a server has the way to it behind a comma (viewer/servers/server_key.h) */
    if (memchr(text, ',', length))
        return reason_set(why, "bad address '%s': no name of a host has a comma", whole);
    memcpy(a->host, text, length);
    a->host[length] = '\0';
    return true;
}

/* No name of an interface holds these: the kernel refuses blanks and colons. A bracket would end
 * the address. */
#define NOT_IN_A_SCOPE " \t\r\n\v\f:[]%"

/* Whether an IPv6 address stands there: a number, and perhaps a scope such as %eth0. */
static bool is_ipv6(const char *text)
{
    unsigned char binary[16];
    char number[INET6_ADDRSTRLEN];
    size_t length = strcspn(text, "%");

    if (length >= sizeof number ||
        (text[length] == '%' &&
         (text[length + 1] == '\0' || strpbrk(text + length + 1, NOT_IN_A_SCOPE))))
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    return inet_pton(AF_INET6, number, binary) == 1;
}

static bool parse_bracketed(struct address *a, const char *text, struct reason *why)
{
    const char *end = strchr(text, ']');

    if (!end)
        return reason_set(why, "bad address '%s': the ']' is missing", text);
    if (!copy_host(a, text + 1, (size_t)(end - text - 1), text, why))
        return false;
    if (!is_ipv6(a->host))
        return reason_set(why, "bad address '%s': no IPv6 address between the brackets", text);
    return address_parse_port(a, end + 1, text, why);
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
    if (host[length] != '\0' && strcmp(host + length, "/") != 0)
        /* not what follows a '?': it may be a password */
        return reason_set(why, "bad address: '%.*s' after the host means nothing here",
                          host[length] == '?' ? 1 : (int)strcspn(host + length, "?"),
                          host + length);
    memcpy(rest, host, length);
    rest[length] = '\0';
    end = rest[0] == '[' ? strcspn(rest, "]") : 0;
    end += strcspn(rest + end, ":");
    if (rest[end] == ':' && rest[end + 1] != ':')
        memmove(rest + end + 1, rest + end, strlen(rest + end) + 1);
    return address_parse(a, rest, why);
}

static bool parse_path(struct address *a, const char *text, struct reason *why)
{
    if (strlen(text) >= sizeof a->path)
        return reason_set(why, "bad address '%.40s...': a socket path has at most %zu bytes", text,
                          sizeof a->path - 1);
    strcpy(a->path, text);
    return true;
}

static int address_colons(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += *text == ':';
    return count;
}

/* An IPv6 address without brackets. "cafe::5901" is HOST::PORT and an IPv6 address, too. It counts
 * as HOST::PORT. But a number that would be a display is no port anybody means: "::1" and "fe80::1"
 * are IPv6. */
static bool is_bare_ipv6(const char *text)
{
    const char *last = strrchr(text, ':');
    bool port;

    if (!last || last[1] == '\0' || !is_ipv6(text))
        return false;
    port = strspn(last + 1, "0123456789") == strlen(last + 1);
    return address_colons(text) > 2 || !port ||
           strtol(last + 1, NULL, 10) < FIRST_PORT_NOT_A_DISPLAY;
}

/* ---- what is typed for an address and is none ---- */

#define USE_ENVIRONMENT                                                                            \
    "the user name and the password are asked for. Without a question: VNC_USERNAME and "          \
    "VNC_PASSWORD in the environment, or --passwd-file"

/* What stands before the '@' may be a password: it is not repeated. */
static bool refuse_user(const char *text, struct reason *why)
{
    const char *host = strrchr(text, '@') + 1;
    size_t name = strcspn(host, *host == '[' ? "/?# ]" : "/?# :");

    name += host[name] == ']';
    return reason_set(why,
                      "an address has no user name and no password: write %.*s, and %s. By ssh: "
                      "--ssh USER@%.*s, or --via USER@GATEWAY",
                      (int)strcspn(host, "/?# "), host, USE_ENVIRONMENT, (int)name, host);
}

static const struct {
    const char *scheme, *instead;
} other_schemes[] = {
    {"http", "a web page is no VNC server. If the same computer has one, write"},
    {"https", "a web page is no VNC server. If the same computer has one, write"},
    {"rdp", "vnchl does not speak RDP. If the same computer has a VNC server, too, write"},
    {"ssh", "a way through ssh is an option, --ssh or --via, of the command line or a profile. "
            "Without it write"},
    {"vncs", "TLS is used by itself where the server has it: write"},
};

/* The length of the word before "://"; 0: there is none. */
static size_t scheme_length(const char *text)
{
    const char *end = strstr(text, "://");
    size_t length = end ? (size_t)(end - text) : 0;

    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && !strchr("+-.", text[i]))
            return 0;
    return length;
}

static bool refuse_scheme(const char *text, size_t length, struct reason *why)
{
    const char *instead = "only vnc:// is understood here: write", *rest = text + length + 3;
    const char *user = strrchr(rest, '@'), *host = user ? user + 1 : rest;
    int size = (int)strcspn(host, *host == '[' ? "/?#" : ":/?#"); /* its port is another one's */

    for (size_t i = 0; i < sizeof other_schemes / sizeof *other_schemes; i++)
        if (strlen(other_schemes[i].scheme) == length &&
            strncasecmp(text, other_schemes[i].scheme, length) == 0)
            instead = other_schemes[i].instead;
    return reason_set(why, "%.*s://: %s %.*s", (int)length, text, instead, size > 0 ? size : 4,
                      size > 0 ? host : "HOST");
}

/* Whoever has a command line in mind types more than the address. */
static bool refuse_words(const char *text, struct reason *why)
{
    const char *option = *text == '-' ? text : strstr(text, " -");

    if (!option)
        return reason_set(why,
                          "bad address '%s': it has a space in it. Write only HOST, HOST:DISPLAY, "
                          "HOST::PORT or /SOCKET",
                          text);
    option += *option == ' ';
    return reason_set(why,
                      "'%.*s' is no part of an address: write only HOST, HOST:DISPLAY, HOST::PORT "
                      "or /SOCKET. Options stand on the command line or in a profile",
                      (int)strcspn(option, " ="), option);
}

static bool is_an_address(const char *text, bool uri, struct reason *why)
{
    size_t scheme = scheme_length(text);

    if (text[0] == '\0')
        return reason_set(why, "empty address: use HOST, HOST:DISPLAY, HOST::PORT or /SOCKET");
    if (!uri && scheme > 0)
        return refuse_scheme(text, scheme, why);
    if (strncmp(text, "--", 2) == 0 || (text[0] != '/' && strpbrk(text, " \t")))
        return refuse_words(text, why);
    if ((uri || !strchr(text, '/')) && strchr(text, '@'))
        return refuse_user(text, why);
    return true;
}

bool address_parse(struct address *a, const char *text, struct reason *why)
{
    bool uri = strncasecmp(text, URI_SCHEME, strlen(URI_SCHEME)) == 0;
    size_t host;

    memset(a, 0, sizeof *a);
    if (!is_an_address(text, uri, why))
        return false;
    if (uri)
        return parse_uri(a, text, why);
    if (strchr(text, '/'))
        return parse_path(a, text, why);
    if (text[0] == '[')
        return parse_bracketed(a, text, why);

    if (is_bare_ipv6(text))
        return copy_host(a, text, strlen(text), text, why) && address_parse_port(a, "", text, why);
    host = strcspn(text, ":");
    if (host == 0)
        strcpy(a->host, "localhost");
    else if (!copy_host(a, text, host, text, why))
        return false;
    return address_parse_port(a, text + host, text, why);
}

void address_format(const struct address *a, char *out, size_t size)
{
    bool brackets = strchr(a->host, ':');
    int display = a->port - ADDRESS_BASE_PORT, length;

    if (*a->path) {
        snprintf(out, size, "%s", a->path);
        return;
    }
    length = snprintf(out, size, "%s%s%s", brackets ? "[" : "", a->host, brackets ? "]" : "");
    if (length < 0 || (size_t)length >= size || a->port == 0 || (display == 0 && !a->port_given))
        return;
    if (display > 0 && display < 100 && !a->port_given)
        snprintf(out + length, size - (size_t)length, ":%d", display);
    else
        snprintf(out + length, size - (size_t)length, "::%u", (unsigned)a->port);
}

/* Whether the host is an IPv6 address; `out` gets its one form. */
static bool canonical_ipv6(const char *host, char *out, size_t size)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    char number[INET6_ADDRSTRLEN];
    unsigned char binary[16];
    const char *scope = host + strcspn(host, "%");

    if (!is_ipv6(host))
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(scope - host), host);
    inet_pton(AF_INET6, number, binary);
    if (memcmp(binary, mapped, sizeof mapped) == 0)
        inet_ntop(AF_INET, binary + sizeof mapped, number, sizeof number);
    else
        inet_ntop(AF_INET6, binary, number, sizeof number);
    snprintf(out, size, "%s%s", number, scope);
    return true;
}

void address_canonical_host(const char *host, char *out, size_t size)
{
    struct in_addr number;
    size_t length;

    if (canonical_ipv6(host, out, size))
        return;
    if (inet_aton(host, &number)) { /* every form that a look-up takes for a number, too */
        inet_ntop(AF_INET, &number, out, (socklen_t)size);
        return;
    }
    snprintf(out, size, "%s", host);
    length = strlen(out);
    if (length > 1 && out[length - 1] == '.')
        out[length - 1] = '\0';
    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

bool address_is_localhost(const char *host)
{
    char canonical[256];

    address_canonical_host(host, canonical, sizeof canonical);
    return strcmp(canonical, "localhost") == 0 || strcmp(canonical, "127.0.0.1") == 0 ||
           strcmp(canonical, "::1") == 0;
}
