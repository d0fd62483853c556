// What a reader believes of a header that another process writes: nothing.
#include "tests/catch.hpp"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>

#include "picture.hpp"

using namespace picture_test;

namespace
{

bool is_all(const framebuffer_view &v)
{
    const rect &r = v.damage.rects[0];
    return v.damage.count == 1 && r.x == 0 && r.y == 0 && r.w == v.width && r.h == v.height;
}

// A file in memory that says to be a picture.
int file_in_memory(size_t size, int seals, const picture_header &header)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    REQUIRE(fd >= 0);
    REQUIRE(pwrite(fd, &header, sizeof header, 0) == ssize_t(sizeof header));
    REQUIRE(ftruncate(fd, off_t(size)) == 0);
    REQUIRE(fcntl(fd, F_ADD_SEALS, seals) == 0);
    return fd;
}

picture_header good_header(uint32_t width, uint32_t height)
{
    picture_header h{};
    h.magic = PICTURE_MAGIC;
    h.version = PICTURE_VERSION;
    h.width = width;
    h.height = height;
    h.stride = width * 4;
    h.offset = PICTURE_OFFSET;
    return h;
}

bool maps(int fd)
{
    framebuffer_reader *reader = framebuffer_map(fd);
    framebuffer_unmap(reader);
    return reader;
}

} // namespace

TEST_CASE("a size or a place that cannot be is no picture")
{
    struct Case {
        const char *what;
        std::function<void(picture_header &)> change;
    } const cases[] = {
        {"no width", [](picture_header &h) { h.width = h.stride = 0; }},
        {"no height", [](picture_header &h) { h.height = 0; }},
        {"too wide",
         [](picture_header &h) {
             h.width = FRAMEBUFFER_MAX_SIDE + 1;
             h.stride = h.width * 4;
         }},
        {"too high", [](picture_header &h) { h.height = FRAMEBUFFER_MAX_SIDE + 1; }},
        {"a width that is negative", [](picture_header &h) { h.width = UINT32_MAX; }},
        {"a width whose stride overflows",
         [](picture_header &h) {
             h.width = 0x40000004;
             h.stride = 16;
         }},
        {"a product that overflows", [](picture_header &h) { h.width = h.height = 0x10000; }},
        {"a stride that is longer", [](picture_header &h) { h.stride += 4; }},
        {"no stride", [](picture_header &h) { h.stride = 0; }},
        {"a stride without an end", [](picture_header &h) { h.stride = UINT32_MAX; }},
        {"pixels in the header", [](picture_header &h) { h.offset = 0; }},
        {"pixels between two", [](picture_header &h) { h.offset += 2; }},
        {"pixels behind the end", [](picture_header &h) { h.offset = UINT32_MAX - 3; }},
        {"the last row behind the end",
         [](picture_header &h) { h.offset = uint32_t(PICTURE_MEMORY_BYTES - 4 * 4 * 4 + 4); }},
        {"the largest, one row too far",
         [](picture_header &h) {
             h.width = h.height = FRAMEBUFFER_MAX_SIDE;
             h.stride = h.width * 4;
             h.offset += 4;
         }},
    };
    Memory m(4, 4);
    const picture_header good = *m.header;

    for (const Case &c : cases) {
        INFO(c.what);
        c.change(*m.header);
        CHECK_FALSE(m.readable());
        CHECK(m.header->lock == 0); // it has been given back
        *m.header = good;
        CHECK(m.readable());
    }
    m.header->offset = uint32_t(PICTURE_MEMORY_BYTES - 4 * 4 * 4); // just fits
    CHECK(m.readable());
}

TEST_CASE("what was checked does not change while a reader has it")
{
    Memory m(4, 4);
    framebuffer_view view;

    REQUIRE(framebuffer_lock(m.reader, &view, false));
    m.header->width = m.header->height = 0x7fffffff;
    m.header->damage.count = 0x7fffffff;
    CHECK(view.width == 4);
    CHECK(view.height == 4);
    CHECK(is_all(view));
    framebuffer_unlock(m.reader);
}

TEST_CASE("a damage that cannot be is all of the picture")
{
    struct Case {
        int count;
        rect r;
    } const cases[] = {
        {-1, {0, 0, 1, 1}},
        {INT_MIN, {0, 0, 1, 1}},
        {REGION_MAX + 1, {0, 0, 1, 1}},
        {INT_MAX, {0, 0, 1, 1}},
        {1, {-1, 0, 2, 2}},
        {1, {0, -1, 2, 2}},
        {1, {0, 0, 0, 1}},
        {1, {0, 0, 1, -1}},
        {1, {0, 0, 5, 1}},
        {1, {3, 0, 2, 1}},
        {1, {0, 3, 1, 2}},
        {1, {INT_MAX, INT_MAX, INT_MAX, INT_MAX}},
        {1, {INT_MAX, 0, 1, 1}},
        {1, {1, 1, INT_MAX, INT_MAX}},
        {1, {INT_MIN, INT_MIN, INT_MIN, INT_MIN}},
    };
    Memory m(4, 4);
    framebuffer_view view;

    for (const Case &c : cases) {
        INFO(c.count << " of " << c.r.x << ", " << c.r.y << ", " << c.r.w << ", " << c.r.h);
        m.header->damage.count = c.count;
        m.header->damage.rects[0] = c.r;
        REQUIRE(m.readable(&view));
        CHECK(is_all(view));
    }
    m.header->damage.count = 1;
    m.header->damage.rects[0] = {3, 2, 1, 2};
    REQUIRE(m.readable(&view));
    CHECK(view.damage.rects[0].x == 3);
    CHECK_FALSE(is_all(view));
}

TEST_CASE("a file that is no picture's is not mapped")
{
    const size_t size = PICTURE_OFFSET + 4 * 4 * 4;
    picture_header header = good_header(4, 4);
    int ends[2];

    CHECK_FALSE(maps(-1));
    REQUIRE(pipe(ends) == 0);
    CHECK_FALSE(maps(ends[0]));
    close(ends[0]);
    close(ends[1]);

    int fd = file_in_memory(size, F_SEAL_SHRINK, header);
    CHECK(maps(fd));
    close(fd);
    fd = file_in_memory(size, F_SEAL_GROW, header); // can still become smaller
    CHECK_FALSE(maps(fd));
    close(fd);
    fd = file_in_memory(sizeof header - 1, F_SEAL_SHRINK, header);
    CHECK_FALSE(maps(fd));
    close(fd);
    header.version++;
    fd = file_in_memory(size, F_SEAL_SHRINK, header);
    CHECK_FALSE(maps(fd));
    close(fd);
    header = good_header(4, 4);
    header.magic++;
    fd = file_in_memory(size, F_SEAL_SHRINK, header);
    CHECK_FALSE(maps(fd));
    close(fd);
}

TEST_CASE("a file of another size is read as far as it goes")
{
    for (size_t less : {0, 1}) {
        int fd =
            file_in_memory(PICTURE_OFFSET + 4 * 4 * 4 - less, F_SEAL_SHRINK, good_header(4, 4));
        framebuffer_reader *reader = framebuffer_map(fd);
        framebuffer_view view;

        REQUIRE(reader);
        bool locked = framebuffer_lock(reader, &view, false);
        CHECK(locked == (less == 0));
        if (locked)
            CHECK(colour_of(view) == 0);
        framebuffer_unmap(reader);
        close(fd);
    }
}

TEST_CASE("nobody can make the memory smaller or larger")
{
    Memory m(4, 4);
    int fd = framebuffer_fd(m.fb);

    CHECK(ftruncate(fd, 0) != 0);
    CHECK(errno == EPERM);
    CHECK(ftruncate(fd, off_t(PICTURE_MEMORY_BYTES) + 1) != 0);
    CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) != 0);
    CHECK(m.readable());
}
