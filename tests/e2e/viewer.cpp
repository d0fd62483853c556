#include "viewer.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace e2e
{

Viewer::Viewer(const ViewerOptions &options) : options_(options), next_(SESSION_CLOSED + 1, 0)
{
    struct session_options o = {};
    struct reason why = {};
    if ((!options_.ssh.empty() && !gateway_parse(&o.route.gateway, options_.ssh.c_str(), &why)) ||
        (options_.play.empty() && !address_parse(&o.address, options_.address.c_str(), &why)) ||
        !encoding_list_parse(&o.encodings.list, options_.encodings.c_str(), &why) ||
        !security_parse(&o.security, options_.security.c_str(), &why))
        throw std::runtime_error(why.text);
    o.route.gateway.far_end = !options_.ssh.empty();
    o.route.gateway.keep_s = options_.keep_s;
    snprintf(o.route.play, sizeof o.route.play, "%s", options_.play.c_str());
    o.route.speed = options_.speed;
    o.transport.window_bytes = options_.window_bytes;
    o.encodings.quality = options_.quality;
    o.encodings.compress = options_.compress;
    o.encodings.jpeg = options_.jpeg;
    o.encodings.local_cursor = options_.local_cursor;
    o.encodings.push = options_.push;
    o.encodings.blocks = options_.blocks;
    o.encodings.key_codes = options_.key_codes;
    o.encodings.steps = options_.steps;
    o.scheduler.lossless_refresh = options_.lossless_refresh;
    o.scheduler.max_fps = options_.max_fps;
    o.scheduler.max_rate = options_.max_rate;
    o.scheduler.quality_pinned =
        o.encodings.quality != LEVEL_AUTO && o.encodings.compress != LEVEL_AUTO;
    o.scheduler.policy = options_.policy;
    o.scheduler.fixed_prp = tick_from_ms(options_.prp_ms);
    o.connect_timeout = options_.connect_timeout.count() * TICK_MS;
    o.stall_timeout = options_.stall_timeout.count() * TICK_MS;
    o.shared = options_.shared;
    o.clipboard = options_.clipboard;
    o.sound = options_.sound;
    snprintf(o.x509_ca, sizeof o.x509_ca, "%s", options_.x509_ca.c_str());
    struct session_hooks hooks = {};
    hooks.recording = options_.recording;
    hooks.callbacks.wake = wake;
    hooks.callbacks.user = this;
    session_ = session_create(&o, &hooks);
    if (!session_)
        throw std::runtime_error("session_create failed");
}

Viewer::~Viewer()
{
    session_destroy(session_);
}

void Viewer::wake(void *user)
{
    auto v = static_cast<Viewer *>(user);
    std::lock_guard<std::mutex> hold(v->lock_);
    v->pending_ = true;
    v->woken_.notify_one();
}

void Viewer::answer(const struct session_question &q)
{
    bool want_user = q.kind == QUESTION_USER_PASSWORD;
    if (q.kind == QUESTION_TRUST) {
        session_answer_trust(session_, q.number, false);
        return;
    }
    asked_++;
    if (!options_.password || (want_user && !options_.user))
        session_refuse(session_, q.number, "the test has no password");
    else
        session_answer_credentials(session_, q.number, want_user ? options_.user->c_str() : nullptr,
                                   options_.password->c_str());
}

void Viewer::take_events()
{
    while (struct session_event *e = session_next_event(session_)) {
        const char *text = session_event_text(e);
        const uint32_t *pixels = session_event_pixels(e);
        Event copy = {static_cast<session_event_type>(e->type),
                      e->width,
                      e->height,
                      e->hot_x,
                      e->hot_y,
                      {},
                      text ? text : "",
                      e->leds};
        if (!session_event_valid(e, sizeof *e + e->size))
            throw std::runtime_error("an event is not valid");
        if (pixels)
            copy.pixels.assign(pixels, pixels + static_cast<size_t>(e->width) * e->height);
        events_.push_back(copy);
        if (const struct session_question *q = session_event_question(e))
            answer(*q);
        free(e);
    }
}

bool Viewer::wait_for(milliseconds limit, const std::function<bool()> &done)
{
    auto end = Clock::now() + limit;
    for (;;) {
        take_events();
        if (done())
            return true;
        std::unique_lock<std::mutex> hold(lock_);
        if (!woken_.wait_until(hold, end, [&] { return pending_; })) {
            hold.unlock();
            take_events();
            return done();
        }
        pending_ = false;
    }
}

std::optional<Event> Viewer::wait_event(session_event_type type, milliseconds limit)
{
    size_t &next = next_[type];
    auto find = [&] {
        while (next < events_.size() && events_[next].type != type)
            next++;
        return next < events_.size();
    };
    if (!wait_for(limit,
                  [&] {
                      /* Nothing follows SESSION_CLOSED. */
                      return find() || (!events_.empty() && events_.back().type == SESSION_CLOSED);
                  }) ||
        next >= events_.size())
        return std::nullopt;
    return events_[next++];
}

bool Viewer::wait_connected(milliseconds limit)
{
    return wait_event(SESSION_CONNECTED, limit).has_value();
}

std::optional<std::string> Viewer::wait_closed(milliseconds limit)
{
    auto e = wait_event(SESSION_CLOSED, limit);
    if (!e)
        return std::nullopt;
    return e->text;
}

Image Viewer::picture()
{
    struct framebuffer_view view;
    framebuffer_reader *reader = session_framebuffer(session_);
    if (!framebuffer_lock(reader, &view, true))
        return Image();
    Image image(view.width, view.height);
    memcpy(image.pixels.data(), view.pixels, image.pixels.size() * sizeof(uint32_t));
    framebuffer_unlock(reader);
    for (auto &p : image.pixels)
        p &= 0xffffff;
    return image;
}

bool Viewer::wait_picture(const Image &expected, milliseconds limit)
{
    return wait_for(limit, [&] { return picture() == expected; });
}

struct session_stats Viewer::stats()
{
    struct session_stats s;
    ::session_stats(session_, false, &s);
    return s;
}

std::string Viewer::describe()
{
    take_events();
    if (events_.empty())
        return "no event yet";
    const Event &last = events_.back();
    if (last.type == SESSION_CLOSED)
        return "closed: " + last.text;
    return "open after " + std::to_string(events_.size()) + " events";
}

} // namespace e2e
