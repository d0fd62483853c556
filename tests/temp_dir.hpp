/* A scratch folder of a test's own, in TMPDIR or /tmp. It goes away with its content. */
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

class TempDir
{
  public:
    TempDir()
    {
        const char *parent = getenv("TMPDIR");
        path_ = std::string(parent && *parent ? parent : "/tmp") + "/vnchl-test-XXXXXX";
        if (!mkdtemp(&path_[0]))
            throw std::runtime_error("cannot make a folder like " + path_);
    }
    ~TempDir()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempDir(const TempDir &) = delete;
    TempDir &operator=(const TempDir &) = delete;

    const std::string &path() const
    {
        return path_;
    }
    std::string file(const std::string &name) const
    {
        return path_ + "/" + name;
    }
    /* Writes a file, with the folders that it needs. Returns its path. */
    std::string write(const std::string &name, const std::string &content) const
    {
        std::filesystem::path at = file(name);
        std::filesystem::create_directories(at.parent_path());
        std::ofstream f(at, std::ios::binary);
        f << content;
        if (!f.flush())
            throw std::runtime_error("cannot write " + at.string());
        return at.string();
    }

  private:
    std::string path_;
};
