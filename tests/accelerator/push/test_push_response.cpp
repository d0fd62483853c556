/* Where the time of a response went, as headless mode writes it: through a far end that pushes, and
 * straight from the server. */
#include <sstream>

#include "tests/accelerator/pushing.hpp"
#include "tests/e2e/json.hpp"
#include "tests/e2e/marked.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Three presses a second, for two seconds. */
struct Measured {
    TempDir dir;
    Json json{nullptr, cJSON_Delete};
    std::vector<std::vector<std::string>> rows; /* of the log */

    explicit Measured(const std::string &address)
    {
        const std::string log = dir.file("log.csv");
        Finished f = run(vnchl({"--headless", "--marks", "--press-every", "300", "--duration", "2",
                                "--json", "-", "--log", log, address}));
        INFO(f.err << f.out);
        REQUIRE(f.status == 0);
        json = parse(f.out);
        REQUIRE(json);
        std::istringstream lines(read_file(log));
        for (std::string line; std::getline(lines, line);) {
            rows.emplace_back();
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');)
                rows.back().push_back(cell);
        }
    }
    std::string which = "response"; /* or "response_mean" */
    const cJSON *at(const char *key) const
    {
        return cJSON_GetObjectItemCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(json.get(), which.c_str()), key);
    }
    /* ms; a part that is not known is none. */
    double ms(const char *key) const
    {
        REQUIRE(at(key));
        return cJSON_IsNumber(at(key)) ? at(key)->valuedouble : 0;
    }
    double sum() const
    {
        double all = 0;
        for (const char *key : {"input_ms", "server_ms", "encoder_ms", "queue_ms", "path_ms",
                                "server_and_line_ms", "decoder_ms"})
            all += ms(key);
        return all;
    }
    std::string why() const
    {
        return cJSON_IsString(at("why")) ? at("why")->valuestring : "";
    }
    /* Rows of the log whose parts add up to a response. */
    int responses() const
    {
        int all = 0;
        REQUIRE(!rows.empty());
        const auto &head = rows[0];
        const size_t from =
            size_t(std::find(head.begin(), head.end(), "response_ms") - head.begin());
        REQUIRE(from + 8 < head.size());
        CHECK(head[from + 8] == "response_why");
        for (size_t i = 1; i < rows.size(); i++) {
            double total = std::stod(rows[i][from]), parts = 0;
            for (size_t j = 1; j < 8; j++)
                parts += std::stod(rows[i][from + j]);
            CHECK(parts == Approx(total).margin(0.01));
            all += total > 0;
            if (total > 0)
                CHECK(rows[i].size() == head.size()); /* with a sentence */
        }
        return all;
    }
};

} // namespace

TEST_CASE("response: its parts add up, those of the far end among them", "[push]")
{
    XvncOptions o;
    o.with_screen = false;
    auto server = start_tigervnc(o);
    if (!server)
        return;
    MarkedContent content(server->display, 20);
    Accelerator a(server->address);
    Measured m(a.address());
    for (const char *which : {"response_mean", "response"}) {
        m.which = which;
        CHECK(m.ms("count") > 0);
        CHECK(m.ms("total_ms") > 0);
        CHECK(m.sum() == Approx(m.ms("total_ms")).margin(0.01));
    }
    CHECK(cJSON_IsNumber(m.at("server_ms")));
    CHECK(m.ms("server_ms") > 0);
    CHECK(m.ms("path_ms") > 0);
    CHECK(m.ms("encoder_ms") >= 0);
    CHECK(cJSON_IsNull(m.at("server_and_line_ms")));
    CHECK(m.why() != "");
    CHECK(m.responses() > 0);
}

TEST_CASE("response: without a far end server and line are told together", "[push]")
{
    XvncOptions o;
    o.with_screen = false;
    auto server = start_tigervnc(o);
    if (!server)
        return;
    MarkedContent content(server->display, 20);
    Measured m(server->address);
    for (const char *which : {"response_mean", "response"}) {
        m.which = which;
        CHECK(m.ms("count") > 0);
        CHECK(m.ms("total_ms") > 0);
        CHECK(m.sum() == Approx(m.ms("total_ms")).margin(0.01));
    }
    CHECK(cJSON_IsNull(m.at("server_ms")));
    CHECK(cJSON_IsNull(m.at("loss_percent")));
    CHECK(cJSON_IsNumber(m.at("server_and_line_ms")));
    CHECK(m.ms("decoder_ms") > 0);
    CHECK(m.responses() > 0);
}
