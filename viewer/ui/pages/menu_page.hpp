/* The menu (struct ui_menu in ui.h): entries in a column, each with the letter that chooses it.
 * Where the window is too small for them they stand closer; where it is still too small they
 * scroll. */
#pragma once

#include <string>
#include <vector>

#include "page.hpp"
#include "viewer/ui/ui.h"

namespace kit
{

class MenuPage : public Page
{
  public:
    MenuPage(const struct ui_menu &m, Fonts &fonts);
    bool build(Widgets &w) override;
    bool letter(char c) override;
    void answer() override;
    float width() const override
    {
        return 500;
    }

  private:
    struct Entry {
        std::string label, heading, now, key;
        char letter;
        bool on, usable, begins;
    };

    void squeeze(const Widgets &w);
    void measure(const Widgets &w);

    static constexpr int NONE = -1;
    /* Above an entry and below it, in pixels of an ordinary display; and the same of a line. */
    static constexpr float LOOSE = 4.5f, TIGHT = 1, TIGHT_LINE = 1;
    std::string title_;
    std::vector<Entry> entries_;
    int first_; /* the entry with the focus at first */
    int chosen_ = NONE;
    float squeezed_ = 0;        /* 0: the entries are loose, 1: tight */
    float high_ = 0;            /* pixels of the whole page if they are loose; 0: not known */
    float unit_ = 0, wide_ = 0; /* that was so in this look, in a page of this width */
    void (*told_)(void *owner, int entry);
    void *owner_;
};

} // namespace kit
