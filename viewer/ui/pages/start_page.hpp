/* The start window: an address, the user's profiles, the servers that were shown before (struct
 * ui_start in ui.h), and those that announce themselves nearby.
 *
 * The list scrolls by itself; the field and the buttons are always there. Who is found nearby comes
 * last in it, and moves nothing under the pointer.
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
    bool drop(const char *text) override;
    bool nearby(const struct ui_nearby *servers, int count, Fonts &fonts) override;
    float width() const override
    {
        return 560;
    }
    void make_pictures(SDL_Renderer *renderer) override;
    void forget_pictures() override;

  private:
    enum class Kind { PROFILE, SHOWN_LAST, NEARBY, NEARBY_ACCELERATED };
    /* A profile or a server. */
    struct Entry {
        Kind kind;
        std::string address, name; /* of a profile the server that it names, and its name */
        std::vector<uint32_t> pixels;
        int width, height;
        SDL_Texture *picture;
        std::string pictured;    /* the server that the picture is of (server_of()) */
        std::string way, called; /* struct ui_server */
    };

    static std::string server_of(const std::string &address, const std::string &way);
    static void take_picture(Entry &e, const struct ui_server &s);
    void add(const struct ui_profile &p, Fonts &fonts);
    void add(const struct ui_server &s, Fonts &fonts);
    static std::string below_name(const Entry &e);
    const char *list_title() const;
    size_t rows();
    void list(Widgets &w);
    void choose(const Entry &e);
    void remove(size_t i);
    void options(Widgets &w);
    bool buttons(Widgets &w);
    float height_below(const Widgets &w) const;
    bool has_answer() const;

    struct ui_start told_; /* its texts are the strings below */
    std::string warning_, said_;
    std::vector<Entry> entries_;
    char address_[4096] = "";
    std::string profile_, way_;
    bool has_way_ = false; /* a server of the list was chosen, with its way */
    bool view_only_, full_screen_, shared_;
    int nearby_ = 0;        /* they are the last ones in the list */
    size_t rows_ = 0;       /* of entries that the list has room for; 0: it was not shown yet */
    size_t listed_ = 0;     /* entries in the last frame */
    std::string announced_; /* the address in the field is this one: then nobody has typed it */
    bool accepted_ = false;
    bool wants_options_ = false, wants_removal_ = false;
};

} // namespace kit
