/* A socket of a test, plain or inside TLS: what is written on it is the same. */
#pragma once

#include <gnutls/gnutls.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>

/* Takes the socket. */
class Wire
{
  public:
    explicit Wire(int fd = -1) : fd_(fd) {}
    ~Wire()
    {
        hang_up();
    }
    Wire(const Wire &) = delete;
    Wire &operator=(const Wire &) = delete;

    int fd() const
    {
        return fd_;
    }
    gnutls_session_t tls() const /* for what only TLS can say; NULL: none */
    {
        return tls_;
    }
    /* Without a farewell of TLS. */
    void hang_up()
    {
        if (tls_)
            gnutls_deinit(tls_);
        if (serves_)
            gnutls_anon_free_server_credentials(serves_);
        if (joins_)
            gnutls_anon_free_client_credentials(joins_);
        if (takes_)
            gnutls_certificate_free_credentials(takes_);
        if (fd_ >= 0)
            close(fd_);
        tls_ = nullptr, serves_ = nullptr, joins_ = nullptr, takes_ = nullptr, fd_ = -1;
    }

    /* As a server: with this certificate, or (nullptr) anonymous. Then shake(). False: the priority
     * is none. */
    bool serve_tls(gnutls_certificate_credentials_t shown, const char *priority)
    {
        if (!begin(GNUTLS_SERVER, priority))
            return false;
        if (shown)
            return gnutls_credentials_set(tls_, GNUTLS_CRD_CERTIFICATE, shown) == 0;
        return gnutls_anon_allocate_server_credentials(&serves_) == 0 &&
               gnutls_credentials_set(tls_, GNUTLS_CRD_ANON, serves_) == 0;
    }
    /* As a client: with whichever certificate is shown, or anonymous. */
    bool join_tls(bool certificate, const char *priority)
    {
        if (!begin(GNUTLS_CLIENT, priority))
            return false;
        if (certificate)
            return gnutls_certificate_allocate_credentials(&takes_) == 0 &&
                   gnutls_credentials_set(tls_, GNUTLS_CRD_CERTIFICATE, takes_) == 0;
        return gnutls_anon_allocate_client_credentials(&joins_) == 0 &&
               gnutls_credentials_set(tls_, GNUTLS_CRD_ANON, joins_) == 0;
    }
    /* The handshake. `wait`: until more has come, or may leave; false: it is given up. */
    bool shake(const std::function<bool()> &wait = [] { return false; })
    {
        int result;
        do
            result = gnutls_handshake(tls_);
        while (result < 0 && !gnutls_error_is_fatal(result) &&
               (result != GNUTLS_E_AGAIN || wait()));
        return result == 0;
    }

    /* As recv() and send() without flags. Other faults of TLS are EPROTO. */
    ssize_t read(void *out, size_t size)
    {
        if (!tls_)
            return recv(fd_, out, size, 0);
        ssize_t n;
        do
            n = gnutls_record_recv(tls_, out, size);
        while (n == GNUTLS_E_INTERRUPTED || n == GNUTLS_E_WARNING_ALERT_RECEIVED);
        return failed(n);
    }
    ssize_t write(const void *bytes, size_t size)
    {
        if (!tls_)
            return send(fd_, bytes, size, MSG_NOSIGNAL);
        return failed(gnutls_record_send(tls_, bytes, size));
    }
    /* Until it fails, or nothing is taken now. Returns how much was taken. */
    size_t write_all(const std::string &bytes)
    {
        size_t done = 0; /* a record has 16 KiB at most */
        for (ssize_t n = 1; done < bytes.size() && n > 0; done += n > 0 ? n : 0)
            n = write(bytes.data() + done, bytes.size() - done);
        return done;
    }
    /* Until so much has come; less at the end. */
    std::string read_all(size_t size)
    {
        std::string out(size, '\0');
        size_t done = 0;
        for (ssize_t n = 1; done < size && n > 0; done += n > 0 ? n : 0)
            n = read(&out[done], size - done);
        out.resize(done);
        return out;
    }
    /* As they are, also inside TLS. */
    bool write_below(const std::string &bytes)
    {
        return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(bytes.size());
    }
    /* Nothing more comes. */
    void end()
    {
        if (tls_)
            gnutls_bye(tls_, GNUTLS_SHUT_WR);
        shutdown(fd_, SHUT_WR);
    }

  private:
    bool begin(unsigned role, const char *priority)
    {
        if (gnutls_init(&tls_, role | GNUTLS_NO_SIGNAL) != 0 ||
            gnutls_priority_set_direct(tls_, priority, nullptr) != 0)
            return false;
        gnutls_handshake_set_timeout(tls_, 0);
        gnutls_transport_set_int(tls_, fd_);
        return true;
    }
    static ssize_t failed(ssize_t n)
    {
        if (n >= 0)
            return n;
        errno = n == GNUTLS_E_AGAIN ? EAGAIN : n == GNUTLS_E_INTERRUPTED ? EINTR : EPROTO;
        return -1;
    }

    int fd_;
    gnutls_session_t tls_ = nullptr;
    gnutls_anon_server_credentials_t serves_ = nullptr;
    gnutls_anon_client_credentials_t joins_ = nullptr;
    gnutls_certificate_credentials_t takes_ = nullptr;
};
