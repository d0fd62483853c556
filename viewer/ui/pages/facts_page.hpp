/* A page of facts: names and what they are (ui_show_facts() in ui.h). */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "page.hpp"
#include "viewer/ui/ui.h"

namespace kit
{

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
