#include "rfb/pusher/visits/held_input.h"

#include "rfb/proto/message_types.h"

static bool held_input_is(const struct held_key *a, const struct held_key *b)
{
    return a->coded == b->coded && (a->coded ? a->code == b->code : a->keysym == b->keysym);
}

static void held_input_note_key(struct held_input *h, const struct held_key *key, bool down)
{
    unsigned at = 0;

    while (at < h->keys && !held_input_is(&h->key[at], key))
        at++;
    if (down && at == h->keys && h->keys < HELD_KEYS_MAX)
        h->key[h->keys++] = *key;
    else if (!down && at < h->keys)
        h->key[at] = h->key[--h->keys];
}

void held_input_note(struct held_input *h, const struct client_message *m)
{
    const struct held_key key = {m->keysym, m->key_code, m->type == CLIENT_QEMU};

    if (m->type == CLIENT_KEY || m->type == CLIENT_QEMU) {
        held_input_note_key(h, &key, m->down);
    } else if (m->type == CLIENT_POINTER) {
        h->buttons = m->buttons;
        h->x = m->x;
        h->y = m->y;
    }
}

size_t held_input_release(struct held_input *h, uint8_t *out, bool extended, bool steps)
{
    size_t size = 0;

    for (unsigned i = 0; i < h->keys; i++) {
        const struct held_key *k = &h->key[i];

        size += k->coded ? client_write_key_code(out + size, k->keysym, k->code, false)
                         : client_write_key(out + size, k->keysym, false);
    }
    if (h->buttons && steps)
        size += client_write_step(out + size, 0, 0, 0, extended);
    else if (h->buttons)
        size += client_write_pointer(out + size, h->x, h->y, 0, extended);
    h->keys = h->buttons = 0;
    return size;
}
