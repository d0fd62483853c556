/* RSA-AES with the program itself, whose session is confined. The server is ours: Debian 12
 * packages none that has these types. */
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/rsa_desk.hpp"
#include "tests/e2e/terminal.hpp"

using namespace e2e;

namespace
{

const std::string QUESTION = "Accept this key and remember it? (yes/no, or once: only this time): ";

/* A home, and a server that is always at the same address. */
struct Scene {
    TempDir home;
    Command headless(const peer::Server &server, std::vector<std::string> more = {}) const
    {
        const std::string link = home.file("server");
        std::filesystem::remove(link);
        std::filesystem::create_symlink(server.path(), link);
        more.insert(more.begin(), {"--headless", "--duration", "0.2", "--verbose"});
        more.push_back(link);
        Command c = vnchl(more);
        c.env["XDG_DATA_HOME"] = home.path();
        c.env["VNC_USERNAME"] = RSA_USER;
        c.env["VNC_PASSWORD"] = RSA_PASSWORD;
        return c;
    }
};

} // namespace

TEST_CASE("rsa: each type with the program itself, and a key that is named", "[rsa]")
{
    const peer::RsaKey key(2048);
    std::string fingerprint;
    char byte[4];
    for (unsigned char c : key.fingerprint()) {
        snprintf(byte, sizeof byte, "%02x", c);
        fingerprint += byte;
    }
    for (unsigned type : {5u, 129u})
        for (bool wants_user : {true, false}) {
            INFO("type " << type);
            Scene scene;
            peer::Server server(rsa_desk(type, key, wants_user));
            Finished f = run(scene.headless(server, {"--fingerprint", fingerprint}));
            INFO(f.err);
            CHECK(f.status == 0);
            CHECK(f.err.find("vnchl: connected to 'name'") != std::string::npos);
        }
}

TEST_CASE("rsa: the program asks about a key, remembers it, and refuses another", "[rsa]")
{
    const peer::RsaKey key(1024), other(1024);
    for (unsigned type : {129u, 130u}) {
        INFO("type " << type);
        Scene scene;
        { /* nobody is there to be asked */
            peer::Server server(rsa_desk(type, key, true));
            Finished f = run(scene.headless(server));
            INFO(f.err);
            CHECK(f.status == 1);
            CHECK(f.err.find("the server's key is not accepted: nobody vouches for it") !=
                  std::string::npos);
            CHECK((f.err.find("with --fingerprint") != std::string::npos) == (type == 129));
        }
        {
            peer::Server server(rsa_desk(type, key, true));
            Terminal terminal;
            Process p(terminal.on(scene.headless(server)));
            REQUIRE(terminal.asks(QUESTION));
            CHECK(terminal.shown().find(key.brief()) != std::string::npos);
            terminal.type("yes\n");
            REQUIRE(p.wait(PATIENCE) == 0);
        }
        {
            peer::Server server(rsa_desk(type, key, true));
            Finished f = run(scene.headless(server));
            INFO(f.err);
            CHECK(f.status == 0);
            CHECK(f.err.find("was accepted on") != std::string::npos);
        }
        peer::Server server(rsa_desk(type, other, true));
        Finished f = run(scene.headless(server));
        INFO(f.err);
        CHECK(f.status == 1);
        CHECK(f.err.find("HAS CHANGED") != std::string::npos);
    }
}
