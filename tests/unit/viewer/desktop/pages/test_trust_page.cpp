// What the window says of a certificate or a key that a person has to trust.
#include "tests/catch.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include "rfb/proto/handshake/security.h"
#include "viewer/desktop/pages/told/trust_page.h"

namespace
{

struct session_question question(uint32_t channel)
{
    struct session_question q = {};
    q.kind = QUESTION_TRUST;
    q.channel = channel;
    memset(q.sha256, 0xab, sizeof q.sha256);
    snprintf(q.brief, sizeof q.brief, "12-34-56-78-9a-bc-de-f0");
    snprintf(q.faults, sizeof q.faults, "its issuer is not known");
    return q;
}

} // namespace

TEST_CASE("trust page: the server, the fault and the fingerprint are named")
{
    struct trust_page page;
    const struct session_question q = question(CHANNEL_CERTIFICATE);
    trust_page_ask(&q, "desk:1", &page);
    CHECK(page.dialog.title == std::string("Is this really desk:1?"));
    CHECK(page.dialog.warning ==
          std::string("This computer cannot verify the server's certificate: "
                      "its issuer is not known."));
    CHECK(page.dialog.codes[0].copied == std::string(page.codes[0].line));
    CHECK(std::string(page.codes[0].line).find("AB:AB:") == 0);
    CHECK(page.dialog.codes[1].text == nullptr);
    CHECK(page.dialog.facts[1].name == std::string("Expires"));
    // to refuse is what Enter does at first
    CHECK(page.dialog.cancel_by_default);
    CHECK(page.dialog.once != nullptr);
}

TEST_CASE("trust page: of a change both fingerprints are shown, and since when the old one holds")
{
    struct trust_page page;
    struct trust_change change = {};
    change.is_key = true;
    snprintf(change.date, sizeof change.date, "2026-11-22");
    memset(change.now, 0xcd, sizeof change.now);
    trust_page_change(&change, "desk:1", &page);
    CHECK(page.dialog.title == std::string("The key of desk:1 has changed!"));
    CHECK(page.dialog.alarm);
    CHECK(page.dialog.cancel_by_default);
    CHECK(page.dialog.codes[0].label == std::string("Accepted on 2026-11-22"));
    CHECK(std::string(page.dialog.codes[0].copied).find("00:00:") == 0);
    CHECK(std::string(page.dialog.codes[1].copied).find("CD:CD:") == 0);
}
