/* The machine's ports, interrupts and its wake-up timer (a PC as QEMU makes it). */
#ifndef VNCHL_GUEST_MACHINE_H
#define VNCHL_GUEST_MACHINE_H

#include <stdint.h>

static inline void out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline void out16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static inline void out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t in8(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint16_t in16(uint16_t port)
{
    uint16_t value;

    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint32_t in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void interrupts_off(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline void interrupts_on(void)
{
    __asm__ volatile("sti" : : : "memory");
}

/* Which interrupts there are: timer, keyboard, mouse. They stay off until interrupts_on(). */
void machine_init(void);

/* Tells the interrupt controllers that interrupt `line` (0..15) has been dealt with. */
void machine_end_of_interrupt(int line);

/* Sleeps, interrupts on, until any interrupt; at most `us` microseconds, which may be cut to 50 ms:
 * the caller looks at the clock and sleeps on. Leaves the processor to the host meanwhile. */
void machine_sleep(uint32_t us);

#endif
