// What the checks and the benchmark share: running something across a link, and saying what failed.
#pragma once

#include <cjson/cJSON.h>

#include <map>
#include <string>
#include <vector>

#include "tests/e2e/process.hpp"

namespace lab
{

using Strings = std::vector<std::string>;

// Counts, and prints what did not hold.
void check(bool good, const std::string &what);
int failures();

struct Result {
    std::optional<int> status;
    std::string out, err;
    std::map<std::string, std::string> values; // of the "name=value" words in `out`
    std::map<std::string, double> stats;       // "down.packets_in": the numbers of --stats

    double value(const std::string &name) const;
    double stat(const std::string &name) const;
};

// Whether the system allows namespaces and TUN devices; says what is missing. Found out without the
// program under test: its own failure is no reason to skip.
bool possible();

std::string linkem();
std::string peer();

// vnchl-linkem OPTIONS -- sh -c COMMAND, with nothing else.
Result run(const Strings &options, const std::string &command,
           std::chrono::seconds limit = e2e::PATIENCE);

// The same with `peer serve 7000` at the server's end and --stats. COMMAND finds the peer in $PEER
// and "$LINKEM_SERVER 7000" in $AT. Checks that it succeeded and that the machine kept up.
Result traffic(const Strings &options, const std::string &command,
               std::chrono::seconds limit = e2e::PATIENCE);

void benchmark();

} // namespace lab
