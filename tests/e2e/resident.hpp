/* How much memory a process takes, and what is usual of many such figures. */
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace e2e
{

/* kB that a process has in memory; 0: there is no such process. */
inline double resident(pid_t pid)
{
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0)
            return atof(line.c_str() + 6);
    return 0;
}

inline double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace e2e
