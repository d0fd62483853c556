/* The start window: an address, and the servers that were shown before (struct ui_start in ui.h).
 */
#pragma once

#include <string>
#include <vector>

#include "page.hpp"
#include "viewer/ui/ui.h"

namespace kit
{

class StartPage : public Page
{
  public:
    StartPage(const struct ui_start &s, Fonts &fonts);
    ~StartPage() override;
    bool build(Widgets &w) override;
    void answer() override;
    float width() const override
    {
        return 520;
    }
    void make_pictures(SDL_Renderer *renderer) override;
    void forget_pictures() override;

  private:
    struct Card {
        std::string address, name;
        std::vector<uint32_t> pixels;
        int width, height;
        SDL_Texture *picture;
    };

    void cards(Widgets &w);

    struct ui_start told_; /* its texts are the strings below */
    std::string warning_;
    std::vector<Card> cards_;
    char address_[512] = "";
    bool accepted_ = false;
};

} // namespace kit
