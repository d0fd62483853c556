/* Which servers' pictures are as large as other programs (viewer/servers/server_marks.h). */
#include <cstdlib>
#include <cstring>

#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"
#include "viewer/servers/server_marks.h"

namespace
{

struct address at(const char *text)
{
    struct address a = {};
    struct reason why = {};

    REQUIRE(address_parse(&a, text, &why));
    return a;
}

} // namespace

TEST_CASE("system scale: it is remembered for each server, until another size is chosen")
{
    TempDir state;
    setenv("XDG_STATE_HOME", state.path().c_str(), 1);
    const struct route straight = {};
    struct route ssh = {};
    strcpy(ssh.gateway.host, "gate");
    const struct address desk = at("desk:1"), other = at("desk:2");

    CHECK_FALSE(system_scale_recall(&desk, &straight));
    system_scale_note(&desk, &straight, true);
    CHECK(system_scale_recall(&desk, &straight));
    CHECK_FALSE(system_scale_recall(&other, &straight));
    CHECK_FALSE(system_scale_recall(&desk, &ssh)); /* another machine */
    system_scale_note(&other, &straight, true);
    system_scale_note(&desk, &straight, false);
    CHECK_FALSE(system_scale_recall(&desk, &straight));
    CHECK(system_scale_recall(&other, &straight));
}

TEST_CASE("system scale: nothing is remembered where no server is named")
{
    TempDir state;
    setenv("XDG_STATE_HOME", state.path().c_str(), 1);
    struct route listens = {}, plays = {};
    listens.listen = true;
    strcpy(plays.play, "a.fbs");
    const struct address desk = at("desk:1");

    system_scale_note(&desk, &listens, true);
    system_scale_note(&desk, &plays, true);
    CHECK_FALSE(system_scale_recall(&desk, &listens));
    CHECK_FALSE(system_scale_recall(&desk, &plays));
    const struct route straight = {};
    CHECK_FALSE(system_scale_recall(&desk, &straight));
}
