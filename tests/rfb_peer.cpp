#include "tests/rfb_peer.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "rfb/net/sockets/socket.h"
#include "rfb/net/stream.h"
#include "rfb/net/transport.h"
#include "rfb/proto/handshake/handshake.h"

namespace peer
{

namespace
{

void must(int result)
{
    if (result < 0)
        throw std::runtime_error(gnutls_strerror(result));
}

/* The first certificate in a PEM file that has a key of the same kind as ours. */
gnutls_x509_crt_t first_in(const std::string &file)
{
    gnutls_x509_crt_t *list, found = nullptr;
    gnutls_datum_t pem;
    unsigned count;

    must(gnutls_load_file(file.c_str(), &pem));
    must(gnutls_x509_crt_list_import2(&list, &count, &pem, GNUTLS_X509_FMT_PEM, 0));
    gnutls_free(pem.data);
    for (unsigned i = 0; i < count; i++)
        if (!found && gnutls_x509_crt_get_pk_algorithm(list[i], nullptr) == GNUTLS_PK_ECDSA)
            found = list[i];
        else
            gnutls_x509_crt_deinit(list[i]);
    gnutls_free(list);
    if (!found)
        throw std::runtime_error("no such certificate in " + file);
    return found;
}

} // namespace

Certificate::Certificate(const Made &made)
{
    gnutls_datum_t pem;
    time_t now = time(nullptr);
    const std::string &name = made.name.empty() ? made.hosts.front() : made.name;

    must(gnutls_x509_privkey_init(&key_));
    must(gnutls_x509_privkey_generate(key_, GNUTLS_PK_ECDSA,
                                      GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0));
    must(gnutls_x509_crt_init(&crt_));
    must(gnutls_x509_crt_set_version(crt_, 3));
    must(gnutls_x509_crt_set_serial(crt_, &made.serial, 1));
    must(gnutls_x509_crt_set_activation_time(crt_, now + made.from));
    must(gnutls_x509_crt_set_expiration_time(crt_, now + made.to));
    if (!made.nameless)
        must(gnutls_x509_crt_set_dn_by_oid(crt_, GNUTLS_OID_X520_COMMON_NAME, 0, name.data(),
                                           static_cast<unsigned>(name.size())));
    for (const std::string &host : made.hosts) {
        unsigned char address[4];
        bool number = inet_pton(AF_INET, host.c_str(), address) == 1;
        must(gnutls_x509_crt_set_subject_alt_name(
            crt_, number ? GNUTLS_SAN_IPADDRESS : GNUTLS_SAN_DNSNAME,
            number ? static_cast<const void *>(address) : host.data(),
            number ? sizeof address : static_cast<unsigned>(host.size()), GNUTLS_FSAN_APPEND));
    }
    must(gnutls_x509_crt_set_basic_constraints(crt_, 1, -1));
    must(gnutls_x509_crt_set_key(crt_, key_));
    gnutls_x509_crt_t forged = made.forged.empty() ? nullptr : first_in(made.forged);
    must(gnutls_x509_crt_sign2(crt_,
                               forged    ? forged
                               : made.by ? made.by->crt_
                                         : crt_,
                               made.by ? made.by->key_ : key_, made.digest, 0));
    if (forged)
        gnutls_x509_crt_deinit(forged);
    must(gnutls_x509_crt_export2(crt_, GNUTLS_X509_FMT_PEM, &pem));

    file_ = dir_.write("cert.pem", std::string(reinterpret_cast<char *>(pem.data), pem.size));
    gnutls_free(pem.data);
    must(gnutls_certificate_allocate_credentials(&credentials_));
    must(gnutls_certificate_set_x509_key(credentials_, &crt_, 1, key_));
    unsigned char digest[32];
    size_t size = sizeof digest;
    must(gnutls_x509_crt_get_fingerprint(crt_, GNUTLS_DIG_SHA256, digest, &size));
    fingerprint_.assign(digest, digest + size);
}

std::string Certificate::der() const
{
    gnutls_datum_t der;

    must(gnutls_x509_crt_export2(crt_, GNUTLS_X509_FMT_DER, &der));
    std::string bytes(reinterpret_cast<char *>(der.data), der.size);
    gnutls_free(der.data);
    return bytes;
}

std::string Certificate::revoke(const Certificate &other, long from_s, long until_s) const
{
    time_t now = time(nullptr);
    gnutls_x509_crl_t list;
    gnutls_datum_t pem;

    must(gnutls_x509_crl_init(&list));
    must(gnutls_x509_crl_set_version(list, 2));
    must(gnutls_x509_crl_set_this_update(list, now + from_s));
    must(gnutls_x509_crl_set_next_update(list, now + until_s));
    must(gnutls_x509_crl_set_crt(list, other.crt_, now - 60));
    must(gnutls_x509_crl_sign2(list, crt_, key_, GNUTLS_DIG_SHA256, 0));
    must(gnutls_x509_crl_export2(list, GNUTLS_X509_FMT_PEM, &pem));
    std::string text(reinterpret_cast<char *>(pem.data), pem.size);
    gnutls_free(pem.data);
    gnutls_x509_crl_deinit(list);
    return text;
}

Certificate::~Certificate()
{
    gnutls_certificate_free_credentials(credentials_);
    gnutls_x509_crt_deinit(crt_);
    gnutls_x509_privkey_deinit(key_);
}

void Peer::write_below(const std::string &bytes)
{
    if (!wire_.write_below(bytes))
        throw Gone();
}

void Peer::write(const std::string &bytes)
{
    if (wire_.write_all(bytes) != bytes.size())
        throw Gone();
}

std::string Peer::read(size_t size)
{
    std::string out = wire_.read_all(size);
    if (out.size() != size)
        throw Gone();
    return out;
}

std::string Peer::read_rest()
{
    std::string out;
    try {
        for (;;)
            out += read(1);
    } catch (const Gone &) {
    }
    return out;
}

std::string Peer::read_below()
{
    std::string out(65536, '\0');
    ssize_t n = recv(wire_.fd(), &out[0], out.size(), MSG_DONTWAIT);
    return out.substr(0, n > 0 ? static_cast<size_t>(n) : 0);
}

void Peer::ask_to_begin_anew(const Certificate *certificate)
{
    must(gnutls_credentials_set(tls(), GNUTLS_CRD_CERTIFICATE, certificate->credentials()));
    must(gnutls_rehandshake(tls()));
}

size_t Peer::offer_vencrypt(uint32_t subtype)
{
    const std::string version = "RFB 003.008\n", type = "\x01\x13", latest("\0\2", 2);
    std::string list("\0\1", 2), accepted = "\x01";
    for (int shift = 24; shift >= 0; shift -= 8)
        list += static_cast<char>(subtype >> shift & 255);
    write(version);
    read(12);
    write(type);
    read(1);
    write(latest);
    read(2);
    write(list);
    read(4);
    write(accepted);
    return version.size() + type.size() + latest.size() + list.size() + accepted.size();
}

void Peer::start_tls(const Certificate *certificate, const char *priority)
{
    if (!wire_.serve_tls(certificate ? certificate->credentials() : nullptr, priority))
        throw std::runtime_error("cannot set up TLS");
    if (!wire_.shake())
        throw Gone();
}

Server::Server(const std::function<void(Peer &)> &script)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path_ = dir_.file("socket");
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
        listen(listener_, 1) != 0)
        throw std::runtime_error("cannot listen on " + path_);
    thread_ = std::thread([this, script] {
        int fd = accept(listener_, nullptr, nullptr);
        if (fd < 0)
            return;
        Peer peer(fd);
        try {
            script(peer);
        } catch (const Gone &) {
        }
    });
}

Server::~Server()
{
    shutdown(listener_, SHUT_RDWR); /* nobody may have come */
    thread_.join();
    close(listener_);
}

namespace
{

struct Asked {
    const Client *client;
    int times;
    security_channel channel;
    Outcome *out;
};

bool trust(void *user, const key_doubt *doubt, struct reason *)
{
    auto asked = static_cast<Asked *>(user);
    asked->out->sha256.assign(doubt->sha256, doubt->sha256 + FINGERPRINT_BYTES);
    asked->out->brief = doubt->brief;
    asked->out->handshake_only = doubt->handshake_only;
    return asked->client->trusts;
}

void certified(void *user)
{
    static_cast<Asked *>(user)->out->certified++;
}

bool credentials(void *user, bool want_user, const struct security *way, char **name,
                 char **password, struct reason *)
{
    auto asked = static_cast<Asked *>(user);
    asked->times++;
    asked->channel = way->channel;
    if (want_user)
        *name = strdup(asked->client->user.c_str());
    *password = strdup(asked->client->password.c_str());
    return true;
}

/* A socket whose first bytes arrive late. */
struct Held {
    layer base;
    size_t hold;
};

ssize_t held_read(struct transport *t, void *out, size_t size)
{
    auto h = reinterpret_cast<Held *>(t);
    while (h->hold > 0 && layer_waiting(t) < static_cast<int>(h->hold))
        std::this_thread::yield();
    h->hold = 0;
    return h->base.below->ops->read(h->base.below, out, size);
}

ssize_t held_write(struct transport *t, const struct iovec *parts, int count)
{
    return layer_below(t)->ops->write(layer_below(t), parts, count);
}

void held_destroy(struct transport *t)
{
    layer_below(t)->ops->destroy(layer_below(t));
}

transport_ops held_ops()
{
    transport_ops ops = {};
    ops.read = held_read;
    ops.write = held_write;
    ops.wait = layer_wait;
    ops.waiting = layer_waiting;
    ops.unsent = layer_unsent;
    ops.info = layer_info;
    ops.window = layer_window;
    ops.set_window = layer_set_window;
    ops.explain = layer_explain;
    ops.cut = layer_cut;
    ops.destroy = held_destroy;
    return ops;
}

} // namespace

Outcome play(const Client &client, const std::function<void(Peer &)> &script)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("socketpair");

    Outcome out;
    std::thread server([&] {
        Peer peer(ends[1]);
        try {
            script(peer);
            out.served = true;
        } catch (const Gone &) {
        }
    });

    Asked asked = {&client, 0, CHANNEL_CLEAR, &out};
    struct handshake_options o = {};
    struct reason why = {};
    struct server_init init = {};
    o.security.allowed = security_default();
    if (!client.allowed.empty() &&
        !security_parse(&o.security.allowed, client.allowed.c_str(), &why))
        throw std::runtime_error(why.text);
    if (!client.x509_ca.empty()) { /* as a session does it */
        o.security.allowed = security_with_certificate(o.security.allowed);
        o.security.tls.ca_file = client.x509_ca.c_str();
    }
    if (!client.fingerprint.empty() || client.certified_before)
        o.security.allowed = security_with_key(o.security.allowed);
    if (!client.fingerprint.empty())
        o.security.tls.fingerprint = reinterpret_cast<const uint8_t *>(client.fingerprint.data());
    o.security.tls.also_file = client.x509_also.empty() ? nullptr : client.x509_also.c_str();
    o.security.tls.crl_file = client.x509_crl.empty() ? nullptr : client.x509_crl.c_str();
    o.security.certified_before = client.certified_before;
    o.security.tls.host = client.host.c_str();
    o.security.tls.trust = client.trusts ? trust : nullptr;
    o.security.tls.user = &asked;
    o.security.certified = certified;
    o.credentials = credentials;
    o.user = &asked;
    o.early = client.early;
    static const transport_ops ops = held_ops();
    Held held = {{{&ops}, socket_adopt(ends[0])}, client.hold};
    struct stream *stream = stream_create(&held.base.transport);
    out.ok = handshake(stream, &o, &init, &why);
    uint8_t sha256[FINGERPRINT_BYTES];
    out.keyed = stream_key(stream, sha256);
    stream_destroy(stream); /* the server must not wait for more */
    server.join();
    out.why = out.ok ? "" : why.text;
    out.way = init.security ? init.security->name : "";
    out.asked = asked.times;
    out.channel = asked.channel;
    out.kind = out.ok ? FAILURE_NONE : init.failure;
    out.surprised = init.surprised;
    out.hello_lost = init.hello_lost;
    out.beside = !out.ok && init.beside ? init.beside->name : "";
    out.ahead = init.ahead_at != TICK_NEVER;
    free(init.name);
    return out;
}

} // namespace peer
