/* Draws texts of every script into pictures: letters are joined, lines run in the direction of
 * their script, emoji have their colours.
 *
 * Pango does it, with the system's fonts. Its libraries are loaded when the first such text is to
 * be drawn, because few people need them, and they cost memory and time. A system may lack them.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kit
{

/* A text and how it is to look. */
struct Wish {
    std::string text; /* UTF-8 */
    int size;         /* of a line, in pixels */
    int room;         /* pixels that a line may be wide; 0: as wide as it is */
    uint32_t colour;  /* 0xAARRGGBB */
    /* A name that stands alone: one line, which begins where its own script begins. What does not
     * fit is cut, with dots. Else it is a sentence of this program with foreign words: it begins
     * on the left, and becomes several lines. */
    bool is_name;

    bool operator<(const Wish &other) const;
};

struct Drawn {
    int width = 0, height = 0;
    std::vector<uint32_t> pixels; /* 0xAARRGGBB, row by row; colours are not multiplied by alpha */
};

class Shaper
{
  public:
    Shaper();
    ~Shaper();
    Shaper(const Shaper &) = delete;
    Shaper &operator=(const Shaper &) = delete;

    /* False when the libraries are not there, or there is no memory. At most MAX x MAX pixels. */
    bool draw(const Wish &wish, Drawn &drawn);

    static constexpr int MAX = 4096;

  private:
    struct Pango;
    std::unique_ptr<Pango> pango_;
    bool tried_ = false;
};

} // namespace kit
