// Options from files: defaults, profiles, connection files.
#include "tests/catch.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "parsed.hpp"

namespace
{

const std::string TIGER = "TigerVNC Configuration file Version 1.0\n";

/* What TigerVNC 1.12 writes when nobody has changed anything. */
const std::string UNTOUCHED =
    TIGER + "\nServerName=host:1\nX509CA=/home/other/.vnc/x509_ca.pem\n"
            "X509CRL=/home/other/.vnc/x509_crl.pem\n"
            "SecurityTypes=None,VncAuth,Plain,TLSNone,TLSVnc,TLSPlain,X509None,X509Vnc,X509Plain\n"
            "EmulateMiddleButton=0\nDotWhenNoCursor=0\nReconnectOnError=1\nAutoSelect=1\n"
            "FullColor=1\nLowColorLevel=2\nPreferredEncoding=Tight\nCustomCompressLevel=0\n"
            "CompressLevel=2\nNoJPEG=0\nQualityLevel=8\nFullScreen=0\nFullScreenMode=Current\n"
            "FullScreenSelectedMonitors=1\nDesktopSize=\nRemoteResize=1\nViewOnly=0\nShared=0\n"
            "AcceptClipboard=1\nSendClipboard=1\nSendPrimary=1\nSetPrimary=1\nMenuKey=F8\n"
            "FullscreenSystemKeys=1\n";

security_set types(const char *names)
{
    security_set set;
    reason why;

    REQUIRE(security_parse(&set, names, &why));
    return set;
}

} // namespace

TEST_CASE("defaults count always, and least")
{
    OptionFolder f;
    f.profile("defaults", "# mine\nquality 3\n view-only\ncompress = 7\nfull-screen=on\n\n"
                          "encodings zrle, raw\n--no-shared\n");
    Parsed p({"h:1"}, f.path());

    INFO(p.why);
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.encodings.quality == 3);
    CHECK(p.o.encodings.compress == 7);
    CHECK(p.o.view_only);
    CHECK(p.o.full_screen);
    CHECK_FALSE(p.o.shared);
    CHECK(p.o.encodings.list.count == 2);
    CHECK(Parsed({"--quality", "9", "h"}, f.path()).o.encodings.quality == 9);
    CHECK_FALSE(Parsed({"-ViewOnly=0", "h"}, f.path()).o.view_only);
}

TEST_CASE("a profile counts more than the defaults, and may name the server")
{
    OptionFolder f;
    f.profile("defaults", "quality 3\ncompress 3\n");
    f.profile("desk", "server = desk:2\nquality 5\npasswd-file ~/.vnc/desk\n");
    setenv("HOME", "/home/me", 1);
    Parsed p({"--profile", "desk"}, f.path());

    INFO(p.why);
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(std::string(p.o.address.host) == "desk");
    CHECK(p.o.address.port == 5902);
    CHECK(p.o.encodings.quality == 5);
    CHECK(p.o.encodings.compress == 3);
    CHECK(std::string(p.o.passwd_file) == "/home/me/.vnc/desk");
    CHECK(std::string(Parsed({"--profile=desk", "other"}, f.path()).o.address.host) == "other");
    CHECK(std::string(Parsed({"desk"}, f.path()).o.address.host) == "desk"); /* no profile */
    CHECK(Parsed({"desk"}, f.path()).o.encodings.quality == 3);
}

TEST_CASE("what is wrong with a profile names file and line")
{
    OptionFolder f;
    const std::vector<std::vector<std::string>> bad = {
        {"quality 3\nviewonyl\n", ":2:", "--view-only"},
        {"quality 11\n", ":1:", "'11'"},
        {"quality\n", ":1:", "needs a value"},
        {"server\n", ":1:", "server"},
        {"help\n", ":1:", "'help'"},
        {"profile other\n", ":1:", "'profile'"},
        {"password hush\n", ":1:", "'password'"},
        {"via -oX=y\n", ":1:", "gateway"},
        {"\n" + std::string(2000, 'x') + "\n",
         "line 2 is too long: it has 2000 bytes, more than 1023"},
        {"# " + std::string(1022, 'x'), "line 1 is too long: it has 1024 bytes"}, // a comment, too
    };

    for (const auto &b : bad) {
        std::string file = f.profile("p", b[0]);
        Parsed p({"--profile", "p", "h"}, f.path());
        INFO(p.why);
        CHECK(p.refused({b.begin() + 1, b.end()}));
        CHECK(p.why.find(file) == 0);
    }
    f.profile("defaults", "x\n");
    CHECK(Parsed({"h"}, f.path()).refused({"defaults.conf:1:"}));
    f.profile("p", std::string(70000, '#'));
    CHECK(Parsed({"--profile", "p", "h"}).refused({"no profile 'p'"}));
    CHECK(Parsed({"--profile", "../p", "h"}).refused({"'../p'"}));
}

TEST_CASE("a bad server of a profile names file and line, and so does a comment behind a value")
{
    OptionFolder f;
    f.profile("bad", "quality 5\nserver = a:b:c:d\n");
    f.profile("behind", "server = host # best\n");
    f.profile("quality", "server = host\n\nquality 6 # best\n");
    f.profile("good", "server = host\n");
    const std::string comment = "a comment needs a line of its own";

    CHECK(Parsed({"--profile", "bad"}, f.path()).refused({"bad.conf:2: ", "a:b:c:d"}));
    CHECK(Parsed({"--profile", "bad", "h"}, f.path()).result == OPTIONS_RUN);
    CHECK(Parsed({"--profile", "behind"}, f.path()).refused({"behind.conf:1: ", comment}));
    CHECK(Parsed({"--profile", "quality"}, f.path())
              .refused({"quality.conf:3: ", "bad value '6 # best'", comment}));
    /* what is typed is not the profile's */
    Parsed typed({"--profile", "good", "a:b:c:d"}, f.path());
    CHECK(typed.result == OPTIONS_BAD);
    CHECK(typed.why.find("good.conf") == std::string::npos);
}

TEST_CASE("a file too long, or that is none")
{
    OptionFolder f;
    f.profile("p", std::string(70000, '#'));
    CHECK(Parsed({"--profile", "p", "h"}, f.path()).refused({"p.conf", "too long"}));
    f.write("vnchl/q.conf/x", "");
    CHECK(Parsed({"--profile", "q", "h"}, f.path()).refused({"q.conf"}));
}

TEST_CASE("a file that TigerVNC wrote by itself changes nothing but what it says")
{
    OptionFolder f;
    Parsed p({f.write("desk.tigervnc", UNTOUCHED)});

    INFO(p.why);
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.dot_cursor); /* TigerVNC's default, and nobody's choice */
    CHECK(std::string(p.o.notice.text).empty());
    CHECK(std::string(p.o.address.host) == "host");
    CHECK(p.o.address.port == 5901);
    CHECK(p.o.encodings.quality == LEVEL_AUTO);
    CHECK(p.o.encodings.compress == LEVEL_AUTO);
    CHECK(p.o.shared); /* nor this: others would lose their connections */
    CHECK_FALSE(p.o.view_only);
    CHECK(p.o.x509_ca == nullptr);
    CHECK(p.o.security == security_default()); /* Plain has to be typed */
}

TEST_CASE("what a connection file asks for is got")
{
    OptionFolder f;
    std::string ca = f.write("ca.pem", "");
    Parsed p({f.write("desk.tigervnc", TIGER +
                                           "ServerName=host::5905\nViewOnly=1\nShared=1\n"
                                           "AutoSelect=0\nQualityLevel=4\nFullScreen=1\n"
                                           "CustomCompressLevel=1\nCompressLevel=6\n"
                                           "PreferredEncoding=ZRLE\nX509CA=" +
                                           ca + "\nSecurityTypes=X509Vnc,TLSVnc\n")});

    INFO(p.why);
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(p.o.address.port == 5905);
    CHECK(p.o.view_only);
    CHECK(p.o.shared);
    CHECK(p.o.encodings.quality == 4);
    CHECK(p.o.encodings.compress == 6);
    CHECK(p.o.encodings.list.number[0] == ENCODING_ZRLE);
    CHECK(p.o.full_screen);
    CHECK(std::string(p.o.x509_also) == ca);
    CHECK(p.o.x509_ca == nullptr); /* who may sign stays the user's choice */
    CHECK(p.o.security ==
          types("X509Vnc,X509Plain,X509None,RA2_256,RA2,TLSVnc")); /* and what is stronger */
}

TEST_CASE("what the command line itself names is told from what links and files say")
{
    OptionFolder f;
    f.profile("defaults", "security-types X509Vnc,TLSPlain\npasswd-file /my/passwd\n");
    f.profile("desk", "server = desk:2\n");
    Parsed files({"h"}, f.path());
    CHECK(files.o.passwd_file != nullptr);
    CHECK_FALSE(files.o.typed.passwd_file);
    CHECK(files.o.typed.security == 0);
    CHECK_FALSE(files.o.asked);
    Parsed typed({"--passwd-file", "p", "--security-types", "TLSPlain", "h"}, f.path());
    CHECK(typed.o.typed.passwd_file);
    CHECK(typed.o.typed.security == types("TLSPlain"));
    CHECK_FALSE(Parsed({"--profile", "desk"}, f.path()).o.asked);
    CHECK_FALSE(Parsed({"--listen"}, f.path()).o.asked);
    Parsed link({"vnc://h?SecurityTypes=X509Vnc"}, f.path());
    INFO(link.why);
    CHECK(link.o.asked);
    CHECK(link.o.typed.security == 0);
    CHECK(Parsed({f.write("a.tigervnc", TIGER + "ServerName=h\n")}, f.path()).o.asked);
}

TEST_CASE("a password in a connection file")
{
    OptionFolder f;
    /* "s3cret", as vncpasswd writes it */
    Parsed p({f.write("a.vnc", "[connection]\nhost=h\nport=5901\npassword=0a0a2bf9b1d9b0c4\n")});
    CHECK(p.result == OPTIONS_RUN);
    CHECK(p.o.has_password);
    Parsed longer({f.write("a.vnc", "[connection]\nhost=h\npassword=0a0a2bf9b1d9b0c400\n")});
    CHECK(std::string(longer.o.password) == p.o.password);
    for (const char *none : {"", "hush", "0a0a2bf9b1d9b0cx", "0a"}) {
        Parsed q({f.write("a.vnc", std::string("[connection]\nhost=h\npassword=") + none + "\n")});
        INFO(q.why);
        CHECK(q.result == OPTIONS_RUN);
        CHECK_FALSE(q.o.has_password);
        CHECK((*none == '\0') == std::string(q.o.notice.text).empty());
    }
}

TEST_CASE("what only changes the looks is left out, and named once")
{
    OptionFolder f;
    Parsed p({f.write("a.tigervnc", TIGER + "ServerName=h\nLowColorLevel=0\nMenuKey=F99\n"
                                            "DesktopSize=800x600\nFullScreenMode=Both\n"
                                            "QualityLevel=99\nRemoteResize=0\n")});
    INFO(p.o.notice.text);
    CHECK(p.result == OPTIONS_RUN);
    CHECK(std::string(p.o.notice.text)
              .find("a.tigervnc: left out what is not supported: "
                    "LowColorLevel, MenuKey (bad value 'F99'), "
                    "FullScreenMode (bad value 'Both'), QualityLevel (bad value '99')") !=
          std::string::npos);
    CHECK(std::string(p.o.notice.text).find("RemoteResize") == std::string::npos);
    CHECK_FALSE(p.o.remote_resize);
    CHECK(p.o.desktop_width == 800);
    CHECK(p.o.desktop_height == 600);

    std::string many = "[connection]\nhost=h\n[options]\nuse_encoding_1=1\n";
    for (int i = 0; i < 200; i++)
        many += "option" + std::to_string(i) + "=1\n";
    Parsed q({f.write("b.vnc", many)});
    std::string notice = q.o.notice.text;
    CHECK(q.result == OPTIONS_RUN);
    CHECK(notice.find("option0, option1") != std::string::npos);
    CHECK(notice.substr(notice.size() - 3) == "...");
    CHECK(notice.find("use_encoding") == std::string::npos);
}

TEST_CASE("what protects is got, or the file is refused")
{
    OptionFolder f;
    const std::vector<std::vector<std::string>> bad = {
        {"SecurityTypes=MSLogonII", ":3:", "MSLogonII"},
        {"SecurityTypes=Plain", ":3:", "--security-types"},
        {"ViewOnly=perhaps", ":3:", "'perhaps'"},
        {"GnuTLSPriority=SECURE256", ":3:", "GnuTLS"},
    };

    for (const auto &b : bad) {
        Parsed p({f.write("a.tigervnc", TIGER + "ServerName=h\n" + b[0] + "\n")});
        INFO(b[0] << ": " << p.why);
        CHECK(p.refused({b.begin() + 1, b.end()}));
        CHECK(p.why.find("a.tigervnc") != std::string::npos);
    }
    CHECK(Parsed({f.write("a.vnc", "[connection]\nhost=h\nUseDSMPlugin=1\n")}).refused({"plugin"}));
}

TEST_CASE("a file can ask for more protection, never for less")
{
    OptionFolder f;
    f.profile("defaults", "view-only\nsecurity-types X509Vnc,TLSVnc\nx509-ca /my/ca\n");
    std::string head = TIGER + "ServerName=h\n";
    Parsed p({f.write("a.tigervnc", head + "ViewOnly=0\nSecurityTypes=None,TLSVnc,X509Vnc\n")},
             f.path());
    INFO(p.why);
    CHECK(p.result == OPTIONS_RUN);
    CHECK(p.o.view_only);
    CHECK(p.o.security == types("TLSVnc,X509Vnc"));
    CHECK(Parsed({f.write("a.tigervnc", head + "SecurityTypes=None\n")}, f.path())
              .refused({"a.tigervnc:3:", "--security-types"}));
    Parsed also({f.write("a.tigervnc", head + "X509CA=/other/ca\n")}, f.path());
    CHECK(std::string(also.o.x509_ca) == "/my/ca");
    CHECK(std::string(also.o.x509_also) == "/other/ca");
    /* nothing that writes, reads or starts something */
    for (const char *line : {"log=/tmp/x", "trace=/tmp/x", "json=/tmp/x", "passwd-file=/tmp/x",
                             "PasswordFile=/tmp/x", "headless=1", "profile=p"}) {
        Parsed q({f.write("a.tigervnc", head + line + "\n")});
        INFO(line << q.o.notice.text);
        CHECK(q.result == OPTIONS_RUN);
        CHECK(std::string(q.o.notice.text).find("left out") != std::string::npos);
        CHECK((q.o.log == nullptr && q.o.trace == nullptr && q.o.json == nullptr &&
               q.o.passwd_file == nullptr && !q.o.headless));
    }
}

TEST_CASE("a file's certificates are looked for where it says, and only a default may be missing")
{
    OptionFolder f;
    const std::string home = f.path() + "/home";
    const char *before = getenv("HOME");
    const std::string old = before ? before : "";
    auto asks = [&](const std::string &line) {
        return f.write("a.tigervnc", TIGER + "ServerName=h\n" + line + "\n");
    };
    f.write("home/.vnc/x509_ca.pem", "");
    f.write("home/.vnc/x509_crl.pem", "");
    setenv("HOME", home.c_str(), 1);
    for (const std::string &ca : {std::string("~/.vnc/x509_ca.pem"), home + "/.vnc/x509_ca.pem"}) {
        INFO(ca);
        Parsed p({asks("X509CA=" + ca)});
        REQUIRE(p.result == OPTIONS_RUN);
        REQUIRE(p.o.x509_also != nullptr);
        CHECK(p.o.x509_also == home + "/.vnc/x509_ca.pem");
    }
    Parsed list({asks("X509CRL=~/.vnc/x509_crl.pem")});
    REQUIRE(list.o.x509_crl != nullptr);
    CHECK(list.o.x509_crl == home + "/.vnc/x509_crl.pem");
    /* what TigerVNC has written by itself, whoever saved it */
    for (const char *ca : {"~/.config/tigervnc/x509_ca.pem", "/home/other/.vnc/x509_ca.pem", ""})
        CHECK(Parsed({asks(std::string("X509CA=") + ca)}).o.x509_also == nullptr);
    /* what somebody has chosen is a condition, and refused later where it is missing */
    for (const char *ca : {"/company/x509_ca.pem", "~/x509_ca.pem", "/a/.vnc/other.pem"})
        CHECK(Parsed({asks(std::string("X509CA=") + ca)}).o.x509_also != nullptr);
    /* one that is there and cannot be looked at is not missing */
    f.write("plain", "");
    CHECK(Parsed({asks("X509CA=" + f.path() + "/plain/.vnc/x509_ca.pem")}).o.x509_also != nullptr);
    setenv("HOME", old.c_str(), 1);
}

TEST_CASE("a way to the server that a file asks for is refused, and never left out")
{
    OptionFolder f;
    for (const char *way :
         {"via=gate", "Via=me@gate:22", "ssh=me@desk", "repeater=rep", "listen=1"}) {
        Parsed p({f.write("a.tigervnc", TIGER + "ServerName=localhost:1\n" + way + "\n")});
        INFO(way << ": " << p.why);
        CHECK(p.refused({"a.tigervnc:3:", "a way to the server", way}));
        CHECK(Parsed({f.write("a.vnc", std::string("[connection]\nhost=localhost\n") + way + "\n")})
                  .refused({"a.vnc:3:", "a way to the server"}));
    }
    for (const char *none : {"via=", "listen=0"})
        CHECK(Parsed({f.write("a.tigervnc", TIGER + "ServerName=h\n" + none + "\n")}).result ==
              OPTIONS_RUN);
    CHECK(Parsed({"vnc://h?via=gate"}).refused({"via"}));
    CHECK(Parsed({"vnc://h?ssh=gate"}).refused({"ssh"}));
}

TEST_CASE("what is a connection file, and what is none")
{
    OptionFolder f;
    CHECK(Parsed({f.write("none.vnc", "hello\n")}).refused({"none.vnc", "no connection file"}));
    CHECK(Parsed({f.write("none", "hello\n")}).refused({"none", "no connection file"}));
    CHECK(Parsed({f.path() + "/missing.vnc"}).refused({"there is no file", "missing.vnc"}));
    CHECK(Parsed({f.write("a.vnc", "[connection]\nport=5901\n")}).refused({"names no server"}));
    CHECK(Parsed({f.write("a.vnc", "[connection]\nhost=a b\n")}).refused({"a.vnc", "a b"}));
    CHECK(std::string(Parsed({"host.vnc:1"}).o.address.host) == "host.vnc");
    /* what is missing may have been meant as the name of a host: that is said */
    CHECK(Parsed({"desk.vnc"}).refused({"there is no file desk.vnc", "desk.vnc:0"}));
    CHECK(Parsed({"desk.TigerVNC"}).refused({"there is no file desk.TigerVNC"}));
    CHECK(std::string(Parsed({"desk.vnc:0"}).o.address.host) == "desk.vnc");
    CHECK(std::string(Parsed({f.path() + "/socket"}).o.address.path) == f.path() + "/socket");
    std::string file = f.write("with.tigervnc", TIGER + "ServerName=h\nQualityLevel=3\n");
    CHECK(Parsed({file}).o.encodings.quality == 3);
    CHECK(Parsed({"--quality", "5", file}).o.encodings.quality == 5);
}

TEST_CASE("a file can switch the clipboard off, and never on")
{
    OptionFolder f;
    std::string file = f.write("a.tigervnc", TIGER + "ServerName=h\nSendClipboard=0\n");
    std::string both = f.write("b.tigervnc", TIGER + "ServerName=h\nSendClipboard=1\n"
                                                     "SetPrimary=1\nSendPrimary=1\n");

    CHECK_FALSE(Parsed({file}).o.send_clipboard);
    CHECK(Parsed({file}).o.accept_clipboard);
    Parsed off({"--clipboard", "off", both});
    CHECK(off.result == OPTIONS_RUN);
    CHECK_FALSE(off.o.send_clipboard);
    CHECK_FALSE(off.o.send_primary); // TigerVNC writes its own default
}

TEST_CASE("a link or a file takes no protection away")
{
    OptionFolder f;
    auto file = [&](const std::string &line) {
        return f.write("a.tigervnc", TIGER + "ServerName=h\n" + line + "\n");
    };
    const security_set all = security_default();

    /* encryption: only what is weaker than what is asked for goes */
    CHECK(Parsed({"vnc://h?SecurityType=1"}).o.security == all);
    CHECK(Parsed({"vnc://h?SecurityType=2"}).o.security == (all & ~types("DH,None")));
    CHECK(Parsed({"vnc://h?SecurityType=30"}).o.security == (all & ~types("None")));
    CHECK(Parsed({file("SecurityTypes=DH")}).o.security == (all & ~types("None")));
    CHECK(Parsed({file("SecurityTypes=None")}).o.security == all);
    CHECK(Parsed({file("SecurityTypes=VncAuth,TLSPlain")}).o.security == (all & ~types("DH,None")));
    CHECK(Parsed({file("SecurityTypes=X509Vnc")}).o.security == types("X509Vnc"));
    /* the primary selection */
    for (const char *primary : {"SendPrimary=on", "SendPrimary=true", "SetPrimary=on"}) {
        Parsed p({file(primary)});
        INFO(primary);
        REQUIRE(p.result == OPTIONS_RUN);
        CHECK_FALSE(p.o.send_primary);
        CHECK_FALSE(p.o.set_primary);
    }
    CHECK(Parsed({"--primary", "on", file("SetPrimary=on")}).o.send_primary);
    /* the key that shows whose picture this is */
    CHECK(Parsed({file("MenuKey=none")}).o.menu_key.name == std::string("F8"));
    CHECK(Parsed({file("MenuKey=F9")}).o.menu_key.name == std::string("F9"));
    /* a socket of any program of this machine would count as local */
    CHECK(Parsed({f.write("a.tigervnc", TIGER + "ServerName=/run/any.sock\n")})
              .refused({"a.tigervnc", "Unix socket", "/run/any.sock"}));
    CHECK(Parsed({f.write("a.vnc", "[connection]\nhost=./any\n")}).refused({"Unix socket"}));
}
