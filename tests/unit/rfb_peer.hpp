/* The server's end of a handshake, played by a test over a socket pair: plain or inside real TLS.
 */
#pragma once

#include <gnutls/gnutls.h>

#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>

namespace peer
{

/* A self-signed certificate and its key. The PEM file is what --x509-ca would name. */
class Certificate
{
  public:
    /* Valid from `from` to `to`, in seconds from now. */
    explicit Certificate(const std::string &host, time_t from = -3600, time_t to = 3600);
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

  private:
    gnutls_certificate_credentials_t credentials_ = nullptr;
    std::string file_;
};

/* Thrown when the client goes away. */
struct Gone : std::runtime_error {
    Gone() : std::runtime_error("the client has gone") {}
};

class Peer
{
  public:
    explicit Peer(int fd) : fd_(fd) {}
    ~Peer();
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void write(const std::string &bytes);
    std::string read(size_t size);
    std::string read_rest();                        /* until the client closes */
    void start_tls(const Certificate *certificate); /* nullptr: anonymous */

  private:
    int fd_;
    gnutls_session_t session_ = nullptr;
    gnutls_anon_server_credentials_t anonymous_ = nullptr;
};

struct Client {
    std::string allowed; /* empty: the default */
    std::string x509_ca;
    std::string host = "localhost";
    std::string user = "someone", password = "s3cret";
};

struct Outcome {
    bool ok = false;
    std::string why, way; /* the reason it failed; the name of the security type */
    int asked = 0;        /* for a password */
    bool served = false;  /* the script came to its end */
};

/* Plays the script to one client and tells what the client made of it. */
Outcome play(const Client &client, const std::function<void(Peer &)> &script);

} // namespace peer
