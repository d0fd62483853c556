#include "fonts.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "text_fit.hpp"

namespace kit
{

namespace
{

const float TEXT_SIZE = 18, TITLE_SIZE = 24, CODE_SIZE = 17,
            SMALL_SIZE = 14; /* pixels, on an ordinary display */

/* More characters than anybody reads in one window: then all are forgotten but the common ones. */
const size_t MANY = 3000;

const long FILE_MAX_BYTES = 64 << 20;

const char REPLACEMENT[] = "\xef\xbf\xbd?"; /* U+FFFD, or a question mark where no font has it */

/* The next character; well-formed UTF-8 only. 0 at the end. */
unsigned next(const char *&text)
{
    auto p = reinterpret_cast<const unsigned char *>(text);
    int more = *p < 0x80 ? 0 : *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1;
    unsigned c = more == 0 ? *p : *p & (0x3fu >> more);

    if (!*p)
        return 0;
    text++;
    for (int i = 1; i <= more && (p[i] & 0xc0) == 0x80; i++) {
        c = c << 6 | (p[i] & 0x3f);
        text++;
    }
    return c;
}

/* Fonts made of outlines, in one of the forms that ImGui reads. */
bool is_readable(const FcPattern *font)
{
    FcChar8 *format = nullptr;
    FcBool outline = FcFalse, colour = FcFalse;

    FcPatternGetBool(font, FC_OUTLINE, 0, &outline);
    FcPatternGetBool(font, FC_COLOR, 0, &colour);
    if (!outline || colour || FcPatternGetString(font, FC_FONTFORMAT, 0, &format) != FcResultMatch)
        return false;
    auto name = reinterpret_cast<const char *>(format);
    return strcmp(name, "TrueType") == 0 || strcmp(name, "CFF") == 0;
}

bool has(const FcPattern *font, ImWchar c)
{
    FcCharSet *characters = nullptr;

    return FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch &&
           FcCharSetHasChar(characters, c);
}

bool looks_like_a_font(const std::vector<unsigned char> &bytes)
{
    static const char *const magics[] = {"\0\1\0\0", "OTTO", "true", "ttcf"};

    for (const char *magic : magics)
        if (bytes.size() > 64 && memcmp(bytes.data(), magic, 4) == 0)
            return true;
    return false;
}

} // namespace

Fonts::Fonts()
{
    for (ImWchar c = 0x20; c < 0x17f; c++)
        needed_.insert(c);
    need(REPLACEMENT);
    need(ELLIPSIS);
}

Fonts::~Fonts()
{
    for (Family *f : {&sans_, &mono_})
        if (f->fonts)
            FcFontSetDestroy(f->fonts);
    if (config_)
        FcConfigDestroy(config_);
}

void Fonts::look_up()
{
    if (config_)
        return;
    config_ = FcInitLoadConfigAndFonts();
    sans_ = find("sans-serif");
    mono_ = find("monospace");
}

Fonts::Family Fonts::find(const char *name)
{
    Family f;
    FcResult result;
    FcPattern *wanted = FcNameParse(reinterpret_cast<const FcChar8 *>(name));

    if (config_ && wanted) {
        FcConfigSubstitute(config_, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        f.fonts = FcFontSort(config_, wanted, FcTrue, nullptr, &result);
    }
    if (wanted)
        FcPatternDestroy(wanted);
    return f;
}

void Fonts::need(const char *utf8)
{
    if (needed_.size() > MANY)
        needed_.erase(needed_.lower_bound(0x180), needed_.end());
    while (unsigned c = utf8 ? next(utf8) : 0)
        if (c >= 0x20 && c <= 0xffff && needed_.insert(static_cast<ImWchar>(c)).second)
            news_ = true;
}

bool Fonts::is_old(float scale) const
{
    return news_ || scale != scale_;
}

const Fonts::File *Fonts::load(const FcPattern *font)
{
    FcChar8 *name = nullptr;
    long size;

    if (FcPatternGetString(font, FC_FILE, 0, &name) != FcResultMatch)
        return nullptr;
    auto [at, is_new] = files_.try_emplace(reinterpret_cast<const char *>(name));
    std::vector<unsigned char> &bytes = at->second.bytes;
    if (is_new) {
        FILE *f = fopen(at->first.c_str(), "rb");
        if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > 0 && size <= FILE_MAX_BYTES) {
            rewind(f);
            bytes.resize(static_cast<size_t>(size));
            bytes.resize(fread(bytes.data(), 1, bytes.size(), f));
        }
        if (f)
            fclose(f);
        if (!looks_like_a_font(bytes))
            bytes.clear();
    }
    return bytes.empty() ? nullptr : &at->second;
}

/* Each character from the first font that has it: one ImGui font, merged of several. */
ImFont *Fonts::add(ImFontAtlas &atlas, const Family &family, float size)
{
    std::set<ImWchar> left = needed_;
    ImFont *made = nullptr;

    for (int i = 0; family.fonts && i < family.fonts->nfont && !left.empty(); i++) {
        const FcPattern *font = family.fonts->fonts[i];
        if (!is_readable(font))
            continue;
        std::vector<ImWchar> range;
        for (ImWchar c : left)
            if (has(font, c)) {
                if (!range.empty() && range.back() + 1 == c)
                    range.back() = c;
                else
                    range.insert(range.end(), {c, c});
            }
        const File *file = range.empty() ? nullptr : load(font);
        if (!file)
            continue;
        for (size_t r = 0; r < range.size(); r += 2)
            left.erase(left.lower_bound(range[r]), left.upper_bound(range[r + 1]));
        range.push_back(0);
        ranges_.push_back(std::move(range));

        ImFontConfig c;
        int index = 0;
        FcPatternGetInteger(font, FC_INDEX, 0, &index);
        c.FontNo = index & 0xffff;
        c.FontDataOwnedByAtlas = false;
        c.MergeMode = made != nullptr;
        c.OversampleH = 2;
        c.PixelSnapH = true;
        auto data = const_cast<unsigned char *>(file->bytes.data()); /* only read */
        ImFont *added = atlas.AddFontFromMemoryTTF(data, static_cast<int>(file->bytes.size()),
                                                   std::round(size), &c, ranges_.back().data());
        made = made ? made : added;
    }
    return made;
}

void Fonts::build(ImFontAtlas &atlas, float scale)
{
    look_up();
    scale_ = scale;
    news_ = false;
    atlas.Clear();
    ranges_.clear();
    ranges_.reserve(needed_.size() * 4); /* the atlas keeps what data() has told */
    text = add(atlas, sans_, TEXT_SIZE * scale);
    title = add(atlas, sans_, TITLE_SIZE * scale);
    code = add(atlas, mono_, CODE_SIZE * scale);
    small = add(atlas, sans_, SMALL_SIZE * scale);
    if (!text || !title || !code || !small ||
        !atlas.Build()) { /* ImGui has a small one of its own */
        atlas.Clear();
        text = title = code = small = atlas.AddFontDefault();
        atlas.Build();
    }
}

} // namespace kit
