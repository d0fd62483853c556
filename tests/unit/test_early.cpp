// What is said before the server asks for it: what is written then, and what is found to be the
// same when it is due.
#include "tests/catch.hpp"

#include "framed.hpp"
#include "rfb/proto/early.h"

using namespace framed;

namespace
{

const Bytes messages = text("messages");

early_plan plan(int minor, security_number security)
{
    return {minor, security, messages.data(), messages.size()};
}

Bytes written(const early &e)
{
    return Bytes(e.bytes, e.bytes + e.size);
}

early_match due(early &e, const Bytes &bytes)
{
    return early_due(&e, bytes.data(), bytes.size());
}

} // namespace

TEST_CASE("early: without a password all leaves at once", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_NONE);

    early_begin(&e, &p, true);
    CHECK(written(e) == text("RFB 003.008\n") + u8(1) + u8(1) + messages);
    p.minor = 7;
    early_begin(&e, &p, false);
    CHECK(written(e) == text("RFB 003.007\n") + u8(1) + u8(0) + messages);
    p.minor = 3; // the server chooses the type
    early_begin(&e, &p, true);
    CHECK(written(e) == text("RFB 003.003\n") + u8(1) + messages);
}

TEST_CASE("early: a password waits for the challenge", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_VNC);

    early_begin(&e, &p, true);
    CHECK(written(e) == text("RFB 003.008\n") + u8(2));
    CHECK(due(e, text("RFB 003.008\n")) == EARLY_SAME);
    CHECK(due(e, u8(2)) == EARLY_SAME);
    early_prove(&e, &p, true, "0123456789abcdef", 16);
    CHECK(written(e) == text("0123456789abcdef") + u8(1) + messages);
    CHECK_FALSE(early_is_ahead(&e, &p));
    CHECK(due(e, text("0123456789abcdef")) == EARLY_SAME);
    CHECK(due(e, u8(1)) == EARLY_SAME);
    CHECK(early_is_ahead(&e, &p));
}

TEST_CASE("early: nothing is planned, nothing is said", "[early]")
{
    early e;
    early_plan p = {};

    early_begin(&e, &p, true);
    CHECK(e.size == 0);
    CHECK(due(e, text("RFB 003.008\n")) == EARLY_NOT);
    CHECK_FALSE(early_is_ahead(&e, &p));
}

TEST_CASE("early: another version or type is not what was said", "[early]")
{
    early e;
    early_plan p = plan(8, SECURITY_NONE);

    early_begin(&e, &p, true);
    CHECK(due(e, text("RFB 003.003\n")) == EARLY_OTHER);
    early_begin(&e, &p, true);
    CHECK(due(e, text("RFB 003.008\n")) == EARLY_SAME);
    CHECK(due(e, u8(2)) == EARLY_OTHER);
    early_begin(&e, &p, true);
    CHECK(due(e, Bytes(EARLY_MAX, 0)) == EARLY_OTHER); // more than was said
}
