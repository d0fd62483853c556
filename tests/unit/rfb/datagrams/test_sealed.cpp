// Packets of the datagram path, sealed and opened, and those that are refused.
#include "tests/catch.hpp"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "rfb/datagrams/sealed.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>; // exactly as large as what is in it, so ASan sees each end

Bytes some_bytes(size_t size, unsigned first = 1)
{
    Bytes b(size);
    for (size_t i = 0; i < size; i++)
        b[i] = uint8_t(first + i * 7);
    return b;
}

Bytes of(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

struct Secret {
    uint8_t bytes[SEALED_SECRET];
    explicit Secret(unsigned first = 1)
    {
        for (unsigned i = 0; i < SEALED_SECRET; i++)
            bytes[i] = uint8_t(first + i);
    }
};

class Sealer
{
  public:
    explicit Sealer(sealed_kind kind = SEALED_TO_VIEWER, const Secret &secret = Secret())
        : s_(sealer_create(secret.bytes, kind), sealer_destroy)
    {
        REQUIRE(s_);
    }
    Bytes seal(const Bytes &body)
    {
        uint8_t out[SEALED_MAX];
        size_t size = sealer_seal(s_.get(), body.data(), body.size(), out);
        return Bytes(out, out + size);
    }
    // Each with its number in it.
    std::vector<Bytes> seal_some(size_t count)
    {
        std::vector<Bytes> all;
        for (size_t i = 0; i < count; i++)
            all.push_back(seal(of(std::to_string(i))));
        return all;
    }

  private:
    std::unique_ptr<sealer, void (*)(sealer *)> s_;
};

class Opener
{
  public:
    explicit Opener(sealed_kind kind = SEALED_TO_VIEWER, const Secret &secret = Secret())
        : o_(opener_create(secret.bytes, kind), opener_destroy)
    {
        REQUIRE(o_);
    }
    bool open(const Bytes &packet)
    {
        Bytes out(SEALED_BODY_MAX);
        size_t size = 0;
        bool ok = opener_open(o_.get(), packet.data(), packet.size(), out.data(), &size, &newest);
        body.assign(out.begin(), out.begin() + ptrdiff_t(ok ? size : 0));
        return ok;
    }
    Bytes body; // of the newest one that was opened
    bool newest = false;

  private:
    std::unique_ptr<opener, void (*)(opener *)> o_;
};

Bytes hmac(const Bytes &key, const Bytes &text)
{
    Bytes out(32);
    REQUIRE(gnutls_hmac_fast(GNUTLS_MAC_SHA256, key.data(), key.size(), text.data(), text.size(),
                             out.data()) == 0);
    return out;
}

Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

TEST_CASE("sealed: what was sealed is opened, of any size")
{
    const auto kind = GENERATE(SEALED_HELLO, SEALED_TO_FAR_END, SEALED_TO_VIEWER);
    Sealer s(kind);
    Opener o(kind);
    for (size_t size : {0, 1, 15, 16, 17, 300, SEALED_BODY_MAX - 1, SEALED_BODY_MAX}) {
        const Bytes body = some_bytes(size, unsigned(size)), packet = s.seal(body);
        INFO(size);
        CHECK(packet.size() == SEALED_HEAD + size + SEALED_TAG);
        REQUIRE(o.open(packet));
        CHECK(o.body == body);
        CHECK(o.newest);
    }
    CHECK(s.seal(Bytes(SEALED_BODY_MAX + 1)).empty());
}

TEST_CASE("sealed: the same body is never the same packet, nor readable in it")
{
    Sealer s;
    const Bytes body = some_bytes(100);
    const Bytes a = s.seal(body), b = s.seal(body);
    CHECK(Bytes(a.begin() + SEALED_HEAD, a.end()) != Bytes(b.begin() + SEALED_HEAD, b.end()));
    CHECK(std::search(a.begin(), a.end(), body.begin(), body.begin() + 8) == a.end());
}

TEST_CASE("sealed: of another secret or another kind nothing is opened")
{
    for (int made = 0; made < SEALED_KINDS; made++)
        for (int asked = 0; asked < SEALED_KINDS; asked++) {
            Opener o{sealed_kind(asked)};
            CHECK(o.open(Sealer(sealed_kind(made)).seal(of("x"))) == (made == asked));
        }
    Secret other;
    other.bytes[SEALED_SECRET - 1] ^= 1;
    Bytes packet = Sealer(SEALED_TO_VIEWER, other).seal(of("x"));
    CHECK_FALSE(Opener().open(packet));
    // not even with the right id in front, which is no secret
    const Bytes ours = Sealer().seal(of("x"));
    std::copy_n(ours.begin(), 8, packet.begin());
    CHECK_FALSE(Opener().open(packet));
}

TEST_CASE("sealed: a packet with any bit changed is refused, and hurts nothing")
{
    Sealer s;
    Opener o;
    const Bytes packet = s.seal(some_bytes(20));
    for (size_t at = 0; at < packet.size(); at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            Bytes bad = packet;
            bad[at] = uint8_t(bad[at] ^ 1u << bit);
            INFO(at << " " << bit);
            CHECK_FALSE(o.open(bad));
        }
    CHECK(o.open(packet)); // also the numbers of those that were refused did not count
    CHECK(o.newest);
}

TEST_CASE("sealed: a packet that is cut off, or longer, is refused")
{
    Opener o;
    const Bytes packet = Sealer().seal(some_bytes(20));
    for (size_t size = 0; size < packet.size(); size++) {
        INFO(size);
        CHECK_FALSE(o.open(Bytes(packet.begin(), packet.begin() + ptrdiff_t(size))));
    }
    CHECK_FALSE(o.open(packet + Bytes(1)));
    CHECK_FALSE(o.open(packet + Bytes(SEALED_MAX + 1 - packet.size())));
    CHECK_FALSE(o.open(packet + Bytes(3000)));
    CHECK(o.open(packet));
}

TEST_CASE("sealed: each packet is opened once, in whatever order they come")
{
    std::mt19937 random(any_seed());
    std::vector<Bytes> all = Sealer().seal_some(SEALED_WINDOW);
    Opener o;
    std::shuffle(all.begin(), all.end(), random);
    for (const Bytes &packet : all)
        REQUIRE(o.open(packet));
    for (const Bytes &packet : all)
        REQUIRE_FALSE(o.open(packet));
}

TEST_CASE("sealed: it is known which one is the newest")
{
    const std::vector<Bytes> all = Sealer().seal_some(6);
    Opener o;
    CHECK((o.open(all[0]) && o.newest));
    CHECK((o.open(all[3]) && o.newest));
    CHECK((o.open(all[1]) && !o.newest));
    CHECK((o.open(all[2]) && !o.newest));
    CHECK((o.open(all[4]) && o.newest));
}

TEST_CASE("sealed: the window ends 1023 before the newest")
{
    const std::vector<Bytes> all = Sealer().seal_some(5000);
    Opener o;
    CHECK(o.open(all[2000]));
    CHECK(o.open(all[2000 - 1023]));
    CHECK_FALSE(o.newest);
    CHECK(o.body == of("977"));
    CHECK_FALSE(o.open(all[2000 - 1023]));
    CHECK_FALSE(o.open(all[2000 - 1024]));
    CHECK_FALSE(o.open(all[0]));
    CHECK(o.open(all[2001])); // one further on
    CHECK_FALSE(o.open(all[2001 - 1024]));
    CHECK(o.open(all[2001 - 1022]));
    CHECK(o.open(all[4900])); // far: nothing of before is left in it
    CHECK_FALSE(o.open(all[2001]));
    CHECK_FALSE(o.open(all[4900 - 1024]));
    for (size_t i = 4900 - 1023; i < 4900; i++)
        REQUIRE(o.open(all[i]));
    for (size_t i = 4900 - 1023; i <= 4900; i++)
        REQUIRE_FALSE(o.open(all[i]));
}

TEST_CASE("sealed: a jump by one window less one, by one window, and by one more")
{
    for (size_t jump : {1023, 1024, 1025}) {
        const std::vector<Bytes> all = Sealer().seal_some(3000);
        Opener o;
        INFO(jump);
        for (size_t i = 0; i < 500; i++)
            REQUIRE(o.open(all[i]));
        const size_t newest = 499 + jump;
        CHECK(o.open(all[newest]));
        CHECK_FALSE(o.open(all[499])); // it was there, or is too old
        for (size_t i = 500; i < newest; i++)
            REQUIRE(o.open(all[i]) == (newest - i < SEALED_WINDOW));
    }
}

TEST_CASE("sealed: one of several under a secret begins with a number of its own")
{
    const uint64_t first = uint64_t(7) << 32;
    uint8_t secret[SEALED_SECRET] = {1}, packet[SEALED_MAX], body[SEALED_BODY_MAX];
    std::unique_ptr<sealer, void (*)(sealer *)> s(sealer_create(secret, SEALED_HELLO),
                                                  sealer_destroy);
    std::unique_ptr<opener, void (*)(opener *)> o(opener_create(secret, SEALED_HELLO),
                                                  opener_destroy);
    size_t size;
    bool newest;
    opener_begin_at(o.get(), first);
    for (uint64_t number :
         {uint64_t(0), first - 1, first - SEALED_WINDOW, first - SEALED_WINDOW - 1}) {
        sealer_begin_at(s.get(), number);
        CHECK_FALSE(opener_open(o.get(), packet, sealer_seal(s.get(), "x", 1, packet), body, &size,
                                &newest));
    }
    for (uint64_t number : {first + 1, first, first + 5000}) { // in any order from there on
        INFO(number - first);
        sealer_begin_at(s.get(), number);
        const size_t n = sealer_seal(s.get(), "x", 1, packet);
        CHECK(opener_open(o.get(), packet, n, body, &size, &newest));
        CHECK_FALSE(opener_open(o.get(), packet, n, body, &size, &newest));
    }
}

TEST_CASE("sealed: a packet that is not authentic does not move the window")
{
    const std::vector<Bytes> all = Sealer().seal_some(3000);
    Opener o;
    CHECK(o.open(all[5]));
    Bytes bad = all[2999];
    bad.back() ^= 1;
    CHECK_FALSE(o.open(bad));
    Bytes further = all[6]; // as if it were the last of all numbers
    std::fill_n(further.begin() + 8, 8, uint8_t(0xff));
    CHECK_FALSE(o.open(further));
    CHECK(o.open(all[4]));
    CHECK(o.open(all[6]));
    CHECK(o.newest);
    CHECK(o.open(all[2999]));
}

// The derivation, written down a second time: HKDF-Expand of RFC 5869 by HMAC.
TEST_CASE("sealed: keys, numbers and tags are what the contract says")
{
    const struct {
        sealed_kind kind;
        const char *name;
    } kinds[] = {{SEALED_HELLO, "vnchl hello"},
                 {SEALED_TO_FAR_END, "vnchl to far end"},
                 {SEALED_TO_VIEWER, "vnchl to viewer"}};
    for (const auto &k : kinds) {
        INFO(k.name);
        const Secret secret(77);
        const Bytes prk(secret.bytes, secret.bytes + SEALED_SECRET);
        const Bytes t1 = hmac(prk, of(k.name) + Bytes{1});
        const Bytes t2 = hmac(prk, t1 + of(k.name) + Bytes{2});
        const Bytes made = t1 + t2; // a key of 16 bytes, a nonce of 12, an id of 8
        const Bytes body = some_bytes(33);
        Sealer s(k.kind, secret);
        for (uint8_t number = 0; number < 3; number++) {
            const Bytes packet = s.seal(body);
            const Bytes head =
                Bytes(made.begin() + 28, made.begin() + 36) + Bytes{0, 0, 0, 0, 0, 0, 0, number};
            REQUIRE(packet.size() == head.size() + body.size() + 16);
            CHECK(Bytes(packet.begin(), packet.begin() + 16) == head);
            Bytes nonce(made.begin() + 16, made.begin() + 28);
            nonce[11] ^= number;
            Bytes key(made.begin(), made.begin() + 16), sealed(body.size() + 16);
            gnutls_datum_t datum = {key.data(), unsigned(key.size())};
            gnutls_aead_cipher_hd_t cipher;
            size_t size = sealed.size();
            REQUIRE(gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_GCM, &datum) == 0);
            REQUIRE(gnutls_aead_cipher_encrypt(cipher, nonce.data(), nonce.size(), head.data(),
                                               head.size(), 16, body.data(), body.size(),
                                               sealed.data(), &size) == 0);
            gnutls_aead_cipher_deinit(cipher);
            CHECK(Bytes(packet.begin() + 16, packet.end()) == sealed);
        }
    }
}
