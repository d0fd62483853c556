// The command line and the password file.
#include "tests/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include "parsed.hpp"
#include "viewer/trust/credentials.h"
#include "viewer/trust/keyring.h"

TEST_CASE("defaults")
{
    Parsed p({"host:1"});

    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.policy == PRP_AUTO);
    CHECK(p.o.window_bytes == 0);
    CHECK(p.o.shared);
    CHECK(p.o.encodings.jpeg);
    CHECK_FALSE(p.o.encodings.push);
    CHECK(p.o.connect_timeout_s == 15);
    CHECK(p.o.address.port == 5901);
}

TEST_CASE("every option is taken")
{
    Parsed p({"--prp",
              "33.5",
              "--window=32M",
              "--headless",
              "--duration",
              "2.5",
              "--warm-up",
              "1.5",
              "--marks",
              "--press-every",
              "200",
              "--compare",
              "--log",
              "-",
              "--json",
              "out.json",
              "--encodings",
              "zrle raw",
              "--quality",
              "3",
              "--compress",
              "9",
              "--no-jpeg",
              "--full-screen",
              "--no-shared",
              "--passwd-file",
              "p",
              "--x509-ca",
              "ca",
              "--user",
              "me",
              "--geometry",
              "800x600-10+20",
              "--maximize",
              "--connect-timeout",
              "3",
              "--verbose",
              "host"});

    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.policy == PRP_FIXED);
    CHECK(tick_to_ms(p.o.fixed_prp) == Approx(33.5));
    CHECK(p.o.window_bytes == 32 << 20);
    CHECK(p.o.headless);
    CHECK(p.o.compare);
    CHECK(p.o.duration_s == 2.5);
    CHECK(p.o.warm_up_s == 1.5);
    CHECK(p.o.marks);
    CHECK(p.o.press_every_ms == 200);
    CHECK(std::string(p.o.log) == "-");
    CHECK(std::string(p.o.json) == "out.json");
    CHECK(p.o.encodings.list.count == 2);
    CHECK(p.o.encodings.quality == 3);
    CHECK(p.o.encodings.compress == 9);
    CHECK_FALSE(p.o.encodings.jpeg);
    CHECK(p.o.full_screen);
    CHECK_FALSE(p.o.shared);
    CHECK(std::string(p.o.passwd_file) == "p");
    CHECK(std::string(p.o.x509_ca) == "ca");
    CHECK(std::string(p.o.user) == "me");
    CHECK(p.o.place.width == 800);
    CHECK(p.o.place.from_right);
    CHECK(p.o.maximize);
    CHECK(p.o.connect_timeout_s == 3);
    CHECK(p.o.verbose);

    CHECK(Parsed({"--headless", "--marks", "--press-every", "0", "--warm-up", "0", "h"}).result ==
          OPTIONS_RUN);
    CHECK(Parsed({"--view-only", "h"}).o.view_only); // not with --press-every

    char text[24];
    options_prp_text(&p.o, text, sizeof text);
    CHECK(std::string(text) == "33.5");
}

TEST_CASE("a fingerprint on the command line")
{
    const std::string hex = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef";
    CHECK_FALSE(Parsed({"h"}).o.pinned);
    Parsed p({"--fingerprint", hex.c_str(), "h"});
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.pinned);
    CHECK(p.o.fingerprint[0] == 0x01);
    CHECK(p.o.fingerprint[31] == 0xef);
    CHECK(Parsed({"--fingerprint", "0123", "h"}).result == OPTIONS_BAD);
    CHECK(Parsed({"--fingerprint", hex.c_str(), "--x509-ca", "f", "h"}).result == OPTIONS_BAD);
    CHECK(Parsed({"--fingerprint", hex.c_str(), "--security-types", "VncAuth", "h"}).result ==
          OPTIONS_BAD);
    CHECK_FALSE(Parsed({"h"}).o.save_password);
    Parsed saved({"--save-password", "on", "h"});
    CHECK((saved.result == OPTIONS_RUN && saved.o.save_password) == keyring_built());
    CHECK(Parsed({"-X509CRL", "list", "h"}).o.x509_crl == std::string("list"));
}

TEST_CASE("the log and the summary do not share a file, nor standard output")
{
    for (const char *file : {"-", "run"})
        CHECK(Parsed({"--headless", "--log", file, "--json", file, "h"})
                  .refused({"--log and --json cannot both write to"}));
    CHECK(Parsed({"--headless", "--log", "run", "--json", "-", "h"}).result == OPTIONS_RUN);
}

TEST_CASE("--tile-memory bounds what the viewer keeps")
{
    CHECK(Parsed({"h"}).o.encodings.kept_mib == KEPT_MIB_USUAL);
    CHECK(Parsed({"--tile-memory", "0", "h"}).o.encodings.kept_mib == 0);
    CHECK(Parsed({"--tile-memory", "64", "h"}).o.encodings.kept_mib == KEPT_MIB_MOST);
}

TEST_CASE("--keep rules how long a far end waits")
{
    CHECK(Parsed({"--ssh", "desk"}).o.route.gateway.keep_s == 12 * 3600);
    CHECK(Parsed({"--ssh", "desk", "--keep", "90s"}).o.route.gateway.keep_s == 90);
    for (const char *off : {"off", "0"})
        CHECK(Parsed({"--ssh", "desk", "--keep", off}).o.route.gateway.keep_s == 0);
    for (const char *bare : {"3", "43200"})
        CHECK(Parsed({"--ssh", "desk", "--keep", bare}).refused({"--keep", "such as 90s"}));
    /* it has no effect without: typed that is a mistake, and in a file it is for other times */
    CHECK(Parsed({"--keep", "1h", "h"}).refused({"--keep needs --ssh"}));
    CHECK(Parsed({"--via", "desk", "--keep", "1h", "h"}).refused({"--keep needs --ssh"}));
    CHECK(Parsed(std::vector<std::string>{"--keep", "1h"}).refused({"--keep needs --ssh"}));
    OptionFolder folder;
    folder.profile("long", "keep = 2d\n");
    folder.profile("far", "ssh = desk\n");
    Parsed without({"--profile", "long", "h"}, folder.path()),
        with({"--profile", "long", "--ssh", "desk"}, folder.path()),
        named({"--profile", "far", "--keep", "1h"}, folder.path());
    CHECK(without.result == OPTIONS_RUN);
    CHECK(with.o.route.gateway.keep_s == 2 * 86400);
    CHECK(named.o.route.gateway.keep_s == 3600);
}

TEST_CASE("datagrams come unless they are turned off")
{
    CHECK(Parsed({"h"}).o.datagrams);
    CHECK(Parsed({"--datagrams", "auto", "h"}).o.datagrams);
    Parsed p({"--datagrams=off", "h"});
    CHECK(p.result == OPTIONS_RUN);
    CHECK_FALSE(p.o.datagrams);
}

TEST_CASE("only --push on lets the server push")
{
    CHECK(Parsed({"--push", "on", "h"}).o.encodings.push);
    CHECK(Parsed({"--push", "on", "--prp", "off", "h"}).o.encodings.push);
    CHECK(Parsed({"--push", "on", "--max-fps", "5", "--max-rate", "1M", "h"}).result ==
          OPTIONS_RUN);
    for (const char *push : {"auto", "off"}) {
        Parsed p({"--push", push, "--max-fps", "5", "h"});
        CHECK(p.result == OPTIONS_RUN);
        CHECK_FALSE(p.o.encodings.push);
    }
}

TEST_CASE("--requests thesis is a policy of its own, with a fixed period")
{
    char text[24];
    Parsed p({"--requests", "thesis", "--prp", "50", "h"});
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.policy == PRP_THESIS);
    CHECK(tick_to_ms(p.o.fixed_prp) == 50);
    options_prp_text(&p.o, text, sizeof text);
    CHECK(std::string(text) == "50");
    CHECK_FALSE(p.o.encodings.blocks); // no far end pushes in place of the requests
    CHECK(Parsed({"--prp", "50", "--requests", "guarded", "h"}).o.policy == PRP_FIXED);
    CHECK(Parsed({"--prp", "50", "h"}).o.policy == PRP_FIXED);
    for (const char *prp : {"auto", "off"})
        CHECK(Parsed({"--prp", prp, "--requests", "thesis", "h"}).refused({"--requests", "--prp"}));
    CHECK(Parsed({"--requests", "thesis", "h"}).refused({"--requests", "--prp"}));
    CHECK(Parsed({"--requests", "VNC-HL", "--prp", "50", "h"}).refused({"'VNC-HL'"}));
}

TEST_CASE("window sizes")
{
    CHECK(Parsed({"--window", "170k", "h"}).o.window_bytes == 170 << 10);
    CHECK(Parsed({"-window", "32m", "h"}).o.window_bytes == 32 << 20); // one dash does, too
    CHECK(Parsed({"--window", "170K", "h"}).o.window_bytes == 170 << 10);
    CHECK(Parsed({"--window", "65536", "h"}).o.window_bytes == 65536);
    CHECK(Parsed({"--window", "1G", "h"}).o.window_bytes == 1 << 30);
    for (const char *bad : {"", "k", "1", "2G", "1e6", "-5", "12kk", "0x100", "nan", "32 M"})
        CHECK(Parsed({"--window", bad, "h"}).result == OPTIONS_BAD);
}

TEST_CASE("bad command lines name the cause")
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
        {{"--headless"}, "no server"},
        {{"--headless", "--ask", "window", "h"}, "--ask"},
        {{"--ask", "me", "h"}, "'me'"},
        {{"--theme", "pink", "h"}, "'pink'"},
        {{"a", "a"}, "'a'"},
        {{"--foo", "h"}, "'--foo'"},
        {{"-y", "h"}, "'-y'"},
        {{"--headless=maybe", "h"}, "'maybe'"},
        {{"--headless=", "h"}, "--headless"},
        {{"--help=1"}, "--help"},
        {{"h", "--prp"}, "'--prp'"},
        {{"--prp", "fast", "h"}, "'fast'"},
        {{"--prp", "0", "h"}, "'0'"},
        {{"--prp", "10001", "h"}, "'10001'"},
        {{"--quality", "10", "h"}, "'10'"},
        {{"--quality", "5.5", "h"}, "'5.5'"},
        {{"--compress", "x", "h"}, "'x'"},
        {{"--headless", "--duration", "0", "h"}, "'0'"},
        {{"--headless", "--duration", "inf", "h"}, "'inf'"},
        {{"--connect-timeout", "-1", "h"}, "'-1'"},
        {{"--encodings", "jpeg2000", "h"}, "'jpeg2000'"},
        {{"--log", "", "h"}, "--log"},
        {{"--compare", "h"}, "--headless"},
        {{"--duration", "3", "h"}, "--headless"},
        {{"--warm-up", "3", "h"}, "--headless"},
        {{"--marks", "h"}, "--headless"},
        {{"--headless", "--press-every", "100", "h"}, "--marks"},
        {{"--headless", "--marks", "--press-every", "5", "h"}, "'5'"},
        {{"--headless", "--marks", "--press-every", "99", "--view-only", "h"}, "--view-only"},
        {{"--headless", "--warm-up", "-1", "h"}, "'-1'"},
        {{"--headless", "--compare", "--prp", "off", "h"}, "--compare"},
        {{"--headless", "--log", "f", "--json", "f", "h"}, "both"},
        {{"--push", "yes", "h"}, "'yes'"},
        {{"--datagrams", "on", "h"}, "'on'"},
        {{"--keep", "31d", "h"}, "'31d'"},
        {{"--tile-memory", "65", "h"}, "'65'"},
        {{"--tile-memory", "1.5", "h"}, "'1.5'"},
        {{"--tile-memory", "-1", "h"}, "'-1'"},
        {{"--push", "on", "--headless", "--compare", "h"}, "--push"},
        {{"h:x"}, "'h:x'"},
    };

    for (const auto &[arguments, cause] : bad) {
        Parsed p(arguments);
        INFO(cause << " in: " << p.why);
        CHECK(p.result == OPTIONS_BAD);
        CHECK(p.why.find(cause) != std::string::npos);
    }
}

TEST_CASE("several servers are named as words, or with commas between")
{
    auto named = [](const Parsed &p) {
        char text[CANDIDATES_TEXT];
        candidates_format(&p.o.candidates, text, sizeof text);
        return std::string(text);
    };
    Parsed words({"a", "--view-only", "b:1"}), text({"a,b:1"}), one({"a"}),
        ipv6({"--use-ipv4=off", "a", "b"});

    CHECK(named(words) == "a, b:1");
    CHECK(words.o.view_only);
    CHECK(std::string(words.o.named) == "a, b:1");
    CHECK(std::string(words.o.address.host) == "a");
    CHECK(named(text) == "a, b:1");
    CHECK(named(one) == "");
    CHECK(ipv6.o.candidates.at[1].family == ADDRESS_IPV6);
    CHECK(Parsed({"a", "/tmp/b"}).refused({"'/tmp/b' stands alone"}));
    CHECK(Parsed({"vnc://a", "b"}).refused({"'vnc://a' stands alone"}));
    CHECK(Parsed({"a", "b.tigervnc"}).refused({"'b.tigervnc' stands alone"}));
    CHECK(Parsed({"ViewOnly", "b"}).refused({"--ViewOnly"}));
    CHECK(Parsed({"a", "a::5900"}).refused({"named twice"}));
    CHECK(Parsed({"1", "2", "3", "4", "5", "6", "7", "8", "9"}).refused({"'9' is one too many"}));
    CHECK(Parsed({"--via", "g", "a", "b"}).refused({"several servers", "--via"}));
    CHECK(Parsed({"--listen", "5500", "extra"})
              .refused({"--listen takes one PORT", "'5500, extra'"}));
    CHECK(Parsed({"--ssh", "g", "1", "2"}).refused({"several servers", "--ssh"}));
    CHECK(Parsed({"--headless", "--compare", "a", "b"}).refused({"--compare"}));
}

TEST_CASE("a value that an on/off option does not take is not one of several servers")
{
    const std::vector<std::vector<std::string>> values = {{"--recent", "never"},
                                                          {"--statistics", "perhaps"},
                                                          {"-LosslessRefresh", "offf"},
                                                          {"--view-only", "off"},
                                                          {"--no-jpeg", "Yes"}};
    for (std::vector<std::string> words : values) {
        const std::string value = words[1];
        words.push_back("h");
        CHECK(Parsed(words).refused(
            {"'" + value + "' stands behind --", "=" + value + " if", "put the servers first"}));
    }
    CHECK(Parsed({"--recent", "never", "h"}).refused({"--recent=never"}));
    CHECK(Parsed({"--recent=never", "h"}).refused({"bad value 'never'"}));
    const std::vector<std::string> taken[] = {
        {"a", "--recent", "off", "b"}, {"a", "b", "--recent"},    {"--recent=on", "a", "b"},
        {"--recent", "--", "a", "b"},  {"--view-only", "a", "b"}, {"--view-only", "1", "b"}};
    for (const auto &words : taken) {
        Parsed p(words);
        INFO(p.why);
        CHECK(p.result == OPTIONS_RUN);
        CHECK(p.o.candidates.count == 2);
    }
    /* where there is one server only, it is that */
    CHECK(std::string(Parsed({"--recent", "never"}).o.address.host) == "never");
}

TEST_CASE("a profile names several servers")
{
    OptionFolder folder;
    folder.profile("pair", "server = a, b:1\n");
    Parsed p({"--profile", "pair"}, folder.path()),
        other({"--profile", "pair", "c"}, folder.path());

    CHECK(p.o.candidates.count == 2);
    CHECK(p.o.named == nullptr);
    CHECK(other.o.candidates.count == 0);
    CHECK(std::string(other.o.address.host) == "c");
}

TEST_CASE("without a server a window asks for one")
{
    Parsed none(std::vector<std::string>{}), named({"h"});
    CHECK(none.result == OPTIONS_RUN);
    CHECK(none.o.start);
    CHECK_FALSE(named.o.start);
}

TEST_CASE("only whole names are options")
{
    const std::vector<std::vector<std::string>> bad = {
        {"-viax", "gateway", "h"}, {"-x", "ca", "h"},     {"-V"},        {"-H"},
        {"--verb", "h"},           {"--full", "h"},       {"-vh"},       {"--v"},
        {"---view-only", "h"},     {"--x509", "ca", "h"}, {"-", "h"},    {"-viewonly1", "h"},
        {"--view_only", "h"},      {"-=1", "h"},          {"--=1", "h"}, {"ViewOnly", "h", "h"},
        {"-passwdfiles=x", "h"},
    };

    for (const auto &arguments : bad) {
        Parsed p(arguments);
        INFO(arguments[0]);
        CHECK(p.result == OPTIONS_BAD);
        CHECK(p.why != "");
    }
    CHECK(Parsed({"-viewonly", ":11"}).o.view_only);
}

TEST_CASE("an option that is on or off is on alone")
{
    Parsed p({"--lossless-refresh", "h"});
    CHECK(p.o.lossless_refresh);
    CHECK(std::string(p.o.address.host) == "h");
    CHECK_FALSE(Parsed({"--lossless-refresh", "off", "h"}).o.lossless_refresh);
    CHECK_FALSE(Parsed({"-LosslessRefresh=0", "h"}).o.lossless_refresh);
    CHECK(Parsed({"--lossless-refresh=perhaps", "h"}).refused({"'perhaps'"}));
}

TEST_CASE("names as users of other viewers type them")
{
    for (const char *name :
         {"-ViewOnly", "-viewonly", "--view-only", "-VIEWONLY", "--View-Only", "-view-only"}) {
        INFO(name);
        Parsed p({name, "h"});
        CHECK(p.result == OPTIONS_RUN);
        CHECK(p.o.view_only);
    }
    CHECK(Parsed({"-FullScreen", "h"}).o.full_screen);
    CHECK_FALSE(Parsed({"-NoJpeg", "h"}).o.encodings.jpeg);
    CHECK_FALSE(Parsed({"-noshared", "h"}).o.shared);
    CHECK(Parsed({"-QualityLevel", "3", "h"}).o.encodings.quality == 3);
    CHECK(Parsed({"-CompressLevel=4", "h"}).o.encodings.compress == 4);
    CHECK(std::string(Parsed({"-X509CA=f", "h"}).o.x509_ca) == "f");
    for (const char *name : {"-passwd", "-PasswordFile", "--passwd-file", "--password-file"}) {
        INFO(name);
        CHECK(std::string(Parsed({name, "f", "h"}).o.passwd_file) == "f");
        CHECK(std::string(Parsed({name + std::string("=f"), "h"}).o.passwd_file) == "f");
    }
}

TEST_CASE("flags can be told on or off")
{
    for (const char *off : {"0", "off", "no", "false", "False"}) {
        INFO(off);
        std::string value = std::string("=") + off;
        CHECK_FALSE(Parsed({"-Shared" + value, "h"}).o.shared);
        CHECK(Parsed({"--no-shared" + value, "h"}).o.shared);
        CHECK_FALSE(Parsed({"--view-only", "-ViewOnly" + value, "h"}).o.view_only);
    }
    for (const char *on : {"1", "on", "yes", "true", "TRUE"}) {
        INFO(on);
        std::string value = std::string("=") + on;
        CHECK(Parsed({"-ViewOnly" + value, "h"}).o.view_only);
        CHECK_FALSE(Parsed({"-NoJpeg" + value, "h"}).o.encodings.jpeg);
    }
}

TEST_CASE("a near miss is told the option")
{
    const std::vector<std::pair<std::string, std::string>> near = {
        {"-veiw-only", "--view-only"},
        {"--viewonyl", "--view-only"},
        {"--full", "--full-screen"},
        {"--qualty=3", "--quality"},
        {"--passwort-file", "--passwd-file"},
        {"-encoding", "--encodings"},
        {"--hlep", "--help"},
        {"--no-jpg", "--no-jpeg"},
    };

    for (const auto &[typed, meant] : near) {
        Parsed p({typed, "h"});
        INFO(p.why);
        CHECK(p.result == OPTIONS_BAD);
        CHECK(p.why.find("'" + typed.substr(0, typed.find('=')) + "': did you mean " + meant +
                         "?") != std::string::npos);
    }
    CHECK(Parsed({"-veiw-only", "h"}).why ==
          "unknown option '-veiw-only': did you mean --view-only?");
    for (const char *far : {"-y", "--no-such-option", "-bgr233", "-owncmap"}) {
        Parsed p({far, "h"});
        INFO(p.why);
        CHECK(p.why.find("did you mean") == std::string::npos);
    }
}

TEST_CASE("an option that is refused by \"no\" is told how it is turned off")
{
    const std::vector<std::pair<std::string, std::string>> off = {
        {"--no-view-only", "--view-only=off"},
        {"-noViewOnly", "--view-only=off"},
        {"--no-recent", "--recent=off"},
        {"--no-clipboard", "--clipboard=off"},
        {"--no-full-screen=1", "--full-screen=off"}};

    for (const auto &[typed, meant] : off)
        CHECK(Parsed({typed, "h"}).why == "unknown option '" + typed.substr(0, typed.find('=')) +
                                              "': did you mean " + meant + "?");
    for (const char *other : {"--no-quality", "--no-user", "--no-menu-key", "--no-help"})
        CHECK(Parsed({other, "h"}).why ==
              std::string("unknown option '") + other + "' (see vnchl --help)");
}

TEST_CASE("a folder is no server")
{
    OptionFolder folder;
    CHECK(Parsed({folder.path()}).refused({folder.path() + " is a folder"}));
}

TEST_CASE("values that begin with a dash")
{
    CHECK(std::string(Parsed({"--log", "-", "h"}).o.log) == "-");
    CHECK(std::string(Parsed({"--log=-", "h"}).o.log) == "-");
    CHECK(std::string(Parsed({"--log", "-x.csv", "h"}).o.log) == "-x.csv");
    CHECK(std::string(Parsed({"--log=--json", "h"}).o.log) == "--json");
    CHECK(std::string(Parsed({"--log=a=b", "h"}).o.log) == "a=b");
    for (const char *next : {"--json", "-ViewOnly", "--prp=auto", "-h"}) {
        Parsed p({"--log", next, "h"});
        INFO(p.why);
        CHECK(p.result == OPTIONS_BAD);
        CHECK(p.why.find("'--log' needs a value") != std::string::npos);
    }
}

TEST_CASE("the way to the server")
{
    Parsed via({"--via", "me@gate:22", "h:1"});

    REQUIRE(via.result == OPTIONS_RUN);
    CHECK(std::string(via.o.route.gateway.host) == "me@gate");
    CHECK(via.o.route.gateway.port == 22);
    CHECK(via.o.address.port == 5901);
    CHECK(via.o.connect_timeout_s == 60); // ssh may ask something
    CHECK(Parsed({"-via", "g", "--connect-timeout", "15", "h"}).o.connect_timeout_s == 15);
    CHECK(Parsed({"--via", "-oX=y", "h"}).result == OPTIONS_BAD);
    CHECK(Parsed({"--headless", "--via", "gate"}).why.find("no server named") == 0);

    Parsed listen({"-listen"});
    REQUIRE(listen.result == OPTIONS_RUN);
    CHECK(listen.o.route.listen);
    CHECK(listen.o.address.port == 5500);
    CHECK(Parsed({"--listen", "5501"}).o.address.port == 5501);
    CHECK(Parsed({"5501", "--listen=off"}).result == OPTIONS_RUN); // a host of this name
    CHECK(Parsed({"--listen", "h:1"}).result == OPTIONS_BAD);
    CHECK(Parsed({"--listen", "--headless", "--compare"}).result == OPTIONS_BAD);

    Parsed repeater({"--repeater", "r::5901", "ID:12"});
    REQUIRE(repeater.result == OPTIONS_RUN);
    CHECK(repeater.o.route.repeater.port == 5901);
    CHECK(std::string(repeater.o.address.host) == "ID:12");
    CHECK(Parsed({"--repeater", "/tmp/x", "ID:12"}).result == OPTIONS_BAD);
}

TEST_CASE("options before and after the address, the last one counts")
{
    Parsed p({"--prp", "off", "--view-only", "h:2", "--prp", "50", "--no-shared", "--shared"});

    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.address.port == 5902);
    CHECK(p.o.policy == PRP_FIXED);
    CHECK(p.o.view_only);
    CHECK(p.o.shared);
    CHECK(Parsed({"--view-only", "--", "h"}).o.view_only);
    CHECK(std::string(Parsed({"--", "-h"}).o.address.host) == "-h");
    CHECK(Parsed({"--", "h", "--view-only"}).result == OPTIONS_BAD);
}

TEST_CASE("a password file that is none is refused")
{
    TempDir dir;
    std::string name = dir.write("passwd", "short");
    credentials c;
    credentials_options o = {};
    reason why;

    o.passwd_file = name.c_str();
    CHECK_FALSE(credentials_init(&c, &o, &why));
    CHECK(std::string(why.text).find("vncpasswd") != std::string::npos);
    unlink(name.c_str());
    CHECK_FALSE(credentials_init(&c, &o, &why));
    CHECK(std::string(why.text).find(name) != std::string::npos);
}

TEST_CASE("whether the server's sound is played")
{
    CHECK(Parsed({"h"}).o.sound == SOUND_WISH_AUTO);
    CHECK(Parsed({"--sound", "off", "h"}).o.sound == SOUND_WISH_OFF);
    CHECK(Parsed({"--sound=on", "h"}).o.sound == SOUND_WISH_ON);
    CHECK(Parsed({"--sound=off", "--sound=auto", "h"}).o.sound == SOUND_WISH_AUTO);
    for (const char *bad : {"--sound=", "--sound=yes", "--sound=ON", "--sound=autos"})
        CHECK(Parsed({bad, "h"}).refused({"--sound", "auto, on or off"}));
    CHECK(Parsed({"--sound=on", "--headless", "h"}).refused({"--sound on", "--headless"}));
    CHECK(Parsed({"--sound=on", "--record=f", "h"}).refused({"--sound on", "--record"}));
    CHECK(Parsed({"--sound=on", "--play=f"}).refused({"--sound on", "--play"}));
    CHECK(Parsed({"--headless", "--record=f", "h"}).result == OPTIONS_RUN);
}

TEST_CASE("which way the clipboard goes")
{
    struct {
        std::vector<std::string> words;
        bool send, accept, primary;
    } const taken[] = {
        {{"h"}, true, true, false},
        {{"--clipboard", "both", "h"}, true, true, false},
        {{"--clipboard=send", "h"}, true, false, false},
        {{"--clipboard=receive", "--primary", "on", "h"}, false, true, true},
        {{"--clipboard=off", "h"}, false, false, false},
        {{"--primary", "true", "h"}, true, true, true},
        {{"--primary=yes", "--primary=0", "h"}, true, true, false},
        {{"--clipboard=off", "--clipboard=both", "--primary=on", "--primary=off", "h"},
         true,
         true,
         false},
    };
    for (const auto &t : taken) {
        Parsed p(t.words);
        INFO(p.why);
        REQUIRE(p.result == OPTIONS_RUN);
        CHECK(p.o.send_clipboard == t.send);
        CHECK(p.o.accept_clipboard == t.accept);
        CHECK(p.o.send_primary == t.primary);
        CHECK(p.o.set_primary == t.primary);
    }
    const std::vector<std::string> refused[] = {
        {"--clipboard", "h"},
        {"--clipboard=on", "h"},
        {"--clipboard=", "h"},
        {"--primary=both", "h"},
        {"--primary=on", "--clipboard=off", "h"}, // of what?
        {"--clipboard=send", "--view-only", "h"}, // sends nothing
    };
    for (const auto &words : refused) {
        Parsed p(words);
        CHECK(p.result == OPTIONS_BAD);
        CHECK(p.why.find(words[0].substr(2, 6)) != std::string::npos);
    }
}
