/* A text, typed as keys: for what has no clipboard, as a login screen.
 *
 * Each character is pressed and released by its keysym, a line's end as Enter. A server that goes
 * by the keys of a US keyboard (QEMU) also wants Shift for what stands above another sign there.
 * Others take that, too. The typist has a pace, because servers keep few keys: QEMU hands on one
 * event in 10 ms, and a capital letter is four of them.
 *
 * Any thread; one at a time. Is told the time. The text may be a password: it is overwritten when
 * it is not needed any more.
 */
#ifndef VNCHL_TYPIST_H
#define VNCHL_TYPIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Characters: longer texts are not typed. Chosen: a minute, at this pace. */
#define TYPIST_MAX 1200
/* ns from one character to the next. */
#define TYPIST_PERIOD (50 * TICK_MS)

#define TYPIST_NAMED 4

/* Characters of one kind: how many, and the first of them. */
struct typist_set {
    size_t count;
    uint32_t first[TYPIST_NAMED];
};

struct typist {
    void (*key)(void *user, uint32_t keysym, bool down); /* presses it, or releases it */
    void *user;
    char *text; /* NULL: nothing is typed */
    const char *rest;
    size_t characters;         /* of the text */
    size_t typed;              /* of them, also such as have no key */
    tick_t due;                /* of the next one */
    struct typist_set keyless; /* have no key */
    struct typist_set foreign; /* are on no US keyboard */
};

/* Begins with a copy of the text. False, with a reason that a person understands: it is not typed.
 */
bool typist_begin(struct typist *t, const char *utf8, tick_t now, struct reason *why);

bool typist_is_busy(const struct typist *t);

/* Types what is due. True: that was the last one. */
bool typist_time(struct typist *t, tick_t now);

/* When the next one is due; TICK_NEVER: nothing is typed. */
tick_t typist_wait(const struct typist *t);

/* Nothing more is typed. The figures stay. */
void typist_stop(struct typist *t);

#ifdef __cplusplus
}
#endif
#endif
