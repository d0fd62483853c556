// Connection files of other viewers, as settings.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "viewer/options/files/connection_file.h"

namespace
{

bool take(void *user, const setting *s, reason *)
{
    *static_cast<std::string *>(user) +=
        std::to_string(s->line) + ":" + s->name + "=" + s->value + "\n";
    return true;
}

std::string parsed(const std::string &text)
{
    std::string settings;
    reason why{};
    std::vector<char> exact(text.begin(), text.end()); /* ASan sees a look behind the end */

    if (!connection_file_parse(exact.data(), exact.size(), take, &settings, &why))
        return std::string("error: ") + why.text;
    return settings;
}

const std::string TIGER = "TigerVNC Configuration file Version 1.0\n";

} // namespace

TEST_CASE("TigerVNC's files")
{
    CHECK(parsed(TIGER + "\nServerName=host:1\n# a comment\nViewOnly=1\n") ==
          "3:ServerName=host:1\n5:ViewOnly=1\n");
    CHECK(parsed("TigerVNC Configuration file Version 1.0\r\nServerName=h\r\nX509CA=\r\n") ==
          "2:ServerName=h\n3:X509CA=\n");
    CHECK(parsed(TIGER + "X509CA=/a\\\\b\\nc=d") == "2:X509CA=/a\\b\nc=d\n");
    CHECK(parsed(TIGER) == "");
    CHECK(parsed(TIGER + "X509CA=/a\\b") == "error: line 2 is not NAME=VALUE");
    CHECK(parsed(TIGER + "X509CA=\\") == "error: line 2 is not NAME=VALUE");
    CHECK(parsed(TIGER + "\nServerName") == "error: line 3 is not NAME=VALUE");
}

TEST_CASE("TightVNC's and UltraVNC's files")
{
    CHECK(parsed("[connection]\nhost=10.0.0.1\nport=5901\npassword=0123456789abcdef\n[options]\n"
                 "viewonly=1\nfullscreen=0\nshared=1\npreferred_encoding=16\nquality=6\n"
                 "compresslevel=-1\nautoDetect=0\nshowtoolbar=1\n") ==
          "4:Password=0123456789abcdef\n6:viewonly=1\n7:fullscreen=0\n8:shared=1\n"
          "9:PreferredEncoding=ZRLE\n10:QualityLevel=6\n12:AutoSelect=0\n13:showtoolbar=1\n"
          "2:ServerName=10.0.0.1::5901\n");
    CHECK(parsed("[connection]\nhost=h\n[options]\nquality=-1\n").find("NoJpeg=1") !=
          std::string::npos);
    CHECK(parsed("[connection]\nhost=::1\nport=5901\n") == "2:ServerName=[::1]::5901\n");
    CHECK(parsed("[connection]\nhost=[::1]\nport=5901\n") == "2:ServerName=[::1]::5901\n");
    CHECK(parsed("[connection]\nhost=h\ndisableclipboard=1\n").find("SendClipboard=0") !=
          std::string::npos);
    CHECK(parsed("[connection]\nhost=h\ndisableclipboard=0\n") == "2:ServerName=h\n");
    CHECK(parsed("[connection]\nhost=h\nUseProxy=0\nUseDSMPlugin=0\n") == "2:ServerName=h\n");
}

TEST_CASE("RealVNC's files")
{
    CHECK(parsed("\xef\xbb\xbf\n[Connection]\nHost=host:1\n[Options]\nSendPtrEvents=0\n"
                 "SendKeyEvents=0\nSendCutText=0\n") ==
          "7:SendClipboard=0\n6:ViewOnly=1\n3:ServerName=host:1\n");
    CHECK(parsed("Host=host:1\nUserName=me\nEncryption=AlwaysOn\nQuality=Auto\n") ==
          "2:User=me\n3:SecurityTypes=X509Vnc,X509Plain,X509None,RA2_256,RA2,TLSVnc,TLSPlain,"
          "TLSNone\n"
          "1:ServerName=host:1\n");
    CHECK(parsed("Host=host\nEncryption=Server\n") == "1:ServerName=host\n");
}

TEST_CASE("files that are none, or ask for what cannot be given")
{
    const std::vector<std::vector<std::string>> bad = {
        {"", "no connection file"},
        {"\n\n", "no connection file"},
        {"#!/bin/sh\n", "no connection file"},
        {"TigerVNC Configuration file Version 2.0\n", "no connection file"},
        {std::string("[connection]\nhost=a\0b\n", 22), "line 2"},
        {"[connection]\nhost=" + std::string(2000, 'h'), "line 2", "long"},
        {"[connection]\nhost=" + std::string(400, 'h'), "line 2", "long"},
        {"[connection]\nhost\n", "line 2"},
        {"[connection]\nport=x\n", "'x'"},
        {"[connection]\nport=99999999999\n", "port"},
        {"[connection]\nhost=a:1\nport=5901\n", "line 2", "port"},
        {"[connection]\nhost=[::1]:1\nport=5901\n", "line 2", "port"},
        {"[options]\nUseDSMPlugin=1\n", "line 2", "plugin"},
        {"[options]\nUseProxy=1\n", "line 2", "proxy"},
        {"[options]\nUseProxy=certainly\n", "line 2", "proxy"},
        {"[options]\nSendPtrEvents=0\n", "line 2", "together"},
        {"[options]\nSendKeyEvents=perhaps\n", "line 2", "together"},
        {"Encryption=Strange\nHost=h\n", "line 1", "Strange"},
    };

    for (const auto &b : bad) {
        std::string said = parsed(b[0]);
        INFO(said);
        CHECK(said.rfind("error: ", 0) == 0);
        for (size_t i = 1; i < b.size(); i++)
            CHECK(said.find(b[i]) != std::string::npos);
    }
}
