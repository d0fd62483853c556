/* How the sender tells the server of our clipboard's text. */
#include <stdlib.h>
#include <string.h>

#include "rfb/proto/client_messages.h"
#include "rfb/proto/latin1.h"
#include "rfb/session/session_state.h"

/* Sends the `size` bytes of input that wait in `out`, then our clipboard's text in ISO 8859-1, if
 * it is short enough. `out` has room for its head. */
static void send_plain_text(struct session *s, uint8_t *out, size_t size)
{
    size_t lost, length;
    char *latin1 = latin1_from_utf8(s->clipboard.text, &lost);

    length = latin1 ? strlen(latin1) : 0;
    if (length > TEXT_MAX) {
        session_notice(s,
                       "the clipboard's text was not sent: it has %zu bytes, and a server without "
                       "the extended clipboard gets %d at most",
                       length, TEXT_MAX);
        length = 0;
        lost = 0;
    } else if (latin1) {
        size += client_write_cut_text(out + size, (uint32_t)length);
    }
    if (lost > 0)
        session_notice(s,
                       "%zu character%s of the clipboard cannot be sent to this server, which "
                       "takes ISO 8859-1 only: '?' stands for %s",
                       lost, lost == 1 ? "" : "s", lost == 1 ? "it" : "each");
    if (session_write(s, out, size))
        session_write(s, latin1, length);
    free(latin1);
}

size_t session_tell_text(struct session *s, uint8_t *out, size_t size)
{
    enum clipboard_form form;

    pthread_mutex_lock(&s->lock);
    form = session_clipboard_form(&s->clipboard);
    s->clipboard.provide_due = s->clipboard.provide_due || form == CLIPBOARD_PROVIDE;
    pthread_mutex_unlock(&s->lock);
    s->clipboard.waits = form == CLIPBOARD_WAITS;
    if (form == CLIPBOARD_ANNOUNCE)
        return size + extended_clipboard_write(out + size, EXTENDED_NOTIFY, true);
    if (form == CLIPBOARD_TOO_LONG)
        session_notice(s, "the clipboard's text was not sent: the server takes %u bytes at most",
                       s->clipboard.unasked);
    if (form != CLIPBOARD_PLAIN)
        return size;
    send_plain_text(s, out, size);
    return 0;
}

void session_provide_text(struct session *s)
{
    size_t size;
    const uint8_t *packed = session_clipboard_packed(&s->clipboard, &size);

    if (packed)
        session_write(s, packed, size);
}
