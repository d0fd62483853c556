#include "rfb/rfb33.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/vncauth.h"

enum security { FAILED = 0, NONE = 1, VNC_AUTHENTICATION = 2 };

#define NAME_MAX_BYTES   (1u << 20)
#define REASON_MAX_BYTES 300u

bool rfb33_wanted(const char *greeting)
{
    int major = 0, minor = 0;

    sscanf(greeting, "RFB %3d.%3d", &major, &minor);
    if (major != 3)
        return major < 3;
    return minor < 7 || minor == 14 || minor == 16; /* UltraVNC's Single Click numbers */
}

static bool read_u32(struct client *c, uint32_t *out, struct reason *why)
{
    uint8_t b[4];

    if (!client_read(c, b, sizeof b, why))
        return false;
    *out = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    return true;
}

static bool refused(struct client *c, struct reason *why)
{
    char text[REASON_MAX_BYTES + 1] = "";
    uint32_t length;

    if (!read_u32(c, &length, why))
        return false;
    if (!client_read(c, text, length < REASON_MAX_BYTES ? length : REASON_MAX_BYTES, why))
        return false;
    return reason_set(why, "the server refused the connection: %s", text);
}

static bool authenticate(struct client *c, char *(*password)(struct client *c, struct reason *why),
                         struct reason *why)
{
    uint8_t challenge[VNCAUTH_CHALLENGE];
    uint32_t result;
    char *secret;

    if (!client_read(c, challenge, sizeof challenge, why))
        return false;
    if (!(secret = password(c, why)))
        return false;
    vncauth_answer(challenge, secret);
    explicit_bzero(secret, strlen(secret));
    free(secret);
    if (!client_write(c, challenge, sizeof challenge))
        return reason_set(why, "the server closed the connection during the handshake");
    if (!read_u32(c, &result, why))
        return false;
    return result == 0 || reason_set(why, "the server refused the password");
}

static bool read_server_init(struct client *c, struct server_init *init, struct reason *why)
{
    uint8_t head[20];
    uint32_t length;

    if (!client_read(c, head, sizeof head, why) || !read_u32(c, &length, why))
        return false;
    if (length > NAME_MAX_BYTES)
        return reason_set(why, "the server's desktop name is %u bytes long", length);
    if (!(init->name = malloc(length + 1)))
        return reason_set(why, "out of memory");
    init->width = head[0] << 8 | head[1];
    init->height = head[2] << 8 | head[3];
    init->name[length] = '\0';
    if (client_read(c, init->name, length, why))
        return true;
    free(init->name);
    init->name = NULL;
    return false;
}

bool rfb33_handshake(struct client *c, bool shared,
                     char *(*password)(struct client *c, struct reason *why),
                     struct server_init *init, struct reason *why)
{
    static const char version[] = "RFB 003.003\n";
    uint8_t client_init = shared;

    if (!client_write(c, version, strlen(version)) || !read_u32(c, &init->security, why))
        return false;
    if (init->security == FAILED)
        return refused(c, why);
    if (init->security != NONE && init->security != VNC_AUTHENTICATION)
        return reason_set(why, "the server insists on security type %u, which this client lacks",
                          init->security);
    if (init->security == VNC_AUTHENTICATION && !authenticate(c, password, why))
        return false;
    if (!client_write(c, &client_init, 1))
        return reason_set(why, "the server closed the connection during the handshake");
    return read_server_init(c, init, why);
}
