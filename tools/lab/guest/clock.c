#include "tools/lab/guest/clock.h"

#include "rfb/system/clock.h"
#include "tools/lab/guest/machine.h"
#include "tools/lab/guest/serial.h"

#define HPET           0xfed00000u
#define PERIOD_MAX     100000000u /* fs; the specification's limit */
#define ANSWER_TIMEOUT (20 * TICK_MS)

static tick_t low, high; /* the offset to the host's clock is between these */
static bool asked;
static uint32_t period_ns;

static volatile uint32_t *guest_clock_hpet(uint32_t offset)
{
    return (volatile uint32_t *)(HPET + offset);
}

void guest_clock_init(void)
{
    uint32_t period = *guest_clock_hpet(0x004); /* fs */

    if (period == 0 || period > PERIOD_MAX || period % 1000000 != 0)
        die("no usable HPET; start QEMU with -machine pc,hpet=on");
    period_ns = period / 1000000;
    *guest_clock_hpet(0x010) |= 1; /* counts */
}

static tick_t guest_clock_counter(void)
{
    uint32_t above, below;

    do {
        above = *guest_clock_hpet(0x0f4);
        below = *guest_clock_hpet(0x0f0);
    } while (above != *guest_clock_hpet(0x0f4));
    return (tick_t)(((uint64_t)above << 32 | below) * period_ns);
}

/* Reads "N T\n"; answers to earlier questions are passed over. */
static bool guest_clock_answer(uint32_t number, tick_t deadline, tick_t *time)
{
    uint64_t fields[2] = {0, 0};
    int field = 0;

    for (;;) {
        int c = serial_byte();

        if (c < 0) {
            if (guest_clock_counter() > deadline)
                return false;
        } else if (c >= '0' && c <= '9') {
            fields[field] = fields[field] * 10 + (uint64_t)(c - '0');
        } else if (c == ' ' && field == 0) {
            field = 1;
        } else {
            if (field == 1 && fields[0] == number) {
                *time = (tick_t)fields[1];
                return true;
            }
            fields[0] = fields[1] = 0;
            field = 0;
        }
    }
}

bool guest_clock_ask(void)
{
    static uint32_t number;
    tick_t sent, host, received;
    uint32_t n = ++number;

    serial_flush();
    serial_text("time ");
    serial_number(n);
    serial_text(" ");
    serial_number(asked ? (uint64_t)tick_now() : 0);
    serial_text(" ");
    serial_number(asked ? (uint64_t)guest_clock_bound() : 0);
    sent = guest_clock_counter();
    serial_text("\n"); /* which sends the question */
    if (!guest_clock_answer(n, sent + ANSWER_TIMEOUT, &host))
        return false;
    received = guest_clock_counter();
    if (asked && host - received <= high && host - sent >= low) {
        if (host - received > low)
            low = host - received;
        if (host - sent < high)
            high = host - sent;
    } else { /* the first answer, or the clock has jumped */
        low = host - received;
        high = host - sent;
        asked = true;
    }
    return true;
}

tick_t guest_clock_bound(void)
{
    return asked ? (high - low) / 2 + 1 : TICK_NEVER;
}

int clock_gettime(int clock, struct timespec *ts)
{
    tick_t now = guest_clock_counter() + low + (high - low) / 2;

    (void)clock;
    ts->tv_sec = (int)(now / TICK_S);
    ts->tv_nsec = (long)(now % TICK_S);
    return 0;
}
