// What client and server say to each other. The connection carries only their bytes; the messages
// are handed over in the order in which they were written.
#pragma once

#include <deque>
#include <vector>

#include "prerequest/tick.h"
#include "rfb/region.h"

struct ServerMessage {
    enum Type { update, fence, end_of_updates }; // end_of_updates: of ContinuousUpdates

    struct Rectangle {
        rect area;
        bool jpeg;
        uint32_t bytes;
    };

    Type type = update;
    uint32_t bytes = 0;
    // an update
    enum Kind { hidden, counts, merges } kind = hidden; // what the server tells of itself
    std::vector<Rectangle> rectangles;
    bool frame = false;          // it shows a new frame of what moves
    bool follows = false;        // the content has not rested since the frame before
    tick_t began = TICK_NEVER;   // it is the first after a rest, which ended then
    tick_t drawn = 0;            // its newest frame
    tick_t pressed = TICK_NEVER; // the oldest key whose effect it shows; TICK_NEVER: none
    // a fence
    bool announces = false; // the first one, which says that the server knows fences
    uint64_t number = 0;
};

struct ClientMessage {
    enum Type { request, refresh, key, motion, encodings, fence, push };

    Type type = request;
    uint32_t bytes = 10;
    bool whole = false; // a request: of the whole picture
    rect area{};        // a refresh
    tick_t pressed = 0; // a key: when
    int step = 0;       // encodings: the step of quality
    bool lossless = false;
    bool listed = false; // encodings: the client knows how servers push
    uint64_t number = 0; // a fence
};

struct Talk {
    std::deque<ServerMessage> down;
    std::deque<ClientMessage> up;
};
