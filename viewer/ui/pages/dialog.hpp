/* A dialog: texts, at most two fields, one to three buttons (struct ui_dialog in ui.h). And one
 * that only shows facts: names and what they are (ui_show_facts() in ui.h). */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "page.hpp"
#include "viewer/ui/ui.h"

namespace kit
{

class Dialog : public Page
{
  public:
    Dialog(const struct ui_dialog &d, Fonts &fonts);
    ~Dialog() override;
    bool build(Widgets &w) override;
    void answer() override;
    float width() const override
    {
        return told_.codes[0].text ? 560 : 440;
    }

  private:
    struct ui_dialog told_; /* its texts are the strings below */
    struct Code {
        std::string label, text, copied;
    };
    enum class Place { FIRST, BESIDE };
    bool press(Widgets &w, const std::string &text, bool is_default, Place place);
    void press_buttons(Widgets &w);
    void ask_password(Widgets &w);

    std::string title_, warning_, text_, below_, accept_, once_, cancel_;
    std::vector<std::pair<std::string, std::string>> facts_;
    std::vector<Code> codes_;
    std::string keep_;
    bool keeps_, shows_ = false; /* the box; the password's letters */
    char user_[1024] = "", password_[1024] = "";
    enum ui_answer answer_ = UI_CANCELLED;
    bool answered_ = false;
};

class FactsPage : public Page
{
  public:
    FactsPage(const char *title, const struct ui_fact *facts, int count, Fonts &fonts);
    bool build(Widgets &w) override;
    void answer() override {}
    float width() const override
    {
        return 680; /* half a fingerprint fits beside its name */
    }

  private:
    std::string title_;
    std::vector<std::pair<std::string, std::string>> facts_;
};

} // namespace kit
