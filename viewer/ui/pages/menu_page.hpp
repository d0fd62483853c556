/* The menu (struct ui_menu in ui.h): entries in a column, each with the letter that chooses it. */
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

    static constexpr int NONE = -1;
    std::string title_;
    std::vector<Entry> entries_;
    int first_; /* the entry with the focus at first */
    int chosen_ = NONE;
    void (*told_)(void *owner, int entry);
    void *owner_;
};

} // namespace kit
