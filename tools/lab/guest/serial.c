#include "tools/lab/guest/serial.h"

#include "tools/lab/guest/machine.h"

#define COM1        0x3f8
#define FIFO        (COM1 + 2)
#define LINE        (COM1 + 3)
#define MODEM       (COM1 + 4)
#define LINE_STATUS (COM1 + 5)
#define DATA_READY  0x01
#define CAN_SEND    0x20

void serial_init(void)
{
    out8(COM1 + 1, 0); /* no interrupts */
    out8(LINE, 0x80);  /* the next two are the divisor: 115200 */
    out8(COM1, 1);
    out8(COM1 + 1, 0);
    out8(LINE, 0x03); /* 8 bits, no parity, one stop bit */
    out8(FIFO, 0x07); /* on, emptied */
    out8(MODEM, 0x0b);
}

static void serial_send(char c)
{
    while (!(in8(LINE_STATUS) & CAN_SEND))
        ;
    out8(COM1, (uint8_t)c);
}

void serial_text(const char *text)
{
    while (*text)
        serial_send(*text++);
}

void serial_number(uint64_t value)
{
    char digits[21];
    int n = sizeof digits - 1;

    digits[n] = 0;
    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    serial_text(digits + n);
}

void serial_flush(void)
{
    while (serial_byte() >= 0)
        ;
}

int serial_byte(void)
{
    return in8(LINE_STATUS) & DATA_READY ? in8(COM1) : -1;
}

void die(const char *why)
{
    serial_text("error ");
    serial_text(why);
    serial_text("\n");
    interrupts_off();
    for (;;)
        __asm__ volatile("hlt");
}
