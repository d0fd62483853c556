// A model of a server, and of what its screen shows.
#pragma once

#include "tests/sim/congestion.hpp"
#include "tests/sim/connection.hpp"
#include "tests/sim/scenario.hpp"
#include "tests/sim/talk.hpp"

class Server
{
  public:
    Server(const Scenario &s, Connection &connection, Talk &talk, tick_t now);

    // Does what is due.
    void step(tick_t now);
    // When something is due next.
    tick_t next(tick_t now) const;

    // When what moves was drawn last.
    tick_t drawn() const
    {
        return drawn_;
    }

  private:
    // What the next update is to show.
    struct Shows {
        bool film = false, effect = false, caret = false, whole = false;
        std::vector<rect> again; // asked for by a refresh
    };

    double seconds(tick_t now) const;
    bool waits(const Shows &s) const;
    bool may_write(tick_t now);
    void arrive();
    bool read_messages(tick_t now);
    void read(const ClientMessage &m, tick_t now);
    void announce(tick_t now);
    void draw(tick_t now);
    void begin_update(tick_t now);
    bool may_answer(tick_t now);
    bool round(tick_t now);
    void send_update(tick_t now);
    void add_film(tick_t now);
    void add(const rect &area, bool jpeg, double bytes);
    void say(ServerMessage m, tick_t now);

    Scenario scenario_;
    Connection &connection_;
    Talk &talk_;
    rect film_;
    std::deque<ClientMessage> inbox_;
    // the screen
    tick_t frame_at_;           // the content's next frame
    tick_t caret_at_;           // the caret's next change
    tick_t drawn_;              // the content's newest frame
    bool rests_ = false;        // it does not move
    bool rested_ = false;       // nor has it all the time since the frame that was sent last
    tick_t began_ = TICK_NEVER; // it does again since then, and that was not sent yet
    tick_t pressed_ = TICK_NEVER,
           effect_at_ = TICK_NEVER; // a press that has arrived, until it shows
    tick_t effect_ = TICK_NEVER;    // the press that shows on the screen
    Shows dirty_, encoded_;
    // the server
    ServerMessage encoding_;         // the update that is being encoded
    tick_t encoded_at_ = TICK_NEVER; // when it is ready
    tick_t look_at_ = 0;             // not before (deferral, ticks, room in the buffer)
    tick_t tick_;                    // ticking: the present period
    unsigned asked_ = 0;             // requests received and not answered
    int step_ = 0;                   // quality
    bool lossless_ = false, announced_ = false, pushes_ = false;
    Congestion congestion_;
};
