/* The form of options: what is in it, what it says in place of the command line's words, and the
 * profile that it is saved as. */
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "parsed.hpp"
#include "tests/catch.hpp"
#include "viewer/options/form/option_form.h"
#include "viewer/options/form/profile_file.h"

namespace
{

/* The program was started with these words, and has a form. */
struct Form {
    OptionFolder folder;
    std::vector<std::string> words;
    std::vector<char *> argv;
    options base{}, o{};
    option_form form{};
    std::string why, path;

    explicit Form(std::vector<std::string> typed, const std::string &defaults = "")
        : words(std::move(typed))
    {
        reason r = {};

        folder.profile("defaults", defaults);
        setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
        words.insert(words.begin(), "vnchl");
        for (std::string &w : words)
            argv.push_back(w.data());
        INFO(r.text);
        REQUIRE(options_parse(&base, argc(), argv.data(), &r) == OPTIONS_RUN);
        option_form_init(&form, &base);
    }
    ~Form()
    {
        options_deinit(&base);
        options_deinit(&o);
    }
    Form(const Form &) = delete;
    Form &operator=(const Form &) = delete;

    int argc() const
    {
        return static_cast<int>(argv.size());
    }
    std::string value(const char *option)
    {
        const form_field *f = option_form_field(&form, option);
        REQUIRE(f);
        return f->value;
    }
    Form &set(const char *option, const std::string &text)
    {
        form_field *f = option_form_field(&form, option);
        REQUIRE(f);
        snprintf(f->value, sizeof f->value, "%s", text.c_str());
        return *this;
    }
    bool said(const options_choice *choice = nullptr, choice_purpose purpose = CHOICE_CONNECT)
    {
        reason r = {};

        options_deinit(&o);
        const bool ok = options_said(&o, &base, argc(), argv.data(), choice, &form, purpose, &r);
        why = ok ? "" : r.text;
        return ok;
    }
    profile_saved save(const std::string &name, const char *server, bool replace = false,
                       const options_choice *choice = nullptr)
    {
        const profile_source from = {&base, argc(), argv.data(), server, choice, &form, false};
        char file[PATH_MAX] = "";
        reason r = {};

        const profile_saved result = profile_save(name.c_str(), &from, replace, file, &r);
        why = result == PROFILE_SAVED ? "" : r.text;
        path = file;
        return result;
    }
    /* The profile, as --profile takes it. */
    std::unique_ptr<Parsed> read_back(const std::string &name)
    {
        return std::make_unique<Parsed>(std::vector<std::string>{"--profile", name}, folder.path());
    }
};

std::string text_of(const std::string &file)
{
    std::ifstream in(file);

    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string &file)
{
    std::ifstream in(file);
    std::vector<std::string> lines;

    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

bool has_line(const std::string &file, const std::string &line)
{
    const std::vector<std::string> lines = lines_of(file);

    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

} // namespace

TEST_CASE("form: it has every option that it is said to have, as the table has it")
{
    Form f({});
    std::set<std::string> labels;

    REQUIRE(f.form.count == static_cast<int>(form_row_count));
    for (size_t i = 0; i < form_row_count; i++) {
        const form_field &field = f.form.fields[i];

        INFO(form_rows[i].option);
        REQUIRE(field.option == option_named(form_rows[i].option));
        CHECK(std::string(field.option->name) == form_rows[i].option);
        CHECK(std::string(field.label) == form_rows[i].label);
        CHECK(std::strlen(field.option->help) > 0);
        CHECK_FALSE(form_field_is_said(&field));
        labels.insert(field.label);
    }
    CHECK(labels.size() == form_row_count);
    for (const char *option :
         {"via", "ssh", "user", "quality", "compress", "scale", "view-only", "clipboard", "sound",
          "security-types", "remote-resize", "desktop-size", "reconnect"})
        CHECK(option_form_field(&f.form, option));
}

TEST_CASE("form: what an option is set to is what it takes")
{
    Form f({"--via=me@[::1]:2222", "--user=joe", "--security-types=TLSVnc,VncAuth", "--view-only",
            "--clipboard=receive", "--scale=0.75", "--remote-resize=off", "--desktop-size=800x600",
            "--quality=3", "--compress=9", "--reconnect=off", "host"});
    reason r = {};

    CHECK(f.value("via") == "me@[::1]:2222");
    CHECK(f.value("ssh").empty());
    CHECK(f.value("security-types") == "TLSVnc,VncAuth");
    CHECK(f.value("view-only") == "on");
    CHECK(f.value("clipboard") == "receive");
    CHECK(f.value("scale") == "0.75");
    CHECK(f.value("desktop-size") == "800x600");
    CHECK(f.value("quality") == "3");
    CHECK(f.value("reconnect") == "off");
    options o = {};
    option_form_apply(&f.form, &o);
    option_form again = {};
    option_form_init(&again, &o);
    for (int i = 0; i < again.count; i++) {
        INFO(again.fields[i].option->name);
        CHECK(std::string(again.fields[i].value) == f.form.fields[i].value);
    }
    CHECK(option_form_wrong(&f.form, &r) == nullptr);
    /* --ssh makes the route, and is no --via */
    Form ssh({"--ssh=me@desk"});
    CHECK(ssh.value("ssh") == "me@desk");
    CHECK(ssh.value("via").empty());
    /* without a choice every way to say the same is in the form */
    CHECK(std::string(option_form_field(&f.form, "quality")->words) == "auto 0 1 2 3 4 5 6 7 8 9");
    CHECK(option_form_field(&f.form, "quality")->kind == FORM_CHOICE);
    CHECK(option_form_field(&f.form, "scale")->kind == FORM_OPEN_CHOICE);
    CHECK(std::string(option_form_field(&f.form, "scale")->words) == "auto fit integer system");
    CHECK(option_form_field(&f.form, "via")->kind == FORM_TEXT);
}

TEST_CASE("form: every name of a security type is there once")
{
    Form f({"--security-types=" SECURITY_ALL_NAMES});
    const form_field *types = option_form_field(&f.form, "security-types");
    std::string all = types->value;

    std::replace(all.begin(), all.end(), ',', ' ');
    CHECK(all == types->words);
    CHECK(all.find("Plain") != std::string::npos);
    CHECK(std::count(all.begin(), all.end(), ' ') >= 8);
}

TEST_CASE("form: what it says takes the place of what was typed, and the rest stays")
{
    Form f({"--QualityLevel", "3", "--user", "joe", "--shared=off", "--", "host:1"});

    f.set("quality", "7").set("user", "").set("via", "gate");
    REQUIRE(f.said());
    CHECK(f.o.encodings.quality == 7);
    CHECK(f.o.user == nullptr);
    CHECK_FALSE(f.o.shared);
    CHECK(std::string(f.o.route.gateway.host) == "gate");
    CHECK(f.o.address.port == 5901);
    /* what was said stays said, in a form of other options, too */
    option_form_say(&f.form);
    option_form next = {};
    option_form_init(&next, &f.base);
    option_form_repeat(&next, &f.form);
    f.form = next;
    CHECK(f.value("quality") == "7");
    REQUIRE(f.said());
    CHECK(f.o.encodings.quality == 7);

    const options_choice choice = {"other:2", nullptr, true, false, false, false, nullptr};
    REQUIRE(f.said(&choice));
    CHECK(std::string(f.o.address.host) == "other");
    CHECK((f.o.view_only && f.o.encodings.quality == 7 && !f.o.shared));
}

TEST_CASE("form: what is refused has the line of the command line")
{
    for (const auto &[option, value] :
         {std::pair("via", "gate way"), std::pair("scale", "huge"), std::pair("desktop-size", "x"),
          std::pair("security-types", ""), std::pair("quality", "11")}) {
        Form f({});
        reason r = {};
        INFO(option);
        f.set(option, value);
        const form_field *wrong = option_form_wrong(&f.form, &r);
        REQUIRE(wrong);
        CHECK(std::string(wrong->option->name) == option);
        CHECK_FALSE(f.said());
        CHECK(f.why == r.text);
        CHECK(Parsed({std::string("--") + option + "=" + value, "host"}).why == f.why);
    }
    Form both({});
    both.set("via", "gate").set("ssh", "desk");
    CHECK_FALSE(both.said());
    CHECK(Parsed({"--via=gate", "--ssh=desk"}).why == both.why);
}

TEST_CASE("form: what a file says cannot be taken away by an empty field")
{
    Form f({}, "user joe\n");

    CHECK(f.value("user") == "joe");
    f.set("user", "");
    CHECK_FALSE(f.said());
    CHECK(f.why.find("--user joe") != std::string::npos);
    f.set("user", "ann");
    REQUIRE(f.said());
    CHECK(std::string(f.o.user) == "ann");
}

TEST_CASE("form: what does not go together is refused for a profile without a server, too")
{
    Form f({});

    f.folder.profile("plain", "x509-ca = ~/ca.pem\n");
    const options_choice choice = {"", "plain", false, false, true, false, nullptr};
    CHECK_FALSE(f.said(&choice));
    CHECK(f.why.find("names no server") != std::string::npos);
    for (choice_purpose purpose : {CHOICE_USE, CHOICE_SAVE}) {
        f.set("security-types", option_form_field(&f.form, "security-types")->before);
        CHECK(f.said(&choice, purpose));
        f.set("security-types", "None");
        CHECK_FALSE(f.said(&choice, purpose));
        CHECK(f.why.find("--x509-ca asks for a certificate") != std::string::npos);
    }
}

TEST_CASE("form: a profile with what only counts when the program starts can be saved")
{
    Form f({});

    f.folder.profile("logs", "server = host:1\nlog = /tmp/x\ntheme = dark\n");
    const options_choice choice = {"", "logs", false, false, true, false, nullptr};
    for (choice_purpose purpose : {CHOICE_CONNECT, CHOICE_USE}) {
        CHECK_FALSE(f.said(&choice, purpose));
        CHECK(f.why.find("only counts when vnchl starts") != std::string::npos);
    }
    const bool saved = f.said(&choice, CHOICE_SAVE);
    INFO(f.why);
    CHECK(saved);
}

TEST_CASE("form: an empty field takes the line out of the profile that is saved")
{
    Form f({});
    const std::string lines = "server = host:1\nuser = joe\nvia = gate\n";
    const options_choice choice = {"", "desk", false, false, true, false, nullptr};

    f.folder.profile("desk", lines);
    strcpy(option_form_field(&f.form, "user")->before, "joe"); /* as the profile says */
    CHECK_FALSE(f.said(&choice, CHOICE_USE));
    CHECK(f.why.find("--user joe") != std::string::npos);
    const bool checked = f.said(&choice, CHOICE_SAVE);
    INFO(f.why);
    CHECK(checked);
    REQUIRE(f.save("desk", "", true, &choice) == PROFILE_SAVED);
    CHECK(text_of(f.path).find("user") == std::string::npos);
    CHECK(has_line(f.path, "via = gate"));
    /* what the defaults say, too, would still count */
    f.folder.profile("desk", lines);
    f.folder.profile("defaults", "user ann\n");
    CHECK_FALSE(f.said(&choice, CHOICE_SAVE));
}

TEST_CASE("form: it is saved as a profile that the command line reads")
{
    Form f({"--fingerprint", std::string(64, 'a'), "-SendClipboard=0", "--log", "/tmp/x", "--theme",
            "dark", "--verbose", "--compress", "2"});

    f.set("via", "me@gate").set("quality", "6").set("compress", "4").set("scale", "0.5");
    f.set("reconnect", "off");
    REQUIRE(f.save("desk", "host:3") == PROFILE_SAVED);
    INFO(text_of(f.path));
    CHECK(f.path == f.folder.path() + "/vnchl/desk.conf");
    struct stat st = {};
    REQUIRE(stat(f.path.c_str(), &st) == 0);
    CHECK((st.st_mode & 0777) == 0600);
    CHECK(has_line(f.path, "server = host:3"));
    CHECK(has_line(f.path, "compress = 4"));
    CHECK_FALSE(has_line(f.path, "compress = 2"));
    auto back = f.read_back("desk");
    INFO(back->why);
    REQUIRE(back->result == OPTIONS_RUN);
    CHECK(std::string(back->o.address.host) == "host");
    CHECK(std::string(back->o.route.gateway.host) == "me@gate");
    CHECK(back->o.encodings.quality == 6);
    CHECK(back->o.encodings.compress == 4);
    CHECK((back->o.scale.kind == SCALE_RATIO && back->o.scale.ratio == 0.5));
    CHECK_FALSE(back->o.reconnect);
    /* what else was typed for this connection, and nothing about the program */
    CHECK(back->o.pinned);
    CHECK((!back->o.send_clipboard && back->o.accept_clipboard));
    CHECK(back->o.log == nullptr);
    CHECK(back->o.theme == UI_THEME_AUTO);
    CHECK_FALSE(back->o.verbose);
}

TEST_CASE("form: a profile that is there is left alone, unless it is to be replaced")
{
    Form f({});

    f.folder.profile("desk", "quality 1\n");
    f.set("quality", "2");
    CHECK(f.save("desk", "host") == PROFILE_THERE);
    CHECK(f.why.find("desk") != std::string::npos);
    CHECK(text_of(f.path) == "quality 1\n");
    CHECK(f.save("desk", "host", true) == PROFILE_SAVED);
    CHECK(f.read_back("desk")->o.encodings.quality == 2);
    for (const char *name : {"", "a/b", ".hidden", "defaults", "new\nline"}) {
        INFO(name);
        CHECK(f.save(name, "host", true) == PROFILE_FAILED);
        CHECK_FALSE(f.why.empty());
    }
    CHECK(f.save(std::string(64, 'x'), "host") == PROFILE_FAILED);
    CHECK(f.save("lines", "host\nview-only") == PROFILE_FAILED);
    f.set("user", "joe\nview-only");
    CHECK(f.save("lines", "host") == PROFILE_FAILED);
}

TEST_CASE("form: a connection that a profile began is saved with what that says")
{
    Form f({"--full-screen"});

    f.folder.profile("first", "server = first:1\nx509-ca ~/ca.pem\nquality 3\n-UseIPv6=0\n");
    f.set("quality", "8");
    const options_choice choice = {"", "first", false, true, false, false, nullptr};
    REQUIRE(f.save("second", "", false, &choice) == PROFILE_SAVED);
    INFO(text_of(f.path));
    CHECK(has_line(f.path, "x509-ca = ~/ca.pem"));
    auto back = f.read_back("second");
    REQUIRE(back->result != OPTIONS_BAD);
    CHECK(back->o.encodings.quality == 8);
    CHECK(std::string(back->o.address.host) == "first");
    CHECK((back->o.full_screen && !back->o.shared && !back->o.use_ipv6));
}

TEST_CASE("form: a profile is duplicated under another name, and stays as it is")
{
    Form f({"--theme", "light"});
    const std::string lines = "server = first:1\nx509-ca = ~/ca.pem\nquality = 3\ntheme = dark\n";
    const std::string first = f.folder.profile("first", lines);
    const options_choice choice = {"", "first", false, false, true, false, nullptr};

    REQUIRE(f.save("copy", "", false, &choice) == PROFILE_SAVED);
    const std::string copy = f.path, copied = text_of(copy);
    INFO(copied);
    /* what is about the program stays where the profile says it, and is not taken from this run */
    CHECK(copied.find("\n" + lines) == copied.size() - lines.size() - 1);
    CHECK(text_of(first) == lines);
    /* both names are taken now */
    f.set("quality", "8");
    for (const char *name : {"first", "copy"})
        CHECK(f.save(name, "", false, &choice) == PROFILE_THERE);
    CHECK(text_of(first) == lines);
    CHECK(text_of(copy) == copied);
    CHECK(f.save("third", "", false, &choice) == PROFILE_SAVED);
    CHECK(has_line(f.path, "quality = 8"));
}

TEST_CASE("form: a box that a profile has ticked is saved in another profile")
{
    Form f({});

    f.folder.profile("desk", "server = host:2\nview-only = off\n");
    f.base.view_only = true;
    const options_choice ticked = {"", "desk", true, false, true, false, nullptr};
    REQUIRE(f.save("same", "", false, &ticked) == PROFILE_SAVED);
    CHECK(has_line(f.path, "view-only = off"));
    f.base.profile = "seen"; /* as with --profile seen */
    REQUIRE(f.save("other", "", false, &ticked) == PROFILE_SAVED);
    CHECK(has_line(f.path, "view-only = on"));
    CHECK_FALSE(has_line(f.path, "view-only = off"));
}

TEST_CASE("form: no line is saved that is too long to be read")
{
    Form f({});

    CHECK(f.save("desk", std::string(2000, 'h').c_str()) == PROFILE_FAILED);
    CHECK(f.why == "the line of 'server' would be too long: 2009 bytes, more than 1023");
    CHECK(f.save("desk", std::string(1023 - strlen("server = "), 'h').c_str()) == PROFILE_SAVED);
    CHECK(f.read_back("desk")->why.find("bytes") == std::string::npos);
    f.folder.profile("first", "quality 3\nuser " + std::string(2000, 'u') + "\n");
    const options_choice choice = {"", "first", false, true, false, false, nullptr};
    CHECK(f.save("second", "", false, &choice) == PROFILE_FAILED);
    CHECK(f.why.find("/vnchl/first.conf: line 2 is too long: it has 2005 bytes") !=
          std::string::npos);
}

TEST_CASE("form: files are saved with the folder that they are in")
{
    Form f({});
    const std::string file = f.folder.write("desk.vnc", "[Connection]\nHost=far\n");
    char *before = realpath(".", nullptr);

    REQUIRE(chdir(f.folder.path().c_str()) == 0);
    CHECK(f.save("file", "desk.vnc") == PROFILE_SAVED);
    REQUIRE(chdir(before) == 0);
    free(before);
    char *whole = realpath(file.c_str(), nullptr);
    CHECK(has_line(f.path, std::string("server = ") + whole));
    free(whole);
}

TEST_CASE("form: a profile is deleted, and nothing but its file")
{
    Form f({});
    reason r = {};
    const auto deletes = [&](const std::string &name) { return profile_delete(name.c_str(), &r); };
    const std::string other = f.folder.profile("other", "server = other:1\n");

    SECTION("a file")
    {
        const std::string file = f.folder.profile("desk", "server = desk:1\n");
        CHECK(deletes("desk"));
        CHECK(access(file.c_str(), F_OK) != 0);
    }
    SECTION("a link, and not what it leads to")
    {
        const std::string link = f.folder.path() + "/vnchl/desk.conf";
        REQUIRE(symlink(other.c_str(), link.c_str()) == 0);
        CHECK(deletes("desk"));
        CHECK(access(link.c_str(), F_OK) != 0);
    }
    SECTION("no folder")
    {
        const std::string folder = f.folder.path() + "/vnchl/desk.conf";
        REQUIRE(mkdir(folder.c_str(), 0700) == 0);
        CHECK_FALSE(deletes("desk"));
        CHECK(r.text == "the profile 'desk' is not deleted: " + folder + " is no file");
        CHECK(access(folder.c_str(), F_OK) == 0);
    }
    SECTION("none that is not there")
    {
        CHECK_FALSE(deletes("desk"));
        CHECK(r.text == "cannot delete the profile 'desk', " + f.folder.path() +
                            "/vnchl/desk.conf: No such file or directory");
    }
    SECTION("neither the defaults nor what is elsewhere")
    {
        const std::string outside = f.folder.write("outside.conf", "");
        for (const char *name : {"defaults", "../outside", "", "."})
            CHECK_FALSE(deletes(name));
        CHECK(access(outside.c_str(), F_OK) == 0);
        CHECK(access((f.folder.path() + "/vnchl/defaults.conf").c_str(), F_OK) == 0);
    }
    CHECK(text_of(other) == "server = other:1\n");
}
