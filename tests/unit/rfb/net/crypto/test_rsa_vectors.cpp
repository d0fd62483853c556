// What TigerVNC 1.16 has said: two sessions of its x0vncserver with this viewer, recorded by hand.
// The keys were made for this. They are the protocol, not our idea of it.
#include <cstring>
#include <string>

#include "rfb/net/crypto/eax_layer.h"
#include "rfb/net/crypto/rsa_key.h"
#include "tests/catch.hpp"
#include "tests/rsa_peer.hpp"

using namespace peer;

namespace
{

struct Session {
    bool wide;
    const char *brief, *sha256; // of the server's key, by openssl
    const char *server_key, *client_key, *server_random, *client_random;
    const char *server_hash, *server_kind, *client_hash; // messages
};

const Session SESSIONS[] = {
    {false, "62-9b-b4-f5-a6-73-0c-c0",
     "94de7f43974f5c066525df2ff1e929de6520823cd69d78d72cee25a5b9af9577",
     "00000400d0cd126eeb9ae90181f4fd29b1a35051838861104c314cc9229603beea3f9547763d5995a3be"
     "bcc375ce577f4cfb1b2ea3c5189cb09480eab417132d0929b0e43417568a91d16a5ca65f9e93a0686ed2"
     "54e76c57f41fb702d1b3047f9a40ab0dd1dfadaebc3ba690b7f001e03cd56aa7b05002e8b21ac1455d05"
     "3ccda8878083000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0000000000010001",
     "00000800b84f6bef2c956159aafda2ac66fb2b7e1a3c1894298a5fb8b7fa377d8022677e6496899e5c87"
     "d76f1c6ab92314af44b6a0105206c7bc9d03d93a533485da348a7e9526fcd07b6337fd2666521382860d"
     "957aa5a85e9f9852dbf5965d72f2b0a3111b1845660adc1cc9120f51a03b1a7cd2ecc5a097ae6080f44a"
     "5ebf9af31b14e790c2a0ebb6a1bdb283dbf2e0e1ba1381ae3766e2da3627fd5a068b528db548f882a1fa"
     "58c5d5240f2b21a61490b3af06f776ac42dcd9e45337879668d92d8c7f714fdef37f4f59292d99f1aba7"
     "8ce79e200e52770ead12701f38f5f690c2b326111f0582480abbdbd8f8f305721c56ac9d25de7ecc1ffd"
     "5822be63995791a300000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000010001",
     "6204bfc2072d16fabe09815cd5d38ca4", "3173ffbdc77f6fc77a2b42db129c672c",
     "001484fce2a70b2f51b82dea4f364f79f6ecde8eaf97144d400335c9cf2f99b495eacaa2c668",
     "0001aae380a1cf424874bfb753259f88e58df7",
     "0014b0ab1a88351e0ce67b74ff6c8d5df89bfb4ee4f1f04ae46b8fcfab610f3025c2c6372316"},
    {true, "62-9b-b4-f5-a6-73-0c-c0",
     "94de7f43974f5c066525df2ff1e929de6520823cd69d78d72cee25a5b9af9577",
     "00000400d0cd126eeb9ae90181f4fd29b1a35051838861104c314cc9229603beea3f9547763d5995a3be"
     "bcc375ce577f4cfb1b2ea3c5189cb09480eab417132d0929b0e43417568a91d16a5ca65f9e93a0686ed2"
     "54e76c57f41fb702d1b3047f9a40ab0dd1dfadaebc3ba690b7f001e03cd56aa7b05002e8b21ac1455d05"
     "3ccda8878083000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0000000000010001",
     "00000800c1941bbbda76bc48c27ba92403751fbe9f00c415019abc8950de0ee99d2e562f91c07f45bf7a"
     "3f0f16727881219663778d698b0c62ef5dbeb4e038d2a879a7ab8afc0591cd23e808a796b391dde9e03d"
     "f5460ab2541e97923a98ecf71ff7755bdc555579f32b15261ad799e916ac283b16e5350c130efa07e480"
     "417d5c1ed1bb8b7de2614e8265eb1add880ede140cb76dfd0d42983a08f5cc52b7a17e5fef14d53af1bd"
     "6fa4e1cc90c98008bb6a8fe8770155ca852a3728141014d2630106119772923be41c8c964468b3155365"
     "d83b8a14a5ba87f6e265d7d77b4495ab458e57ecfa71d5f1fb93c9f1ac05d5e8d30d072332dbd3a6eee0"
     "86ffc481ff3219e500000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000010001",
     "cc2921649d5bc8cda10e1a8a96b9476a8fed2cc4ea002320fb8298c5705dead7",
     "b0b7d23e91e7b908a2e16dbfdbeedf9fc64cabcb71d84a83bbae7f6d10523c7d",
     "0020ae537eb80b60808b5d1aaf523ab706246f5ae071fc76ffaa614bfb4e83939014af1426cd903dfa6c"
     "40922cd55897d04b",
     "00010f80228386082ed15eeebdff886fd1a0b0",
     "00203b80e37205d8bbd2d682a1123d1526fb24cbb05eb129a1009cb3f9f9e27ee0cb3d939107a8ee26e7"
     "086aee464dfdf85c"},
};

std::string from_hex(const char *hex)
{
    std::string out;
    for (; *hex; hex += 2)
        out += static_cast<char>(std::stoi(std::string(hex, 2), nullptr, 16));
    return out;
}

struct eax_cipher cipher_of(const std::string &key)
{
    struct eax_cipher c;
    eax_cipher_begin(&c, reinterpret_cast<const uint8_t *>(key.data()), key.size());
    return c;
}

// What a message holds; "broken": its tag is wrong.
std::string opened(struct eax_cipher *c, const std::string &message)
{
    std::string body = message.substr(EAX_HEAD);
    size_t size = body.size() - EAX_TAG;
    return eax_cipher_open(c, reinterpret_cast<uint8_t *>(&body[0]), size) ? body.substr(0, size)
                                                                           : "broken";
}

} // namespace

TEST_CASE("rsa: what TigerVNC has said is understood")
{
    for (const Session &s : SESSIONS) {
        INFO((s.wide ? "RA2_256" : "RA2"));
        const std::string shown = from_hex(s.server_key), own = from_hex(s.client_key);
        struct rsa_shown key = {};
        struct reason why = {};
        uint8_t sha256[FINGERPRINT_BYTES];
        char brief[FINGERPRINT_BRIEF];
        memcpy(key.bytes, shown.data(), shown.size());
        REQUIRE(rsa_shown_measure(&key, &why));
        CHECK(key.size == shown.size());
        CHECK(rsa_shown_check(&key, &why));
        rsa_shown_fingerprints(&key, sha256, brief);
        CHECK(brief == std::string(s.brief));
        CHECK(std::string(sha256, sha256 + sizeof sha256) == from_hex(s.sha256));

        const std::string theirs = from_hex(s.server_random), ours = from_hex(s.client_random);
        struct eax_cipher in = cipher_of(rsa_direction_key(s.wide, ours, theirs)),
                          out = cipher_of(rsa_direction_key(s.wide, theirs, ours));
        CHECK(opened(&in, from_hex(s.server_hash)) == rsa_digest(s.wide, shown + own));
        CHECK(opened(&in, from_hex(s.server_kind)) == "\2");
        CHECK(opened(&in, from_hex(s.server_kind)) == "broken"); // the second time

        // and TigerVNC has understood this
        const std::string said = rsa_digest(s.wide, own + shown);
        std::string message(EAX_HEAD + said.size() + EAX_TAG, '\0');
        eax_cipher_seal(&out, reinterpret_cast<const uint8_t *>(said.data()), said.size(),
                        reinterpret_cast<uint8_t *>(&message[0]));
        CHECK(message == from_hex(s.client_hash));
    }
}
