/* What goes through somebody who passes an RFB connection on, as fuzzer input: the first byte says
 * whether the rest is said by a server ('s'), by a client ('c'), or is a handshake ('h'): blocks of
 * a length and so many bytes, in turns, the server first. What is found must not depend on the
 * pieces in which the bytes come.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "must.hpp"
#include "rfb/framing/client_framing.h"
#include "rfb/framing/handshake_framing.h"
#include "rfb/framing/server_framing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

using Bytes = std::vector<uint8_t>;

/* Of all pieces: how long they are. 0: as long as can be. */
const size_t PIECES[] = {0, 1, 3, 100};

Bytes piece_of(const uint8_t *data, size_t size, size_t at, size_t most)
{
    size_t end = most ? std::min(size, at + most) : size;
    Bytes piece(data + at, data + end); /* ASan sees a look behind its end */
    piece.shrink_to_fit();
    return piece;
}

void note(std::string &found, int event, size_t at, size_t detail)
{
    char line[80];

    snprintf(line, sizeof line, "%d @%zu %zu\n", event, at, detail);
    found += line;
}

std::string server_events(const uint8_t *data, size_t size, size_t most)
{
    server_framing f;
    server_frame frame;
    std::string events;
    size_t taken = 0, without_bytes = 0;

    server_framing_begin(&f, &pixel_format_xrgb, 64, 48);
    while (taken < size) {
        Bytes piece = piece_of(data, size, taken, most);
        for (size_t at = 0;;) {
            size_t n = server_framing_read(&f, piece.data() + at, piece.size() - at, &frame);
            must(n <= piece.size() - at, "no more is taken than there is");
            at += n;
            taken += n;
            without_bytes = n ? 0 : without_bytes + 1;
            must(without_bytes < 4, "every event but the end of an update takes bytes");
            if (frame.event == SERVER_FRAME_NONE) {
                must(at == piece.size(), "without an event all is taken");
                break;
            }
            note(events, frame.event, taken, frame.rectangles * 1000 + frame.length);
            if (frame.event >= SERVER_FRAME_UNKNOWN) {
                must(server_framing_why(&f)[0], "there is a reason");
                must(server_framing_read(&f, piece.data(), piece.size(), &frame) == 0 &&
                         frame.event >= SERVER_FRAME_UNKNOWN,
                     "it stays so");
                return events;
            }
            must(frame.event == SERVER_FRAME_UPDATE_BEGINS || server_framing_between(&f),
                 "a message has ended");
        }
    }
    return events;
}

std::string client_events(const uint8_t *data, size_t size, size_t most, bool extended)
{
    client_framing f;
    client_frame frame;
    std::string events;
    Bytes passed;
    size_t taken = 0, long_size = 0;

    client_framing_begin(&f);
    f.extended_buttons = extended;
    while (taken < size) {
        Bytes piece = piece_of(data, size, taken, most);
        for (size_t at = 0;;) {
            size_t n = client_framing_read(&f, piece.data() + at, piece.size() - at, &frame);
            must(n <= piece.size() - at, "no more is taken than there is");
            at += n;
            taken += n;
            if (frame.size > 0)
                passed.insert(passed.end(), frame.bytes, frame.bytes + frame.size);
            if (frame.event == CLIENT_FRAME_NONE) {
                must(at == piece.size(), "without an event all is taken");
                break;
            }
            must(passed.size() == taken, "all that was taken is handed out");
            must(std::equal(passed.begin(), passed.end(), data), "as it came");
            long_size = frame.event == CLIENT_FRAME_PART ? long_size + frame.size : frame.size;
            if (frame.event != CLIENT_FRAME_PART || frame.ends)
                note(events, frame.event, taken, long_size);
            if (frame.event >= CLIENT_FRAME_UNKNOWN) {
                must(client_framing_why(&f)[0], "there is a reason");
                return events;
            }
            long_size = frame.event == CLIENT_FRAME_PART && !frame.ends ? long_size : 0;
        }
    }
    must(passed.size() + f.held_size * !f.given <= size, "nothing is made up");
    return events;
}

/* One direction of a handshake: what was not taken comes again. */
struct Direction {
    Bytes waiting;
    size_t taken = 0;

    void give(const Bytes &bytes, handshake_framing *h,
              size_t (*read)(handshake_framing *, const uint8_t *, size_t))
    {
        waiting.insert(waiting.end(), bytes.begin(), bytes.end());
        waiting.shrink_to_fit();
        size_t n = read(h, waiting.data(), waiting.size());
        must(n <= waiting.size(), "no more is taken than there is");
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<ptrdiff_t>(n));
        taken += n;
    }
};

std::string handshake_outcome(const uint8_t *data, size_t size, size_t most)
{
    handshake_framing h;
    Direction server, client;
    std::string outcome;
    bool by_server = true;

    handshake_framing_begin(&h);
    for (size_t at = 0; at < size; by_server = !by_server) {
        size_t length = data[at++];
        size_t end = std::min(size, at + length);
        while (at < end) {
            Bytes piece = piece_of(data, end, at, most);
            if (by_server)
                server.give(piece, &h, handshake_framing_server);
            else
                client.give(piece, &h, handshake_framing_client);
            for (int i = 0; i < 3; i++) { /* each may have waited for the other */
                server.give({}, &h, handshake_framing_server);
                client.give({}, &h, handshake_framing_client);
            }
            at += piece.size();
        }
    }
    must(h.state != HANDSHAKE_DONE || (h.server_done && h.client_done), "both are done");
    must((h.state == HANDSHAKE_PLAIN || h.state == HANDSHAKE_FAILED) == (h.why.text[0] != '\0'),
         "there is a reason");
    if (h.state != HANDSHAKE_DONE) /* how far each got depends on who came first */
        return "not done\n";
    note(outcome, h.state, server.taken, client.taken);
    return outcome;
}

void same(const std::string &found, std::string &first, bool &is_first)
{
    if (is_first)
        first = found;
    is_first = false;
    must(found == first, "what is found does not depend on the pieces");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    std::string server, client, extended, handshake;
    bool first[4] = {true, true, true, true};

    if (size == 0)
        return 0;
    for (size_t most : PIECES) {
        if (data[0] == 's')
            same(server_events(data + 1, size - 1, most), server, first[0]);
        if (data[0] == 'c') {
            same(client_events(data + 1, size - 1, most, false), client, first[1]);
            same(client_events(data + 1, size - 1, most, true), extended, first[2]);
        }
        if (data[0] == 'h')
            same(handshake_outcome(data + 1, size - 1, most), handshake, first[3]);
    }
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%s", (server + client + handshake).c_str());
    return 0;
}
