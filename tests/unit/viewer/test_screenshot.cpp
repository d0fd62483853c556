// Pictures of the server's screen: names, folders and files.
#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"

#include <png.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "viewer/desktop/display/screenshot.h"

namespace
{

std::string name(const std::string &desktop)
{
    struct tm when = {};
    char out[SCREENSHOT_NAME_MAX];

    when.tm_year = 126;
    when.tm_mon = 10;
    when.tm_mday = 22;
    when.tm_hour = 5;
    when.tm_min = 17;
    screenshot_name(desktop.c_str(), &when, out);
    return out;
}

std::string folder_of(const std::string &text)
{
    char out[PATH_MAX];
    return screenshot_user_dir(text.c_str(), "/home/me", out) ? out : "";
}

} // namespace

TEST_CASE("a picture's name is a plain one, whatever the desktop calls itself")
{
    CHECK(name("root@vm") == "vnchl-root-vm-2026-11-22-051700.png");
    CHECK(name("") == "vnchl-2026-11-22-051700.png");
    CHECK(name("../../etc/passwd") == "vnchl-..-..-etc-passwd-2026-11-22-051700.png");
    CHECK(name("a  b\n\x1b[31m$(reboot)") == "vnchl-a-b-31m-reboot-2026-11-22-051700.png");
    CHECK(name("gr\xc3\xbc\xc3\x9f") == "vnchl-gr-2026-11-22-051700.png");
    CHECK(name(std::string(5000, 'x')).size() < SCREENSHOT_NAME_MAX);
    CHECK(name(std::string(5000, 'x')).find("2026") != std::string::npos);
}

TEST_CASE("the folder of pictures stands in user-dirs.dirs")
{
    CHECK(folder_of("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n") == "/home/me/Bilder");
    CHECK(folder_of("# a note\nXDG_DESKTOP_DIR=\"$HOME/D\"\n  XDG_PICTURES_DIR=\"/srv/p\"") ==
          "/srv/p");
    CHECK(folder_of("XDG_PICTURES_DIR=\"$HOME/a\\\"b\\\\c\"") == "/home/me/a\"b\\c");
    CHECK(folder_of("XDG_PICTURES_DIR=\"$HOME/\"") == "/home/me/");
    for (const char *none :
         {"", "XDG_PICTURES_DIR=", "XDG_PICTURES_DIR=/srv", "XDG_PICTURES_DIR=\"srv\"",
          "XDG_PICTURES_DIR=\"/srv", "XDG_PICTURES_DIR=\"/srv\n\"", "#XDG_PICTURES_DIR=\"/srv\"",
          "XDG_PICTURES_DIR=\"/srv\\"})
        CHECK(folder_of(none).empty());
    CHECK(folder_of("XDG_PICTURES_DIR=\"/" + std::string(2 * PATH_MAX, 'x') + "\"").empty());
}

TEST_CASE("a picture is written as it is, for the user alone, and nothing is overwritten")
{
    TempDir folder;
    const std::vector<uint32_t> pixels = {0x00ff0000, 0x0000ff00, 0x000000ff,
                                          0xab123456, 0,          0x00ffffff};
    struct reason why;
    char path[PATH_MAX];
    struct stat status;

    for (const char *expected : {"/a.png", "/a-2.png", "/a-3.png"}) {
        REQUIRE(screenshot_save(folder.path().c_str(), "a.png", pixels.data(), 3, 2, path, &why));
        CHECK(path == folder.path() + expected);
        REQUIRE(stat(path, &status) == 0);
        CHECK((status.st_mode & 0777) == 0600);
    }
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    REQUIRE(image.width == 3);
    REQUIRE(image.height == 2);
    std::vector<uint8_t> rgb(18);
    REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
    for (size_t i = 0; i < pixels.size(); i++)
        CHECK((rgb[3 * i] << 16 | rgb[3 * i + 1] << 8 | rgb[3 * i + 2]) ==
              static_cast<int>(pixels[i] & 0xffffff));
}

TEST_CASE("a picture does not follow a link, and a failure says why")
{
    TempDir folder;
    const uint32_t pixel = 0;
    const std::string link = folder.path() + "/a.png", target = folder.path() + "/elsewhere";
    struct reason why;
    char path[PATH_MAX];

    REQUIRE(symlink(target.c_str(), link.c_str()) == 0);
    REQUIRE(screenshot_save(folder.path().c_str(), "a.png", &pixel, 1, 1, path, &why));
    CHECK(access(target.c_str(), F_OK) != 0);
    CHECK_FALSE(screenshot_save("/no/such/folder", "a.png", &pixel, 1, 1, path, &why));
    CHECK(std::string(why.text) ==
          "cannot save a picture in /no/such/folder: No such file or directory");
}
