/* What the tests of ways to a server share: a short headless run, and what it must have seen. */
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "program.hpp"
#include "tests/catch.hpp"

namespace e2e
{

/* Headless for a moment, with figures on standard output. */
inline Command moment(std::vector<std::string> arguments)
{
    std::vector<std::string> all = {"--headless", "--duration", "0.5", "--json", "-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    Command c = vnchl(all);
    for (const char *name : {"VNC_VIA_CMD", "SSH_ASKPASS", "SSH_AUTH_SOCK"})
        c.unset.push_back(name);
    return c;
}

/* It has seen the server's screen. Returns the figures. */
inline Json check_seen(std::optional<int> status, const std::string &out, const std::string &err)
{
    INFO("stdout: " << out << "\nstderr: " << err);
    REQUIRE(status == 0);
    Json j = parse(out);
    REQUIRE(cJSON_IsObject(j.get()));
    CHECK(number(j.get(), "width") == 516);
    CHECK(number(j.get(), "height") == 388);
    CHECK(number(j.get(), "updates") >= 1);
    CHECK(number(j.get(), "bytes_received") > 100);
    CHECK(number(j.get(), "bytes_sent") > 100);
    return j;
}

inline Json check_sees(const Command &c)
{
    Finished f = run(c);
    return check_seen(f.status, f.out, f.err);
}

inline void check_refusal(const Command &c, const std::vector<std::string> &causes)
{
    std::string line = refusal(c);
    INFO(line);
    for (const auto &cause : causes) {
        INFO(cause);
        CHECK(line.find(cause) != std::string::npos);
    }
}

/* Waits until the program has said so on standard error. */
inline void await_said(Process &p, const std::string &text)
{
    wait_until(PATIENCE, [&] { return p.err().find(text) != std::string::npos || !p.running(); });
    INFO(p.err());
    REQUIRE(p.err().find(text) != std::string::npos);
}

} // namespace e2e
