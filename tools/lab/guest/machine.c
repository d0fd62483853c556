#include "tools/lab/guest/machine.h"

#define PIC1         0x20 /* command; data is the next port */
#define PIC2         0xa0
#define PIC_EOI      0x20
#define FIRST_VECTOR 0x20
#define VECTORS      (FIRST_VECTOR + 16)

#define PIT_CHANNEL_0 0x40
#define PIT_COMMAND   0x43
#define PIT_ONE_SHOT  0x30 /* channel 0, mode 0: one interrupt at the end of the count */
#define PIT_US_MAX    50000u
#define PIT_TICKS(us) ((us)*1193u / 1000u + 1)

#define CODE_SEGMENT   0x08
#define INTERRUPT_GATE 0x8e

#define LINE_TIMER     0
#define LINE_KEYBOARD  1
#define LINE_CASCADE   2
#define LINE_MOUSE     12
#define UNMASKED_LINES (1 << LINE_TIMER | 1 << LINE_KEYBOARD | 1 << LINE_CASCADE | 1 << LINE_MOUSE)

struct gate {
    uint16_t offset_low, segment;
    uint8_t zero, type;
    uint16_t offset_high;
} __attribute__((packed));

struct table {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

/* boot.S */
void entry_timer(void);
void entry_keyboard(void);
void entry_mouse(void);
void entry_spurious(void);

void on_timer(void);

static struct gate gates[VECTORS];

static void machine_gate(int vector, void (*entry)(void))
{
    uint32_t address = (uint32_t)entry;

    gates[vector] = (struct gate){(uint16_t)address, CODE_SEGMENT, 0, INTERRUPT_GATE,
                                  (uint16_t)(address >> 16)};
}

static void pic_init(uint16_t port, uint8_t vector, uint8_t cascade, uint8_t mask)
{
    out8(port, 0x11); /* initialise, a fourth word follows */
    out8(port + 1, vector);
    out8(port + 1, cascade);
    out8(port + 1, 0x01); /* 8086 mode */
    out8(port + 1, mask);
}

void machine_init(void)
{
    struct table t = {sizeof gates - 1, (uint32_t)gates};

    for (int i = FIRST_VECTOR; i < VECTORS; i++)
        machine_gate(i, entry_spurious);
    machine_gate(FIRST_VECTOR + LINE_TIMER, entry_timer);
    machine_gate(FIRST_VECTOR + LINE_KEYBOARD, entry_keyboard);
    machine_gate(FIRST_VECTOR + LINE_MOUSE, entry_mouse);
    __asm__ volatile("lidt %0" : : "m"(t));
    pic_init(PIC1, FIRST_VECTOR, 1 << LINE_CASCADE, (uint8_t)~UNMASKED_LINES);
    pic_init(PIC2, FIRST_VECTOR + 8, LINE_CASCADE, (uint8_t)(~UNMASKED_LINES >> 8));
}

void machine_end_of_interrupt(int line)
{
    if (line >= 8)
        out8(PIC2, PIC_EOI);
    out8(PIC1, PIC_EOI);
}

void on_timer(void)
{
    machine_end_of_interrupt(LINE_TIMER);
}

void machine_sleep(uint32_t us)
{
    uint32_t ticks = PIT_TICKS(us < PIT_US_MAX ? us : PIT_US_MAX);

    interrupts_off();
    out8(PIT_COMMAND, PIT_ONE_SHOT);
    out8(PIT_CHANNEL_0, (uint8_t)ticks);
    out8(PIT_CHANNEL_0, (uint8_t)(ticks >> 8));
    __asm__ volatile("sti; hlt" : : : "memory"); /* nothing comes between the two */
}
