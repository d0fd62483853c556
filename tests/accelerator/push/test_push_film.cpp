/* What moves, and is too much as JPEG for a thin link, comes as a film. When it rests it is exact.
 */
#include "rfb/film/avcodec_decoder.h"
#include "rfb/film/decoder.h"
#include "rfb/film/encoder.h"
#include "tests/accelerator/pushing.hpp"
#include "tests/decoder_elsewhere.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/reach.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* A frame takes 1 KB at 30 per second. */
struct ThinLink {
    std::unique_ptr<Server> server = start_tigervnc({});
    Accelerator accelerator{server->address};
    Demo link = start_demo_link(accelerator.port, {"--rtt", "100", "--rate", "256k"});
    std::unique_ptr<Viewer> viewer;
    int frame = 0;

    Viewer &view(bool jpeg)
    {
        ViewerOptions o = takes_blocks(link.address());
        o.jpeg = jpeg;
        viewer = std::make_unique<Viewer>(o);
        require_pushed(*viewer);
        require_first_picture(*viewer);
        return *viewer;
    }
    void play(int frames)
    {
        server->screen->film(frame, frames, milliseconds(33));
        frame += frames;
    }
    uint64_t films() const
    {
        return viewer->stats().film_frames;
    }
};

} // namespace

TEST_CASE("a film over a thin link comes as H.264, and is exact at rest", "[push]")
{
    film_decoder_load();
    if (!film_encoder_works() || !film_decoder_works()) {
        WARN("built without an encoder or decoder of H.264");
        return;
    }
    ThinLink t;
    Viewer &viewer = t.view(true);
    for (int i = 0; i < 20 && t.films() < 30; i++) /* a busy machine has no film at first */
        t.play(60);
    INFO(viewer.describe());
    CHECK(t.films() >= 30);
    check_picture(viewer, t.server->screen->capture());
    uint64_t before = t.films();
    t.server->screen->draw_text(20, 40, "still"); /* a rest is the end of a film */
    check_picture(viewer, t.server->screen->capture());
    CHECK(t.films() == before);
}

TEST_CASE("where the decoder of films ends, the picture goes on without films", "[push]")
{
    if (!film_encoder_works() || !avcodec_decoder_is_installed()) {
        WARN("built without an encoder or decoder of H.264");
        return;
    }
    DecoderElsewhere there;
    ThinLink t;
    Viewer &viewer = t.view(true);
    SECTION("in the middle of a film")
    {
        for (int i = 0; i < 20 && t.films() < 30; i++)
            t.play(60);
        CHECK(t.films() >= 30);
        there.end();
    }
    SECTION("before the first one")
    {
        there.end();
    }
    for (int i = 0; i < 20 && viewer.stats().h264_unread == 0; i++)
        t.play(60);
    check_picture(viewer, t.server->screen->capture());
    const uint64_t lost = viewer.stats().h264_unread;
    CHECK(lost > 0);
    t.play(120); /* a film again, if the far end still sent any */
    INFO(viewer.describe());
    CHECK(viewer.stats().h264_unread == lost);
    check_picture(viewer, t.server->screen->capture());
}

TEST_CASE("a viewer that wants no loss gets no film", "[push]")
{
    ThinLink t;
    Viewer &viewer = t.view(false);
    t.play(60);
    check_picture(viewer, t.server->screen->capture());
    CHECK(t.films() == 0);
}
