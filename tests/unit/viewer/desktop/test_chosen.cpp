/* What was chosen in the start window and said in the form of options: for which connection it
 * counts (viewer/desktop/chosen.h). */
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/viewer/options/parsed.hpp"
#include "viewer/desktop/chosen.h"

namespace
{

/* The program was started with these words. */
struct Program {
    OptionFolder folder;
    TempDir state;
    std::vector<std::string> words;
    std::vector<char *> argv;
    options base{}, o{};
    chosen c{};
    form_source source{};
    option_form form{};
    std::string address, profile, why;

    explicit Program(std::vector<std::string> typed) : words(std::move(typed))
    {
        reason r = {};

        setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
        setenv("XDG_STATE_HOME", state.path().c_str(), 1);
        words.insert(words.begin(), "vnchl");
        for (std::string &w : words)
            argv.push_back(w.data());
        c.base = &base;
        c.argc = static_cast<int>(argv.size());
        c.argv = argv.data();
        source = chosen_form_source(&c);
        const options_result parsed = options_parse(&base, c.argc, c.argv, &r);
        INFO(r.text);
        REQUIRE(parsed == OPTIONS_RUN);
    }
    ~Program()
    {
        chosen_deinit(&c);
        options_deinit(&o);
        options_deinit(&base);
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    void fill(const ui_choice *choice)
    {
        const char *name = nullptr;

        address = source.fill(source.user, choice, &form, &name);
        profile = name ? name : "";
    }
    std::string value(const char *option)
    {
        const form_field *f = option_form_field(&form, option);
        REQUIRE(f);
        return f->value;
    }
    void set(const char *option, const std::string &text)
    {
        form_field *f = option_form_field(&form, option);
        REQUIRE(f);
        snprintf(f->value, sizeof f->value, "%s", text.c_str());
    }
    bool use(const ui_choice *choice)
    {
        reason r = {};
        const bool ok = source.use(source.user, choice, &form, &r);

        why = ok ? "" : r.text;
        return ok;
    }
    /* As the profile "other"; without a choice the form of the session that is up. */
    profile_saved save(char path[PATH_MAX], const ui_choice *choice = nullptr)
    {
        reason r = {};
        const profile_saved is = source.save(source.user, choice, &form, "other", false, path, &r);

        why = is == PROFILE_SAVED ? "" : r.text;
        return is;
    }
    std::string way() const
    {
        char out[WAY_TEXT_MAX];

        source.way(source.user, out);
        return out;
    }
    /* Of what was read. */
    std::string read_way() const
    {
        char out[WAY_TEXT_MAX];

        way_text(&o.route, out);
        return out;
    }
    /* Into `o`. */
    bool read(const ui_choice *choice)
    {
        reason r = {};

        options_deinit(&o);
        const bool ok = chosen_read(&c, choice, &o, &r);
        why = ok ? "" : r.text;
        return ok;
    }
    /* The connection is begun with what was read. */
    void take(const ui_choice *choice)
    {
        chosen_take(&c, choice, &o);
        o = options{};
    }
};

ui_choice to(const char *address, const char *profile = nullptr)
{
    return {address, profile, false, false, true, false, nullptr};
}

} // namespace

TEST_CASE("chosen: a profile whose lines do not go together is shown, and put right in the form")
{
    Program w({});
    const ui_choice desk = to("", "desk");

    w.folder.profile("desk", "server = host:1\nview-only = on\nclipboard = send\n");
    w.fill(&desk);
    CHECK(w.address == "host:1");
    CHECK(w.profile == "desk");
    CHECK(w.value("view-only") == "on");
    CHECK(w.value("clipboard") == "send");
    CHECK_FALSE(w.use(&desk));
    CHECK(w.why.find("--view-only") != std::string::npos);
    w.set("view-only", "off");
    const bool used = w.use(&desk), read = w.read(&desk);
    INFO(w.why);
    CHECK(used);
    REQUIRE(read);
    CHECK_FALSE(w.o.view_only);
    CHECK(w.o.send_clipboard);
    CHECK_FALSE(w.o.accept_clipboard);
}

TEST_CASE("chosen: what is said for a profile counts for that one alone")
{
    Program w({});
    const ui_choice desk = to("", "desk"), other = to("", "other"), typed = to("host:3");

    w.folder.profile("desk", "server = host:1\n");
    w.folder.profile("other", "server = host:2\n");
    w.fill(&desk);
    w.set("quality", "3");
    REQUIRE(w.use(&desk));
    REQUIRE(w.read(&desk));
    CHECK(w.o.encodings.quality == 3);
    for (const ui_choice *choice : {&other, &typed}) {
        REQUIRE(w.read(choice));
        CHECK(w.o.encodings.quality == LEVEL_AUTO);
    }
    w.source.forget(w.source.user);
    REQUIRE(w.read(&desk));
    CHECK(w.o.encodings.quality == LEVEL_AUTO);
}

TEST_CASE("chosen: what is said without a profile counts for what is begun next")
{
    Program w({});
    const ui_choice desk = to("", "desk"), typed = to("host:3");

    w.folder.profile("desk", "server = host:1\n");
    w.fill(&typed);
    CHECK(w.address == "host:3");
    CHECK(w.profile.empty());
    w.set("quality", "3");
    REQUIRE(w.use(&typed));
    for (const ui_choice *choice : {&desk, &typed}) {
        REQUIRE(w.read(choice));
        CHECK(w.o.encodings.quality == 3);
    }
}

TEST_CASE("chosen: the same server again is that of the command line, until another was chosen")
{
    Program w({"host:9"});
    ui_choice there = to("host:2");

    there.view_only = true;
    REQUIRE(w.read(nullptr));
    CHECK(w.o.address.port == 5909);
    w.fill(nullptr);
    CHECK(w.address == "host:9");
    REQUIRE(w.read(&there));
    w.take(&there);
    REQUIRE(w.read(nullptr));
    CHECK(w.o.address.port == 5902);
    CHECK(w.o.view_only);
    w.fill(nullptr);
    CHECK(w.address == "host:2");
    CHECK(w.value("view-only") == "on");
    w.set("view-only", "off"); /* of the session that is up */
    REQUIRE(w.use(nullptr));
    REQUIRE(w.read(nullptr));
    CHECK(w.o.address.port == 5902);
    CHECK_FALSE(w.o.view_only);
}

TEST_CASE("chosen: a server of the list has its own way, and the typed one stays for what is typed")
{
    Program w({"--ssh", "desk", ":94"});
    ui_choice card = to("host:2");
    const ui_choice typed = to(":3");

    card.way = "";
    CHECK(w.way() == "ssh=desk");
    REQUIRE(w.read(&typed));
    CHECK(w.read_way() == "ssh=desk");
    REQUIRE(w.read(&card));
    CHECK(w.read_way().empty());
    w.take(&card);
    REQUIRE(w.read(nullptr)); /* connected again */
    CHECK(w.read_way().empty());
    w.fill(nullptr);
    CHECK(w.value("ssh").empty());
    w.set("via", "gate"); /* of the session that is up */
    const bool used = w.use(nullptr);
    INFO(w.why);
    REQUIRE(used);
    REQUIRE(w.read(nullptr));
    CHECK(w.read_way() == "via=gate");
    CHECK(w.o.address.port == 5902);
    CHECK(w.way() == "ssh=desk");
    w.fill(nullptr);
    CHECK(w.value("via") == "gate");
    w.set("ssh", "desk");
    CHECK_FALSE(w.use(nullptr));
    CHECK(w.why.find("leave one of them out") != std::string::npos);
}

TEST_CASE("chosen: a way that is said in the start window is not for servers of the list")
{
    Program w({});
    ui_choice card = to("host:2");
    const ui_choice typed = to("host:3");

    card.way = "";
    CHECK(w.way().empty());
    w.fill(&typed);
    w.set("via", "gate");
    w.set("quality", "3");
    REQUIRE(w.use(&typed));
    CHECK(w.way() == "via=gate");
    REQUIRE(w.read(&card));
    CHECK(w.read_way().empty());
    CHECK(w.o.encodings.quality == 3);
    w.source.forget(w.source.user);
    CHECK(w.way().empty());
}

TEST_CASE("chosen: a way that is said for what is typed is not a profile's")
{
    Program w({});
    const ui_choice office = to("", "office"), typed = to("host:3");

    w.folder.profile("office", "server = localhost:1\nssh = desk\n");
    w.fill(&typed);
    w.set("via", "gate");
    REQUIRE(w.use(&typed));
    REQUIRE(w.read(&typed));
    CHECK(w.read_way() == "via=gate");
    REQUIRE(w.read(&office));
    CHECK(w.read_way() == "ssh=desk");
    w.fill(&office);
    CHECK(w.value("via").empty());
    CHECK(w.value("ssh") == "desk");
}

TEST_CASE("chosen: a typed password file does not follow its server to another way, or into a "
          "profile of another")
{
    Program w({"--passwd-file", "secret", "--via", "gate", "first:3"});
    ui_choice card = to("other:2");

    REQUIRE(w.read(nullptr));
    REQUIRE(w.o.passwd_file);
    w.fill(nullptr);
    w.set("via", "elsewhere");
    REQUIRE(w.use(nullptr));
    REQUIRE(w.read(nullptr));
    CHECK(w.read_way() == "via=elsewhere");
    CHECK_FALSE(w.o.passwd_file);

    card.way = "";
    w.source.forget(w.source.user);
    REQUIRE(w.read(&card));
    w.take(&card);
    w.fill(nullptr);
    char path[PATH_MAX];
    REQUIRE(w.save(path) == PROFILE_SAVED);
    std::ifstream in(path);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    CHECK(text.find("other:2") != std::string::npos);
    CHECK(text.find("secret") == std::string::npos);
}

TEST_CASE("chosen: what would go another way as a profile is not saved")
{
    Program w({});
    ui_choice card = to("other:2");

    card.way = "";
    w.folder.profile("defaults", "via = usual\n");
    REQUIRE(w.read(&card));
    CHECK(w.read_way().empty());
    w.take(&card);
    w.fill(nullptr);
    char path[PATH_MAX];
    CHECK(w.save(path) == PROFILE_FAILED);
    CHECK(w.why.find("--via stands in defaults.conf") != std::string::npos);
}

TEST_CASE("chosen: a server of ssh's machine stays reached by ssh")
{
    Program w({});
    ui_choice card = to("");

    card.way = "ssh=desk";
    REQUIRE(w.read(&card));
    w.take(&card);
    w.fill(nullptr);
    w.set("ssh", "");
    CHECK_FALSE(w.use(nullptr));
    CHECK(w.why.find("has no address") != std::string::npos);
    w.set("ssh", "other");
    CHECK(w.use(nullptr));
}

TEST_CASE("chosen: after --listen an address leads to a server")
{
    Program w({"--listen", "127.0.0.1::6250"});
    const ui_choice typed = to("host:3");

    REQUIRE(w.read(nullptr)); /* connected again: it waits again */
    CHECK(w.o.route.listen);
    CHECK(w.way().empty());
    REQUIRE(w.read(&typed));
    CHECK_FALSE(w.o.route.listen);
    CHECK(w.o.address.port == 5903);
    w.take(&typed);
    REQUIRE(w.read(nullptr));
    CHECK_FALSE(w.o.route.listen);
}

TEST_CASE("chosen: a way that is said in the form counts for a profile, in place of a typed one")
{
    Program w({"--ssh", "desk", ":94"});
    const ui_choice office = to("", "office");

    w.folder.profile("office", "server = office:1\n");
    w.fill(&office);
    CHECK(w.value("ssh").empty());
    w.set("via", "gate");
    const bool used = w.use(&office);
    INFO(w.why);
    REQUIRE(used);
    const bool read = w.read(&office);
    INFO(w.why);
    REQUIRE(read);
    CHECK(w.read_way() == "via=gate");
    CHECK(std::string(w.o.address.host) == "office");
    CHECK(w.way() == "ssh=desk");
}

TEST_CASE("chosen: the form of a profile gives it another server, or none")
{
    Program w({});
    char path[PATH_MAX];
    /* all lines of the copy but the first, which is a comment */
    const auto saved = [&](const std::string &lines, const char *address) {
        const ui_choice desk = to(address, "desk");

        w.folder.profile("desk", lines);
        w.fill(&desk);
        const profile_saved is = w.save(path, &desk);
        INFO(w.why);
        REQUIRE(is == PROFILE_SAVED);
        std::ifstream in(path);
        const std::string all(std::istreambuf_iterator<char>(in), {});
        return all.substr(all.find('\n') + 1);
    };

    SECTION("its own, as it stands there")
    {
        CHECK(saved("server = host:1\nquality = 3\n", nullptr) == "server = host:1\nquality = 3\n");
        CHECK(w.address == "host:1");
    }
    SECTION("none")
    {
        CHECK(saved("server = host:1\nquality = 3\n", "") == "quality = 3\n");
    }
    SECTION("where it had none, or a wrong one")
    {
        CHECK(saved("quality = 3\n", "far:2") == "server = far:2\nquality = 3\n");
        CHECK(w.address.empty());
        REQUIRE(remove(path) == 0);
        CHECK(saved("server = far:x\n", "far:2") == "server = far:2\n");
        CHECK(w.address == "far:x");
    }
    SECTION("its password file stays with its own alone")
    {
        const std::string lines = "server = host:1\npasswd-file = /secret\n";

        CHECK(saved(lines, nullptr) == lines);
        REQUIRE(remove(path) == 0);
        CHECK(saved(lines, "far:2") == "server = far:2\n");
    }
    SECTION("one that only its way takes")
    {
        CHECK(saved("server = ID:1234\nrepeater = hub\n", "ID:5678") ==
              "server = ID:5678\nrepeater = hub\n");
    }
    for (const char *another : {"far:2", "host:1, far:2", "vnc://far:5901", "[::1]:3"})
        DYNAMIC_SECTION("another: " << another)
        {
            CHECK(saved("server = host:1\n", another) == std::string("server = ") + another + "\n");
        }
    for (const char *wrong : {"far:x", "far:1, ", "vnc://", "   "})
        DYNAMIC_SECTION("not what the command line refuses: '" << wrong << "'")
        {
            const ui_choice desk = to(wrong, "desk");

            w.folder.profile("desk", "server = host:1\n");
            w.fill(&desk);
            CHECK(w.save(path, &desk) == PROFILE_REFUSED);
            CHECK(w.why == Parsed({wrong}).why);
        }
}

TEST_CASE("chosen: a profile is deleted, with what was said for it, but not that of --profile")
{
    Program w({});
    reason why = {};
    const ui_choice desk = to("host:1", "desk");
    const auto said = [&] {
        w.fill(&desk);
        return w.value("quality");
    };

    w.folder.profile("desk", "server = host:1\n");
    w.fill(&desk);
    w.set("quality", "3");
    REQUIRE(w.use(&desk));
    REQUIRE(said() == "3");
    CHECK(w.source.remove(w.source.user, "desk", &why));
    w.folder.profile("desk", "server = host:1\n");
    CHECK(said() == "auto");
    w.base.profile = "office";
    CHECK_FALSE(w.source.remove(w.source.user, "office", &why));
    CHECK(std::string(why.text).find("--profile office") != std::string::npos);
    CHECK_FALSE(w.source.remove(w.source.user, "none", &why));
}
