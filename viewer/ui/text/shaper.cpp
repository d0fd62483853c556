#include "shaper.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <tuple>

#include <pango/pangocairo.h>

#include "rfb/system/log.h"

namespace kit
{

namespace
{

const char LIBRARY[] = "libpangocairo-1.0.so.0"; /* brings Pango, cairo and GObject with it */
const char FAMILY[] = "sans-serif";              /* as in fonts.cpp */

/* The functions that we call, each as `call.NAME`. */
/* clang-format off */
#define FUNCTIONS(f) \
    f(cairo_create) f(cairo_destroy) f(cairo_font_options_create) f(cairo_font_options_destroy) \
    f(cairo_font_options_set_antialias) f(cairo_image_surface_create) \
    f(cairo_image_surface_get_data) f(cairo_image_surface_get_stride) f(cairo_set_source_rgba) \
    f(cairo_status) f(cairo_surface_destroy) f(cairo_surface_flush) f(g_object_unref) \
    f(pango_cairo_context_set_font_options) f(pango_cairo_font_map_new) \
    f(pango_cairo_show_layout) f(pango_context_get_metrics) f(pango_context_set_base_dir) \
    f(pango_font_description_free) f(pango_font_description_from_string) \
    f(pango_font_description_set_absolute_size) f(pango_font_map_create_context) \
    f(pango_font_metrics_get_ascent) f(pango_font_metrics_get_descent) \
    f(pango_font_metrics_unref) f(pango_layout_get_pixel_extents) f(pango_layout_new) \
    f(pango_layout_set_auto_dir) f(pango_layout_set_ellipsize) \
    f(pango_layout_set_font_description) f(pango_layout_set_single_paragraph_mode) \
    f(pango_layout_set_text) f(pango_layout_set_width) f(pango_layout_set_wrap)
/* clang-format on */

struct Calls {
#define MEMBER(name) decltype(&::name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
};

/* The library stays loaded: GObject cannot be unloaded. */
bool load(Calls &call)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = library != nullptr;

#define FIND(name)                                                                                 \
    call.name = library ? reinterpret_cast<decltype(&::name)>(dlsym(library, #name)) : nullptr;    \
    all = all && call.name;
    FUNCTIONS(FIND)
#undef FIND
    if (!all)
        log_debug("texts in Arabic, Hebrew, Hindi and others are shown letter by letter: %s is "
                  "missing (in Debian: the package libpangocairo-1.0-0)",
                  LIBRARY);
    return all;
}

/* Of premultiplied 0xAARRGGBB. */
uint32_t straight(uint32_t p)
{
    const uint32_t alpha = p >> 24;
    auto channel = [&](int shift) {
        return std::min((p >> shift & 255) * 255 / alpha, 255u) << shift;
    };

    return alpha == 0 ? 0 : alpha << 24 | channel(16) | channel(8) | channel(0);
}

} // namespace

bool Wish::operator<(const Wish &o) const
{
    return std::tie(text, size, room, colour, is_name) <
           std::tie(o.text, o.size, o.room, o.colour, o.is_name);
}

struct Shaper::Pango {
    Calls call;
    PangoFontMap *map = nullptr;
    PangoContext *context = nullptr;

    ~Pango()
    {
        if (context)
            call.g_object_unref(context);
        if (map)
            call.g_object_unref(map);
    }
    bool start();
    PangoFontDescription *font(int line);
    PangoLayout *layout(const Wish &wish);
    bool paint(PangoLayout *layout, uint32_t colour, Drawn &drawn);
};

bool Shaper::Pango::start()
{
    if (!load(call))
        return false;
    map = call.pango_cairo_font_map_new();
    context = call.pango_font_map_create_context(map);
    /* where a pixel's three colours differ, what is behind the text has to be known */
    cairo_font_options_t *options = call.cairo_font_options_create();
    call.cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    call.pango_cairo_context_set_font_options(context, options);
    call.cairo_font_options_destroy(options);
    call.pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    return true;
}

/* The font whose lines are `line` pixels high: the toolkit counts the size of fonts so. */
PangoFontDescription *Shaper::Pango::font(int line)
{
    PangoFontDescription *d = call.pango_font_description_from_string(FAMILY);

    call.pango_font_description_set_absolute_size(d, line * PANGO_SCALE);
    PangoFontMetrics *m = call.pango_context_get_metrics(context, d, nullptr);
    const int high = call.pango_font_metrics_get_ascent(m) + call.pango_font_metrics_get_descent(m);
    call.pango_font_metrics_unref(m);
    if (high > 0)
        call.pango_font_description_set_absolute_size(d, 1.0 * line * line * PANGO_SCALE / high *
                                                             PANGO_SCALE);
    return d;
}

PangoLayout *Shaper::Pango::layout(const Wish &wish)
{
    PangoLayout *l = call.pango_layout_new(context);
    PangoFontDescription *d = font(std::clamp(wish.size, 1, MAX));
    const int most = wish.room > 0 ? std::min(wish.room, MAX) : MAX;
    PangoRectangle logical;

    call.pango_layout_set_font_description(l, d);
    call.pango_font_description_free(d);
    call.pango_layout_set_text(l, wish.text.data(), static_cast<int>(wish.text.size()));
    call.pango_layout_set_auto_dir(l, wish.is_name);
    call.pango_layout_set_single_paragraph_mode(l, wish.is_name);
    call.pango_layout_get_pixel_extents(l, nullptr, &logical);
    if (logical.width <= most)
        return l;
    call.pango_layout_set_width(l, most * PANGO_SCALE);
    call.pango_layout_set_wrap(l, PANGO_WRAP_WORD_CHAR);
    if (wish.is_name)
        call.pango_layout_set_ellipsize(l, PANGO_ELLIPSIZE_END);
    return l;
}

bool Shaper::Pango::paint(PangoLayout *layout, uint32_t colour, Drawn &drawn)
{
    PangoRectangle logical;

    call.pango_layout_get_pixel_extents(layout, nullptr, &logical);
    const int w = std::clamp(logical.x + logical.width, 1, MAX);
    const int h = std::clamp(logical.height, 1, MAX);
    cairo_surface_t *surface = call.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h);
    cairo_t *cairo = call.cairo_create(surface);
    call.cairo_set_source_rgba(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                               (colour & 255) / 255.0, (colour >> 24) / 255.0);
    call.pango_cairo_show_layout(cairo, layout);
    call.cairo_surface_flush(surface);
    const bool ok = call.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    if (ok) {
        const unsigned char *row = call.cairo_image_surface_get_data(surface);
        const int stride = call.cairo_image_surface_get_stride(surface);
        drawn.width = w;
        drawn.height = h;
        drawn.pixels.clear();
        for (int y = 0; y < h; y++, row += stride) {
            auto pixels = reinterpret_cast<const uint32_t *>(row);
            std::transform(pixels, pixels + w, std::back_inserter(drawn.pixels), straight);
        }
    }
    call.cairo_destroy(cairo);
    call.cairo_surface_destroy(surface);
    return ok;
}

Shaper::Shaper() = default;
Shaper::~Shaper() = default;

bool Shaper::draw(const Wish &wish, Drawn &drawn)
{
    if (!tried_) {
        tried_ = true;
        pango_ = std::make_unique<Pango>();
        if (!pango_->start())
            pango_.reset();
    }
    if (!pango_)
        return false;
    PangoLayout *layout = pango_->layout(wish);
    bool ok = pango_->paint(layout, wish.colour, drawn);
    pango_->call.g_object_unref(layout);
    return ok;
}

} // namespace kit
