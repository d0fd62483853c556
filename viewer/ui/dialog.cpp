#include "dialog.hpp"

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
      accept_(copied(d.accept, fonts)), cancel_(copied(d.cancel, fonts))
{
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

bool Dialog::build(Widgets &w)
{
    const bool can_accept = !accept_.empty();
    const bool accept_first = can_accept && !told_.cancel_by_default;
    float accept_width = can_accept ? w.button_width(accept_.c_str()) : 0;
    float cancel_width = w.button_width(cancel_.c_str());
    float gap = can_accept ? ImGui::GetStyle().ItemSpacing.x : 0;
    bool accepted = false, cancelled = w.cancelled();

    if (told_.alarm)
        w.alarm(title_.c_str());
    else
        w.title(title_.c_str());
    if (!warning_.empty())
        w.warning(warning_.c_str());
    if (!text_.empty())
        w.paragraph(text_.c_str());
    for (const Code &c : codes_)
        if (w.code(c.label.c_str(), c.text))
            SDL_SetClipboardText(c.copied.c_str());
    if (!below_.empty())
        w.paragraph(below_.c_str());
    w.gap(4);
    if (told_.ask_user)
        w.field("User name", user_, sizeof user_, Widgets::Field::FILLED);
    if (told_.ask_password)
        w.field("Password", password_, sizeof password_, Widgets::Field::SECRET);
    w.gap(4);

    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - accept_width -
                         gap - cancel_width);
    cancelled =
        w.button(cancel_.c_str(), accept_first ? Widgets::Kind::PLAIN : Widgets::Kind::PRIMARY,
                 !accept_first, cancel_width) ||
        cancelled;
    if (can_accept) {
        ImGui::SameLine();
        accepted =
            w.button(accept_.c_str(), accept_first ? Widgets::Kind::PRIMARY : Widgets::Kind::PLAIN,
                     accept_first, accept_width);
    }
    answer_ = accepted && !cancelled ? UI_ACCEPTED : UI_CANCELLED;
    return accepted || cancelled;
}

void Dialog::answer()
{
    told_.answered(told_.owner, answer_, told_.ask_user ? user_ : nullptr,
                   told_.ask_password ? password_ : nullptr);
}

} // namespace kit
