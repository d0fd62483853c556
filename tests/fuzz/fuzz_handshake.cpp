/* What a server says before its first message, as fuzzer input. The first byte says what the client
 * allows and was told before: bits 0 to 3 choose the security types, bit 4 that credentials are
 * given, bit 5 that the server was known and is spoken to early, bit 6 that this was RFB 3.3, bit 7
 * that it wanted to be ready for TLS first. TLS begins for real; its bytes are random, so that it
 * ends with an error.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "must.hpp"
#include "rfb/net/sockets/socket.h"
#include "rfb/net/stream.h"
#include "rfb/proto/handshake/handshake.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const size_t INPUT_MAX = 100000;

const char *const ALLOWED[] = {
    "None",
    "VncAuth",
    "None,VncAuth",
    "Plain",
    "TLSNone",
    "TLSVnc",
    "TLSPlain",
    "X509None",
    "X509Vnc,X509Plain",
    "X509Vnc",
    SECURITY_DEFAULT_NAMES,
    "DH",
    "Plain,None",
    "VncAuth,Plain",
    "TLSNone,None",
    "None,VncAuth,Plain",
};

bool give(void *user, bool want_user, const struct security *, char **name, char **password,
          struct reason *why)
{
    if (!*static_cast<bool *>(user))
        return reason_set(why, "nobody to ask");
    *name = want_user ? strdup("me") : nullptr;
    *password = strdup("secret");
    return *password && (*name || !want_user);
}

bool trust_nobody(void *, const key_doubt *, reason *why)
{
    return reason_set(why, "not trusted");
}

/* In which way the client got in before. */
const struct security *strongest(security_set allowed, bool old)
{
    static const uint32_t types[] = {SECURITY_NONE, SECURITY_VNC, SECURITY_TLS, SECURITY_VENCRYPT,
                                     SECURITY_DH};
    return security_choose(allowed, SECURITY_FAILED, types, old ? 2 : 5);
}

void check(const server_init &init, security_set allowed, bool done, const reason &why)
{
    if (!done) {
        must(why.text[0] && is_sanitised(why.text), "there is a reason to fail");
        must(init.failure != FAILURE_NONE && init.failure < FAILURES, "of a kind that is known");
        return;
    }
    const uint32_t taken[] = {static_cast<uint32_t>(init.security->type)};
    must(init.security && init.security->channel == CHANNEL_CLEAR, "no TLS came about");
    must(init.security->subtype || security_choose(allowed, security_number(0), taken, 1),
         "what was not allowed is not taken");
    must(init.name && strlen(init.name) <= 1u << 20, "a name is short");
    must(init.minor == 3 || init.minor == 7 || init.minor == 8, "a version that is spoken");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t ahead[] = {3, 0, 0, 0, 0, 0, 0, 64, 0, 48};
    int ends[2];

    if (size == 0 || size > INPUT_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return 0;
    bool sent = send(ends[1], data + 1, size - 1, MSG_DONTWAIT | MSG_NOSIGNAL) ==
                static_cast<ssize_t>(size - 1);
    shutdown(ends[1], SHUT_WR);

    bool answers = data[0] & 16;
    handshake_options options{};
    server_init init{};
    reason why{};
    must(security_parse(&options.security.allowed, ALLOWED[data[0] & 15], &why), "types are known");
    options.security.tls.host = "host";
    options.credentials = give;
    options.security.tls.trust = trust_nobody;
    options.user = &answers;
    const bool old = data[0] & 64;
    const struct security *way = strongest(options.security.allowed, old);
    if (data[0] & 32 && way) {
        options.early.minor = old ? 3 : 8;
        options.early.way = way;
        /* with a certificate the system's authorities would be read each time */
        options.early.hello_waits = data[0] & 128 || way->channel == CHANNEL_CERTIFICATE;
        options.early.ahead = ahead;
        options.early.ahead_size = sizeof ahead;
    }
    stream *s = stream_create(socket_adopt(ends[0]));
    if (sent && s) {
        bool done = handshake(s, &options, &init, &why);
        if (!done && stream_failure(s))
            stream_explain(s, &why);
        check(init, options.security.allowed, done, why);
    }
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%zu bytes: %s\n", size, why.text[0] ? why.text : "connected");
    free(init.name);
    stream_destroy(s); /* closes its end */
    close(ends[1]);
    return 0;
}
