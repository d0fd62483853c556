/* Single words that a person, a link or a file gives: the first byte says which parser gets the
 * rest. What a parser takes must be as its header says.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <cstdlib>
#include <string>

#include "input.hpp"
#include "must.hpp"
#include "rfb/net/address/address.h"
#include "rfb/net/repeater.h"
#include "rfb/net/route.h"
#include "rfb/net/ssh/gateway.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/utf8.h"
#include "viewer/options/files/uri.h"
#include "viewer/options/menu_key.h"
#include "viewer/options/window_options.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

bool judged(bool ok, const reason &why)
{
    must(ok || why.text[0], "there is a reason to refuse");
    must(is_sanitised(why.text), "a reason can be shown");
    return ok;
}

void try_address(const char *text)
{
    address a{}, again{};
    reason why{};
    char shortest[270];

    if (!judged(address_parse(&a, text, &why), why))
        return;
    must(a.path[0] ? !a.host[0] : a.port > 0, "a socket's path, or a port");
    must(a.family == ADDRESS_ANY, "any family");
    address_format(&a, shortest, sizeof shortest);
    must(judged(address_parse(&again, shortest, &why), why), "the short form is an address");
    must(strcmp(a.host, again.host) == 0 && a.port == again.port && strcmp(a.path, again.path) == 0,
         "and the same one");
}

void try_gateway(const char *text)
{
    gateway g{};
    reason why{};

    if (judged(gateway_parse(&g, text, &why), why)) {
        must(g.host[0] && g.host[0] != '-', "ssh takes no name for an option");
        must(!strpbrk(g.host, " \t\r\n'\"`$;&|<>(){}*?\\!#~"), "a shell takes no name for more");
        must(!g.command[0], "no command");
    }
    gateway_takes_host(text);
    g = {};
    judged(gateway_set_command(&g, text, &why), why);
    must(strnlen(g.command, sizeof g.command) < sizeof g.command, "a command has an end");
}

void try_repeater(const char *text)
{
    char field[REPEATER_FIELD];
    route r{};
    address a{};
    reason why{};

    strcpy(r.repeater.host, "repeater");
    if (!judged(route_address(&r, &a, text, &why), why))
        return;
    must(a.host[0] || a.path[0], "there is a server");
    if (judged(repeater_field(field, &a, &why), why))
        must(field[REPEATER_FIELD - 1] == '\0', "the field ends with a NUL");
}

void try_fingerprint(const char *text)
{
    uint8_t bytes[FINGERPRINT_BYTES], again[FINGERPRINT_BYTES];
    char shown[FINGERPRINT_TEXT];

    if (!fingerprint_parse(text, bytes))
        return;
    fingerprint_text(bytes, shown);
    must(fingerprint_parse(shown, again) && memcmp(bytes, again, sizeof bytes) == 0,
         "a fingerprint is shown as itself");
}

void try_lists(const char *text)
{
    encoding_list list{};
    security_set allowed;
    reason why{};

    judged(security_parse(&allowed, text, &why), why);
    if (!judged(encoding_list_parse(&list, text, &why), why))
        return;
    must(list.count >= 0 && list.count <= ENCODINGS_MAX, "encodings are counted");
    for (int i = 0; i < list.count; i++)
        must(encoding_name(list.number[i]), "all of them have a name");
}

void try_window(const char *text)
{
    enum full_screen_mode mode;
    window_place place;
    menu_key key;
    scale s;
    uint32_t selected;

    if (window_place_parse(&place, text))
        must(place.width >= 0 && place.height >= 0, "no window is smaller than nothing");
    if (scale_parse(&s, text) && s.kind == SCALE_RATIO)
        must(s.ratio >= SCALE_RATIO_MIN && s.ratio <= SCALE_RATIO_MAX, "a ratio has bounds");
    if (full_screen_monitors_parse(&selected, text))
        must(selected != 0, "a monitor is selected");
    if (menu_key_parse(text, &key))
        must(!key.name == !key.shown, "a key has both names");
    full_screen_mode_parse(&mode, text);
}

void try_uri(const char *text)
{
    char out[100], path[200];
    reason why{};

    if (uri_decode(text, strlen(text), out, sizeof out))
        must(strnlen(out, sizeof out) < sizeof out, "a decoded text has an end");
    if (is_file_uri(text) && judged(file_uri_path(text, path, sizeof path, &why), why))
        must(path[0] == '/' && strnlen(path, sizeof path) < sizeof path, "a path begins with /");
}

/* What a server says in any text. */
void try_text(const char *text)
{
    std::string shown = text, lines = text;
    char *wide = latin1_to_utf8(text);
    size_t lost;

    sanitise(&shown[0]);
    must(is_sanitised(shown.c_str()) && utf8_valid(shown.c_str()), "what is sanitised is fit");
    must(!strchr(shown.c_str(), '\x1b'), "no escape is left");
    must(wide && utf8_valid(wide), "Latin-1 becomes UTF-8");
    char *narrow = latin1_from_utf8(wide, &lost);
    must(narrow && lost == 0 && strcmp(narrow, text) == 0, "and is the same again");
    free(narrow);
    free(wide);
    utf8_repair(&lines[0]);
    line_ends_to_lf(&lines[0]);
    must(utf8_valid(lines.c_str()) && !strchr(lines.c_str(), '\r'), "lines end with LF");
    std::vector<char> crlf(line_ends_crlf_length(lines.c_str()) + 1);
    line_ends_to_crlf(lines.c_str(), crlf.data());
    must(strlen(crlf.data()) + 1 == crlf.size(), "the length was told before");
    line_ends_to_lf(crlf.data());
    must(strcmp(crlf.data(), lines.c_str()) == 0, "and is the same again");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    std::vector<char> text = text_of(data + 1, size - 1);
    switch (data[0]) {
    case 'a':
        try_address(text.data());
        break;
    case 'g':
        try_gateway(text.data());
        break;
    case 'r':
        try_repeater(text.data());
        break;
    case 'f':
        try_fingerprint(text.data());
        break;
    case 'l':
        try_lists(text.data());
        break;
    case 'w':
        try_window(text.data());
        break;
    case 'u':
        try_uri(text.data());
        break;
    default:
        try_text(text.data());
    }
    return 0;
}
