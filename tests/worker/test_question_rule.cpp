// What a session's process may ask the user: every question that can be, with options of each kind.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "rfb/worker/worker_message.h"

namespace
{

bool is_valid(const struct session_question &q)
{
    struct session_event head = {};
    head.type = SESSION_QUESTION;
    struct session_event *e = session_event_create(&head, &q, sizeof q);
    REQUIRE(e);
    const bool valid = session_event_valid(e, sizeof *e + e->size);
    free(e);
    return valid;
}

static_assert(PROOF_COUNT == 4 && CHANNEL_COUNT == 5,
              "all_questions() and the rows have each proof and channel");

// In the order of kinds, proofs and channels.
std::vector<struct session_question> all_questions()
{
    std::vector<struct session_question> all;
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD, QUESTION_TRUST})
        for (uint32_t proof : {PROOF_NONE, PROOF_VNC, PROOF_PLAIN, PROOF_DH})
            for (uint32_t channel : {CHANNEL_CLEAR, CHANNEL_HANDSHAKE, CHANNEL_ANONYMOUS,
                                     CHANNEL_KEY, CHANNEL_CERTIFICATE}) {
                struct session_question q = {};
                q.number = 1;
                q.kind = kind;
                q.proof = proof;
                q.channel = channel;
                if (kind == QUESTION_TRUST && channel != CHANNEL_CERTIFICATE)
                    strcpy(q.brief, "12-34");
                if (is_valid(q))
                    all.push_back(q);
            }
    return all;
}

enum Also { NOTHING, CA, ALSO, PIN, HAD, PLAY };

struct Row {
    const char *security;
    Also also;
    const char *allowed; // for each of all_questions()
};

struct session_options options_of(const Row &row)
{
    struct session_options o = {};
    struct reason why = {};
    REQUIRE(security_parse(&o.security, row.security, &why));
    if (row.also == CA)
        strcpy(o.x509_ca, "ca.pem");
    if (row.also == ALSO)
        strcpy(o.x509_also, "own.pem");
    if (row.also == PLAY)
        strcpy(o.route.play, "desk.fbs");
    o.pinned = row.also == PIN;
    o.certified_before = row.also == HAD;
    return o;
}

} // namespace

TEST_CASE("question rule: nothing is asked that the options keep from the server")
{
    // password by VNC authentication: clear, handshake, anonymous, key, certificate;
    // password alone, shown: handshake, key; user and password: the five channels, and DH;
    // trust: a key for the handshake, a key, a certificate
    const std::vector<Row> rows = {
        {SECURITY_DEFAULT_NAMES, NOTHING, "x.x.x xx .xxxxx xxx"},
        {SECURITY_DEFAULT_NAMES, CA, "....x .. ....x. ..."},
        {SECURITY_DEFAULT_NAMES, ALSO, "....x .. ....x. ..x"},
        {SECURITY_DEFAULT_NAMES, PIN, "....x .x ...xx. ..."},
        {SECURITY_DEFAULT_NAMES, HAD, "....x .x ...xx. .xx"},
        {SECURITY_DEFAULT_NAMES, PLAY, "..... .. ...... ..."},
        {"RA2_256", NOTHING, "..... .x ...x.. .x."},
        {"RA2", CA, "..... .. ...... ..."},
        {"RA2,X509Plain", CA, "..... .. ....x. ..."},
        {"RA2", ALSO, "..... .. ...... ..."},
        {"RA2", PIN, "..... .x ...x.. ..."},
        {"RA2", HAD, "..... .x ...x.. .x."},
        {"RA2ne", NOTHING, "..... x. .x.... x.."},
        {"RA2ne", CA, "..... .. ...... ..."},
        {"RA2ne", PIN, "..... .. ...... ..."},
        {"RA2ne", HAD, "..... x. .x.... x.."}, // it never had one to ask for again
        {"DH", NOTHING, "..... .. .....x ..."},
        {"DH", CA, "..... .. ...... ..."},
        {"DH,RA2", HAD, "..... .x ...x.. .x."},
        {"Plain", NOTHING, "..... .. x..... ..."},
        {"VncAuth", NOTHING, "x.... .. ...... ..."},
        {"VncAuth", PIN, "..... .. ...... ..."},
        {"TLSPlain", NOTHING, "..... .. ..x... ..."},
        {"X509None", NOTHING, "..... .. ...... ..x"},
        {"X509None", CA, "..... .. ...... ..."},
        {"None", NOTHING, "..... .. ...... ..."},
    };
    const auto questions = all_questions();

    REQUIRE(questions.size() == 16);
    for (const Row &row : rows) {
        const struct session_options o = options_of(row);
        std::string allowed;
        for (size_t i = 0; i < questions.size(); i++) {
            if (i == 5 || i == 7 || i == 13)
                allowed += ' ';
            allowed += worker_question_allowed(&o, &questions[i]) ? 'x' : '.';
        }
        INFO(row.security << " with " << row.also);
        CHECK(allowed == row.allowed);
    }
}
