/* What is chosen in the start window, read as if it had been typed (options_choose()), and the
 * profiles to choose from. */
#include "tests/catch.hpp"

#include <cstdlib>

#include "parsed.hpp"
#include "viewer/options/files/profiles.h"
#include "viewer/options/way.h"

namespace
{

/* The program was started with these words; then this is chosen. */
struct Chosen {
    std::vector<std::string> words; /* the options point into them */
    options base{}, o{};
    bool ok = false;
    std::string why;

    Chosen(std::vector<std::string> typed_words, options_choice choice, const OptionFolder *folder)
        : words(std::move(typed_words))
    {
        std::vector<char *> argv = {const_cast<char *>("vnchl")};
        reason r = {};

        setenv("XDG_CONFIG_HOME", folder ? folder->path().c_str() : "/no/such/folder", 1);
        for (std::string &w : words)
            argv.push_back(w.data());
        const int argc = static_cast<int>(argv.size());
        REQUIRE(options_parse(&base, argc, argv.data(), &r) == OPTIONS_RUN);
        ok = options_choose(&o, &base, argc, argv.data(), &choice, &r);
        why = ok ? "" : r.text;
    }
    ~Chosen()
    {
        options_deinit(&o);
        options_deinit(&base);
    }
    Chosen(const Chosen &) = delete;
    Chosen &operator=(const Chosen &) = delete;

    bool refused(const std::string &part) const
    {
        return !ok && why.find(part) != std::string::npos;
    }
};

options_choice typed(const char *text)
{
    return {text, nullptr, false, false, true, false, nullptr};
}

/* Of a server that was reached so. */
options_choice card(const char *address, const char *way)
{
    return {address, nullptr, false, false, true, false, way};
}

/* The way that counts in the end. */
std::string way_of(const Chosen &c)
{
    char way[WAY_TEXT_MAX];

    INFO(c.why);
    CHECK(c.ok);
    way_text(&c.o.route, way);
    return way;
}

} // namespace

TEST_CASE("choice: a server that was reached straight is, whatever way was typed")
{
    OptionFolder f;
    const std::vector<std::vector<std::string>> ways = {{"--ssh", "desk", ":94"},
                                                        {"--via", "gate", "first:3"},
                                                        {"--repeater", "relay", "first:3"},
                                                        {"--listen", "127.0.0.1::6250"}};
    for (const std::vector<std::string> &words : ways) {
        INFO(words[0]);
        Chosen c(words, card("localhost::6310", ""), nullptr);
        CHECK(way_of(c).empty());
        CHECK_FALSE(c.o.route.listen);
        CHECK(c.o.address.port == 6310);
    }
    f.profile("defaults", "via = gate\n");
    CHECK(way_of(Chosen({}, card("host:1", ""), &f)).empty());
    CHECK(way_of(Chosen({}, typed("host:1"), &f)) == "via=gate");
    f.profile("far", "server = :7\nssh = desk\n");
    f.profile("defaults", "");
    CHECK(way_of(Chosen({"--profile", "far"}, card("host:1", ""), &f)).empty());
}

TEST_CASE("choice: a server is reached by the way that it was reached by")
{
    OptionFolder f;
    f.profile("far", "server = far:7\n");
    Chosen via({"--ssh", "desk"}, card("host:1", "via=me@gate:2222"), nullptr),
        own({"--profile", "far"}, card("", "ssh=me@desk"), &f);
    CHECK(way_of(via) == "via=me@gate:2222");
    CHECK(std::string(via.o.address.host) == "host");
    CHECK(way_of(own) == "ssh=me@desk");
    CHECK(own.o.address.port == 0);
    CHECK(std::string(own.o.address.host) != "far");
    for (const char *wrong : {"play=x", "via=", "via=-x", "ssh", "quality=3"})
        CHECK(Chosen({}, card("host:1", wrong), nullptr).refused("no way"));
}

TEST_CASE("choice: a typed way does not lead to the server of a profile")
{
    OptionFolder f;
    f.profile("office", "server = office:1\npasswd-file = secret\n");
    f.profile("far", "server = office:1\nvia = gate\n");
    f.profile("plain", "quality = 3\n");
    const std::vector<std::string> words = {"--ssh", "desk", ":94"};
    CHECK(way_of(Chosen(words, {"", "office", false, false, true, false, nullptr}, &f)).empty());
    CHECK(way_of(Chosen(words, {"", "far", false, false, true, false, nullptr}, &f)) == "via=gate");
    CHECK(way_of(Chosen(words, {":95", "plain", false, false, true, false, nullptr}, &f)) ==
          "ssh=desk");
    f.profile("defaults", "via = usual\n"); /* which it was saved with, and counts for all */
    CHECK(way_of(Chosen({}, {"", "office", false, false, true, false, nullptr}, &f)) ==
          "via=usual");
}

TEST_CASE("choice: a password file goes to its server only by the way that it was typed with")
{
    OptionFolder f;
    const std::string secret = f.write("secret", "12345678");
    const std::vector<std::string> words = {"--passwd-file", secret, "--via", "gate", "first:3"};
    Chosen straight(words, card("first:3", ""), nullptr),
        same(words, card("first:3", "via=gate"), nullptr);
    CHECK(way_of(straight).empty());
    CHECK(straight.o.passwd_file == nullptr);
    CHECK(way_of(same) == "via=gate");
    CHECK(same.o.passwd_file == secret);
    CHECK(same.o.typed.passwd_file);
}

TEST_CASE("choice: nobody waits for a server any more when one is named, unless a profile does")
{
    OptionFolder f;
    f.profile("waits", "listen\n");
    Chosen after({"--listen", "127.0.0.1::6250"}, typed("host:1"), &f);
    CHECK(way_of(after).empty());
    CHECK_FALSE(after.o.route.listen);
    CHECK(std::string(after.o.address.host) == "host");
    Chosen waits({}, {"", "waits", false, false, true, false, nullptr}, &f);
    INFO(waits.why);
    REQUIRE(waits.ok);
    CHECK(waits.o.route.listen);
}

TEST_CASE("choice: what the network announces counts as what a link names")
{
    OptionFolder f;
    const std::string file = f.write("passwd", "12345678");
    options_choice near = typed("host:71"), far = near;
    near.nearby = true;
    Chosen a({"--passwd-file", file}, near, nullptr), b({"--passwd-file", file}, far, nullptr);
    REQUIRE(a.ok);
    CHECK(a.o.asked);
    CHECK_FALSE(a.o.typed.passwd_file);
    CHECK_FALSE(b.o.asked);
    CHECK(b.o.typed.passwd_file);
}

TEST_CASE("choice: several servers are chosen, and stay as they are")
{
    Chosen typed_there({}, typed("a, b:1"), nullptr), again({"a", "b:1"}, typed("a, b:1"), nullptr);
    CHECK(typed_there.ok);
    CHECK(typed_there.o.candidates.count == 2);
    CHECK(again.ok);
    CHECK(again.o.candidates.count == 2);
    CHECK(Chosen({"a", "b"}, typed("c"), nullptr).o.candidates.count == 0);
    CHECK(Chosen({"a", "b"}, typed("a,"), nullptr).refused("between commas"));
}

TEST_CASE("choice: blanks around an address do not count")
{
    for (const char *text : {"host:71 ", " \thost:71", "  vnc://host:5971\n"}) {
        INFO(text);
        Chosen c({}, typed(text), nullptr);
        REQUIRE(c.ok);
        CHECK(std::string(c.o.address.host) == "host");
        CHECK(c.o.address.port == 5971);
    }
    CHECK(Chosen({}, typed("ho st:71"), nullptr).refused("a space in it"));
    CHECK(Chosen({}, typed(" "), nullptr).refused("empty address"));
}

TEST_CASE("choice: an address, with what was typed before it")
{
    Chosen c({"--quality", "3", "-via", "gate"}, typed("host:1"), nullptr);
    REQUIRE(c.ok);
    CHECK(std::string(c.o.address.host) == "host");
    CHECK(c.o.address.port == 5901);
    CHECK(c.o.encodings.quality == 3);
    CHECK(std::string(c.o.route.gateway.host) == "gate");
    CHECK_FALSE(c.o.start);
}

TEST_CASE("choice: in place of the server that was typed, and that one again")
{
    OptionFolder f;
    const std::string secret = f.write("secret", "12345678"),
                      file = f.write("desk.tigervnc", "TigerVNC Configuration file Version 1.0\n"
                                                      "ServerName=first:3\nViewOnly=1\n");
    const std::vector<std::string> typed_words = {"--passwd-file", secret, "first:3",
                                                  "--quality=4"};

    Chosen other(typed_words, typed("other:1"), &f);
    INFO(other.why);
    REQUIRE(other.ok);
    CHECK(std::string(other.o.address.host) == "other");
    CHECK(other.o.encodings.quality == 4);
    CHECK(other.o.passwd_file == nullptr); /* it is the first server's */
    Chosen again(typed_words, typed("first:3"), &f);
    REQUIRE(again.ok);
    CHECK(std::string(again.o.address.host) == "first");
    CHECK(again.o.passwd_file == secret);
    Chosen unbound({"--passwd-file", secret}, typed("other:1"), &f);
    REQUIRE(unbound.ok);
    CHECK(unbound.o.passwd_file == secret);

    CHECK(unbound.o.typed.passwd_file);
    /* but for one of a link's or a file's choice it was not given */
    for (const std::string &asked : {std::string("vnc://other:5901"), file}) {
        Chosen link({"--passwd-file", secret}, typed(asked.c_str()), &f);
        INFO(link.why);
        REQUIRE(link.ok);
        CHECK(link.o.asked);
        CHECK_FALSE(link.o.typed.passwd_file);
    }
    /* where they stand side by side it was */
    Chosen beside({"--passwd-file", secret, file}, typed("first:3"), &f);
    REQUIRE(beside.ok);
    CHECK((beside.o.asked && beside.o.typed.passwd_file));

    /* of a file's server all counts that the file says, as long as it is that one */
    Chosen by_file({file}, {"first:3", nullptr, true, false, true, false, nullptr}, &f);
    REQUIRE(by_file.ok);
    CHECK((by_file.o.view_only && by_file.o.asked));
    Chosen ticked({file}, {"other:1", nullptr, true, false, true, false, nullptr}, &f);
    REQUIRE(ticked.ok);
    CHECK((ticked.o.view_only && !ticked.o.asked));
    Chosen unticked({file}, {"other:1", nullptr, false, false, true, false, nullptr}, &f);
    REQUIRE(unticked.ok);
    CHECK_FALSE(unticked.o.view_only);
}

TEST_CASE("choice: --keep of a server that ssh reaches is not in the way of another server")
{
    OptionFolder f;
    f.profile("far", "ssh = desk\n");
    f.profile("near", "server = host\n");
    Chosen near({"--profile", "far", "--keep", "1h"},
                {"", "near", false, false, true, false, nullptr}, &f);
    INFO(near.why);
    REQUIRE(near.ok);
    CHECK(std::string(near.o.address.host) == "host");
}

TEST_CASE("choice: an address never counts as an option")
{
    CHECK(Chosen({"--"}, typed("--headless"), nullptr).o.headless == false);
    CHECK(Chosen({}, typed("quality=3"), nullptr).o.encodings.quality == LEVEL_AUTO);
    CHECK(Chosen({}, typed("host:x"), nullptr).refused("host:x"));
}

TEST_CASE("choice: links and files are taken as on the command line")
{
    OptionFolder f;
    Chosen link({}, typed("vnc://host:5902?ViewOnly=1"), nullptr);
    REQUIRE(link.ok);
    CHECK(link.o.view_only);
    CHECK(link.o.address.port == 5902);
    CHECK(Chosen({}, typed("vnc://host?VncPassword=x"), nullptr).refused("VncPassword"));
    std::string file =
        f.write("desk.tigervnc", "TigerVNC Configuration file Version 1.0\nServerName=host:3\n"
                                 "ViewOnly=1\nCursorType=System\nNonsense=1\n");
    Chosen by_file({}, typed(file.c_str()), nullptr);
    REQUIRE(by_file.ok);
    CHECK(by_file.o.view_only);
    CHECK(std::string(by_file.o.notice.text).find("Nonsense") != std::string::npos);
    CHECK(Chosen({}, typed((f.path() + "/none.vnc").c_str()), nullptr).refused("no file"));
}

TEST_CASE("choice: only a box that was changed counts as typed")
{
    OptionFolder f;
    f.profile("desk", "server = host:2\nno-shared\nview-only\n");
    Chosen same({}, {nullptr, "desk", false, false, true, false, nullptr}, &f);
    REQUIRE(same.ok);
    CHECK((same.o.view_only && !same.o.shared && !same.o.full_screen));
    Chosen other({"--view-only"}, {"host", nullptr, false, true, false, false, nullptr}, &f);
    REQUIRE(other.ok);
    CHECK((!other.o.view_only && !other.o.shared && other.o.full_screen));
}

TEST_CASE("choice: a box that a profile has ticked counts for another profile, too")
{
    OptionFolder f;
    f.profile("seen", "view-only\n");
    f.profile("desk", "server = host:2\nview-only = off\n");
    const options_choice ticked = {"", "desk", true, false, true, false, nullptr},
                         unticked = {"", "desk", false, false, true, false, nullptr};
    Chosen other({"--profile", "seen"}, ticked, &f);
    INFO(other.why);
    REQUIRE(other.ok);
    CHECK(other.o.view_only);
    Chosen off({"--profile", "seen"}, unticked, &f);
    REQUIRE(off.ok);
    CHECK_FALSE(off.o.view_only);
    /* which the defaults have ticked is not: a profile counts more */
    f.profile("defaults", "view-only\n");
    Chosen defaults({}, ticked, &f);
    REQUIRE(defaults.ok);
    CHECK_FALSE(defaults.o.view_only);
}

TEST_CASE("choice: a profile")
{
    OptionFolder f;
    f.profile("desk", "server = host:2\n");
    f.profile("plain", "quality 4\n");
    f.profile("wrong", "nonsense\n");
    f.profile("logs", "server = host\nlog /tmp/x\n");
    Chosen desk({}, {"", "desk", false, false, true, false, nullptr}, &f);
    REQUIRE(desk.ok);
    CHECK(desk.o.address.port == 5902);
    Chosen plain({}, {"other:1", "plain", false, false, true, false, nullptr}, &f);
    REQUIRE(plain.ok);
    CHECK(plain.o.encodings.quality == 4);
    CHECK(std::string(plain.o.address.host) == "other");
    CHECK(Chosen({}, {"", "plain", false, false, true, false, nullptr}, &f)
              .refused("names no server"));
    CHECK(Chosen({}, {"", "wrong", false, false, true, false, nullptr}, &f).refused("nonsense"));
    CHECK(Chosen({}, {"", "logs", false, false, true, false, nullptr}, &f).refused("--log"));
    CHECK(Chosen({"--log", "/tmp/x"}, {"", "logs", false, false, true, false, nullptr}, &f).ok);
}

TEST_CASE("choice: the profiles there are")
{
    OptionFolder f;
    profiles p;

    setenv("XDG_CONFIG_HOME", f.path().c_str(), 1);
    profiles_load(&p);
    CHECK(p.count == 0);
    f.profile("defaults", "quality 3\n");
    f.profile("b", "server = host:2\n");
    f.profile("a", "# server = none\nquality 2\n");
    f.profile("c", "server = host:3\nVia = gate\n");
    f.profile("d", "--server host:4\n--via gate\n");
    f.write("vnchl/.hidden.conf", "");
    f.write("vnchl/.conf", "");
    f.write("vnchl/notes.txt", "server=x\n");
    f.write("vnchl/bad\nname.conf", "server=x\n");
    f.profile(std::string(70, 'x'), "server=x\n");
    profiles_load(&p);
    REQUIRE(p.count == 4);
    CHECK(std::string(p.profiles[0].name) == "a");
    CHECK(std::string(p.profiles[0].server).empty());
    CHECK(std::string(p.profiles[1].name) == "b");
    CHECK(std::string(p.profiles[1].server) == "host:2");
    CHECK(p.profiles[1].straight);
    CHECK(std::string(p.profiles[2].server) == "host:3");
    CHECK_FALSE(p.profiles[2].straight);
    CHECK(std::string(p.profiles[3].server) == "host:4");
    CHECK_FALSE(p.profiles[3].straight);
    for (int i = 0; i < 2 * PROFILES_MAX; i++)
        f.profile("many" + std::to_string(i), "");
    profiles_load(&p);
    CHECK(p.count == PROFILES_MAX);
}

TEST_CASE("choice: whether a mistake may be shown in a window")
{
    auto alert = [](std::vector<std::string> words) {
        std::vector<char *> argv = {const_cast<char *>("vnchl")};
        for (std::string &w : words)
            argv.push_back(w.data());
        return options_alert(static_cast<int>(argv.size()), argv.data());
    };
    OptionFolder f;

    setenv("XDG_CONFIG_HOME", "/no/such/folder", 1);
    CHECK(alert({}));
    CHECK(alert({"--nonsense", "--quality"}));
    CHECK_FALSE(alert({"--nonsense", "-AlertOnFatalError=0"}));
    CHECK_FALSE(alert({"--quality", "99", "alertonfatalerror=off", "host"}));
    CHECK_FALSE(alert({"--headless", "--nonsense"}));
    CHECK(alert({"--", "--headless"}));
    f.profile("defaults", "alert-on-fatal-error off\n");
    setenv("XDG_CONFIG_HOME", f.path().c_str(), 1);
    CHECK_FALSE(alert({"--nonsense"}));
    CHECK(alert({"--nonsense", "--alert-on-fatal-error"}));
}
