/* What fills the window until it is answered. */
#pragma once

#include <functional>

#include <SDL_render.h>

#include "viewer/ui/ui.h"
#include "viewer/ui/widgets/widgets.hpp"

namespace kit
{

class Page
{
  public:
    virtual ~Page() = default;

    /* Makes the page's content in a frame. True: it has been answered. */
    virtual bool build(Widgets &w) = 0;

    /* A key that types this small letter or digit. True: it has answered the page. */
    virtual bool letter(char)
    {
        return false;
    }

    /* Tells the answer. The page is closed already, and is freed after this. */
    virtual void answer() = 0;

    /* It is closed without an answer. What it tells then opens no page. */
    virtual void interrupt() {}

    /* The name of a file, or a text, is dropped on the page. True: the page has been answered. */
    virtual bool drop(const char *)
    {
        return false;
    }

    /* Servers were found in this network. True: the page shows more of them than before. */
    virtual bool nearby(const struct ui_nearby *, int, Fonts &)
    {
        return false;
    }

    /* It has use for all the room that there is. In a small window less stays free around it. */
    virtual bool fills() const
    {
        return false;
    }

    /* Width of the content, in pixels of an ordinary display. */
    virtual float width() const = 0;

    /* Pictures belong to a renderer: makes those of this page, and frees them. */
    virtual void make_pictures(SDL_Renderer *) {}
    virtual void forget_pictures() {}
};

} // namespace kit
