/* A command line taken apart, as the tests of options want it. */
#pragma once

#include <string>
#include <vector>

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

/* A folder for files of options, which goes away with its content. */
class OptionFolder
{
  public:
    OptionFolder();
    ~OptionFolder();
    OptionFolder(const OptionFolder &) = delete;
    OptionFolder &operator=(const OptionFolder &) = delete;

    const std::string &path() const
    {
        return path_;
    }
    /* Writes a file, and returns its path. */
    std::string write(const std::string &name, const std::string &content);
    /* Writes a profile of ours into the folder that XDG_CONFIG_HOME would be. */
    std::string profile(const std::string &name, const std::string &content);

  private:
    std::string path_;
};
