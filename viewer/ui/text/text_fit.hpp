/* Makes texts fit a width: breaks them into lines between words, or leaves out what has no room.
 *
 * Pure: the width of a text is measured by a function. Texts are UTF-8; no character is cut.
 */
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kit
{

/* Tells how wide a text is drawn, in the unit of the width that it has to fit. */
using Measure = std::function<float(std::string_view)>;

/* What stands for the part of a text that is left out. */
extern const char *const ELLIPSIS;

/* The text with line ends put in, so that no line is wider than `width`. A line ends between two
 * words. Only a word that is too wide for a whole line is broken inside, behind a dot or a
 * hyphen if one is near. Line ends of the text itself stay. */
std::string wrap_words(std::string_view text, float width, const Measure &measure);

/* The beginning and the end of a text that is too wide, "office....example.com:2". */
std::string without_middle(std::string_view text, float width, const Measure &measure);

/* The text without the middle of the words that are too wide for a line. */
std::string short_words(std::string_view text, float width, const Measure &measure);

} // namespace kit
