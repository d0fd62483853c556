/* The server's side of RSA-AES (security types 5, 6, 129, 130), played by a test: written from the
 * protocol, apart from the client's. Each step is a call, so that a test can leave one out, or say
 * something else in its place. By nettle and GMP. */
#pragma once

#include <nettle/eax.h>

#include <memory>
#include <string>

#include "tests/rfb_peer.hpp"

namespace peer
{

struct RsaPair;

/* A server's key. */
class RsaKey
{
  public:
    explicit RsaKey(unsigned bits);
    ~RsaKey();
    RsaKey(const RsaKey &) = delete;
    RsaKey &operator=(const RsaKey &) = delete;
    const std::string &shown() const /* as it goes over the wire */
    {
        return shown_;
    }
    std::string fingerprint() const;                      /* SHA-256, 32 bytes */
    std::string brief() const;                            /* "ab-12-...", from SHA-1 */
    std::string decrypt(const std::string &number) const; /* empty: it cannot */

  private:
    RsaPair *pair_;
    std::string shown_;
};

/* What is encrypted for a key that was shown. */
std::string rsa_encrypted(const std::string &shown, const std::string &secret);

std::string rsa_digest(bool wide, const std::string &bytes); /* SHA-256 or SHA-1 */
std::string random_bytes(size_t size);

/* One direction of the cipher, as a server or any test has it. */
class EaxSide
{
  public:
    explicit EaxSide(const std::string &key);               /* 16 or 32 bytes */
    std::string seal(const std::string &bytes);             /* a whole message */
    bool open(const std::string &body, std::string &bytes); /* a message behind its length */

  private:
    void begin(struct eax_ctx &eax, size_t size);
    bool wide_;
    struct aes128_ctx narrow_;
    struct aes256_ctx broad_;
    struct eax_key key_;
    unsigned long long count_ = 0;
};

/* The key of one direction: from both random numbers, that of its reader first. */
std::string rsa_direction_key(bool wide, const std::string &reader, const std::string &writer);

class RsaServer
{
  public:
    RsaServer(Peer &peer, const RsaKey &key, bool wide) : peer_(peer), key_(key), wide_(wide) {}

    /* The steps. Gone where the client does not keep to the protocol. */
    void show_key();
    void take_key();
    void say_random();
    void take_random();
    void say_hash();
    void take_hash();
    void ask(bool wants_user);
    void take_credentials();
    /* All of them. */
    void enter(bool wants_user);

    size_t secret_size() const
    {
        return wide_ ? 32 : 16;
    }
    void write(const std::string &bytes);         /* encrypted, one message */
    std::string sealed(const std::string &bytes); /* the same, not written */
    std::string read(size_t size);                /* what was encrypted */

    std::string client_key;    /* as it was shown */
    std::string random_number; /* the server's; say_random() makes one where it is empty */
    std::string user, password;
    std::string hash() const; /* of both keys, as the server says it */

  private:
    void begin_cipher();

    Peer &peer_;
    const RsaKey &key_;
    bool wide_;
    std::string client_random_, read_;
    std::unique_ptr<EaxSide> in_, out_;
};

} // namespace peer
