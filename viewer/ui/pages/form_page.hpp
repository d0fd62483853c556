/* A form (ui_form.h). The fields scroll by themselves. */
#pragma once

#include <string>
#include <vector>

#include "page.hpp"
#include "viewer/ui/ui_form.h"

namespace kit
{

class FormPage : public Page
{
  public:
    FormPage(const struct ui_form &f, Fonts &fonts);
    bool build(Widgets &w) override;
    void answer() override;
    void interrupt() override;
    bool fills() const override
    {
        return true;
    }
    float width() const override
    {
        return 600;
    }

  private:
    struct Word {
        std::string text;
        bool on; /* of a set */
    };
    struct Field {
        std::string heading, label, help, hint;
        enum ui_field_kind kind;
        std::vector<Word> words;
        char value[UI_FORM_VALUE_MAX];
    };

    void add(const struct ui_form_field &from, Fonts &fonts);
    void list(Widgets &w);
    void row(Widgets &w, size_t i);
    void edit(Widgets &w, Field &f, bool begins);
    void name(Widgets &w);
    void buttons(Widgets &w);
    bool press(Widgets &w, const std::string &text, bool is_default);
    void measure_help(const Widgets &w);
    float room_for_list(const Widgets &w) const;

    struct ui_form told_; /* its texts are the strings below */
    std::string title_, text_, warning_, done_, naming_, save_, use_, use_now_, cancel_;
    std::vector<Field> fields_;
    const Field *helped_ = nullptr; /* the one with the focus */
    bool names_ = false;            /* the name or its button had it in the last frame */
    float help_high_ = 0;           /* pixels */
    char name_[UI_FORM_VALUE_MAX] = "";
    enum ui_form_answer answer_ = UI_FORM_CANCELLED;
    bool answered_ = false;
};

} // namespace kit
