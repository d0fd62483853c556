#include "tests/rsa_peer.hpp"

#include <nettle/bignum.h>
#include <nettle/rsa.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include <cstdio>
#include <random>

namespace peer
{

namespace
{

void random_for(void *, size_t size, uint8_t *out)
{
    static std::random_device device;
    for (size_t i = 0; i < size; i++)
        out[i] = static_cast<uint8_t>(device());
}

std::string big_endian(uint32_t v, int bytes)
{
    std::string out;
    for (int i = bytes - 1; i >= 0; i--)
        out += static_cast<char>(v >> 8 * i & 255);
    return out;
}

uint32_t number(const std::string &bytes)
{
    uint32_t v = 0;
    for (char c : bytes)
        v = v << 8 | static_cast<unsigned char>(c);
    return v;
}

std::string number_bytes(const mpz_t n, size_t size)
{
    std::string out(size, '\0');
    nettle_mpz_get_str_256(size, reinterpret_cast<uint8_t *>(&out[0]), n);
    return out;
}

const uint8_t *bytes_of(const std::string &s)
{
    return reinterpret_cast<const uint8_t *>(s.data());
}

} // namespace

std::string random_bytes(size_t size)
{
    std::string out(size, '\0');
    random_for(nullptr, size, reinterpret_cast<uint8_t *>(&out[0]));
    return out;
}

std::string rsa_digest(bool wide, const std::string &bytes)
{
    std::string out(wide ? SHA256_DIGEST_SIZE : SHA1_DIGEST_SIZE, '\0');
    auto to = reinterpret_cast<uint8_t *>(&out[0]);
    struct sha256_ctx sha256;
    struct sha1_ctx sha1;
    if (wide) {
        sha256_init(&sha256);
        sha256_update(&sha256, bytes.size(), bytes_of(bytes));
        sha256_digest(&sha256, out.size(), to);
    } else {
        sha1_init(&sha1);
        sha1_update(&sha1, bytes.size(), bytes_of(bytes));
        sha1_digest(&sha1, out.size(), to);
    }
    return out;
}

/* ---- keys ---- */

struct RsaPair {
    struct rsa_public_key open;
    struct rsa_private_key secret;
};

RsaKey::RsaKey(unsigned bits) : pair_(new RsaPair)
{
    rsa_public_key_init(&pair_->open);
    rsa_private_key_init(&pair_->secret);
    mpz_set_ui(pair_->open.e, 65537);
    if (!rsa_generate_keypair(&pair_->open, &pair_->secret, nullptr, random_for, nullptr, nullptr,
                              bits, 0))
        throw std::runtime_error("no RSA key");
    size_t size = (bits + 7) / 8;
    shown_ =
        big_endian(bits, 4) + number_bytes(pair_->open.n, size) + number_bytes(pair_->open.e, size);
}

RsaKey::~RsaKey()
{
    rsa_private_key_clear(&pair_->secret);
    rsa_public_key_clear(&pair_->open);
    delete pair_;
}

std::string RsaKey::fingerprint() const
{
    return rsa_digest(true, shown_);
}

std::string RsaKey::brief() const
{
    std::string out;
    char byte[4];
    for (unsigned char c : rsa_digest(false, shown_).substr(0, 8)) {
        snprintf(byte, sizeof byte, "%02x", c);
        out += (out.empty() ? "" : "-") + std::string(byte);
    }
    return out;
}

std::string RsaKey::decrypt(const std::string &encrypted) const
{
    std::string out(pair_->open.size, '\0');
    size_t size = out.size();
    mpz_t n;
    nettle_mpz_init_set_str_256_u(n, encrypted.size(), bytes_of(encrypted));
    int ok = mpz_cmp(n, pair_->open.n) < 0 &&
             rsa_decrypt(&pair_->secret, &size, reinterpret_cast<uint8_t *>(&out[0]), n);
    mpz_clear(n);
    return ok ? out.substr(0, size) : "";
}

std::string rsa_encrypted(const std::string &shown, const std::string &secret)
{
    size_t size = (number(shown.substr(0, 4)) + 7) / 8;
    struct rsa_public_key key;
    mpz_t n;
    rsa_public_key_init(&key);
    mpz_init(n);
    nettle_mpz_set_str_256_u(key.n, size, bytes_of(shown) + 4);
    nettle_mpz_set_str_256_u(key.e, size, bytes_of(shown) + 4 + size);
    int ok = rsa_public_key_prepare(&key) &&
             rsa_encrypt(&key, nullptr, random_for, secret.size(), bytes_of(secret), n);
    std::string out = ok ? number_bytes(n, size) : "";
    mpz_clear(n);
    rsa_public_key_clear(&key);
    return out;
}

/* ---- the cipher ---- */

EaxSide::EaxSide(const std::string &key) : wide_(key.size() == 32)
{
    if (wide_) {
        aes256_set_encrypt_key(&broad_, bytes_of(key));
        eax_set_key(&key_, &broad_, reinterpret_cast<nettle_cipher_func *>(aes256_encrypt));
    } else {
        aes128_set_encrypt_key(&narrow_, bytes_of(key));
        eax_set_key(&key_, &narrow_, reinterpret_cast<nettle_cipher_func *>(aes128_encrypt));
    }
}

#define EAX(function, ...)                                                                         \
    function(&eax, &key_, wide_ ? static_cast<void *>(&broad_) : static_cast<void *>(&narrow_),    \
             wide_ ? reinterpret_cast<nettle_cipher_func *>(aes256_encrypt)                        \
                   : reinterpret_cast<nettle_cipher_func *>(aes128_encrypt),                       \
             __VA_ARGS__)

void EaxSide::begin(struct eax_ctx &eax, size_t size)
{
    std::string count, length = big_endian(static_cast<uint32_t>(size), 2);
    for (int i = 0; i < 8; i++)
        count += static_cast<char>(count_ >> 8 * i & 255);
    count.resize(16, '\0');
    count_++;
    EAX(eax_set_nonce, count.size(), bytes_of(count));
    EAX(eax_update, length.size(), bytes_of(length));
}

std::string EaxSide::seal(const std::string &bytes)
{
    struct eax_ctx eax;
    std::string out(bytes.size(), '\0'), tag(16, '\0');
    begin(eax, bytes.size());
    EAX(eax_encrypt, bytes.size(), reinterpret_cast<uint8_t *>(&out[0]), bytes_of(bytes));
    EAX(eax_digest, tag.size(), reinterpret_cast<uint8_t *>(&tag[0]));
    return big_endian(static_cast<uint32_t>(bytes.size()), 2) + out + tag;
}

bool EaxSide::open(const std::string &body, std::string &bytes)
{
    struct eax_ctx eax;
    std::string tag(16, '\0');
    bytes.assign(body.size() - tag.size(), '\0');
    begin(eax, bytes.size());
    EAX(eax_decrypt, bytes.size(), reinterpret_cast<uint8_t *>(&bytes[0]), bytes_of(body));
    EAX(eax_digest, tag.size(), reinterpret_cast<uint8_t *>(&tag[0]));
    return body.substr(bytes.size()) == tag;
}

/* ---- the steps ---- */

std::string rsa_direction_key(bool wide, const std::string &reader, const std::string &writer)
{
    return rsa_digest(wide, reader + writer).substr(0, wide ? 32 : 16);
}

void RsaServer::show_key()
{
    peer_.write(key_.shown());
}

void RsaServer::take_key()
{
    client_key = peer_.read(4);
    uint32_t bits = number(client_key);
    if (bits < 1024 || bits > 8192)
        throw Gone();
    client_key += peer_.read((bits + 7) / 8 * 2);
}

void RsaServer::say_random()
{
    if (random_number.empty())
        random_number = random_bytes(secret_size());
    std::string encrypted = rsa_encrypted(client_key, random_number);
    peer_.write(big_endian(static_cast<uint32_t>(encrypted.size()), 2) + encrypted);
    begin_cipher();
}

void RsaServer::take_random()
{
    client_random_ = key_.decrypt(peer_.read(number(peer_.read(2))));
    if (client_random_.size() != secret_size())
        throw Gone();
    begin_cipher();
}

void RsaServer::begin_cipher()
{
    if (random_number.empty() || client_random_.empty())
        return;
    in_ = std::make_unique<EaxSide>(rsa_direction_key(wide_, random_number, client_random_));
    out_ = std::make_unique<EaxSide>(rsa_direction_key(wide_, client_random_, random_number));
}

void RsaServer::write(const std::string &bytes)
{
    peer_.write(sealed(bytes));
}

std::string RsaServer::sealed(const std::string &bytes)
{
    return out_->seal(bytes);
}

std::string RsaServer::read(size_t size)
{
    while (read_.size() < size) {
        std::string bytes;
        if (!in_->open(peer_.read(number(peer_.read(2)) + 16), bytes))
            throw Gone();
        read_ += bytes;
    }
    std::string out = read_.substr(0, size);
    read_.erase(0, size);
    return out;
}

std::string RsaServer::hash() const
{
    return rsa_digest(wide_, key_.shown() + client_key);
}

void RsaServer::say_hash()
{
    write(hash());
}

void RsaServer::take_hash()
{
    if (read(wide_ ? 32 : 20) != rsa_digest(wide_, client_key + key_.shown()))
        throw Gone();
}

void RsaServer::ask(bool wants_user)
{
    write(wants_user ? "\1" : "\2");
}

void RsaServer::take_credentials()
{
    user = read(number(read(1)));
    password = read(number(read(1)));
}

void RsaServer::enter(bool wants_user)
{
    show_key();
    take_key();
    say_random();
    take_random();
    say_hash();
    take_hash();
    ask(wants_user);
    take_credentials();
}

} // namespace peer
