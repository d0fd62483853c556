// What is said before the server asks for it: what is written then, and what is found to be the
// same when it is due.
#include "tests/catch.hpp"

#include "rfb/proto/handshake/early.h"
#include "tests/unit/framed.hpp"

using namespace framed;

namespace
{

const Bytes messages = text("messages"), hello = text("ClientHello");
const Bytes proof = text("0123456789abcdef");

early_plan plan(int minor, uint32_t type, uint32_t subtype = 0)
{
    early_plan p = {};
    p.minor = minor;
    p.way = security_find(SECURITY_ALL, type, subtype);
    p.shared = true;
    p.ahead = messages.data();
    p.ahead_size = messages.size();
    REQUIRE(p.way);
    return p;
}

/* What is to be written now. */
Bytes taken(early &e)
{
    const uint8_t *bytes;
    size_t size = early_take(&e, &bytes);
    return Bytes(bytes, bytes + size);
}

early_match due(early &e, const Bytes &bytes)
{
    return early_due(&e, bytes.data(), bytes.size());
}

/* All of this is due, and was said. */
void check_due(early &e, std::initializer_list<Bytes> all)
{
    for (const Bytes &bytes : all)
        CHECK(due(e, bytes) == EARLY_SAME);
}

const Bytes version_8 = text("RFB 003.008\n"), vencrypt_version = u8(0) + u8(2);

} // namespace

TEST_CASE("early: without a password all leaves at once", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_NONE);

    early_begin(&e, &p);
    CHECK(taken(e) == version_8 + u8(1) + u8(1) + messages);
    CHECK(taken(e).empty());
    p.minor = 7;
    p.shared = false;
    early_begin(&e, &p);
    CHECK(taken(e) == text("RFB 003.007\n") + u8(1) + u8(0) + messages);
    p.minor = 3; // the server chooses the type
    p.shared = true;
    early_begin(&e, &p);
    CHECK(taken(e) == text("RFB 003.003\n") + u8(1) + messages);
}

TEST_CASE("early: a password waits for the challenge", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_VNC);

    early_begin(&e, &p);
    CHECK(taken(e) == version_8 + u8(2));
    check_due(e, {version_8, u8(2)});
    CHECK(due(e, proof) == EARLY_NOT);
    early_proved(&e);
    CHECK(taken(e) == u8(1) + messages);
    CHECK_FALSE(early_is_ahead(&e));
    check_due(e, {u8(1)});
    CHECK(early_is_ahead(&e));
}

TEST_CASE("early: VeNCrypt is said as far as the ClientHello, the rest inside", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_VENCRYPT, VENCRYPT_X509_NONE);

    early_begin(&e, &p);
    REQUIRE(early_wants_hello(&p));
    early_add_hello(&e, hello.data(), hello.size());
    CHECK(taken(e) == version_8 + u8(19) + vencrypt_version + u32(260) + hello);
    check_due(e, {version_8, u8(19), vencrypt_version, u32(260), hello});
    CHECK_FALSE(early_is_ahead(&e));
    early_encrypted(&e);
    CHECK(taken(e) == u8(1) + messages);
    check_due(e, {u8(1)});
    CHECK(early_is_ahead(&e));
}

TEST_CASE("early: a server may want to be ready for the ClientHello first", "[early]")
{
    early_plan p = plan(8, SECURITY_VENCRYPT, VENCRYPT_X509_NONE);

    CHECK(early_wants_hello(&p));
    p.hello_waits = true;
    CHECK_FALSE(early_wants_hello(&p));
    for (auto clear : {plan(8, SECURITY_NONE), plan(8, SECURITY_VNC),
                       plan(8, SECURITY_VENCRYPT, VENCRYPT_PLAIN), early_plan{}})
        CHECK_FALSE(early_wants_hello(&clear));
}

TEST_CASE("early: inside TLS a proof is waited for", "[early]")
{
    for (uint32_t subtype : {VENCRYPT_X509_VNC, VENCRYPT_X509_PLAIN, VENCRYPT_TLS_VNC,
                             VENCRYPT_TLS_PLAIN, VENCRYPT_PLAIN}) {
        early e;
        early_plan p = plan(8, SECURITY_VENCRYPT, subtype);

        early_begin(&e, &p);
        CHECK(taken(e) == version_8 + u8(19) + vencrypt_version + u32(subtype));
        check_due(e, {version_8, u8(19), vencrypt_version, u32(subtype)});
        if (p.way->channel != CHANNEL_CLEAR)
            early_encrypted(&e);
        CHECK(taken(e).empty());
        CHECK(due(e, proof) == EARLY_NOT);
        early_proved(&e);
        CHECK(taken(e) == u8(1) + messages);
        check_due(e, {u8(1)});
        CHECK(early_is_ahead(&e));
    }
}

TEST_CASE("early: the type TLS has its choice inside", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_TLS, SECURITY_VNC);

    early_begin(&e, &p);
    early_add_hello(&e, hello.data(), hello.size());
    CHECK(taken(e) == version_8 + u8(18) + hello);
    check_due(e, {version_8, u8(18), hello});
    early_encrypted(&e);
    CHECK(taken(e) == u8(2));
    check_due(e, {u8(2)});
    early_proved(&e);
    CHECK(taken(e) == u8(1) + messages);

    p = plan(8, SECURITY_TLS, SECURITY_NONE);
    early_begin(&e, &p);
    taken(e);
    check_due(e, {version_8, u8(18)});
    early_encrypted(&e);
    CHECK(taken(e) == u8(1) + u8(1) + messages);
}

TEST_CASE("early: nothing is planned, nothing is said", "[early]")
{
    early e;
    early_plan p = {};

    early_begin(&e, &p);
    early_encrypted(&e);
    early_proved(&e);
    CHECK(taken(e).empty());
    CHECK(due(e, version_8) == EARLY_NOT);
    CHECK_FALSE(early_is_ahead(&e));
}

TEST_CASE("early: what is not what was said", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_NONE), x509 = plan(8, SECURITY_VENCRYPT, VENCRYPT_X509_NONE);

    early_begin(&e, &p);
    CHECK(due(e, text("RFB 003.003\n")) == EARLY_OTHER);
    early_begin(&e, &p);
    check_due(e, {version_8});
    CHECK(due(e, u8(2)) == EARLY_OTHER);
    early_begin(&e, &p);
    CHECK(due(e, Bytes(EARLY_MAX, 0)) == EARLY_OTHER); // more than was said
    early_begin(&e, &x509);
    check_due(e, {version_8, u8(19), vencrypt_version});
    CHECK(due(e, u32(257)) == EARLY_OTHER);
}

TEST_CASE("early: there is room for the longest", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_VENCRYPT, VENCRYPT_X509_NONE);
    const Bytes longest(EARLY_AHEAD_MAX, 7), long_hello(EARLY_HELLO_MAX, 9);

    p.ahead = longest.data();
    p.ahead_size = longest.size();
    early_begin(&e, &p);
    early_add_hello(&e, long_hello.data(), long_hello.size());
    early_encrypted(&e); // a server's order is none of our business here
    CHECK(e.size <= EARLY_MAX);
}
