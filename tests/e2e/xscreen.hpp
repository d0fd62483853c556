/* An X client on a server's display: draws content that moves and then stops, reads the screen
 * back, and sees the keys and clicks that arrive there.
 *
 * "Once still" is defined by it: after settle() nothing on the screen changes any more. */
#pragma once

#include <string>
#include <vector>

#include "image.hpp"
#include "process.hpp"

struct _XDisplay;
union _XEvent;

namespace e2e
{

class XScreen
{
  public:
    /* Opens the display and covers it with one window that takes keys and clicks. */
    explicit XScreen(const std::string &display);
    ~XScreen();
    XScreen(const XScreen &) = delete;
    XScreen &operator=(const XScreen &) = delete;

    int width() const
    {
        return width_;
    }
    int height() const
    {
        return height_;
    }

    /* One frame of the moving content. Solid areas, stripes, two-colour patterns, noise, gradients,
     * text, and areas copied elsewhere: something for every encoding. */
    void draw(int step);
    /* `frames` frames, `between` apart. */
    void animate(int frames, milliseconds between = milliseconds(20));
    /* Frames of a film, from this one on: each pixel of the screen is another one, without sharp
     * edges. */
    void film(int first, int frames, milliseconds between = milliseconds(20));
    /* A word, white on black. */
    void draw_text(int x, int y, const std::string &text);
    /* All moves up by so many pixels, and a new line comes below. */
    void scroll(int pixels);
    /* A window of somebody else is there from now on; left of the screen: not any more. */
    void move_window(int x, int y);
    /* Everything drawn has reached the server's framebuffer. */
    void settle();
    /* The whole screen in one colour: 0xRRGGBB. */
    void fill(uint32_t colour);

    /* What the server shows, without the pointer. */
    Image capture();

    /* Input that arrived at the window since it was last asked for. */
    bool wait_key(unsigned long keysym, bool press, milliseconds limit);
    /* The keys that were pressed, this one and all before it; empty when it does not come. */
    std::vector<unsigned long> keys_until(unsigned long keysym, milliseconds limit);
    /* The keyboard's modifiers that are locked (Caps Lock is LockMask). */
    unsigned locks();
    /* No key and no button is down. */
    bool nothing_held();
    bool wait_button(unsigned button, bool press, int x, int y, milliseconds limit);
    bool wait_pointer(int x, int y, milliseconds limit);
    struct Input {
        int type;
        unsigned long keysym;
        unsigned button;
        int x, y;
    };
    bool wait_input(milliseconds limit, const std::function<bool(const Input &)> &match);

    void bell();
    /* A pointer shape of this size over the window: white with a one-pixel black frame. */
    void define_cursor(int width, int height, int hot_x, int hot_y);

    /* Owns CLIPBOARD and PRIMARY and answers with this text (Latin-1 through STRING, and UTF-8). */
    void own_clipboard(const std::string &utf8);
    bool owns_clipboard();
    /* How often the clipboard's text was given to somebody. */
    int texts_given() const
    {
        return given_;
    }
    /* Serves the clipboard while waiting. */
    bool serve_until(milliseconds limit, const std::function<bool()> &done);
    /* What another owner says; empty when nobody answers. */
    std::string ask_clipboard(milliseconds limit);
    /* TightVNC's clipboard. */
    void set_cut_buffer(const std::string &text);
    std::string cut_buffer();

    /* Changes the size with the xrandr program and covers the new screen. */
    bool resize(int width, int height);
    /* Covers the screen of the size that somebody else has given it. */
    void cover_again();

  private:
    void cover();
    void take_events();
    void answer(_XEvent *event);
    unsigned long pixel(uint32_t colour) const;
    void put(const Image &image, int x, int y);

    std::string name_;
    _XDisplay *x_;
    unsigned long window_ = 0, other_ = 0;
    void *gc_ = nullptr;
    int width_ = 0, height_ = 0;
    int pointer_x_ = -1, pointer_y_ = -1;
    std::vector<Input> inputs_;
    std::string clipboard_, pasted_;
    int given_ = 0;
    unsigned asked_ = 0;
    unsigned long paste_at_ = 0; /* the property for the answer, another one each time */
    bool paste_done_ = false;
};

} // namespace e2e
