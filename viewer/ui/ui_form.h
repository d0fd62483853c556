/* A page with a form (ui.h): fields of several kinds, a name under which all can be saved, what the
 * one with the focus means, and buttons.
 *
 * The fields scroll by themselves; the buttons are always there. With the keyboard alone: Tab, Up
 * and Down go from field to field, Left and Right go through what can be chosen, Space changes a
 * box, Enter presses the button with the focus, or else the default one.
 */
#ifndef VNCHL_UI_FORM_H
#define VNCHL_UI_FORM_H

#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UI_FORM_VALUE_MAX 512 /* bytes of a value with the NUL; more is cut */

enum ui_field_kind {
    UI_FIELD_SWITCH,      /* "on" or "off" */
    UI_FIELD_CHOICE,      /* one of `words` */
    UI_FIELD_OPEN_CHOICE, /* the same, or another text */
    UI_FIELD_SET,         /* some of `words`, with commas between them */
    UI_FIELD_TEXT,
};

/* What is NULL is not there. */
struct ui_form_field {
    const char *heading; /* above it */
    const char *label;
    const char *help; /* shown while it has the focus */
    const char *hint; /* shown in an empty field of text */
    enum ui_field_kind kind;
    const char *words; /* with spaces between them */
    const char *value;
};

enum ui_form_answer {
    UI_FORM_CANCELLED,
    UI_FORM_USED,
    UI_FORM_USED_NOW,
    UI_FORM_SAVED,
    UI_FORM_INTERRUPTED, /* another page takes its place; the callback opens none */
};

/* What has the focus at first, if no field: the default button, or the name. */
#define UI_FORM_BUTTON (-1)
#define UI_FORM_NAME   (-2)

struct ui_form {
    const char *title;
    const char *text;    /* below it, or NULL */
    const char *warning; /* what is wrong, or NULL */
    const char *done;    /* what has been done, or NULL */
    const struct ui_form_field *fields;
    int count;
    int focus;           /* the field that has the focus at first, or one of the above */
    const char *name;    /* under which it may be saved, at first */
    const char *naming;  /* shown while the name or its button has the focus */
    const char *save;    /* texts of the buttons: */
    const char *use;     /* the default one */
    const char *use_now; /* UI_FORM_USED_NOW; NULL: there is none */
    const char *cancel;
    /* `values` has as many as there are fields; they are valid during the call only. */
    void (*answered)(void *owner, enum ui_form_answer answer, const char *const *values,
                     const char *name);
    void *owner;
};

/* Opens the form instead of the page that is open now, as ui_ask() does. */
void ui_show_form(struct ui *ui, const struct ui_form *form);

/* Whether the page that is open is a form. */
bool ui_is_form(const struct ui *ui);

#ifdef __cplusplus
}
#endif
#endif
