/* The server's end of a handshake, played by a test over a socket pair: plain or inside real TLS.
 */
#pragma once

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "rfb/proto/handshake/early.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/reason.h"
#include "tests/temp_dir.hpp"
#include "tests/wire.hpp"

namespace peer
{

class Certificate;

/* What a certificate is like. */
struct Made {
    std::vector<std::string> hosts;  /* names or addresses */
    time_t from = -3600, to = 3600;  /* in seconds from now */
    std::string forged = {};         /* it says that one in this PEM file has signed it: a lie */
    const Certificate *by = nullptr; /* who has signed it; NULL: it is self-signed */
    unsigned char serial = 1;
    gnutls_digest_algorithm_t digest = GNUTLS_DIG_SHA256;
    std::string name = {}; /* its common name; empty: the first host */
    bool nameless = false; /* it has none */
};

/* A certificate and its key. The PEM file is what --x509-ca would name. */
class Certificate
{
  public:
    explicit Certificate(const Made &made);
    explicit Certificate(const std::string &host, time_t from = -3600, time_t to = 3600,
                         const std::string &forged = "")
        : Certificate(Made{{host}, from, to, forged})
    {
    }
    ~Certificate();
    Certificate(const Certificate &) = delete;
    Certificate &operator=(const Certificate &) = delete;
    const std::string &file() const
    {
        return file_;
    }
    gnutls_certificate_credentials_t credentials() const
    {
        return credentials_;
    }
    const std::string &fingerprint() const /* 32 bytes: SHA-256 */
    {
        return fingerprint_;
    }

    std::string der() const; /* its bytes */

    /* A list of this signer that revokes the other one; the text of a PEM file. */
    std::string revoke(const Certificate &other, long from_s = -60, long until_s = 3600) const;

  private:
    gnutls_certificate_credentials_t credentials_ = nullptr;
    gnutls_x509_privkey_t key_ = nullptr;
    gnutls_x509_crt_t crt_ = nullptr;
    TempDir dir_;
    std::string file_, fingerprint_;
};

/* Thrown when the client goes away. */
struct Gone : std::runtime_error {
    Gone() : std::runtime_error("the client has gone") {}
};

class Peer
{
  public:
    explicit Peer(int fd) : wire_(fd) {}

    void write(const std::string &bytes);
    std::string read(size_t size);
    std::string read_rest();  /* until the client closes */
    std::string read_below(); /* what has come already, as it is; also inside TLS */
    /* The beginning of RFB 3.8 with this subtype of VeNCrypt only, until TLS is to begin. Returns
     * how many bytes the server has sent. */
    size_t offer_vencrypt(uint32_t subtype);
    void start_tls(const Certificate *certificate, /* nullptr: anonymous */
                   const char *priority = "NORMAL:+ANON-ECDH:+ANON-DH");
    void write_below(const std::string &bytes); /* as they are, also inside TLS */
    gnutls_session_t tls() const                /* for what only TLS can say; NULL: none */
    {
        return wire_.tls();
    }
    /* Wants to begin anew inside TLS 1.2, with another certificate; does not wait for an answer. */
    void ask_to_begin_anew(const Certificate *certificate);

  private:
    Wire wire_;
};

/* A server for one session: listens on a Unix socket and plays the script to the first who comes.
 */
class Server
{
  public:
    explicit Server(const std::function<void(Peer &)> &script);
    ~Server(); /* waits for the script; the session must be gone */
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;
    const std::string &path() const
    {
        return path_;
    }

  private:
    TempDir dir_;
    std::string path_;
    int listener_;
    std::thread thread_;
};

struct Client {
    std::string allowed; /* empty: the default */
    std::string x509_ca, x509_also, x509_crl;
    std::string fingerprint;                       /* 32 bytes, or empty */
    bool certified_before = false, trusts = false; /* trusts: any key that it is asked about */
    std::string host = "localhost";
    std::string user = "someone", password = "s3cret";
    early_plan early = {}; /* what is said before the server asks */
    size_t hold = 0;       /* nothing is read before so many bytes have come */
};

struct Outcome {
    bool ok = false;
    std::string why, way; /* the reason it failed; the name of the security type */
    int asked = 0;        /* for a password */
    security_channel channel = CHANNEL_CLEAR; /* the password would have gone over it */
    bool served = false;                      /* the script came to its end */
    failure kind = FAILURE_NONE;              /* of a handshake that failed */
    std::string sha256, brief;                /* of the key that was asked about; empty: none was */
    bool handshake_only = false;
    int certified = 0;  /* so often a certificate or key was said to be accepted */
    std::string beside; /* the way that would be better than VeNCrypt; empty: none */
    bool keyed = false; /* the stream tells the key that the server has proved */
    bool surprised = false, hello_lost = false, ahead = false; /* as in struct server_init */
};

/* Plays the script to one client and tells what the client made of it. */
Outcome play(const Client &client, const std::function<void(Peer &)> &script);

} // namespace peer
