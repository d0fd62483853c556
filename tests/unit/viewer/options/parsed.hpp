/* A command line taken apart, as the tests of options want it. */
#pragma once

#include <string>
#include <vector>

#include "tests/temp_dir.hpp"
#include "viewer/options/options.h"

struct Parsed {
    options o{};
    options_result result;
    std::string why;
    std::vector<std::string> words;

    /* Looks for profiles where there are none, unless `config` is a folder. */
    explicit Parsed(std::vector<std::string> arguments,
                    const std::string &config = "/no/such/folder");
    ~Parsed()
    {
        options_deinit(&o);
    }
    Parsed(const Parsed &) = delete;
    Parsed &operator=(const Parsed &) = delete;

    /* Refused, with all of this in the one line that says why. */
    bool refused(const std::vector<std::string> &parts) const;
};

/* A folder for files of options. */
class OptionFolder : public TempDir
{
  public:
    /* Writes a profile of ours into the folder that XDG_CONFIG_HOME would be. */
    std::string profile(const std::string &name, const std::string &content)
    {
        return write("vnchl/" + name + ".conf", content);
    }
};
