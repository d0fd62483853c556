/* What a server with RSA-AES says, as fuzzer input. The first byte chooses the type (bits 0 and 1),
 * whether it wants a user name (bit 2), how far it keeps to the protocol (bits 3 to 5), and whether
 * it was known and is spoken to early (bit 7). Then come pieces, each behind a byte: its upper two
 * bits say what the piece is, the lower six how long it is. The server's cipher is real.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "encrypted.hpp"
#include "rfb/net/sockets/socket.h"
#include "tests/rsa_peer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using peer::Peer;
using peer::RsaKey;
using peer::RsaServer;

namespace
{

const size_t INPUT_MAX = 20000;

struct Type {
    const char *name;
    unsigned number;
    bool wide, all; /* 256 bits; all is encrypted */
};

const Type TYPES[] = {{"RA2", 5, false, true},
                      {"RA2ne", 6, false, false},
                      {"RA2_256", 129, true, true},
                      {"RA2ne_256", 130, true, false}};

/* Encrypted messages where there is a cipher; as they are; and with one bit that is wrong. */
enum Piece { MESSAGE, LARGE_MESSAGE, BELOW, CHANGED };

bool trust_all(void *, const key_doubt *doubt, reason *)
{
    must(strlen(doubt->brief) == FINGERPRINT_BRIEF - 1, "a key has a brief fingerprint");
    return true;
}

struct Served {
    size_t before = 0;   /* bytes in front of the cipher */
    bool sealed = false; /* it has begun */
    std::string inside;  /* what was said behind it */
};

/* So many steps as the protocol has them. */
void begin(RsaServer &s, unsigned steps, bool wants_user)
{
    const std::function<void()> all[] = {
        [&] { s.show_key(); },        [&] { s.take_key(), s.say_random(); },
        [&] { s.take_random(); },     [&] { s.say_hash(); },
        [&] { s.take_hash(); },       [&] { s.ask(wants_user); },
        [&] { s.take_credentials(); }};
    for (unsigned i = 0; i < steps; i++)
        all[i]();
}

void say(Peer &p, RsaServer &s, bool sealed, const std::string &bytes, Served &out)
{
    out.inside += bytes;
    sealed ? s.write(bytes) : p.write(bytes);
}

void serve(Peer &p, const uint8_t *data, size_t size, Served &out)
{
    static const RsaKey key(1024);
    const Type &type = TYPES[data[0] & 3];
    const bool wants_user = data[0] & 4;
    const unsigned steps = data[0] >> 3 & 7;

    p.write("RFB 003.008\n");
    p.read(12);
    p.write(std::string("\1") + static_cast<char>(type.number));
    p.read(1);
    RsaServer s(p, key, type.wide);
    out.before = 12 + 2 + key.shown().size() + 2 + 256;
    begin(s, steps, wants_user);
    out.sealed = steps >= 3;
    bool sealed = out.sealed && (type.all || steps < 7);
    if (steps >= 4)
        out.inside += s.hash();
    if (steps >= 6)
        out.inside += wants_user ? "\1" : "\2";
    for (data++, size--; size > 0;) {
        unsigned piece = *data >> 6;
        size_t length = *data & 63;
        data++, size--;
        if (piece == LARGE_MESSAGE)
            length *= 256;
        length = std::min(length, size);
        std::string bytes(reinterpret_cast<const char *>(data), length);
        data += length, size -= length;
        if (piece == BELOW) {
            p.write(bytes);
        } else if (piece == CHANGED && out.sealed) {
            std::string changed = s.sealed(bytes);
            changed[length] ^= 1;
            p.write(changed);
        } else {
            say(p, s, sealed, bytes, out);
        }
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t ahead[] = {3, 0, 0, 0, 0, 0, 0, 64, 0, 48};
    int ends[2];

    if (size == 0 || size > INPUT_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return 0;
    const Type &type = TYPES[data[0] & 3];
    Served served;
    std::thread server = serve_in_thread(ends[1], [&](Peer &p) { serve(p, data, size, served); });

    handshake_options options{};
    server_init init{};
    reason why{};
    must(security_parse(&options.security.allowed, type.name, &why), "types are known");
    options.security.tls.host = "localhost";
    options.security.tls.trust = trust_all;
    options.credentials = give;
    if (data[0] & 128) {
        options.early.minor = 8;
        options.early.way = security_find(SECURITY_ALL, type.number, 0);
        options.early.ahead = ahead;
        options.early.ahead_size = sizeof ahead;
    }
    stream *s = stream_create(socket_adopt(ends[0]));
    std::string rest;
    bool done = handshake(s, &options, &init, &why);
    if (done) {
        char part[4096];
        uint8_t sha256[FINGERPRINT_BYTES];
        must(stream_key(s, sha256) == type.all, "the key is that of what is encrypted");
        while (size_t n = stream_read_some(s, part, sizeof part, &why))
            rest.append(part, n);
    }
    must(why.text[0] && is_sanitised(why.text), "there is a reason for the end");
    shutdown(ends[0], SHUT_RDWR); /* the server may still want to say something */
    server.join();
    if (done)
        must((data[0] >> 3 & 7) > 2, "nobody gets in without the server's key");
    if (done && type.all)
        check_rest(s, served.before, served.inside, rest);
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%zu bytes: %s, %zu read: %s\n", size, done ? "connected" : "refused",
                rest.size(), why.text);
    free(init.name);
    stream_destroy(s);
    return 0;
}
