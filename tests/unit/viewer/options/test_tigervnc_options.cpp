// The names that TigerVNC's users type.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "parsed.hpp"
extern "C" {
#include "viewer/options/option_table.h"
}

TEST_CASE("an option without a dash")
{
    CHECK(Parsed({"ViewOnly=1", "h"}).o.view_only);
    CHECK_FALSE(Parsed({"Shared=0", "h"}).o.shared);
    CHECK(Parsed({"h", "qualitylevel=3"}).o.encodings.quality == 3);
    CHECK(Parsed({"viewonyl=1", "h"}).refused({"'viewonyl'", "--view-only"}));
    CHECK(Parsed({"host=1"}).refused({"'host'"}));
    CHECK(std::string(Parsed({"./a=b"}).o.address.path) == "./a=b");
    CHECK(Parsed({"--", "a=b"}).result == OPTIONS_RUN);
}

TEST_CASE("preferred encodings")
{
    for (const char *name : {"ZRLE", "hextile", "Raw"}) {
        Parsed p({"-PreferredEncoding", name, "h"});
        INFO(name);
        REQUIRE(p.result == OPTIONS_RUN);
        CHECK(p.o.encodings.list.count == 6);
        CHECK(std::string(encoding_name(p.o.encodings.list.number[0])).size() ==
              std::string(name).size());
    }
    // nobody has chosen it: blocks may be pushed, too
    CHECK(Parsed({"-PreferredEncoding=Tight", "h"}).o.encodings.list.number[1] == ENCODING_TIGHT);
    CHECK(Parsed({"-PreferredEncoding=Tight", "h"}).o.encodings.blocks);
    CHECK(Parsed({"-PreferredEncoding=ZRLE", "h"}).o.encodings.list.number[0] == ENCODING_ZRLE);
    CHECK(Parsed({"-PreferredEncoding=H.264", "h"}).o.encodings.list.number[0] == ENCODING_H264);
    CHECK(Parsed({"-PreferredEncoding=H.265", "h"}).refused({"'H.265'", "ZRLE"}));
}

TEST_CASE("automatic selection")
{
    CHECK(Parsed({"-AutoSelect", "h"}).o.encodings.quality == LEVEL_AUTO);
    Parsed fixed({"-AutoSelect=0", "h"});
    CHECK(fixed.o.encodings.quality == 8);
    CHECK(fixed.o.encodings.compress == 2);
    Parsed named({"-AutoSelect=0", "-QualityLevel=4", "h"});
    CHECK(named.o.encodings.quality == 4);
    CHECK(Parsed({"-AutoSelect=1", "-QualityLevel=4", "h"}).refused({"AutoSelect", "--quality"}));
    CHECK(Parsed({"-AutoSelect=perhaps", "h"}).refused({"'perhaps'"}));
}

TEST_CASE("TigerVNC's log is ours when it says so")
{
    CHECK(Parsed({"-Log", "*:stderr:100", "h"}).o.verbose);
    CHECK_FALSE(Parsed({"-Log=*:stderr:30", "h"}).o.verbose);
    CHECK(Parsed({"-Log=*:stderr:100", "h"}).o.log == nullptr);
    CHECK(std::string(Parsed({"-Log", "a:b:c", "h"}).o.log) == "a:b:c");
    CHECK(std::string(Parsed({"-Log", "run.csv", "h"}).o.log) == "run.csv");
}

TEST_CASE("TigerVNC's dot is ours")
{
    CHECK(Parsed({"h"}).o.dot_cursor);
    CHECK_FALSE(Parsed({"-DotWhenNoCursor=0", "h"}).o.dot_cursor);
    CHECK_FALSE(Parsed({"AlwaysCursor=off", "h"}).o.dot_cursor);
    CHECK(Parsed({"--dot-cursor", "off", "-DotWhenNoCursor", "h"}).o.dot_cursor);
}

TEST_CASE("the server's screen follows the window, or has a size of its own")
{
    CHECK(Parsed({"h"}).o.remote_resize);
    CHECK_FALSE(Parsed({"-RemoteResize=0", "h"}).o.remote_resize);
    CHECK(Parsed({"--remote-resize", "off", "RemoteResize=1", "h"}).o.remote_resize);
    Parsed p({"-DesktopSize=1280x800", "h"});
    CHECK(p.o.desktop_width == 1280);
    CHECK(p.o.desktop_height == 800);
    CHECK(Parsed({"-DesktopSize=", "h"}).o.desktop_width == 0);
    for (const char *bad : {"-DesktopSize=1280", "-DesktopSize=1280x", "-DesktopSize=1280x800+0+0",
                            "-DesktopSize=8193x600", "-DesktopSize=600x8193", "-DesktopSize=0x0",
                            "-DesktopSize=1x1", "-DesktopSize=640x63"}) {
        INFO(bad);
        CHECK(Parsed({bad, "h"}).refused({"1280x800"}));
    }
}

TEST_CASE("how large the picture is drawn")
{
    CHECK(Parsed({"h"}).o.scale.kind == SCALE_AUTO);
    CHECK_FALSE(Parsed({"h"}).o.scale_said);
    CHECK(Parsed({"-scale=auto", "h"}).o.scale.kind == SCALE_AUTO);
    CHECK(Parsed({"-scale=auto", "h"}).o.scale_said);
    CHECK(Parsed({"--scale", "System", "h"}).o.scale.kind == SCALE_SYSTEM);
    CHECK(Parsed({"-scale", "FIT", "h"}).o.scale.kind == SCALE_FIT);
    CHECK(Parsed({"-scale", "fixedratio", "h"}).o.scale.kind == SCALE_FIT);
    CHECK(Parsed({"--scale", "integer", "h"}).o.scale.kind == SCALE_INTEGER);
    Parsed size({"-scale", "1280x800", "h"});
    CHECK(size.o.scale.kind == SCALE_FIT);
    CHECK(size.o.place.width == 1280);
    CHECK(size.o.place.height == 800);
    CHECK_FALSE(size.o.place.placed);
    CHECK(Parsed({"-scale", "1280x800+0+0", "h"}).refused({"--scale", "1280x800"}));
    for (auto good : {std::pair("1", 1.0), std::pair("0.4", 0.4), std::pair(".5", 0.5),
                      std::pair("150%", 1.5), std::pair("10", 10.0), std::pair("0.1", 0.1)}) {
        Parsed p({"--scale", good.first, "h"});
        INFO(good.first);
        CHECK(p.o.scale.kind == SCALE_RATIO);
        CHECK(p.o.scale.ratio == Approx(good.second));
    }
    for (const char *bad : {"0", "0.09", "10.1", "-1", "inf", "nan", "0x1", "1e1", " 1", "1 ", "%",
                            ".", "1%%", "large"}) {
        INFO(bad);
        CHECK(Parsed({std::string("--scale=") + bad, "h"})
                  .refused({"--scale", "auto, fit, integer, system,", "150%"}));
    }
}

TEST_CASE("how a server is reached")
{
    CHECK(Parsed({"h"}).o.address.family == ADDRESS_ANY);
    CHECK(Parsed({"-UseIPv4=0", "h"}).o.address.family == ADDRESS_IPV6);
    CHECK(Parsed({"-UseIPv6=0", "h"}).o.address.family == ADDRESS_IPV4);
    CHECK(Parsed({"-UseIPv4=0", "-UseIPv6=0", "h"}).refused({"IPv4", "IPv6"}));
}

TEST_CASE("what asks for nothing else than is done is accepted")
{
    for (const char *word :
         {"-FullColor", "-FullColour=1", "-EmulateMiddleButton=0", "-PointerEventInterval=0",
          "-PointerEventInterval=17", "-FullScreenMode=current", "-FullScreenAllMonitors=off",
          "-FullscreenSystemKeys", "-AlertOnFatalError=0", "-GnuTLSPriority=NORMAL"}) {
        Parsed p({word, "h"});
        INFO(word << ": " << p.why);
        CHECK(p.result == OPTIONS_RUN);
    }
}

TEST_CASE("the monitors of full screen are named as TigerVNC names them")
{
    CHECK(Parsed({"h"}).o.monitors.mode == FULL_SCREEN_CURRENT);
    CHECK(Parsed({"h"}).o.monitors.selected == 1);
    CHECK(Parsed({"-FullScreenAllMonitors", "h"}).o.monitors.mode == FULL_SCREEN_ALL);
    CHECK(Parsed({"-FullScreenMode=all", "-FullScreenAllMonitors=0", "h"}).o.monitors.mode ==
          FULL_SCREEN_ALL);
    Parsed p({"-FullScreenMode", "Selected", "-FullScreenSelectedMonitors=1,3", "h"});
    CHECK(p.o.monitors.mode == FULL_SCREEN_SELECTED);
    CHECK(p.o.monitors.selected == 5);
}

TEST_CASE("what is not supported is refused, and says what to do")
{
    const std::vector<std::vector<std::string>> bad = {
        {"-FullColor=0", "'FullColor=0'", "--quality"},
        {"-LowColorLevel=1", "'LowColorLevel'", "--quality"},
        {"-CustomCompressLevel", "'CustomCompressLevel'", "--compress"},
        {"-FullScreenMode=Both", "'Both'", "selected"},
        {"-FullScreenSelectedMonitors=0", "'0'", "monitors"},
        {"-PointerEventInterval=100", "'PointerEventInterval=100'"},
        {"-display=:1", "'display'", "DISPLAY"},
        {"-MaxCutText=1", "'MaxCutText'"},
        {"-RemoteResize=x", "'x'"},
        {"-SecurityTypes=MSLogonII", "'MSLogonII'"},
    };

    for (const auto &b : bad) {
        Parsed p({b[0], "h"});
        INFO(b[0] << ": " << p.why);
        CHECK(p.refused({b.begin() + 1, b.end()}));
    }
    CHECK(Parsed({"-display", ":1", "h"}).refused({"DISPLAY"}));
}

TEST_CASE("no row of TigerVNC's is hidden by an option of ours")
{
    for (size_t i = 0; i < foreign_option_count; i++) {
        const struct option_entry &e = foreign_options[i].entry;
        INFO(e.name);
        CHECK(option_named(e.name) == &e);
    }
}
