#include "viewer/options/form/option_form.h"

#include <stdio.h>
#include <string.h>

const struct form_row form_rows[] = {
    {"via", "Gateway (via ssh)"},
    {"ssh", "Own server over ssh"},
    {"user", "User name"},
    {"security-types", "Security types"},
    {"reconnect", "Connect again by itself"},
    {"view-only", "View only"},
    {"clipboard", "Clipboard"},
    {"sound", "Server's sound"},
    {"scale", "Size of the picture"},
    {"remote-resize", "Server's screen follows"},
    {"desktop-size", "Server's screen at first"},
    {"quality", "Picture quality"},
    {"compress", "Compression"},
};

const size_t form_row_count = sizeof form_rows / sizeof *form_rows;

_Static_assert(sizeof form_rows / sizeof *form_rows <= FORM_FIELDS_MAX, "the form is too small");

static void form_field_add_types(struct form_field *f)
{
    for (size_t i = 0; security_name(i); i++) {
        size_t used = strlen(f->words);

        snprintf(f->words + used, sizeof f->words - used, "%s%s", used > 0 ? " " : "",
                 security_name(i));
    }
}

static void form_field_set_kind(struct form_field *f)
{
    const struct option_entry *e = f->option;
    bool all;

    if (e->kind == SET || e->kind == CLEAR || e->kind == ON_OFF) {
        f->kind = FORM_SWITCH;
    } else if (e->kind == SECURITY) {
        f->kind = FORM_SET;
        form_field_add_types(f);
    } else {
        all = option_words(e, f->words);
        f->kind = all ? FORM_CHOICE : *f->words ? FORM_OPEN_CHOICE : FORM_TEXT;
    }
}

void option_form_init(struct option_form *f, const struct options *o)
{
    f->count = 0;
    for (size_t i = 0; i < form_row_count; i++) {
        struct form_field *field = &f->fields[f->count];

        *field = (struct form_field){.option = option_named(form_rows[i].option),
                                     .label = form_rows[i].label};
        if (!field->option || !option_value_text(o, field->option, field->before, FORM_VALUE_MAX))
            continue;
        form_field_set_kind(field);
        memcpy(field->value, field->before, FORM_VALUE_MAX);
        f->count++;
    }
}

struct form_field *option_form_field(struct option_form *f, const char *option)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->fields[i].option->name, option) == 0)
            return &f->fields[i];
    return NULL;
}

bool form_field_is_said(const struct form_field *f)
{
    return f->said || strcmp(f->value, f->before) != 0;
}

void option_form_repeat(struct option_form *f, const struct option_form *said)
{
    for (int i = 0; i < said->count; i++) {
        const struct form_field *from = &said->fields[i];
        struct form_field *to = option_form_field(f, from->option->name);

        if (!to || !form_field_is_said(from))
            continue;
        memcpy(to->value, from->value, FORM_VALUE_MAX);
        to->said = true;
    }
}

void option_form_say(struct option_form *f)
{
    for (int i = 0; i < f->count; i++)
        f->fields[i].said = form_field_is_said(&f->fields[i]);
}

bool option_form_way(const struct option_form *f, char out[WAY_TEXT_MAX], bool *said,
                     struct reason *why)
{
    out[0] = '\0';
    *said = false;
    for (int i = 0; i < f->count; i++) {
        const struct form_field *field = &f->fields[i];
        const char *name = field->option->name;

        if (strcmp(name, "via") != 0 && strcmp(name, "ssh") != 0)
            continue;
        *said = *said || form_field_is_said(field);
        if (!*field->value)
            continue;
        if (*out)
            return reason_set(why, "--ssh leads to a server of that machine, and --via through it "
                                   "to another one: leave one of them out");
        snprintf(out, WAY_TEXT_MAX, "%s=%s", name, field->value);
    }
    return true;
}

const struct form_field *option_form_wrong(const struct option_form *f, struct reason *why)
{
    struct options scratch = {0};

    for (int i = 0; i < f->count; i++) {
        const struct form_field *field = &f->fields[i];

        if (form_field_is_said(field) && (*field->value || field->kind == FORM_SET) &&
            !option_apply(&scratch, field->option, field->value, why))
            return field;
    }
    return NULL;
}

void option_form_apply(const struct option_form *f, struct options *o)
{
    struct reason never;

    for (int i = 0; i < f->count; i++)
        if (*f->fields[i].value)
            option_apply(o, f->fields[i].option, f->fields[i].value, &never);
}
