#include "dialog.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <SDL_clipboard.h>

namespace kit
{

namespace
{

std::string copied(const char *text, Fonts &fonts)
{
    fonts.need(text);
    return text ? text : "";
}

} // namespace

Dialog::Dialog(const struct ui_dialog &d, Fonts &fonts)
    : told_(d), title_(copied(d.title, fonts)), warning_(copied(d.warning, fonts)),
      text_(copied(d.text, fonts)), below_(copied(d.below, fonts)),
      accept_(copied(d.accept, fonts)), once_(copied(d.once, fonts)),
      cancel_(copied(d.cancel, fonts)), keep_(copied(d.keep, fonts)), keeps_(d.keeps)
{
    for (const struct ui_fact &f : d.facts)
        if (f.name)
            facts_.emplace_back(copied(f.name, fonts), copied(f.value, fonts));
    for (const struct ui_code &c : d.codes)
        if (c.text)
            codes_.push_back({copied(c.label, fonts), copied(c.text, fonts), c.copied});
    snprintf(user_, sizeof user_, "%s", copied(d.user, fonts).c_str());
}

Dialog::~Dialog()
{
    explicit_bzero(password_, sizeof password_);
    explicit_bzero(user_, sizeof user_);
}

/* The one that Enter presses at first stands out. */
bool Dialog::press(Widgets &w, const std::string &text, bool is_default, Place place)
{
    if (text.empty())
        return false;
    if (place == Place::BESIDE)
        ImGui::SameLine();
    return w.button(text.c_str(), is_default ? Widgets::Kind::PRIMARY : Widgets::Kind::PLAIN,
                    is_default, w.button_width(text.c_str()));
}

/* In one row at the right edge; where that is too wide, one below the other. */
void Dialog::press_buttons(Widgets &w)
{
    const bool accept_first = !accept_.empty() && !told_.cancel_by_default;
    const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    float wide = -gap;

    for (const std::string *text : {&cancel_, &once_, &accept_})
        if (!text->empty())
            wide += w.button_width(text->c_str()) + gap;
    const Place next = wide <= room ? Place::BESIDE : Place::FIRST;
    if (wide <= room)
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - wide);
    const bool cancelled = press(w, cancel_, !accept_first, Place::FIRST) || w.cancelled();
    const bool once = press(w, once_, false, next);
    const bool accepted = press(w, accept_, accept_first, next);
    answer_ = cancelled ? UI_CANCELLED : once ? UI_ACCEPTED_ONCE : UI_ACCEPTED;
    answered_ = cancelled || once || accepted;
}

void Dialog::ask_password(Widgets &w)
{
    w.field("Password", password_, sizeof password_,
            shows_ ? Widgets::Field::TEXT : Widgets::Field::SECRET);
    w.begin_boxes(0);
    w.flow(w.check_width("Show the password"));
    w.check("Show the password", &shows_);
    if (keep_.empty())
        return;
    w.flow(w.check_width(keep_.c_str()));
    w.check(keep_.c_str(), &keeps_);
}

bool Dialog::build(Widgets &w)
{
    if (told_.alarm)
        w.alarm(title_.c_str());
    else
        w.title(title_.c_str());
    if (!warning_.empty())
        w.warning(warning_.c_str());
    if (!text_.empty())
        w.paragraph(text_.c_str());
    for (const auto &fact : facts_)
        w.fact(fact.first.c_str(), fact.second.c_str());
    for (const Code &c : codes_)
        if (w.code(c.label.c_str(), c.text))
            SDL_SetClipboardText(c.copied.c_str());
    if (!below_.empty())
        w.paragraph(below_.c_str());
    w.gap(4);
    if (told_.ask_user)
        w.field("User name", user_, sizeof user_, Widgets::Field::FILLED);
    if (told_.ask_password)
        ask_password(w);
    w.gap(4);
    press_buttons(w);
    return answered_;
}

void Dialog::answer()
{
    if (!keep_.empty() && answer_ != UI_CANCELLED)
        told_.keep_chosen(told_.owner, keeps_);
    told_.answered(told_.owner, answer_, told_.ask_user ? user_ : nullptr,
                   told_.ask_password ? password_ : nullptr);
}

/* ---- facts ---- */

FactsPage::FactsPage(const char *title, const struct ui_fact *facts, int count, Fonts &fonts)
    : title_(title)
{
    fonts.need(title);
    for (int i = 0; i < count; i++) {
        fonts.need(facts[i].name);
        fonts.need(facts[i].value);
        facts_.emplace_back(facts[i].name, facts[i].value);
    }
}

bool FactsPage::build(Widgets &w)
{
    const char *close = "Close";
    const float wide = w.button_width(close);
    float names = 0;
    bool closed = w.cancelled();

    w.title(title_.c_str());
    for (const auto &fact : facts_)
        names = std::max(names, ImGui::CalcTextSize(fact.first.c_str()).x);
    const float values = ImGui::GetCursorPosX() + names + 18 * w.look().unit;
    for (const auto &fact : facts_) {
        w.faint(fact.first.c_str());
        ImGui::SameLine(values);
        w.paragraph(fact.second.c_str());
    }
    w.gap(6);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - wide);
    return w.button(close, Widgets::Kind::PRIMARY, true, wide) || closed;
}

} // namespace kit
