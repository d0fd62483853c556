/* A person who is asked for passwords and about certificates, and servers that want them. */
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/session_owner.hpp"
#include "viewer/trust/credentials.h"

namespace peer
{

// Notes what it is asked, and answers when the test wants it to.
class Asker
{
  public:
    Asker()
    {
        asker_ = {ask, wait, cancel, this};
    }
    const struct asker *get() const
    {
        return &asker_;
    }
    bool open() const
    {
        return question_.has_value();
    }
    void type(const char *user, const char *password)
    {
        struct prompt_options q = close();
        q.done(q.owner, user ? strdup(user) : nullptr, password ? strdup(password) : nullptr);
    }
    // With the box of the question, which is there.
    void type(const char *password, bool keep)
    {
        REQUIRE(open());
        REQUIRE(question_->keep);
        question_->keep(question_->owner, keep);
        type(nullptr, password);
    }
    bool offers_to_keep() const
    {
        return open() && question_->keep;
    }
    bool keeps() const
    {
        return open() && question_->keeps;
    }
    void decide(enum decision decision)
    {
        struct prompt_options q = close();
        q.decided(q.owner, decision);
    }
    void decide(bool yes)
    {
        decide(yes ? DECISION_YES : DECISION_NO);
    }
    int asked = 0, withdrawn = 0;
    bool wants_user = false, wants_password = false, wants_decision = false, wants_sending = false;
    std::string host, refused, user, notice, waits_for;

  private:
    struct prompt_options close()
    {
        REQUIRE(open());
        struct prompt_options q = *question_;
        question_.reset();
        return q;
    }
    static std::string text(const char *t)
    {
        return t ? t : "";
    }
    static void ask(void *self, const struct asker_question *q)
    {
        auto a = static_cast<Asker *>(self);
        CHECK_FALSE(a->open());
        a->question_ = q->prompt;
        a->asked++;
        a->wants_user = q->prompt.user;
        a->wants_password = q->prompt.password;
        a->wants_decision = q->session->kind == QUESTION_TRUST;
        a->wants_sending = q->prompt.question && !a->wants_decision;
        a->host = q->session->host;
        a->refused = text(q->refused);
        a->user = text(q->user);
        a->notice = text(q->prompt.notice);
    }
    static void wait(void *self, const char *what)
    {
        static_cast<Asker *>(self)->waits_for = text(what);
    }
    static void cancel(void *self)
    {
        auto a = static_cast<Asker *>(self);
        a->withdrawn += a->open();
        a->question_.reset();
    }
    struct asker asker_ = {};
    std::optional<struct prompt_options> question_;
};

// Whose data folder is empty, and whose environment names no password.
class Person
{
  public:
    Person()
    {
        setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
        unsetenv("VNC_PASSWORD");
        unsetenv("VNC_USERNAME");
        credentials = {};
        begin({});
    }
    ~Person()
    {
        credentials_deinit(&credentials);
        unsetenv("XDG_DATA_HOME");
        unsetenv("VNC_PASSWORD");
        unsetenv("VNC_USERNAME");
    }
    // A run of the program, with these options.
    void begin(const struct credentials_options &o)
    {
        struct reason why = {};
        credentials_deinit(&credentials);
        REQUIRE(credentials_init(&credentials, &o, &why));
        credentials_set_asker(&credentials, asker.get());
    }
    // A file of vncpasswd; the password is of eight zero bytes that were obfuscated.
    std::string password_file() const
    {
        const std::string file = folder_.write("passwd", std::string(8, '\x11'));
        std::filesystem::permissions(file, std::filesystem::perms(0600));
        return file;
    }
    // The session's next event is a question, which is put to the person.
    void hear(Owner &owner, const char *gateway = nullptr)
    {
        struct session_question q = owner.question();
        if (gateway) {
            q.way = WAY_SSH;
            strcpy(q.gateway, gateway);
        }
        credentials_answer(&credentials, owner, &q);
    }
    // Every server that is reached so has the same address.
    struct session_options same_address(const Server &server) const
    {
        const std::string link = folder_.file("server");
        struct session_options o = {};
        std::filesystem::remove(link);
        std::filesystem::create_symlink(server.path(), link);
        strcpy(o.address.path, link.c_str());
        return o;
    }
    Asker asker;
    struct credentials credentials;

  private:
    TempDir folder_;
};

// Asks for a password, and finds every answer `right`, or wrong.
inline void ask_password(Peer &p, bool right)
{
    greet(p);
    p.write(bytes({1, SECURITY_VNC}));
    p.read(1);
    p.write("sixteen bytes ok");
    p.read(16);
    if (right)
        let_in(p);
    else
        p.write(bytes({0, 0, 0, 1, 0, 0, 0, 2}) + "no");
    p.read_rest();
}

inline void show_certificate(Peer &p, const Certificate &certificate)
{
    ask_inside(p, VENCRYPT_X509_NONE, &certificate);
    let_in(p);
    p.read_rest();
}

inline void ask_password_inside(Peer &p, unsigned subtype, const Certificate *certificate)
{
    ask_inside(p, subtype, certificate);
    p.write("sixteen bytes ok");
    p.read(16);
}

// What the server got: "USER PASSWORD". Empty: nothing.
struct Got {
    std::string text;
};

inline void ask_name_inside(Peer &p, Got &got)
{
    ask_inside(p, VENCRYPT_TLS_PLAIN, nullptr);
    std::string sizes = p.read(8);
    if (sizes.size() < 8)
        return;
    std::string name = p.read(static_cast<unsigned char>(sizes[3]));
    got.text = name + " " + p.read(static_cast<unsigned char>(sizes[7]));
    let_in(p);
    p.read_rest();
}

} // namespace peer
