#include "viewer/desktop/input/input.h"

#include <math.h>
#include <string.h>

#define XK_MISCELLANY
#include <rfb/keysym.h>

#include "rfb/proto/server_messages.h"
#include "viewer/desktop/input/keyboard/key_code.h"
#include "viewer/desktop/input/keyboard/keyboard.h"
#include "viewer/desktop/input/keyboard/keysym.h"

/* RFB's buttons after left, middle and right: the wheel, then back and forward. */
#define BUTTON_WHEEL_UP    (1u << 3)
#define BUTTON_WHEEL_DOWN  (1u << 4)
#define BUTTON_WHEEL_LEFT  (1u << 5)
#define BUTTON_WHEEL_RIGHT (1u << 6)
#define BUTTON_BACK        (1u << 7)
#define BUTTON_FORWARD     (1u << 8)

/* More steps in one event than any hand can turn. */
#define WHEEL_MAX_STEPS 32

void input_init(struct input *in, const struct input_sink *sink, struct keyboard *keyboard,
                bool view_only)
{
    memset(in, 0, sizeof *in);
    in->sink = *sink;
    in->keyboard = keyboard;
    in->view_only = view_only;
}

void input_set_map(struct input *in, const struct screen_map *map)
{
    in->map = *map;
}

/* Not Scroll Lock: few keyboards have it as a lock, and SDL then does not know its state. */
static const struct lock {
    unsigned led;
    SDL_Keymod mod;
    SDL_Scancode scancode;
    uint32_t keysym;
} locks[INPUT_LOCKS] = {
    {LED_CAPS, KMOD_CAPS, SDL_SCANCODE_CAPSLOCK, XK_Caps_Lock},
    {LED_NUM, KMOD_NUM, SDL_SCANCODE_NUMLOCKCLEAR, XK_Num_Lock},
};

static void send_key(struct input *in, uint32_t keysym, uint8_t code, bool down)
{
    if (!in->view_only)
        in->sink.key(in->sink.user, keysym, code, down);
}

static void send_pointer(struct input *in, unsigned buttons)
{
    if (in->view_only)
        return;
    if (in->steps)
        in->sink.step(in->sink.user, 0, 0, buttons);
    else
        in->sink.pointer(in->sink.user, in->x, in->y, buttons);
}

static void input_release(struct input *in, SDL_Scancode scancode)
{
    struct held_key *held = &in->held[scancode];

    if (held->keysym || held->code)
        send_key(in, held->keysym, held->code, false);
    *held = (struct held_key){0, 0};
}

/* A lock key goes down: until the server tells us better, it has switched its lock. */
static void expect_lock(struct input *in, uint32_t keysym)
{
    for (int i = 0; i < INPUT_LOCKS; i++)
        if (locks[i].keysym == keysym) {
            in->server_locks ^= locks[i].led;
            in->unanswered[i]++;
        }
}

static void input_press(struct input *in, SDL_Scancode scancode, uint32_t keysym)
{
    struct held_key *held = &in->held[scancode];

    if (held->keysym != keysym)
        input_release(in, scancode);
    if (!held->keysym && !held->code) {
        *held = (struct held_key){keysym, in->key_codes ? key_code(scancode) : 0};
        expect_lock(in, keysym);
    }
    if (held->keysym || held->code)
        send_key(in, held->keysym, held->code, true);
}

static void release_buttons(struct input *in)
{
    in->wheel_x = in->wheel_y = 0;
    if (in->buttons)
        send_pointer(in, 0);
    in->buttons = 0;
}

void input_release_all(struct input *in)
{
    for (int i = 0; i < SDL_NUM_SCANCODES; i++)
        input_release(in, (SDL_Scancode)i);
    in->awaiting = SDL_SCANCODE_UNKNOWN;
    in->ignore_text = false;
    release_buttons(in);
}

void input_set_view_only(struct input *in, bool view_only)
{
    input_release_all(in);
    in->view_only = view_only;
}

/* The key that waits for its text gets none. It is sent as what it is by itself; a dead key, which
 * is nothing then, by its code. */
static void give_up_text(struct input *in)
{
    SDL_Scancode scancode = in->awaiting;

    in->awaiting = SDL_SCANCODE_UNKNOWN;
    if (scancode && (in->meaning.keysym || in->key_codes))
        input_press(in, scancode, in->meaning.keysym);
}

static void input_key_down(struct input *in, const SDL_KeyboardEvent *e)
{
    const SDL_Scancode scancode = e->keysym.scancode;
    const struct key_meaning meaning = keyboard_meaning(in->keyboard, e);

    give_up_text(in);
    /* A key that is sent as it is may be followed by its text. What else comes while it is held is
     * an input method's. */
    in->ignore_text = meaning.at_once && meaning.types;
    if (meaning.at_once) {
        input_press(in, scancode, meaning.keysym);
        return;
    }
    in->awaiting = scancode;
    in->meaning = meaning;
}

static void input_key_up(struct input *in, const SDL_Keysym *k)
{
    in->ignore_text = false;
    if (in->awaiting == k->scancode)
        give_up_text(in);
    input_release(in, k->scancode);
}

/* The next code point of valid UTF-8; 0 at the end or when it is not valid. */
static uint32_t next_code_point(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    int more = *p < 0x80 ? 0 : *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : -1;
    if (more < 0 || *p >= 0xf8)
        return 0;
    uint32_t c = more == 0 ? *p : *p & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    *text += c ? more + 1 : 0;
    return c;
}

/* Of the character that came as text: the key's own, if it is the one that the key has. */
static uint32_t keysym_of_text(const struct input *in, uint32_t c)
{
    return in->awaiting && c && c == in->meaning.types ? in->meaning.keysym
                                                       : keysym_from_unicode(c);
}

static void type_text(struct input *in, const char *text)
{
    const bool known = in->ignore_text;

    in->ignore_text = false;
    if (known)
        return;
    SDL_Scancode key = in->awaiting;
    const char *rest = text;
    uint32_t c = next_code_point(&rest);
    uint32_t keysym = keysym_of_text(in, c);
    if (key && keysym && !*rest) {
        input_press(in, key, keysym);
        in->awaiting = SDL_SCANCODE_UNKNOWN;
        return;
    }
    in->awaiting = SDL_SCANCODE_UNKNOWN; /* more than one key can say */
    while ((c = next_code_point(&text)) != 0) {
        keysym = keysym_from_unicode(c);
        if (keysym) {
            send_key(in, keysym, 0, true);
            send_key(in, keysym, 0, false);
        }
    }
}

/* False when there is nothing to point at. */
static bool input_move_to(struct input *in, int window_x, int window_y)
{
    if (in->steps)
        return in->caught;
    return screen_map_to_picture(&in->map, window_x, window_y, &in->x, &in->y);
}

static unsigned button_bit(uint8_t button)
{
    switch (button) {
    case SDL_BUTTON_LEFT:
        return 1u << 0;
    case SDL_BUTTON_MIDDLE:
        return 1u << 1;
    case SDL_BUTTON_RIGHT:
        return 1u << 2;
    case SDL_BUTTON_X1:
        return BUTTON_BACK;
    case SDL_BUTTON_X2:
        return BUTTON_FORWARD;
    default:
        return 0;
    }
}

static void pointer_button(struct input *in, const SDL_MouseButtonEvent *e)
{
    unsigned bit = button_bit(e->button);
    if (!bit || !input_move_to(in, e->x, e->y))
        return;
    give_up_text(in);
    if (e->state == SDL_PRESSED)
        in->buttons |= bit;
    else
        in->buttons &= ~bit;
    send_pointer(in, in->buttons);
}

static void pointer_motion(struct input *in, const SDL_MouseMotionEvent *e)
{
    int x = in->x, y = in->y;
    if (in->steps && in->caught && !in->view_only && (e->xrel || e->yrel))
        in->sink.step(in->sink.user, e->xrel, e->yrel, in->buttons);
    if (!in->steps && input_move_to(in, e->x, e->y) && (x != in->x || y != in->y))
        send_pointer(in, in->buttons);
}

static void wheel_axis(struct input *in, float *rest, float turn, unsigned less, unsigned more)
{
    if (!(fabsf(turn) <= WHEEL_MAX_STEPS))
        return;
    if (*rest * turn < 0) /* the other way: what was left of the old way is void */
        *rest = 0;
    *rest += turn;
    for (int steps = (int)*rest; steps != 0; steps += steps > 0 ? -1 : 1) {
        send_pointer(in, in->buttons | (steps > 0 ? more : less));
        send_pointer(in, in->buttons);
    }
    *rest -= truncf(*rest);
}

static void pointer_wheel(struct input *in, const SDL_MouseWheelEvent *e)
{
    if (in->map.picture_w < 1 || (in->steps && !in->caught))
        return;
    wheel_axis(in, &in->wheel_y, e->preciseY, BUTTON_WHEEL_DOWN, BUTTON_WHEEL_UP);
    wheel_axis(in, &in->wheel_x, e->preciseX, BUTTON_WHEEL_LEFT, BUTTON_WHEEL_RIGHT);
}

void input_new_session(struct input *in)
{
    in->key_codes = in->locks_known = in->steps = in->caught = false;
    in->server_locks = 0;
    memset(in->unanswered, 0, sizeof in->unanswered);
}

void input_use_key_codes(struct input *in)
{
    in->key_codes = true;
}

void input_take_steps(struct input *in, bool on)
{
    release_buttons(in);
    in->steps = on;
}

void input_catch_pointer(struct input *in, bool on)
{
    release_buttons(in);
    in->caught = on;
}

bool input_set_server_locks(struct input *in, unsigned leds)
{
    bool first = !in->locks_known;

    /* What it says of a lock that was pressed more than once may be old: a later word follows. */
    for (int i = 0; i < INPUT_LOCKS; i++) {
        if (in->unanswered[i] > 0)
            in->unanswered[i]--;
        if (in->unanswered[i] == 0)
            in->server_locks = (in->server_locks & ~locks[i].led) | (leds & locks[i].led);
    }
    in->locks_known = true;
    return first;
}

void input_sync_locks(struct input *in, SDL_Keymod mod)
{
    if (!in->locks_known)
        return;
    for (int i = 0; i < INPUT_LOCKS; i++) {
        const struct lock *l = &locks[i];

        if (!(mod & l->mod) == !(in->server_locks & l->led))
            continue;
        input_release(in, l->scancode);
        input_press(in, l->scancode, l->keysym);
        input_release(in, l->scancode);
    }
}

bool input_event(struct input *in, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_KEYDOWN:
        if (event->key.keysym.scancode < SDL_NUM_SCANCODES)
            input_key_down(in, &event->key);
        break;
    case SDL_KEYUP:
        if (event->key.keysym.scancode < SDL_NUM_SCANCODES)
            input_key_up(in, &event->key.keysym);
        break;
    case SDL_TEXTINPUT:
        type_text(in, event->text.text);
        break;
    case SDL_MOUSEMOTION:
        pointer_motion(in, &event->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        pointer_button(in, &event->button);
        break;
    case SDL_MOUSEWHEEL:
        pointer_wheel(in, &event->wheel);
        break;
    default:
        return false;
    }
    return true;
}
