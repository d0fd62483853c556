#include "form_page.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace kit
{

namespace
{

std::string copied(const char *text, Fonts &fonts)
{
    fonts.need(text);
    return text ? text : "";
}

/* Fields that are seen at once. Chosen: in fewer nobody finds his way. */
const float FEW_ROWS = 4;

/* Whether the list "a,b" has the word. */
bool has_word(const std::string &list, const std::string &word)
{
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

} // namespace

FormPage::FormPage(const struct ui_form &f, Fonts &fonts)
    : told_(f), title_(copied(f.title, fonts)), text_(copied(f.text, fonts)),
      warning_(copied(f.warning, fonts)), done_(copied(f.done, fonts)),
      naming_(copied(f.naming, fonts)), save_(copied(f.save, fonts)), use_(copied(f.use, fonts)),
      use_now_(copied(f.use_now, fonts)), cancel_(copied(f.cancel, fonts))
{
    for (int i = 0; i < f.count; i++)
        add(f.fields[i], fonts);
    snprintf(name_, sizeof name_, "%s", copied(f.name, fonts).c_str());
}

void FormPage::add(const struct ui_form_field &from, Fonts &fonts)
{
    Field f = {copied(from.heading, fonts),
               copied(from.label, fonts),
               copied(from.help, fonts),
               copied(from.hint, fonts),
               from.kind,
               {},
               ""};
    std::istringstream words(copied(from.words, fonts));

    snprintf(f.value, sizeof f.value, "%s", copied(from.value, fonts).c_str());
    for (std::string word; words >> word;)
        f.words.push_back({word, has_word(f.value, word)});
    fields_.push_back(std::move(f));
}

/* What is in the field: boxes, chips or a text. `begins`: it has the focus at first. A text that is
 * none of the chips has it then, and not the chips, none of which is chosen. */
void FormPage::edit(Widgets &w, Field &f, bool begins)
{
    const auto note = [&] {
        if (w.last_has_focus())
            helped_ = &f;
    };
    bool on = f.value == std::string("on");

    switch (f.kind) {
    case UI_FIELD_SWITCH:
        if (begins)
            w.begin_here();
        if (w.check("##box", &on))
            snprintf(f.value, sizeof f.value, "%s", on ? "on" : "off");
        note();
        break;
    case UI_FIELD_SET: {
        std::string list;
        float widest = 0;
        for (const Word &word : f.words)
            widest = std::max(widest, w.check_width(word.text.c_str()));
        if (begins)
            w.begin_here();
        w.begin_boxes(widest);
        for (Word &word : f.words) {
            w.flow(w.check_width(word.text.c_str()));
            w.check(word.text.c_str(), &word.on);
            note();
            if (word.on)
                list += (list.empty() ? "" : ",") + word.text;
        }
        snprintf(f.value, sizeof f.value, "%s", list.c_str());
        break;
    }
    case UI_FIELD_CHOICE:
    case UI_FIELD_OPEN_CHOICE: {
        std::vector<const char *> words;
        bool chosen = false;
        for (const Word &word : f.words) {
            words.push_back(word.text.c_str());
            chosen = chosen || word.text == f.value;
        }
        if (begins && (chosen || f.kind == UI_FIELD_CHOICE))
            w.begin_here();
        w.choice(words, f.value, sizeof f.value);
        note();
        if (f.kind == UI_FIELD_CHOICE)
            break;
        [[fallthrough]];
    }
    case UI_FIELD_TEXT:
        if (begins)
            w.begin_here();
        w.bare_field("##text", f.hint.c_str(), f.value, sizeof f.value);
        note();
        break;
    }
}

void FormPage::row(Widgets &w, size_t i)
{
    Field &f = fields_[i];

    if (!f.heading.empty()) {
        if (i > 0)
            w.line();
        w.faint(f.heading.c_str());
    }
    ImGui::PushID(static_cast<int>(i));
    const bool boxes = f.kind == UI_FIELD_SWITCH || f.kind == UI_FIELD_SET;
    w.begin_labelled(f.label.c_str(), boxes ? Widgets::Beside::BOX : Widgets::Beside::FIELD);
    edit(w, f, told_.focus == static_cast<int>(i));
    w.end_labelled();
    ImGui::PopID();
}

/* What is left for the fields above all that stands below them. */
float FormPage::room_for_list(const Widgets &w) const
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float row = ImGui::GetFrameHeight() + style.ItemSpacing.y;
    const float below =
        2 * row + help_high_ + 12 * w.look().unit + 4 * style.ItemSpacing.y; /* with a line */

    return w.height() - ImGui::GetCursorPosY() - below - style.WindowPadding.y;
}

void FormPage::list(Widgets &w)
{
    const float pad = 5 * w.look().unit; /* for the ring around the one with the focus */
    const float least = 2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y) + 2 * pad;

    w.begin_list("fields", pad, std::max(room_for_list(w), least));
    for (size_t i = 0; i < fields_.size(); i++)
        row(w, i);
    w.end_list();
}

/* The same height for every help, so that nothing moves when the focus does. Where only few fields
 * would be seen above it, it has two lines: a field counts more than the end of a long help. */
void FormPage::measure_help(const Widgets &w)
{
    const float row = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;

    help_high_ = w.help_height(naming_.c_str());
    for (const Field &f : fields_)
        help_high_ = std::max(help_high_, w.help_height(f.help.c_str()));
    help_high_ = std::min(help_high_, w.height() / 4);
    if (room_for_list(w) < FEW_ROWS * row)
        help_high_ = std::min(help_high_, 2 * w.help_height(""));
}

void FormPage::name(Widgets &w)
{
    const float wide = w.button_width(save_.c_str());

    if (told_.focus == UI_FORM_NAME)
        w.begin_here();
    w.begin_labelled("Save this connection as", Widgets::Beside::FIELD);
    w.bare_field("##name", "a name", name_, sizeof name_, wide + ImGui::GetStyle().ItemSpacing.x);
    const bool typing = w.last_has_focus(); /* then Enter saves */
    ImGui::SameLine();
    if (w.button(save_.c_str(), Widgets::Kind::PLAIN, typing, wide)) {
        answer_ = UI_FORM_SAVED;
        answered_ = true;
    }
    names_ = typing || w.last_has_focus();
    w.end_labelled();
}

bool FormPage::press(Widgets &w, const std::string &text, bool is_default)
{
    w.flow(w.button_width(text.c_str()));
    return w.button(text.c_str(), is_default ? Widgets::Kind::PRIMARY : Widgets::Kind::PLAIN,
                    is_default, w.button_width(text.c_str()));
}

/* In one row at the right edge; where that is too wide, one below the other. */
void FormPage::buttons(Widgets &w)
{
    const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    float wide = -gap;

    for (const std::string *text : {&cancel_, &use_, &use_now_})
        if (!text->empty())
            wide += w.button_width(text->c_str()) + gap;
    if (wide <= room)
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - wide);
    w.begin_flow(0);
    const bool cancelled = press(w, cancel_, false) || w.cancelled();
    const bool used_now = !use_now_.empty() && press(w, use_now_, false);
    const bool used = press(w, use_, true);
    if (cancelled || used || used_now) {
        answer_ = cancelled ? UI_FORM_CANCELLED : used_now ? UI_FORM_USED_NOW : UI_FORM_USED;
        answered_ = true;
    }
}

bool FormPage::build(Widgets &w)
{
    answered_ = false;
    w.title(title_.c_str());
    if (!warning_.empty()) /* what is wrong has the focus */
        w.show_ring();
    if (!warning_.empty())
        w.warning(warning_.c_str());
    else if (!done_.empty())
        w.paragraph(done_.c_str());
    else if (!text_.empty())
        w.paragraph(text_.c_str());
    measure_help(w);
    helped_ = nullptr;
    list(w);
    /* the name stands below its help */
    w.help(helped_ ? helped_->help.c_str() : names_ ? naming_.c_str() : "", help_high_);
    w.line();
    name(w);
    w.gap(2);
    buttons(w);
    return answered_;
}

void FormPage::answer()
{
    std::vector<const char *> values;

    for (const Field &f : fields_)
        values.push_back(f.value);
    told_.answered(told_.owner, answer_, values.data(), name_);
}

void FormPage::interrupt()
{
    answer_ = UI_FORM_INTERRUPTED;
    answer();
}

} // namespace kit
