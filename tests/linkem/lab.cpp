#include "tests/linkem/lab.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "tests/temp_dir.hpp"

namespace lab
{

static int failed = 0;

void check(bool good, const std::string &what)
{
    if (!good) {
        failed++;
        printf("  FAILED: %s\n", what.c_str());
    }
}

int failures()
{
    return failed;
}

double Result::value(const std::string &name) const
{
    auto found = values.find(name);
    check(found != values.end(), "no '" + name + "' in: " + out + err);
    return found == values.end() ? 0 : atof(found->second.c_str());
}

double Result::stat(const std::string &name) const
{
    auto found = stats.find(name);
    check(found != stats.end(), "no '" + name + "' in --stats");
    return found == stats.end() ? 0 : found->second;
}

static std::string from_environment(const char *name)
{
    const char *path = getenv(name);
    if (!path) {
        fprintf(stderr, "%s is not set; run this with: meson test --suite linkem\n", name);
        exit(2);
    }
    return path;
}

bool possible()
{
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        printf("skipped: /dev/net/tun: %s\n", strerror(errno));
        return false;
    }
    close(fd);
    pid_t pid = fork();
    if (pid == 0) /* one after the other: AppArmor may make a user namespace without rights in it */
        _exit(unshare(CLONE_NEWNET) != 0 &&
              (unshare(CLONE_NEWUSER) != 0 || unshare(CLONE_NEWNET) != 0));
    int raw = 1;
    waitpid(pid, &raw, 0);
    if (raw != 0)
        printf("skipped: neither root nor user namespaces\n");
    return raw == 0;
}

std::string linkem()
{
    return from_environment("VNCHL_LINKEM");
}

std::string peer()
{
    return from_environment("VNCHL_LINKEM_PEER");
}

Result run(const Strings &options, const std::string &command, std::chrono::seconds limit)
{
    e2e::Command c;
    c.argv = {linkem(), "--wait-limit", "100s"}; /* for a slow machine; `options` may say less */
    c.argv.insert(c.argv.end(), options.begin(), options.end());
    for (const char *word : {"--", "sh", "-c"})
        c.argv.push_back(word);
    c.argv.push_back(command);
    /* A viewer does not know the server of another test, which has the same address: there is no
     * folder for hosts, and a new one for certificates. */
    const TempDir data;
    c.env = {{"PEER", peer()},
             {"LINKEM", linkem()},
             {"XDG_STATE_HOME", "/dev/null"},
             {"XDG_DATA_HOME", data.path()}};
    e2e::Finished f = e2e::run(c, limit);
    Result r;
    r.status = f.status;
    r.out = f.out;
    r.err = f.err;
    std::istringstream words(r.out);
    for (std::string word; words >> word;) {
        size_t equal = word.find('=');
        if (equal != std::string::npos)
            r.values[word.substr(0, equal)] = word.substr(equal + 1);
    }
    return r;
}

static void read_stats(const cJSON *item, const std::string &prefix, Result &r)
{
    for (; item; item = item->next) {
        std::string name = prefix + (item->string ? item->string : "");
        if (cJSON_IsNumber(item))
            r.stats[name] = item->valuedouble;
        read_stats(item->child, name.empty() ? "" : name + ".", r);
    }
}

Result traffic(const Strings &options, const std::string &command, std::chrono::seconds limit)
{
    e2e::TempDir dir;
    Strings all = {"--server-command", "exec " + peer() + " serve 7000",
                   "--wait-for",       "7000",
                   "--stats",          dir.file("stats")};
    all.insert(all.end(), options.begin(), options.end());
    Result r = run(all, "AT=\"$LINKEM_SERVER 7000\"; " + command, limit);
    cJSON *stats = cJSON_Parse(e2e::read_file(dir.file("stats")).c_str());
    read_stats(stats, "", r);
    cJSON_Delete(stats);
    check(r.status == 0, "'" + command + "' failed: " + r.out + r.err);
    for (const char *way : {"up", "down"})
        for (const char *what : {".dropped_device", ".dropped_memory", ".dropped_write"})
            check(r.stat(std::string(way) + what) == 0, std::string(way) + what + " is not 0");
    return r;
}

} // namespace lab
