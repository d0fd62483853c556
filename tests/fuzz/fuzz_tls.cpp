/* What a server says inside TLS, and what it does to TLS there, as fuzzer input. The first byte
 * chooses the security type; bit 7 says that the server was known and is spoken to early. Then come
 * pieces, each behind a byte: its upper two bits say what the piece is, the lower six how long it
 * is, or which control it is. TLS itself is real, with a thread as the server.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "encrypted.hpp"
#include "rfb/net/sockets/socket.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using peer::Certificate;
using peer::Peer;

namespace
{

const size_t INPUT_MAX = 20000;

struct Type {
    const char *name;
    uint32_t subtype; /* of VeNCrypt; 0: the type TLS, which has its own list inside */
    enum security_channel channel;
};

const Type TYPES[] = {
    {"TLSNone", VENCRYPT_TLS_NONE, CHANNEL_ANONYMOUS},
    {"TLSVnc", VENCRYPT_TLS_VNC, CHANNEL_ANONYMOUS},
    {"TLSPlain", VENCRYPT_TLS_PLAIN, CHANNEL_ANONYMOUS},
    {"X509None", VENCRYPT_X509_NONE, CHANNEL_CERTIFICATE},
    {"X509Vnc", VENCRYPT_X509_VNC, CHANNEL_CERTIFICATE},
    {"X509Plain", VENCRYPT_X509_PLAIN, CHANNEL_CERTIFICATE},
    {"TLSNone,TLSVnc", 0, CHANNEL_ANONYMOUS},
};

enum Piece { RECORD, LARGE_RECORD, BELOW, CONTROL };
enum Control { EMPTY, WARNING, FATAL, CLOSE, ANEW, NEW_KEYS, CONTROLS };

bool trust_all(void *, const key_doubt *, reason *)
{
    return true;
}

/* In which way the client got in before. */
const struct security *way_of(const Type &type, security_set allowed)
{
    return type.subtype ? security_find(allowed, SECURITY_VENCRYPT, type.subtype)
                        : security_find(allowed, SECURITY_TLS, SECURITY_VNC);
}

/* Returns how many bytes it has sent. */
size_t begin(Peer &p, const Type &type)
{
    const std::string version = "RFB 003.008\n", tls = "\x01\x12";
    if (type.subtype)
        return p.offer_vencrypt(type.subtype);
    p.write(version);
    p.read(12);
    p.write(tls);
    p.read(1);
    return version.size() + tls.size();
}

void control(Peer &p, unsigned which)
{
    switch (which % CONTROLS) {
    case EMPTY:
        gnutls_record_send(p.tls(), "", 0);
        break;
    case WARNING:
        gnutls_alert_send(p.tls(), GNUTLS_AL_WARNING, GNUTLS_A_USER_CANCELED);
        break;
    case FATAL:
        gnutls_alert_send(p.tls(), GNUTLS_AL_FATAL, GNUTLS_A_INTERNAL_ERROR);
        break;
    case CLOSE:
        gnutls_bye(p.tls(), GNUTLS_SHUT_WR);
        break;
    case ANEW:
        gnutls_rehandshake(p.tls());
        break;
    case NEW_KEYS:
        gnutls_session_key_update(p.tls(), GNUTLS_KU_PEER);
        break;
    }
}

struct Served {
    size_t before = 0; /* bytes in front of TLS */
    std::string inside;
};

void serve(Peer &p, const Type &type, const uint8_t *data, size_t size, Served &out)
{
    static const Certificate certificate("localhost");
    out.before = begin(p, type);
    p.start_tls(type.channel == CHANNEL_CERTIFICATE ? &certificate : nullptr);
    while (size > 0) {
        unsigned piece = *data >> 6;
        size_t length = *data & 63;
        data++, size--;
        if (piece == CONTROL) {
            control(p, static_cast<unsigned>(length));
            continue;
        }
        if (piece == LARGE_RECORD)
            length *= 256;
        length = std::min(length, size);
        std::string bytes(reinterpret_cast<const char *>(data), length);
        data += length, size -= length;
        if (piece == BELOW) {
            p.write_below(bytes);
        } else {
            out.inside += bytes; /* of what fails a part may arrive */
            p.write(bytes);
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
    const Type &type = TYPES[(data[0] & 127) % (sizeof TYPES / sizeof *TYPES)];
    Served served;
    std::thread server =
        serve_in_thread(ends[1], [&](Peer &p) { serve(p, type, data + 1, size - 1, served); });

    handshake_options options{};
    server_init init{};
    reason why{};
    must(security_parse(&options.security.allowed, type.name, &why), "types are known");
    options.security.tls.host = "localhost";
    options.credentials = give;
    options.security.tls.trust = trust_all;
    if (data[0] & 128) {
        options.early.minor = 8;
        options.early.way = way_of(type, options.security.allowed);
        options.early.ahead = ahead;
        options.early.ahead_size = sizeof ahead;
    }
    stream *s = stream_create(socket_adopt(ends[0]));
    std::string rest;
    bool done = handshake(s, &options, &init, &why);
    if (done) {
        char part[4096];
        while (size_t n = stream_read_some(s, part, sizeof part, &why))
            rest.append(part, n);
        must(init.security->channel == type.channel, "inside TLS");
    }
    must(why.text[0] && is_sanitised(why.text), "there is a reason for the end");
    shutdown(ends[0], SHUT_RDWR); /* the server may still want to say something */
    server.join();
    if (done)
        check_rest(s, served.before, served.inside, rest);
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%zu bytes: %s, %zu read: %s\n", size, done ? "connected" : "refused",
                rest.size(), why.text);
    free(init.name);
    stream_destroy(s);
    return 0;
}
