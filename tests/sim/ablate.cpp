// What each rule of `auto` is worth: switches one off after the other, runs every scenario, and
// prints what gets worse, as a table for docs/scheduler.md.
//
//   vnchl-ablate [--seeds N] [--jobs N] [RULE...]
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "prerequest/rules.h"
#include "tests/sim/worth.hpp"

namespace
{

using Row = std::vector<double>; // of kinds, the mean over the seeds

Row measure(const NamedScenario &n, rule_set without, unsigned seeds)
{
    Row sum(figure_kinds().size(), 0);

    for (unsigned seed = 1; seed <= seeds; seed++) {
        Figures f = run_scenario(n, without, seed);
        for (size_t k = 0; k < figure_kinds().size(); k++)
            sum[k] += f.*figure_kinds()[k].value / seeds;
    }
    return sum;
}

struct Loss {
    double size;
    std::string text;
};

std::string text_of(const FigureKind &k, double with, double without, const std::string &scenario)
{
    char text[200];

    std::snprintf(text, sizeof text, "%s: %s %.3g -> %.3g%s%s", scenario.c_str(), k.name, with,
                  without, *k.unit ? " " : "", k.unit);
    return text;
}

// Runs `count` tasks on so many threads.
template <class Task> void in_threads(unsigned jobs, size_t count, Task task)
{
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;

    for (unsigned j = 0; j < jobs; j++)
        threads.emplace_back([&] {
            for (size_t i; (i = next++) < count;)
                task(i);
        });
    for (auto &t : threads)
        t.join();
}

std::vector<Row> measure_all(rule_set without, unsigned seeds, unsigned jobs)
{
    const auto &all = scenarios();
    std::vector<Row> rows(all.size());

    in_threads(jobs, all.size(), [&](size_t i) { rows[i] = measure(all[i], without, seeds); });
    return rows;
}

void tell(rule_id rule, const std::vector<Row> &with, const std::vector<Row> &without)
{
    const auto &all = scenarios();
    std::vector<Loss> losses;
    unsigned worse_in = 0, better_in = 0;

    for (size_t i = 0; i < all.size(); i++) {
        double most = 0, least = 0;
        for (size_t k = 0; k < figure_kinds().size(); k++) {
            double w = worse(figure_kinds()[k], with[i][k], without[i][k]);
            most = std::max(most, w);
            least = std::min(least, w);
            if (w > 1)
                losses.push_back(
                    {w, text_of(figure_kinds()[k], with[i][k], without[i][k], all[i].name)});
        }
        worse_in += most > 1;
        better_in += least < -1 && most <= 1;
    }
    std::sort(losses.begin(), losses.end(),
              [](const Loss &a, const Loss &b) { return a.size > b.size; });
    std::printf("| %s | %s | %u | %u | %s%s%s |\n", rule_name(rule), rule_does(rule), worse_in,
                better_in, losses.empty() ? "nothing" : losses[0].text.c_str(),
                losses.size() > 1 ? "; " : "", losses.size() > 1 ? losses[1].text.c_str() : "");
    std::fflush(stdout);
}

bool wanted(rule_id rule, const std::vector<std::string> &names)
{
    return names.empty() || std::find(names.begin(), names.end(), rule_name(rule)) != names.end();
}

int usage(const char *what)
{
    std::fprintf(stderr, "vnchl-ablate: %s\nUsage: vnchl-ablate [--seeds N] [--jobs N] [RULE...]\n",
                 what);
    return 2;
}

} // namespace

int main(int argc, char **argv)
{
    unsigned seeds = 1, jobs = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::string> names;

    for (int i = 1; i < argc; i++) {
        bool takes = std::strcmp(argv[i], "--seeds") == 0 || std::strcmp(argv[i], "--jobs") == 0;
        if (takes && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
            (argv[i][2] == 's' ? seeds : jobs) = unsigned(std::atoi(argv[i + 1]));
            i++;
        } else if (argv[i][0] == '-') {
            return usage("what is asked for is not understood");
        } else {
            names.push_back(argv[i]);
        }
    }
    for (const auto &name : names) {
        bool known = false;
        for (int r = 0; r < RULE_COUNT; r++)
            known = known || name == rule_name(rule_id(r));
        if (!known)
            return usage(("there is no rule '" + name + "'").c_str());
    }
    std::vector<Row> with = measure_all(0, seeds, jobs);
    std::printf("| rule | what it does | worse in | better in | most of all, of %zu scenarios |\n"
                "| --- | --- | --- | --- | --- |\n",
                scenarios().size());
    for (int r = 0; r < RULE_COUNT; r++) {
        if (!wanted(rule_id(r), names))
            continue;
        std::fprintf(stderr, "ablate: %d of %d rules: %s\n", r + 1, int(RULE_COUNT),
                     rule_name(rule_id(r)));
        tell(rule_id(r), with, measure_all(rule_set(1) << r, seeds, jobs));
    }
    return 0;
}
