// The viewer's side: the real scheduler, and around it what rfb/session/receiver.c and sender.c do.
//
// It tells the scheduler the same events in the same order as they do. Both threads take no time,
// but decoding does. When both could run, the receiver runs first.
#pragma once

#include <optional>

#include "rfb/decode/lossy.h"
#include "rfb/proto/push.h"
#include "tests/core.hpp"
#include "tests/sim/connection.hpp"
#include "tests/sim/figures.hpp"
#include "tests/sim/scenario.hpp"
#include "tests/sim/talk.hpp"

class Client
{
  public:
    Client(const Scenario &s, const scheduler_options &options, Connection &connection, Talk &talk,
           Measure &measure, tick_t now);
    ~Client();
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    // The user presses a key, or moves the pointer.
    void key(tick_t now);
    void motion(tick_t now);

    // The window is minimised, or shown again.
    void hide(bool on, tick_t now);

    // Does what is due.
    void step(tick_t now);
    // When something is due next.
    tick_t next() const;

    // What the kernel says of the round trip where there is no TCP to measure it, ms.
    void set_rtt(double ms)
    {
        rtt_ms_ = ms;
    }

    // Calls `watcher` with each event, after the scheduler was told.
    void watch(std::function<void(const scheduler_event &, tick_t)> watcher)
    {
        watcher_ = std::move(watcher);
    }

    const scheduler &core() const
    {
        return core_;
    }

  private:
    struct Told {
        int step;
        bool lossless, push;
        bool operator==(const Told &o) const
        {
            return step == o.step && lossless == o.lossless && push == o.push;
        }
    };

    void tell_core(const scheduler_event &e, tick_t now);
    void tell_core(scheduler_event_type type, tick_t now)
    {
        tell_core(core_event(type), now);
    }
    Told wanted(tick_t now) const;
    bool untold(tick_t now) const
    {
        return !(wanted(now) == told_);
    }

    // the receiver
    bool receive(tick_t now);
    bool read_update(const ServerMessage &u, tick_t now);
    void look(tick_t now);
    void tell_arrived(uint64_t taken, tick_t now);
    void show_kind(const ServerMessage &u, tick_t now);
    void update_begun(tick_t now);
    void rectangle(const ServerMessage::Rectangle &r, tick_t now);
    void update_finished(const ServerMessage &u, tick_t now);
    void tell_update(uint64_t bytes, tick_t now);
    void tell_round_trip(tick_t now);
    void fence(const ServerMessage &m, tick_t now);
    void may_push(const ServerMessage &m, tick_t now);
    uint64_t waiting() const
    {
        return connection_.arrived(Way::down) - read_;
    }

    // the sender
    bool room() const;
    void send(tick_t now);
    bool writes(tick_t now);
    tick_t next_look(tick_t now);
    void send_what_is_due(tick_t now);
    void gather_input(tick_t now);
    void tell_encodings(tick_t now);
    void request(request_cause cause, tick_t now);
    void skip(request_cause cause, tick_t now);
    void refresh(tick_t now);
    void flush(tick_t now);

    Connection &connection_;
    Talk &talk_;
    Measure &measure_;
    scheduler core_{};
    std::function<void(const scheduler_event &, tick_t)> watcher_;
    double rtt_ms_, decode_ms_;
    bool tcp_, refreshes_;
    push push_{};
    lossy lossy_{};

    // the receiver
    uint64_t read_ = 0, used_ = 0; // bytes read; by the end of the newest update
    uint64_t message_at_ = 0;      // where the message begins
    uint64_t told_at_ = 0;         // bytes read when the scheduler was told what had arrived
    bool begun_ = false;           // its first byte has been read
    size_t rectangle_ = 0;         // of the update: which one comes
    uint64_t rectangle_end_ = 0;   // where it ends
    tick_t decoded_at_ = TICK_NEVER;
    tick_t update_begun_ = 0;
    bool news_ = false, again_with_loss_ = false;
    tick_t shown_ = 0; // when the newest frame that is shown was drawn

    // the sender
    struct Command {
        bool motion;
        tick_t at;
    };
    std::deque<Command> commands_;
    std::deque<uint64_t> fences_; // to be answered
    std::vector<ClientMessage> out_;
    Told told_{};
    bool woken_ = false;
    bool held_ = false;    // something is to be sent when our own socket is empty
    bool writing_ = false; // it waits in the middle of writing, for the same reason
    tick_t sleeping_until_ = 0, next_watch_ = 0;
};
