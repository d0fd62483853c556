#include "start_page.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kit
{

namespace
{

const char *const NOTHING_TYPED =
    "Type an address first, for example office-pc:1, 192.168.1.20:5901 or vnc://office-pc.";

/* A list that begins with a server nearby has room for some more. */
const size_t ROWS_NEARBY = 3;

void destroy(SDL_Texture *&picture)
{
    if (picture)
        SDL_DestroyTexture(picture);
    picture = nullptr;
}

} // namespace

StartPage::StartPage(const struct ui_start &s, Fonts &fonts)
    : told_(s), warning_(s.warning ? s.warning : ""), said_(s.said ? s.said : ""),
      view_only_(s.first.view_only), full_screen_(s.first.full_screen), shared_(s.first.shared)
{
    snprintf(address_, sizeof address_, "%s", s.first.address ? s.first.address : "");
    if (s.first.nearby)
        announced_ = address_;
    fonts.need(address_);
    fonts.need(s.warning);
    fonts.need(s.said);
    for (int i = 0; i < s.profile_count; i++)
        add(s.profiles[i], fonts);
    for (int i = 0; i < s.count; i++)
        add(s.servers[i], fonts);
}

StartPage::~StartPage()
{
    forget_pictures();
}

/* What an entry is, beside the name that it has. A server nearby may call itself anything. */
std::string StartPage::below_name(const Entry &e)
{
    switch (e.kind) {
    case Kind::PROFILE:
        return e.address.empty() ? "Profile for the address above" : "Profile: " + e.address;
    case Kind::NEARBY:
        return "Nearby: " + e.address;
    case Kind::NEARBY_ACCELERATED:
        return "Nearby, accelerated: " + e.address;
    case Kind::SHOWN_LAST:
        break;
    }
    return e.called;
}

/* The same address by another way is another server. */
std::string StartPage::server_of(const std::string &address, const std::string &way)
{
    return address + "\t" + way;
}

bool StartPage::nearby(const struct ui_nearby *servers, int count, Fonts &fonts)
{
    const bool more = count > nearby_;

    for (; nearby_ < count; nearby_++) {
        const struct ui_nearby &s = servers[nearby_];
        entries_.push_back({s.accelerated ? Kind::NEARBY_ACCELERATED : Kind::NEARBY,
                            s.address,
                            s.name,
                            {},
                            0,
                            0,
                            nullptr,
                            {},
                            {},
                            s.address});
        fonts.need(s.address);
        fonts.need(s.name);
    }
    return more;
}

void StartPage::take_picture(Entry &e, const struct ui_server &s)
{
    if (!s.pixels || s.width <= 0 || s.height <= 0)
        return;
    e.width = s.width;
    e.height = s.height;
    e.pixels.assign(s.pixels, s.pixels + static_cast<size_t>(s.width) * s.height);
    e.pictured = server_of(s.address, s.way);
}

void StartPage::add(const struct ui_profile &p, Fonts &fonts)
{
    Entry e = {Kind::PROFILE, p.server ? p.server : "", p.name, {}, 0, 0, nullptr, {}, {}, {}};

    if (p.shown)
        take_picture(e, *p.shown);
    fonts.need(p.name);
    fonts.need(p.server);
    entries_.push_back(std::move(e));
}

void StartPage::add(const struct ui_server &s, Fonts &fonts)
{
    Entry e = {Kind::SHOWN_LAST, s.address, s.name ? s.name : "", {}, 0, 0, nullptr, {}, s.way,
               s.called};

    take_picture(e, s);
    fonts.need(s.called);
    fonts.need(s.name);
    entries_.push_back(std::move(e));
}

/* A profile that names no server takes the address that is typed. */
void StartPage::choose(const Entry &e)
{
    const bool profile = e.kind == Kind::PROFILE;

    if (profile)
        profile_ = e.name;
    else
        announced_ = e.kind == Kind::SHOWN_LAST ? "" : e.address;
    has_way_ = !profile;
    way_ = e.way;
    if (!profile)
        snprintf(address_, sizeof address_, "%s", e.address.c_str());
    else if (!e.address.empty())
        *address_ = '\0';
    accepted_ = true;
}

/* Profiles have its picture no more, either. */
void StartPage::remove(size_t i)
{
    const std::string forgotten = server_of(entries_[i].address, entries_[i].way);

    told_.forget(told_.owner, entries_[i].address.c_str(), entries_[i].way.c_str());
    for (Entry &e : entries_)
        if (e.pictured == forgotten) {
            e.pixels.clear();
            destroy(e.picture);
        }
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    listed_ = entries_.size();
    rows_ = listed_;
}

/* What stands below the list. */
float StartPage::height_below(const Widgets &w) const
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float row = ImGui::GetFrameHeight() + style.ItemSpacing.y;
    const float said = said_.empty() ? 0 : w.text_height(said_.c_str()) + style.ItemSpacing.y;

    return 2 * row + said + 4 * w.look().unit + style.ItemSpacing.y + style.WindowPadding.y;
}

const char *StartPage::list_title() const
{
    const bool shown = entries_.size() > static_cast<size_t>(nearby_ + told_.profile_count);

    if (told_.profile_count > 0)
        return nearby_ > 0 ? "Your profiles, the servers shown last, and those nearby"
                           : "Your profiles, and the servers shown last";
    if (!shown)
        return "Servers nearby";
    return nearby_ > 0 ? "The servers shown last, and those nearby" : "The servers shown last";
}

/* Of entries that the list has room for. It grows while the pointer is elsewhere. */
size_t StartPage::rows()
{
    const bool first = rows_ == 0;
    const bool pointed = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);

    if (first && entries_.size() == static_cast<size_t>(nearby_))
        rows_ = ROWS_NEARBY;
    if (first || !pointed)
        rows_ = std::max(rows_, entries_.size());
    return rows_;
}

void StartPage::list(Widgets &w)
{
    const float pad = 5 * w.look().unit; /* for the ring around the one with the focus */
    const float one = w.card_height(), all = one * static_cast<float>(rows());
    size_t removed = entries_.size();

    w.faint(list_title());
    const float room = w.height() - ImGui::GetCursorPosY() - height_below(w) - pad;
    /* the cards begin where all else begins: only the ring stands out */
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - pad);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    const ImVec2 size(ImGui::GetContentRegionAvail().x + pad,
                      std::max(std::min(all, room), one) + pad);
#if IMGUI_VERSION_NUM >= 19000
    ImGui::BeginChild("list", size, ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_NoNav);
#else
    ImGui::BeginChild("list", size, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
#endif
    for (size_t i = 0; i < entries_.size(); i++) {
        if (i == listed_)
            w.follow_new(static_cast<int>(entries_.size() - listed_));
        const Entry &e = entries_[i];
        const std::string below = below_name(e);
        const float aspect =
            e.picture ? static_cast<float>(e.width) / static_cast<float>(e.height) : 1;
        const bool named = !e.name.empty();
        switch (w.card(static_cast<int>(i),
                       {e.picture, aspect, named ? e.name.c_str() : e.called.c_str(),
                        named ? below.c_str() : nullptr,
                        e.kind == Kind::SHOWN_LAST || e.kind == Kind::PROFILE,
                        e.kind == Kind::PROFILE})) {
        case Widgets::Pressed::YES:
            choose(e);
            break;
        case Widgets::Pressed::OPTIONS:
            profile_ = e.name;
            wants_options_ = true;
            break;
        case Widgets::Pressed::REMOVE:
            if (e.kind == Kind::PROFILE) {
                profile_ = e.name;
                wants_removal_ = true;
            } else {
                removed = i;
            }
            break;
        case Widgets::Pressed::NO:
            break;
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    listed_ = entries_.size();
    if (removed < entries_.size())
        remove(removed);
}

void StartPage::options(Widgets &w)
{
    w.begin_boxes(0);
    for (const auto &[text, on] :
         {std::pair("View only", &view_only_), std::pair("Full screen", &full_screen_),
          std::pair("Share with other viewers", &shared_)}) {
        w.flow(w.check_width(text));
        w.check(text, on);
    }
}

/* True: cancelled. */
bool StartPage::buttons(Widgets &w)
{
    const char *options = "Options...", *cancel = "Close vnchl", *connect = "Connect";
    const float a = w.button_width(cancel), b = w.button_width(connect),
                c = w.button_width(options), gap = ImGui::GetStyle().ItemSpacing.x;
    const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    bool cancelled;

    wants_options_ = w.button(options, Widgets::Kind::PLAIN, false, c) || wants_options_;
    if (a + b + c + 2 * gap <= room)
        ImGui::SameLine();
    ImGui::SetCursorPosX(left + room - a - b - gap);
    cancelled = w.button(cancel, Widgets::Kind::PLAIN, false, a);
    ImGui::SameLine();
    if (w.button(connect, Widgets::Kind::PRIMARY, true, b))
        accepted_ = true;
    return cancelled;
}

/* Else it says what is missing. */
bool StartPage::has_answer() const
{
    return *address_ || !profile_.empty() || !way_.empty() || told_.complete;
}

bool StartPage::build(Widgets &w)
{
    bool cancelled = w.cancelled();

    if (cancelled &&
        !warning_.empty()) { /* the mistake is to be mended: the field is still there */
        warning_.clear();
        cancelled = false;
    }
    accepted_ = wants_options_ = wants_removal_ = false;
    w.title("Connect to a VNC server");
    if (!warning_.empty())
        w.warning(warning_.c_str());
    w.field("Address, link or connection file", address_, sizeof address_, Widgets::Field::TEXT);
    if (!entries_.empty())
        list(w);
    options(w);
    if (!said_.empty())
        w.faint(said_.c_str());
    w.gap(4);
    cancelled = buttons(w) || cancelled;
    const bool leads_on = wants_options_ || wants_removal_;
    accepted_ = accepted_ && !cancelled && !leads_on;
    if (accepted_ && !has_answer()) {
        warning_ = NOTHING_TYPED;
        accepted_ = false;
    }
    return accepted_ || cancelled || leads_on;
}

bool StartPage::drop(const char *text)
{
    profile_.clear();
    announced_.clear();
    has_way_ = false;
    way_.clear();
    snprintf(address_, sizeof address_, "%s", text);
    accepted_ = has_answer();
    return accepted_;
}

void StartPage::answer()
{
    const bool announced = *address_ && announced_ == address_;
    const struct ui_choice choice = {address_,
                                     profile_.empty() ? nullptr : profile_.c_str(),
                                     view_only_,
                                     full_screen_,
                                     shared_,
                                     announced,
                                     has_way_ ? way_.c_str() : nullptr};

    if (wants_options_)
        told_.options(told_.owner, &choice);
    else if (wants_removal_)
        told_.remove(told_.owner, &choice);
    else
        told_.chosen(told_.owner, accepted_ ? &choice : nullptr);
}

void StartPage::make_pictures(SDL_Renderer *renderer)
{
    for (Entry &e : entries_)
        if (!e.picture && !e.pixels.empty())
            e.picture = Toolkit::texture(renderer, e.pixels.data(), e.width, e.height);
}

void StartPage::forget_pictures()
{
    for (Entry &e : entries_)
        destroy(e.picture);
}

} // namespace kit
