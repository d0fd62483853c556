#include "rfb/proto/server_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"

/* The words of an accelerator's text that we know. */
#define SERVER_CONGESTION "congestion="
#define SERVER_BLOCKS     "blocks="
#define SERVER_DIGESTS    "digests="
#define SERVER_GOODBYE    "goodbye"
#define SERVER_EACH       "acks=each"
#define SERVER_PUSHING    "push="
/* H.264's coarsest. */
#define FILM_QP_MOST     51
#define SERVER_DATAGRAMS "datagrams="
#define SERVER_TICKET    "ticket="

size_t server_write_update(uint8_t *out, unsigned rectangles)
{
    out[0] = SERVER_UPDATE;
    out[1] = 0;
    put16(out + 2, rectangles);
    return SERVER_UPDATE_HEAD;
}

unsigned server_read_update(const uint8_t *head)
{
    return get16(head + 2);
}

size_t server_write_rectangle(uint8_t *out, struct rect r, int32_t encoding)
{
    put32(put_rect(out, r), (uint32_t)encoding);
    return RECTANGLE_HEAD;
}

int32_t server_read_rectangle(const uint8_t *head, struct rect *r)
{
    *r = get_rect(head);
    return (int32_t)get32(head + RECT_BYTES);
}

size_t server_write_screens(uint8_t *out, unsigned screens)
{
    out[0] = (uint8_t)screens;
    memset(out + 1, 0, 3);
    return SCREENS_HEAD;
}

unsigned server_read_screens(const uint8_t *head)
{
    return head[0];
}

size_t server_write_desktop_name(uint8_t *out, uint32_t length)
{
    put32(out, length);
    return DESKTOP_NAME_HEAD;
}

uint32_t server_read_desktop_name(const uint8_t *head)
{
    return get32(head);
}

size_t server_write_leds(uint8_t *out, unsigned leds)
{
    out[0] = (uint8_t)leds;
    return LEDS_BYTES;
}

unsigned server_read_leds(const uint8_t *payload)
{
    return payload[0] & LEDS_ALL;
}

static void server_add_hex(char *text, size_t room, const uint8_t *bytes, size_t count)
{
    size_t used = strlen(text);

    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, room - used, "%02x", bytes[i]);
}

/* Where datagrams are awaited, and what seals them. */
static void server_add_way(char *text, size_t room, const char *name, uint16_t port,
                           const uint8_t *secret)
{
    size_t used = strlen(text);

    if (port == 0)
        return;
    snprintf(text + used, room - used, " %s%u:", name, (unsigned)port);
    server_add_hex(text, room, secret, ACCELERATOR_SECRET);
}

static void server_add_digests(char *text, size_t room, const struct accelerator_shown *shown)
{
    strncat(text, " " SERVER_DIGESTS, room - strlen(text) - 1);
    server_add_hex(text, room, shown->digest_key, sizeof shown->digest_key);
}

static void server_add_pushing(char *text, size_t room, const struct accelerator_pushing *p)
{
    size_t used = strlen(text);

    snprintf(text + used, room - used, " " SERVER_PUSHING "%s:%u:%u:%u:%u", p->policy, p->rate_kbit,
             p->sent_kbit, p->fps10, p->jpeg);
    used = strlen(text);
    if (p->film_qp > 0)
        snprintf(text + used, room - used, ":%u", p->film_qp);
}

size_t server_write_accelerator(uint8_t *out, const struct accelerator_shown *shown)
{
    char text[ACCELERATOR_UPDATE_MAX - SERVER_UPDATE_HEAD - RECTANGLE_HEAD];
    size_t size = server_write_update(out, 1), length;
    int used = snprintf(text, sizeof text, SERVER_CONGESTION "%s", shown->congestion);

    if (shown->blocks_newest)
        snprintf(text + used, sizeof text - (size_t)used, " " SERVER_BLOCKS "%u-%u",
                 shown->blocks_oldest, shown->blocks_newest);
    if (shown->digests)
        server_add_digests(text, sizeof text, shown);
    if (shown->goodbye)
        strncat(text, " " SERVER_GOODBYE, sizeof text - strlen(text) - 1);
    if (shown->pushing.policy[0])
        server_add_pushing(text, sizeof text, &shown->pushing);
    if (shown->each)
        strncat(text, " " SERVER_EACH, sizeof text - strlen(text) - 1);
    server_add_way(text, sizeof text, SERVER_DATAGRAMS, shown->datagrams_port,
                   shown->datagrams_secret);
    server_add_way(text, sizeof text, SERVER_TICKET, shown->ticket_port, shown->ticket_secret);
    length = strlen(text);
    size +=
        server_write_rectangle(out + size, (struct rect){0, 0, (int)length, 0}, PSEUDO_ACCELERATOR);
    memcpy(out + size, text, length);
    return size + length;
}

/* Whether a list of words has this one. */
static bool server_has_word(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = words; (at = strstr(at, word)); at++)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* What follows NAME= in a list of words; "" where there is no such word. */
static const char *server_word(const char *words, const char *name)
{
    for (const char *at = words; (at = strstr(at, name)); at++)
        if (at == words || at[-1] == ' ')
            return at + strlen(name);
    return "";
}

/* As many bytes as it says, as they are written above and in no other form; else nothing is set. */
static bool server_read_hex(const char *word, uint8_t *out, size_t count)
{
    static const char hex[] = "0123456789abcdef";

    if (strspn(word, hex) != 2 * count || strcspn(word, " ") != 2 * count)
        return false;
    for (size_t i = 0; i < count; i++)
        out[i] =
            (uint8_t)((strchr(hex, word[2 * i]) - hex) << 4 | (strchr(hex, word[2 * i + 1]) - hex));
    return true;
}

/* PORT:HEX, likewise. Returns the port; 0, and nothing is set, unless all of it fits. */
static uint16_t server_read_way(const char *word, uint8_t secret[ACCELERATOR_SECRET])
{
    static const char digits[] = "0123456789";
    size_t length = strspn(word, digits);
    const char *hex = word + length + 1;
    long port = length >= 1 && length <= 5 && word[0] != '0' ? strtol(word, NULL, 10) : 0;

    return port >= 1 && port <= UINT16_MAX && word[length] == ':' &&
                   server_read_hex(hex, secret, ACCELERATOR_SECRET)
               ? (uint16_t)port
               : 0;
}

/* Nothing is set unless all of it fits. */
static void server_read_pushing(const char *word, struct accelerator_shown *shown)
{
    struct accelerator_pushing p = {.policy = ""};

    if (sscanf(word, "%11[a-z]:%9u:%9u:%9u:%3u:%2u", p.policy, &p.rate_kbit, &p.sent_kbit, &p.fps10,
               &p.jpeg, &p.film_qp) >= 5 &&
        p.jpeg <= 100 && p.film_qp <= FILM_QP_MOST)
        shown->pushing = p;
}

void server_read_accelerator(const char *text, struct accelerator_shown *shown)
{
    const char *word = server_word(text, SERVER_CONGESTION);
    unsigned oldest, newest;

    memset(shown, 0, sizeof *shown);
    snprintf(shown->congestion, sizeof shown->congestion, "%.*s", (int)strcspn(word, " "), word);
    if (sscanf(server_word(text, SERVER_BLOCKS), "%3u-%3u", &oldest, &newest) != 2 || oldest < 1 ||
        oldest > newest)
        return;
    shown->blocks_oldest = oldest;
    shown->blocks_newest = newest;
    shown->goodbye = server_has_word(text, SERVER_GOODBYE);
    shown->each = server_has_word(text, SERVER_EACH);
    shown->digests = server_read_hex(server_word(text, SERVER_DIGESTS), shown->digest_key,
                                     sizeof shown->digest_key);
    server_read_pushing(server_word(text, SERVER_PUSHING), shown);
    shown->datagrams_port =
        server_read_way(server_word(text, SERVER_DATAGRAMS), shown->datagrams_secret);
    shown->ticket_port = server_read_way(server_word(text, SERVER_TICKET), shown->ticket_secret);
}

size_t server_write_alpha_cursor(uint8_t *out, int32_t encoding)
{
    put32(out, (uint32_t)encoding);
    return ALPHA_CURSOR_HEAD;
}

int32_t server_read_alpha_cursor(const uint8_t *head)
{
    return (int32_t)get32(head);
}

size_t server_write_colour_map(uint8_t *out, unsigned first, unsigned colours)
{
    out[0] = SERVER_SET_COLOUR_MAP_ENTRIES;
    out[1] = 0;
    put16(put16(out + 2, first), colours);
    return SERVER_COLOUR_MAP_HEAD;
}

unsigned server_read_colour_map(const uint8_t *head)
{
    return get16(head + 4);
}

size_t server_write_cut_text(uint8_t *out, uint32_t length)
{
    out[0] = SERVER_CUT_TEXT;
    memset(out + 1, 0, 3);
    put32(out + 4, length);
    return SERVER_CUT_TEXT_HEAD;
}

uint32_t server_read_cut_text(const uint8_t *head)
{
    return get32(head + 4);
}

size_t server_write_fence(uint8_t *out, uint32_t flags, size_t size)
{
    out[0] = SERVER_FENCE;
    memset(out + 1, 0, 3);
    put32(out + 4, flags);
    out[8] = (uint8_t)size;
    return FENCE_HEAD;
}

size_t server_read_fence(const uint8_t *head, uint32_t *flags)
{
    *flags = get32(head + 4);
    return head[8];
}
