/* A session and its picture, as a test wants them: connect, wait for an event, wait until the
 * picture equals an image. Used from one thread. */
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "image.hpp"
#include "process.hpp"
#include "rfb/session/session.h"

namespace e2e
{

struct ViewerOptions {
    std::string address;
    std::string ssh;     /* the address is as this machine sees it (--ssh); empty: straight */
    unsigned keep_s = 0; /* with that: its far end waits so long for this process */
    std::string encodings = ENCODINGS_DEFAULT;
    bool jpeg = false; /* lossless unless asked for */
    int quality = 6;
    int compress = 2;
    bool local_cursor = true;
    bool push = false;
    bool blocks = false;              /* as the program does: a far end may push them */
    double max_fps = 0, max_rate = 0; /* bytes per second; 0: no limit */
    bool key_codes = true;
    bool steps = true;
    bool lossless_refresh = false;
    prp_policy policy = PRP_AUTO;
    double prp_ms = 40;
    milliseconds connect_timeout = PATIENCE;
    milliseconds stall_timeout = PATIENCE;
    int64_t window_bytes = 0;
    bool shared = true;
    unsigned clipboard = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
    sound_wish sound = SOUND_WISH_OFF;
    struct recording *recording = nullptr;
    std::string play; /* a recording takes the place of the address */
    double speed = 0; /* of that; 0: as fast as can be */
    std::string x509_ca, security = SECURITY_DEFAULT_NAMES;
    std::optional<std::string> user, password; /* no password: the viewer refuses */
};

struct Event {
    session_event_type type;
    int width, height, hot_x, hot_y;
    std::vector<uint32_t> pixels;
    std::string text;
    unsigned leds;
};

class Viewer
{
  public:
    explicit Viewer(const ViewerOptions &options);
    ~Viewer();
    Viewer(const Viewer &) = delete;
    Viewer &operator=(const Viewer &) = delete;

    bool wait_connected(milliseconds limit = PATIENCE);
    /* The next event of this type that no earlier call has returned. */
    std::optional<Event> wait_event(session_event_type type, milliseconds limit = PATIENCE);
    /* Why the session ended, once it has. */
    std::optional<std::string> wait_closed(milliseconds limit = PATIENCE);

    Image picture();
    bool wait_picture(const Image &expected, milliseconds limit = PATIENCE);
    /* Until `done` holds; looked at again after every wake-up. */
    bool wait_for(milliseconds limit, const std::function<bool()> &done);

    void key(uint32_t keysym, bool down)
    {
        session_send_key(session_, keysym, down);
    }
    void key_code(uint32_t keysym, uint8_t code, bool down)
    {
        session_send_key_code(session_, keysym, code, down);
    }
    void pointer(int x, int y, unsigned buttons)
    {
        session_send_pointer(session_, x, y, buttons);
    }
    struct session_stats stats();
    session *raw()
    {
        return session_;
    }
    int times_asked() const /* how often the server wanted a password */
    {
        return asked_;
    }
    std::string describe(); /* for failure messages: connected or closed, and why */

  private:
    static void wake(void *user);
    void answer(const struct session_question &q);
    void take_events();

    ViewerOptions options_;
    std::string ca_;
    session *session_ = nullptr;
    std::vector<Event> events_;
    std::vector<size_t> next_; /* per type: events before this index were returned */
    int asked_ = 0;

    std::mutex lock_;
    std::condition_variable woken_;
    bool pending_ = false;
};

} // namespace e2e
