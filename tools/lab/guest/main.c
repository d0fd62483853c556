/* Content for QEMU's VNC server: a guest that shows a film with marks (tools/marks/mark.h) and
 * answers each press. It boots alone, with nothing below it but QEMU's emulated PC:
 *
 *   qemu-system-x86_64 -kernel vnchl-lab-guest -append "screen=1024x768 video=640x360 fps=30" ...
 *
 * docs/lab-servers.md has the whole command line. The film is the demo server's.
 */
#include <stdbool.h>
#include <stddef.h>

#include "rfb/system/clock.h"
#include "tools/demo/film.h"
#include "tools/lab/guest/clock.h"
#include "tools/lab/guest/input.h"
#include "tools/lab/guest/machine.h"
#include "tools/lab/guest/screen.h"
#include "tools/lab/guest/serial.h"

#define BACKDROP      0x305070
#define GAP           16 /* from the film to the mark of the presses: QEMU's VNC looks at blocks of 16 */
#define CLOCK_FIRST   64 /* questions in a row, at the start */
#define CLOCK_LEAST   4  /* and then */
#define CLOCK_MOST    8  /* while the clock is not good: each delays a frame */
#define CLOCK_GOOD    (TICK_MS / 4)
#define CLOCK_EVERY   (5 * TICK_S)
#define SIDE_MAX      4096 /* pixels */
#define FPS_MAX       240
#define HAS_ARGUMENTS 0x04 /* in the flags of the loader's information */

struct loader_information { /* multiboot */
    uint32_t flags, memory_low, memory_high, boot_device, arguments;
};

struct options {
    int screen_width, screen_height;
    int width, height;
    int fps_thousandths; /* 0: the picture never changes by itself */
    uint32_t seed;
};

void guest_main(const struct loader_information *from_loader);

/* The value of "NAME=" at `argument`, or NULL. */
static const char *guest_value_of(const char *argument, const char *name)
{
    while (*name && *argument == *name)
        argument++, name++;
    return *name ? NULL : argument;
}

/* Moves `s` behind the digits. */
static uint32_t guest_number(const char **s, uint32_t max)
{
    uint64_t value = 0;
    const char *first = *s;

    for (; **s >= '0' && **s <= '9' && value <= max; (*s)++)
        value = value * 10 + (uint64_t)(**s - '0');
    if (*s == first || value > max)
        die("an option is not a number, or too large a one");
    return (uint32_t)value;
}

static void guest_size(const char **s, int *width, int *height)
{
    *width = (int)guest_number(s, SIDE_MAX);
    if (*(*s)++ != 'x')
        die("a size is not WxH");
    *height = (int)guest_number(s, SIDE_MAX);
}

/* "30", "29.97" */
static int guest_thousandths(const char **s)
{
    int value = (int)guest_number(s, FPS_MAX) * 1000, place = 100;

    if (**s == '.')
        for ((*s)++; **s >= '0' && **s <= '9'; (*s)++, place /= 10)
            value += (**s - '0') * place;
    return value;
}

/* The arguments begin with the file's name. Others that are not ours are passed over. */
static struct options guest_parse(const char *arguments)
{
    struct options o = {1024, 768, 640, 360, 30000, 1};

    for (const char *s = arguments; *s;) {
        const char *v;

        if ((v = guest_value_of(s, "screen="))) {
            guest_size(&v, &o.screen_width, &o.screen_height);
        } else if ((v = guest_value_of(s, "video="))) {
            guest_size(&v, &o.width, &o.height);
        } else if ((v = guest_value_of(s, "fps="))) {
            o.fps_thousandths = guest_thousandths(&v);
        } else if ((v = guest_value_of(s, "seed="))) {
            o.seed = guest_number(&v, UINT32_MAX);
        } else {
            for (v = s; *v && *v != ' ';)
                v++;
        }
        if (*v && *v != ' ')
            die("an option has something behind its value");
        while (*v == ' ')
            v++;
        s = v;
    }
    if (o.width < 2 * MARK_WIDTH || o.height < 2 * MARK_HEIGHT)
        die("video= is too small for its two marks: at least 160x144");
    if (o.width > o.screen_width || o.height > o.screen_height)
        die("video= is larger than screen=");
    return o;
}

/* Right of the film, or else below it. */
static void place_input(const struct options *o)
{
    if (o->width + GAP + MARK_WIDTH <= o->screen_width)
        input_init(o->width + GAP, 0);
    else if (o->height + GAP + MARK_HEIGHT <= o->screen_height)
        input_init(0, o->height + GAP);
    else
        die("video= leaves no room on the screen for the mark of the presses");
}

static void guest_draw_frame(const struct options *o, struct film *film, uint32_t frame)
{
    int index = (screen_shown() + 1) % SCREEN_PAGES;
    struct mark_picture page = screen_page(index);
    struct mark m = {MARK_FRAME, frame, 0};

    /* another seed: another part of the same endless film, the one of vnchl-lab-content */
    film_draw(film, page.pixels, page.stride, frame + (uint64_t)o->seed * 100003);
    m.time = mark_time(tick_now());
    mark_draw(&page, 0, 0, &m);
    m.kind = MARK_FRAME_END;
    mark_draw(&page, o->width - MARK_WIDTH, o->height - MARK_HEIGHT, &m);
    interrupts_off(); /* a press must find the right page shown */
    screen_show(index);
    interrupts_on();
}

static void guest_report(uint32_t frames, uint32_t late)
{
    serial_text("state ");
    serial_number(frames);
    serial_text(" ");
    serial_number(late);
    serial_text(" ");
    serial_number(input_presses());
    serial_text("\n");
}

static void sleep_until(tick_t due)
{
    tick_t now;

    while ((now = tick_now()) < due)
        machine_sleep(due - now < TICK_S ? (uint32_t)(due - now) / 1000 : 1000000);
}

static void set_clock(int least)
{
    for (int i = 0; i < least || (i < CLOCK_MOST && guest_clock_bound() > CLOCK_GOOD); i++)
        guest_clock_ask();
}

void guest_main(const struct loader_information *from_loader)
{
    struct options o;
    struct film *film;
    tick_t start, ask_at;
    uint32_t frame = 0, late = 0, slots = 0;

    serial_init();
    o = guest_parse(from_loader->flags & HAS_ARGUMENTS ? (const char *)from_loader->arguments : "");
    film = film_create(o.width, o.height);
    if (!film)
        die("out of memory");
    machine_init();
    guest_clock_init();
    set_clock(CLOCK_FIRST);
    if (guest_clock_bound() == TICK_NEVER)
        die("the host does not answer on the serial line");
    screen_init(o.screen_width, o.screen_height, BACKDROP);
    place_input(&o);
    guest_draw_frame(&o, film, frame++); /* which lets the interrupts in */
    serial_text("ready\n");

    start = tick_now();
    ask_at = start + CLOCK_EVERY;
    for (;;) {
        tick_t due = TICK_NEVER, now;

        if (o.fps_thousandths)
            due = start + (tick_t)(slots + 1) * (1000 * TICK_S) / o.fps_thousandths;
        sleep_until(due < ask_at ? due : ask_at);
        now = tick_now();
        if (now >= due) {
            guest_draw_frame(&o, film, frame++);
            slots++;
            if (now - due > 1000 * TICK_S / o.fps_thousandths) { /* do not catch up in a burst */
                late++;
                start += now - due;
            }
        }
        if (now >= ask_at) {
            set_clock(CLOCK_LEAST);
            guest_report(frame, late);
            ask_at = now + CLOCK_EVERY;
        }
    }
}
