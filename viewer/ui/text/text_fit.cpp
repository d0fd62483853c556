#include "text_fit.hpp"

#include <algorithm>

namespace kit
{

const char *const ELLIPSIS = "\u2026";

namespace
{

/* The place before or after `at` where no character is cut. */
size_t boundary_before(std::string_view text, size_t at)
{
    while (at > 0 && at < text.size() && (text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

size_t boundary_after(std::string_view text, size_t at)
{
    while (at < text.size() && (text[at] & 0xc0) == 0x80)
        at++;
    return at;
}

/* How many bytes from the beginning fit; at least one character. */
size_t fitting(std::string_view text, float width, const Measure &measure)
{
    size_t length = boundary_after(text, 1);

    while (length < text.size()) {
        const size_t next = boundary_after(text, length + 1);
        if (measure(text.substr(0, next)) > width)
            break;
        length = next;
    }
    return std::min(length, text.size());
}

/* Where to break a word of which `length` bytes fit: behind a sign inside it, if one is near. */
size_t good_break(std::string_view word, size_t length)
{
    const size_t sign = word.substr(0, length).find_last_of(".-_/:@");

    return sign != std::string_view::npos && sign + 1 > length / 2 ? sign + 1 : length;
}

/* Puts the word at the end of the text's last line, or in lines of its own. */
class Lines
{
  public:
    Lines(float width, const Measure &measure) : width_(width), measure_(measure) {}

    void word(std::string_view word)
    {
        std::string longer = line_.empty() ? std::string(word) : line_ + " " + std::string(word);

        if (measure_(longer) <= width_) {
            line_ = std::move(longer);
            return;
        }
        if (!line_.empty())
            end();
        while (measure_(word) > width_) {
            size_t length = fitting(word, width_, measure_);
            if (length >= word.size())
                break;
            length = good_break(word, length);
            line_ = word.substr(0, length);
            word.remove_prefix(length);
            end();
        }
        line_ = word;
    }
    void end()
    {
        done_ += line_ + "\n";
        line_.clear();
    }
    std::string take()
    {
        return done_ + line_;
    }

  private:
    float width_;
    const Measure &measure_;
    std::string done_, line_;
};

} // namespace

std::string wrap_words(std::string_view text, float width, const Measure &measure)
{
    Lines lines(width, measure);

    while (!text.empty()) {
        const size_t length = std::min(text.find_first_of(" \n"), text.size());
        if (length > 0)
            lines.word(text.substr(0, length));
        if (length < text.size() && text[length] == '\n')
            lines.end();
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return lines.take();
}

std::string short_words(std::string_view text, float width, const Measure &measure)
{
    std::string out;

    while (!text.empty()) {
        const size_t length = std::min(text.find_first_of(" \n"), text.size());
        out += without_middle(text.substr(0, length), width, measure);
        if (length < text.size())
            out += text[length];
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return out;
}

std::string without_middle(std::string_view text, float width, const Measure &measure)
{
    if (measure(text) <= width)
        return std::string(text);
    for (size_t kept = text.size() - 1; kept > 0; kept--) {
        const size_t head = boundary_before(text, kept / 2);
        const size_t tail = boundary_after(text, text.size() - (kept - kept / 2));
        std::string out =
            std::string(text.substr(0, head)) + ELLIPSIS + std::string(text.substr(tail));
        if (measure(out) <= width)
            return out;
    }
    return ELLIPSIS;
}

} // namespace kit
