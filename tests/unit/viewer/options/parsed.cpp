#include "parsed.hpp"

#include <cstdlib>

Parsed::Parsed(std::vector<std::string> arguments, const std::string &config)
    : words(std::move(arguments))
{
    std::vector<char *> argv;
    reason r{};

    setenv("XDG_CONFIG_HOME", config.c_str(), 1);
    words.insert(words.begin(), "vnchl");
    for (auto &w : words)
        argv.push_back(w.data());
    argv.push_back(nullptr);
    result = options_parse(&o, int(words.size()), argv.data(), &r);
    why = r.text;
}

bool Parsed::refused(const std::vector<std::string> &parts) const
{
    if (result != OPTIONS_BAD || why.empty() || why.find('\n') != std::string::npos)
        return false;
    for (const auto &part : parts)
        if (why.find(part) == std::string::npos)
            return false;
    return true;
}
