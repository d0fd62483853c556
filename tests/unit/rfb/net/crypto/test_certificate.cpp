// What is wrong with a server's certificate: each fault has words of its own, and some nobody may
// accept. The server is a script, its TLS is real.
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "rfb/net/crypto/certificate.h"
#include "rfb/texts/fingerprint.h"
#include "tests/catch.hpp"
#include "tests/rfb_peer.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

const time_t DAY = 86400;
const std::string NOT_ACCEPTED = "the server's certificate is not accepted: ";

// A server that has nothing but X509None.
std::function<void(Peer &)> showing(const Certificate &certificate)
{
    return [&](Peer &p) {
        greet(p);
        p.write(bytes({1, SECURITY_VENCRYPT}));
        p.read(1);
        p.write(bytes({0, 2}));
        p.read(2);
        p.write(bytes({0, 1, 0, 0, 1, 4}));
        p.read(4);
        p.write(bytes({1}));
        p.start_tls(&certificate);
        let_in(p);
    };
}

std::string refusal(const Client &client, const Certificate &certificate)
{
    Outcome out = play(client, showing(certificate));
    CHECK_FALSE(out.ok);
    CHECK_FALSE(out.served);
    return out.why;
}

std::string date(time_t t)
{
    char text[32];
    struct tm utc;
    gmtime_r(&t, &utc);
    strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return text;
}

class File
{
  public:
    explicit File(const std::string &content) : path(dir_.write("file", content)) {}

  private:
    TempDir dir_;

  public:
    const std::string path;
};

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a wrong name: the message says which names are right")
{
    Client c;
    Certificate one(Made{{"right.example"}}), some(Made{{"a.example", "192.0.2.7"}}),
        many(Made{{"n1", "n2", "n3", "n4", "n5", "n6"}});
    c.x509_ca = one.file();
    CHECK(refusal(c, one) == NOT_ACCEPTED + "it is for 'right.example', not for 'localhost'");
    c.x509_ca = some.file();
    CHECK(refusal(c, some) ==
          NOT_ACCEPTED + "it is for 'a.example', '192.0.2.7', not for 'localhost'");
    c.x509_ca = many.file();
    CHECK(has(refusal(c, many), "'n4' and 2 more, not for 'localhost'"));
    c.host = "192.0.2.7";
    c.x509_ca = some.file();
    CHECK(play(c, showing(some)).ok);
}

TEST_CASE("names in a certificate are shown without what they could do to a terminal")
{
    Client c;
    Certificate evil(
        Made{{std::string("good.example\0\x1b[2J\xff\n", 18) + std::string(500, 'x')}});
    c.x509_ca = evil.file();
    std::string why = refusal(c, evil);
    INFO(why);
    CHECK(has(why, "it is for '"));
    CHECK(has(why, "', not for 'localhost'"));
    CHECK(is_sanitised(why.c_str()));
    CHECK_FALSE(has(why, std::string(100, 'x')));
}

TEST_CASE("what a certificate says of itself: its subject, and when it expires")
{
    auto facts = [](const Certificate &certificate) {
        const std::string der = certificate.der();
        const struct certificate_der own = {reinterpret_cast<const uint8_t *>(der.data()),
                                            der.size()};
        struct certificate_facts f;
        certificate_facts(&own, &f);
        CHECK(is_sanitised(f.subject));
        return f;
    };
    struct certificate_facts f = facts(Certificate(Made{{"localhost"}, -9 * DAY, 3 * DAY}));
    CHECK(f.subject == std::string("CN=localhost"));
    CHECK(std::string(f.expires).find(date(time(nullptr) + 3 * DAY) + " ") == 0);
    CHECK(std::string(f.expires).find(" UTC") == 16);
    // hostile, and too long
    Made evil{{"localhost"}};
    evil.name = "a\x1b[2J\n\xe2\x80\xae" + std::string(50, 'x');
    f = facts(Certificate(evil));
    INFO(f.subject);
    CHECK(has(f.subject, "xxx"));
    // without a subject: the names that it is for
    Made bare{{"a.example", "192.0.2.7"}};
    bare.nameless = true;
    f = facts(Certificate(bare));
    CHECK(f.subject == std::string("'a.example', '192.0.2.7'"));
    // none at all
    const struct certificate_der broken = {reinterpret_cast<const uint8_t *>("no"), 2};
    certificate_facts(&broken, &f);
    CHECK(std::string(f.subject).empty());
    CHECK(std::string(f.expires).empty());
}

TEST_CASE("a wrong date: the message says since when, or from when")
{
    Client c;
    Certificate expired(Made{{"localhost"}, -9 * DAY, -3 * DAY}),
        early(Made{{"localhost"}, 3 * DAY, 9 * DAY});
    c.x509_ca = expired.file();
    CHECK(
        has(refusal(c, expired), NOT_ACCEPTED + "it expired on " + date(time(nullptr) - 3 * DAY)));
    c.x509_ca = early.file();
    std::string why = refusal(c, early);
    CHECK(has(why, NOT_ACCEPTED + "it is not valid before " + date(time(nullptr) + 3 * DAY)));
    CHECK(has(why, "clock of this computer"));
}

TEST_CASE("nobody confirms it: self-signed is told from a signer who is not known")
{
    Client c;
    Certificate authority(Made{{"The Authority"}}), other("localhost"),
        own(Made{{"localhost"}, -3600, 3600, "", &authority, 2});
    CHECK(refusal(c, authority) == NOT_ACCEPTED +
                                       "it is for 'The Authority', not for 'localhost'; it is "
                                       "self-signed, so only the server itself confirms it");
    CHECK(refusal(c, own) ==
          NOT_ACCEPTED + "it is signed by 'The Authority', whom this computer does not know");
    c.x509_ca = other.file();
    CHECK(refusal(c, own) ==
          NOT_ACCEPTED + "it is signed by 'The Authority', and by nobody in " + other.file());
    c.x509_ca = authority.file();
    CHECK(play(c, showing(own)).ok);
}

TEST_CASE("a revoked certificate is refused, its neighbour is not")
{
    Certificate authority(Made{{"The Authority"}}),
        revoked(Made{{"localhost"}, -3600, 3600, "", &authority, 2}),
        good(Made{{"localhost"}, -3600, 3600, "", &authority, 3});
    File list(authority.revoke(revoked)), none("no list\n");
    Client c;
    c.x509_ca = authority.file();
    c.x509_crl = list.path;
    CHECK(refusal(c, revoked) ==
          NOT_ACCEPTED + "it was revoked: whoever has signed it declares it invalid");
    CHECK(play(c, showing(good)).ok);
    c.x509_crl = none.path;
    CHECK(has(refusal(c, good), none.path));
    CHECK_FALSE(certificate_acceptable(GNUTLS_CERT_INVALID | GNUTLS_CERT_REVOKED));
}

TEST_CASE("a list of revoked certificates counts only in its time, from whoever has signed")
{
    Certificate authority(Made{{"The Authority"}}), other(Made{{"Another"}}),
        namesake(Made{{"The Authority"}}), own(Made{{"localhost"}, -3600, 3600, "", &authority, 2}),
        neighbour(Made{{"localhost"}, -3600, 3600, "", &authority, 3});
    Client c;
    auto with = [&](const std::string &lists) {
        File file(lists);
        c.x509_crl = file.path;
        std::string why = refusal(c, own);
        CHECK(has(why, file.path));
        return why;
    };
    c.x509_ca = authority.file();
    CHECK(has(with(authority.revoke(neighbour, -9 * DAY, -3 * DAY)),
              "is out of date since " + date(time(nullptr) - 3 * DAY)));
    CHECK(has(with(authority.revoke(neighbour, 3 * DAY, 9 * DAY)),
              "is not valid before " + date(time(nullptr) + 3 * DAY)));
    CHECK(has(with(other.revoke(neighbour)), "no list of revoked certificates in "));
    CHECK(has(with(namesake.revoke(neighbour)), "no list of revoked certificates in "));
    File both(other.revoke(neighbour) + authority.revoke(neighbour));
    c.x509_crl = both.path;
    CHECK(play(c, showing(own)).ok);
    CHECK(has(refusal(c, neighbour), "it was revoked"));
    Certificate self("localhost"); // signed by itself: nobody could revoke it
    c.x509_ca = self.file();
    CHECK(play(c, showing(self)).ok);
}

TEST_CASE("who else must have signed is one condition more, and replaces none")
{
    Certificate users(Made{{"The User's"}}), files(Made{{"The File's"}}),
        by_user(Made{{"localhost"}, -3600, 3600, "", &users, 2}),
        by_file(Made{{"localhost"}, -3600, 3600, "", &files, 3});
    Client c;
    c.x509_ca = users.file();
    CHECK(play(c, showing(by_user)).ok);
    c.x509_also = files.file();
    CHECK(refusal(c, by_user) == "the server's certificate is not what the connection file asks "
                                 "for: it is signed by 'The User's', and by nobody in " +
                                     files.file());
    CHECK(refusal(c, by_file) ==
          NOT_ACCEPTED + "it is signed by 'The File's', and by nobody in " + users.file());
    c.x509_also = users.file();
    CHECK(play(c, showing(by_user)).ok);
    c.x509_ca = ""; // the system's: it does not know who has signed
    c.x509_also = files.file();
    CHECK(has(refusal(c, by_file), "whom this computer does not know"));
}

TEST_CASE("a file of certificates is a regular one, of a size that fits into memory")
{
    TempDir dir;
    const std::string pipe = dir.file("pipe"), large = dir.file("large");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::ofstream(large) << "x";
    REQUIRE(truncate(large.c_str(), off_t{1} << 40) == 0);
    for (auto check : {certificate_file_check, certificate_list_check})
        for (const std::string &file : {pipe, large, dir.path(), std::string("/dev/zero")}) {
            struct reason why = {};
            CHECK_FALSE(check(file.c_str(), &why));
            CHECK(has(why.text, "cannot read " + file + ": it is "));
        }
}

TEST_CASE("a weak signature is refused, and nobody may accept it")
{
    Certificate authority(Made{{"The Authority"}}),
        weak(Made{{"localhost"}, -3600, 3600, "", &authority, 2, GNUTLS_DIG_SHA1});
    Client c;
    c.x509_ca = authority.file();
    std::string why = refusal(c, weak);
    INFO(why);
    CHECK(has(why, "no longer safe"));
    CHECK_FALSE(certificate_acceptable(GNUTLS_CERT_INVALID | GNUTLS_CERT_INSECURE_ALGORITHM));
}

TEST_CASE("every fault has words, also those that no test here can bring about")
{
    const struct certificate_der broken = {reinterpret_cast<const uint8_t *>("no"), 2};
    for (unsigned bit = 0; bit < 32; bit++) {
        struct certificate_case c = {1u << bit, broken, broken, "h", nullptr};
        struct reason faults;
        certificate_faults(&c, &faults);
        INFO(bit << ": " << faults.text);
        CHECK(strlen(faults.text) > 5);
    }
}

TEST_CASE("exactly the certificate of a fingerprint is accepted, and nothing else counts")
{
    Certificate right(Made{{"elsewhere.example"}, -9 * DAY, -3 * DAY}), wrong("localhost");
    Client c;
    c.fingerprint = right.fingerprint();
    CHECK(play(c, showing(right)).ok);
    std::string why = refusal(c, wrong);
    char text[FINGERPRINT_TEXT];
    fingerprint_text(reinterpret_cast<const uint8_t *>(wrong.fingerprint().data()), text);
    INFO(why);
    CHECK(has(why, "another certificate"));
    CHECK(has(why, text));
    // a server without any
    Outcome out = play(c, [](Peer &p) {
        greet(p);
        p.write(bytes({1, SECURITY_NONE}));
        p.read(1);
    });
    CHECK_FALSE(out.ok);
    CHECK(has(out.why, "certificate"));
}

TEST_CASE("a server that showed a certificate before is refused without one")
{
    Client c;
    c.certified_before = true;
    for (unsigned type : {SECURITY_NONE, SECURITY_VNC, SECURITY_TLS}) {
        Outcome out = play(c, [=](Peer &p) {
            greet(p);
            p.write(bytes({1, type}));
            p.read(1);
        });
        INFO(out.why);
        CHECK_FALSE(out.ok);
        CHECK(out.asked == 0);
        CHECK(has(out.why, "showed a certificate before (or a key), and offers none now"));
    }
}

TEST_CASE("a file of certificates that is none: each reason has its own message")
{
    Certificate good("localhost");
    File empty(""), other("-----BEGIN RSA PRIVATE KEY-----\n"), letter("Dear reader\n"),
        damaged("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    struct Case {
        std::string file;
        const char *said;
    };
    for (const Case &k :
         {Case{"/no/such/file.pem", "No such file"}, Case{"/tmp", "no regular file"},
          Case{empty.path, "is empty"}, Case{letter.path, "there is no certificate"},
          Case{other.path, "there is no certificate"}, Case{damaged.path, "damaged"}}) {
        struct reason why = {};
        CHECK_FALSE(certificate_file_check(k.file.c_str(), &why));
        INFO(why.text);
        CHECK(has(why.text, k.file));
        CHECK(has(why.text, k.said));
        Client c;
        c.x509_ca = k.file;
        CHECK(refusal(c, good) == why.text);
    }
    struct reason why = {};
    CHECK(certificate_file_check(good.file().c_str(), &why));
}

TEST_CASE("a fingerprint as text")
{
    uint8_t bytes[FINGERPRINT_BYTES], read[FINGERPRINT_BYTES];
    char text[FINGERPRINT_TEXT];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = static_cast<uint8_t>(i * 37 + 1);
    fingerprint_rows(bytes, text);
    for (int i = 0; i < FINGERPRINT_BYTES - 1; i++)
        CHECK(text[3 * i + 2] == (i % 8 == 7 ? '\n' : ':'));
    CHECK(strlen(text) == FINGERPRINT_TEXT - 1);
    fingerprint_halves(bytes, text);
    for (int i = 0; i < FINGERPRINT_BYTES - 1; i++)
        CHECK(text[3 * i + 2] == (i == 15 ? '\n' : ':'));
    CHECK(strlen(text) == FINGERPRINT_TEXT - 1);
    fingerprint_text(bytes, text);
    CHECK(strlen(text) == 95);
    CHECK(std::string(text).substr(0, 9) == "01:26:4B:");
    std::string whole = text, plain, lower;
    for (char c : whole)
        if (c != ':')
            plain += c;
    for (char c : whole)
        lower += static_cast<char>(tolower(c));
    for (const std::string &form : {whole, plain, lower}) {
        INFO(form);
        memset(read, 0, sizeof read);
        CHECK(fingerprint_parse(form.c_str(), read));
        CHECK(memcmp(read, bytes, sizeof bytes) == 0);
    }
    for (const std::string &bad :
         {std::string(), whole + "0", whole + ":", ":" + whole, plain.substr(1),
          "g" + plain.substr(1), plain.substr(2), "0x" + plain, whole.substr(0, 94) + "\n"}) {
        INFO(bad);
        CHECK_FALSE(fingerprint_parse(bad.c_str(), read));
    }
}
