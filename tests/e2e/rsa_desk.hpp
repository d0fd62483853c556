/* A server with RSA-AES that lets in and shows one picture, as a script of tests/rfb_peer.hpp. */
#pragma once

#include "tests/rsa_peer.hpp"

namespace e2e
{

/* With its NUL the password fills a wide register: what saves registers on the stack saves all of
 * it. */
const std::string RSA_USER = "somebody", RSA_PASSWORD = "fifteen s3crets";

/* Lets in who knows the password, by this type. */
inline std::function<void(peer::Peer &)> rsa_desk(unsigned type, const peer::RsaKey &key,
                                                  bool wants_user)
{
    return [=, &key](peer::Peer &p) {
        p.write("RFB 003.008\n");
        p.read(12);
        p.write(std::string("\1") + static_cast<char>(type));
        p.read(1);
        peer::RsaServer s(p, key, type >= 129);
        s.enter(wants_user);
        const bool all = type == 5 || type == 129;
        const bool right = s.password == RSA_PASSWORD && s.user == (wants_user ? RSA_USER : "");
        auto write = [&](const std::string &bytes) { all ? s.write(bytes) : p.write(bytes); };
        auto read = [&](size_t size) { return all ? s.read(size) : p.read(size); };
        write(std::string(3, '\0') + (right ? '\0' : '\1'));
        read(1);
        write(
            std::string("\0\x40\0\x30 \x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0\0\0\0\4name", 28));
        read(20); /* SetPixelFormat */
        std::string encodings = read(4);
        read(4u * static_cast<unsigned char>(encodings[3]) + 10); /* and the first request */
        write(std::string("\0\0\0\1\0\0\0\0\0\x40\0\x30\0\0\0\0", 16));
        write(std::string(64 * 48 * 4, '\x55'));
        p.read_rest();
    };
}

} // namespace e2e
