#include "tools/lab/guest/input.h"

#include "rfb/system/clock.h"
#include "tools/lab/guest/machine.h"
#include "tools/lab/guest/screen.h"
#include "tools/lab/guest/serial.h"

#define PS2_DATA          0x60
#define PS2_STATUS        0x64
#define PS2_HAS_DATA      0x01
#define PS2_BUSY          0x02
#define PS2_FROM_MOUSE    0x20
#define PS2_READ_CONFIG   0x20
#define PS2_WRITE_CONFIG  0x60
#define PS2_ENABLE_MOUSE  0xa8
#define PS2_TO_MOUSE      0xd4
#define CONFIG_INTERRUPTS 0x03 /* of keyboard and mouse */
#define CONFIG_OFF        0x30 /* keyboard off, mouse off */
#define CONFIG_TRANSLATE  0x40 /* scan codes of set 1 */
#define MOUSE_DEFAULTS    0xf6
#define MOUSE_REPORT      0xf4
#define LINE_KEYBOARD     1
#define LINE_MOUSE        12
#define CODE_RELEASE      0x80
#define CODE_PREFIX       0xe0 /* 0xe0 and 0xe1 */
#define CODE_FAKE_SHIFT   0x2a /* after a prefix: belongs to the key that follows */
#define TRIES             1000000

/* boot.S */
void on_keyboard(void);
void on_mouse(void);

static int mark_x, mark_y;
static volatile uint32_t presses;

/* The page that is shown first. */
static void input_draw(void)
{
    struct mark m = {MARK_INPUT, presses, mark_time(tick_now())};

    for (int i = 0; i < SCREEN_PAGES; i++) {
        struct mark_picture page = screen_page((screen_shown() + i) % SCREEN_PAGES);

        mark_draw(&page, mark_x, mark_y, &m);
    }
}

static void input_press(void)
{
    presses = presses + 1;
    input_draw();
}

static void keyboard_byte(uint8_t code)
{
    static bool prefixed;

    if ((code & ~1) == CODE_PREFIX) {
        prefixed = true;
        return;
    }
    if (!(code & CODE_RELEASE) && !(prefixed && code == CODE_FAKE_SHIFT))
        input_press();
    prefixed = false;
}

/* Packets of three: buttons and signs, then the two movements. */
static void mouse_byte(uint8_t byte)
{
    static int at;
    static uint8_t held;

    if (at == 0) {
        if (!(byte & 0x08)) /* always set in a first byte: out of step */
            return;
        if (byte & 7 & ~held)
            input_press();
        held = byte & 7;
    }
    at = (at + 1) % 3;
}

static void input_drain(void)
{
    uint8_t status;

    while ((status = in8(PS2_STATUS)) & PS2_HAS_DATA) {
        uint8_t byte = in8(PS2_DATA);

        if (status & PS2_FROM_MOUSE)
            mouse_byte(byte);
        else
            keyboard_byte(byte);
    }
}

void on_keyboard(void)
{
    input_drain();
    machine_end_of_interrupt(LINE_KEYBOARD);
}

void on_mouse(void)
{
    input_drain();
    machine_end_of_interrupt(LINE_MOUSE);
}

static void input_send(uint16_t port, uint8_t byte)
{
    for (int i = 0; i < TRIES; i++) {
        if (!(in8(PS2_STATUS) & PS2_BUSY)) {
            out8(port, byte);
            return;
        }
    }
    die("the keyboard's controller does not react");
}

static uint8_t input_receive(void)
{
    for (int i = 0; i < TRIES; i++)
        if (in8(PS2_STATUS) & PS2_HAS_DATA)
            return in8(PS2_DATA);
    die("the keyboard's controller does not answer");
}

static void mouse_command(uint8_t command)
{
    input_send(PS2_STATUS, PS2_TO_MOUSE);
    input_send(PS2_DATA, command);
    input_receive(); /* the acknowledgement */
}

void input_init(int x, int y)
{
    uint8_t config;

    mark_x = x;
    mark_y = y;
    input_draw();
    while (in8(PS2_STATUS) & PS2_HAS_DATA)
        in8(PS2_DATA);
    input_send(PS2_STATUS, PS2_ENABLE_MOUSE);
    mouse_command(MOUSE_DEFAULTS);
    mouse_command(MOUSE_REPORT);
    input_send(PS2_STATUS, PS2_READ_CONFIG);
    config = input_receive();
    input_send(PS2_STATUS, PS2_WRITE_CONFIG);
    input_send(PS2_DATA, (uint8_t)((config | CONFIG_INTERRUPTS | CONFIG_TRANSLATE) & ~CONFIG_OFF));
}

uint32_t input_presses(void)
{
    return presses;
}
