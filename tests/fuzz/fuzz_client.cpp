/* What a client says after its handshake, as fuzzer input: the reader of client messages gets the
 * bytes as a server would get them, so many at a time as it asks for. The memory that it reads ends
 * with them: ASan sees a look behind the end.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "must.hpp"
#include "rfb/proto/client_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

/* A message of `size` bytes, all of them at `bytes`: what its reader promises. */
void check_message(const client_message &m, const uint8_t *bytes, size_t size, bool extended)
{
    uint32_t sum = 0; /* so that everything is read */

    if (m.payload_size > 0)
        must(m.payload > bytes && m.payload + m.payload_size == bytes + size,
             "a payload ends with its message");
    else
        must(!m.payload, "an empty payload is none");
    for (size_t i = 0; i < m.payload_size; i++)
        sum += m.payload[i];
    for (unsigned i = 0; i < m.encodings; i++)
        sum += uint32_t(client_message_encoding(&m, i));
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "type %d, %zu bytes, sum %u\n", int(m.type), size, sum);
    must(m.encodings <= CLIENT_ENCODINGS_MAX, "encodings are counted");
    must(m.type != CLIENT_FENCE || m.payload_size <= FENCE_MAX, "fences are short");
    must(m.type != CLIENT_CUT_TEXT || m.payload_size <= TEXT_MAX, "texts are short");
    must(m.dropped == 0 || (m.type == CLIENT_CUT_TEXT && m.dropped > TEXT_MAX && !m.payload),
         "only a text that is too long is dropped");
    must(m.buttons <= (extended ? 32767u : 255u) && m.x >= 0 && m.x <= 65535 && m.y >= 0 &&
             m.y <= 65535,
         "a pointer is inside the numbers");
}

/* Reads one message from the bytes left. Returns its length, with what is dropped behind it; 0:
 * there is no whole one. */
size_t one_message(const uint8_t *data, size_t left, bool extended)
{
    std::vector<uint8_t> come; /* of the message */
    struct client_message m, again;
    struct reason why = {};
    size_t count, whole;

    for (;;) {
        std::vector<uint8_t> exact(come); /* no room behind them */
        exact.shrink_to_fit();
        switch (client_message_read(exact.data(), exact.size(), extended, &m, &count, &why)) {
        case MESSAGE_PARTIAL:
            must(count > 0, "a partial message needs more");
            if (come.size() + count > left)
                return 0;
            come.insert(come.end(), data + come.size(), data + come.size() + count);
            break;
        case MESSAGE_REFUSED:
            must(why.text[0], "there is a reason to refuse");
            return 0;
        case MESSAGE_WHOLE:
            must(count == exact.size(), "no byte of the next message was asked for");
            check_message(m, exact.data(), exact.size(), extended);
            must(client_message_read(data, left, extended, &again, &whole, &why) == MESSAGE_WHOLE &&
                     whole == count && again.dropped == m.dropped,
                 "what follows changes nothing");
            return std::min<size_t>(left, count + size_t(m.dropped));
        }
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length;

    for (bool extended : {false, true}) /* whether the client was told of the extended pointer */
        for (size_t at = 0;
             at < size && (length = one_message(data + at, size - at, extended)) > 0;)
            at += length;
    return 0;
}
