#include "tools/lab/guest/screen.h"

#include "tools/lab/guest/machine.h"
#include "tools/lab/guest/serial.h"

enum bochs_register {
    BOCHS_ID,
    BOCHS_WIDTH,
    BOCHS_HEIGHT,
    BOCHS_DEPTH,
    BOCHS_ENABLE,
    BOCHS_BANK,
    BOCHS_VIRTUAL_WIDTH,
    BOCHS_VIRTUAL_HEIGHT,
    BOCHS_X_OFFSET,
    BOCHS_Y_OFFSET,
};

#define BOCHS_INDEX  0x1ce
#define BOCHS_DATA   0x1cf
#define BOCHS_FAMILY 0xb0c0 /* the id's upper 12 bits */
#define BOCHS_ON     0x01
#define BOCHS_LINEAR 0x40
#define PCI_ADDRESS  0xcf8
#define PCI_DATA     0xcfc
#define PCI_STD_VGA  0x11111234u /* device and vendor */
#define PCI_BAR0     0x10

static uint32_t *memory;
static int width, height, shown;

static void bochs_set(enum bochs_register r, int value)
{
    out16(BOCHS_INDEX, (uint16_t)r);
    out16(BOCHS_DATA, (uint16_t)value);
}

static int bochs_get(enum bochs_register r)
{
    out16(BOCHS_INDEX, (uint16_t)r);
    return in16(BOCHS_DATA);
}

static uint32_t pci_read(uint32_t slot, uint32_t offset)
{
    out32(PCI_ADDRESS, 0x80000000u | slot << 11 | offset);
    return in32(PCI_DATA);
}

void screen_init(int w, int h, uint32_t colour)
{
    for (uint32_t slot = 0; slot < 32 && !memory; slot++)
        if (pci_read(slot, 0) == PCI_STD_VGA)
            memory = (uint32_t *)(pci_read(slot, PCI_BAR0) & ~15u);
    if (!memory || (bochs_get(BOCHS_ID) & 0xfff0) != BOCHS_FAMILY)
        die("no standard VGA; start QEMU with -vga std");
    width = w;
    height = h;
    bochs_set(BOCHS_ENABLE, 0);
    bochs_set(BOCHS_WIDTH, w);
    bochs_set(BOCHS_HEIGHT, h);
    bochs_set(BOCHS_DEPTH, 32);
    bochs_set(BOCHS_ENABLE, BOCHS_ON | BOCHS_LINEAR);
    bochs_set(BOCHS_VIRTUAL_WIDTH, w);
    bochs_set(BOCHS_X_OFFSET, 0);
    bochs_set(BOCHS_Y_OFFSET, 0);
    if (bochs_get(BOCHS_WIDTH) != w || bochs_get(BOCHS_HEIGHT) != h)
        die("the screen cannot have this size; the width must be a multiple of 8");
    if (bochs_get(BOCHS_VIRTUAL_HEIGHT) < SCREEN_PAGES * h)
        die("the screen's memory is too small for three pages; give -global VGA.vgamem_mb=32");
    for (int i = 0; i < SCREEN_PAGES * w * h; i++)
        memory[i] = colour;
}

struct mark_picture screen_page(int index)
{
    return (struct mark_picture){memory + index * width * height, width, height, width};
}

int screen_shown(void)
{
    return shown;
}

void screen_show(int index)
{
    bochs_set(BOCHS_Y_OFFSET, index * height);
    shown = index;
}
