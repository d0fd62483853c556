// Which pictures of a screen are compared with what was drawn: whole ones, now and then.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tools/lab/eye/compare.h"

namespace
{

constexpr int WIDTH = 320, HEIGHT = 180, X = 40, Y = 30;

/* A screen that shows a film at X, Y, and the eye's thread that looks at it. */
struct Screen {
    scene *drawn;
    compare *judge = compare_open(scene_kind_find("video"), WIDTH, HEIGHT, 1);
    std::vector<uint32_t> pixels = std::vector<uint32_t>(640 * 480, 0x334455);
    mark_picture picture{pixels.data(), 640, 480, 640};
    lookout look_out{};
    tick_t now = TICK_S;

    explicit Screen(int width = WIDTH)
        : drawn(scene_create(scene_kind_find("video"), width, HEIGHT, 1))
    {
        place(SIGHTING_FRAME, drawn->frame_at);
        place(SIGHTING_FRAME_END, drawn->end_at);
    }
    Screen(const Screen &) = delete;
    ~Screen()
    {
        compare_close(judge);
        scene_destroy(drawn);
    }
    void place(int which, const scene_place &at)
    {
        look_out.places[which] = {true, X + at.x, Y + at.y, now, now};
    }
    void show(uint32_t frame, int first_row = 0, int rows = HEIGHT)
    {
        scene_draw(drawn, frame, 4711);
        for (int row = first_row; row < first_row + rows; row++)
            memcpy(&pixels[size_t((Y + row) * 640 + X)],
                   drawn->canvas.pixels + long(row) * drawn->canvas.width,
                   size_t(drawn->width) * 4);
    }
    uint32_t &at(int x, int y)
    {
        return pixels[size_t((Y + y) * 640 + X + x)];
    }
    sighting read()
    {
        sighting what{};
        for (int i : {SIGHTING_FRAME, SIGHTING_FRAME_END})
            what.seen[i] =
                mark_read(&picture, look_out.places[i].x, look_out.places[i].y, &what.marks[i]);
        return what;
    }
    void look(int times)
    {
        for (int i = 0; i < times; i++, now += TICK_MS) {
            sighting what = read();
            compare_look(judge, &picture, &look_out, &what, now);
        }
    }
    /* What is told of all looks; begins with how many pictures were compared. */
    std::string told()
    {
        char *text = nullptr;
        size_t size = 0;
        FILE *to = open_memstream(&text, &size);

        compare_finish(judge);
        compare_write(judge, to);
        fclose(to);
        std::string found(text, size);
        free(text);
        return found;
    }
};

const char *const NONE = "{\"compared\":0,\"exact\":0,\"psnr_db\":null,\"psnrs_db\":[],"
                         "\"ssim\":null,\"ssims\":[]}";
const char *const ONE_EXACT = "{\"compared\":1,\"exact\":1,"
                              "\"psnr_db\":{\"p5\":100.0000,\"p50\":100.0000},"
                              "\"psnrs_db\":[100.0000],"
                              "\"ssim\":{\"p5\":1.0000,\"p50\":1.0000},\"ssims\":[1.0000]}";

} // namespace

TEST_CASE("compare: one picture of a frame, however often it is looked at")
{
    Screen s;
    s.show(7);
    s.look(250);
    CHECK(s.told() == ONE_EXACT);
}

TEST_CASE("compare: not as soon as the frame is there")
{
    Screen s;
    for (uint32_t frame = 0; frame < 50; frame++) {
        s.show(frame);
        s.look(5);
    }
    CHECK(s.told() == NONE);
}

TEST_CASE("compare: half a frame is not compared, nor what was half before the picture was taken")
{
    Screen s;
    s.show(7);
    s.show(8, 0, HEIGHT / 2);
    s.look(100);
    s.show(8);
    s.look(5);
    CHECK(s.told() == NONE);
}

TEST_CASE("compare: a picture that changed while it was copied is dropped, and another is taken")
{
    Screen s;
    s.show(7);
    s.look(5);
    sighting before = s.read();
    s.show(8, HEIGHT / 2, HEIGHT / 2); /* after the marks were read */
    compare_look(s.judge, &s.picture, &s.look_out, &before, s.now);
    s.show(8);
    s.look(20);
    CHECK(s.told() == ONE_EXACT);
}

TEST_CASE("compare: what differs is told, but for the marks and the pointer")
{
    Screen s;
    s.show(7);
    s.at(100, 3) ^= 0xff;
    s.look(20);
    CHECK(s.told().find("{\"compared\":1,\"exact\":0,") == 0);

    Screen covered;
    covered.show(7);
    covered.at(1, MARK_HEIGHT - 1) ^= 1; /* in a mark, which can be read nevertheless */
    covered.at(160, 90) ^= 0xff;         /* a dot for a pointer */
    compare_pointer(covered.judge, X + 160, Y + 90);
    covered.look(20);
    CHECK(covered.told() == ONE_EXACT);
}

TEST_CASE("compare: a content of another size, or not all on the screen, is not compared")
{
    Screen other(WIDTH - 16);
    other.show(7);
    other.look(20);
    CHECK(other.told() == NONE);

    Screen cut;
    cut.show(7);
    cut.picture.height = Y + HEIGHT - 1;
    cut.look(20);
    CHECK(cut.told() == NONE);
}

TEST_CASE("compare: marks without a time are not the content's")
{
    Screen s;
    s.show(7);
    sighting what = s.read();
    what.marks[SIGHTING_FRAME].time = 0;
    for (int i = 0; i < 20; i++, s.now += TICK_MS)
        compare_look(s.judge, &s.picture, &s.look_out, &what, s.now);
    CHECK(s.told() == NONE);
}
