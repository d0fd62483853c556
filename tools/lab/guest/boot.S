/* Entry of the guest, and of its interrupts. QEMU's -kernel loads a multiboot image and enters it in
 * 32-bit protected mode, flat segments, no paging, interrupts off. */

#define MAGIC 0x1badb002
#define FLAGS 0x3 /* modules on page boundaries, memory sizes: asks for nothing special */

    .section .multiboot, "a"
    .align 4
    .long MAGIC, FLAGS, -(MAGIC + FLAGS)

    .bss
    .align 16
stack:
    .skip 65536
stack_end:

    .text
    .globl _start
_start:
    movl $stack_end, %esp
    fninit
    lgdt gdt_pointer /* the loader's own table may be overwritten */
    ljmp $0x08, $1f
1:
    movw $0x10, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    pushl $0
    popf
    subl $12, %esp /* the argument ends up where the ABI wants a stack of 16-byte alignment */
    pushl %ebx     /* the loader's information */
    call guest_main
2:
    cli
    hlt
    jmp 2b

    .globl entry_timer, entry_keyboard, entry_mouse, entry_spurious
    .macro entry name handler
\name:
    pusha
    cld
    movl %esp, %ebp
    andl $-16, %esp
    call \handler
    movl %ebp, %esp
    popa
    iret
    .endm

    entry entry_timer, on_timer
    entry entry_keyboard, on_keyboard
    entry entry_mouse, on_mouse
entry_spurious:
    iret

    .section .rodata
    .align 8
gdt:
    .quad 0
    .quad 0x00cf9a000000ffff /* code, 4 GB */
    .quad 0x00cf92000000ffff /* data, 4 GB */
gdt_pointer:
    .word gdt_pointer - gdt - 1
    .long gdt

    .section .note.GNU-stack, "", @progbits
