/* Options of TigerVNC's viewer that have no namesake here. What asks for nothing but what this
 * program does anyway is accepted. Everything else is refused, with what to do instead.
 *
 * The presets are what TigerVNC 1.12 writes into its files when nobody has changed anything. They
 * are nobody's wish, so a file that holds them is not refused or complained about.
 */
#include "viewer/options/option_table.h"

#define FIELD(f) offsetof(struct options, f)

#define FULL_COLOUR "pictures always have full colour; --quality and --max-rate save bytes"

/* A row that is refused whatever its value; `argument` only says that it has one. */
#define REFUSED(name, preset, help)                                                                \
    {                                                                                              \
        {name, "VALUE", help, NOT_HERE, 0}, preset                                                 \
    }

const struct foreign_option foreign_options[] = {
    {{"AutoSelect", NULL, "", AUTO_SELECT, 0}, NULL},
    {{"PreferredEncoding", "NAME", "", PREFERRED, 0}, NULL},
    REFUSED("CustomCompressLevel", "0", "say --compress N, or --compress auto"),
    {{"FullColor", NULL, FULL_COLOUR, MUST_BE_ON, 0}, "1"},
    {{"FullColour", NULL, FULL_COLOUR, MUST_BE_ON, 0}, "1"},
    REFUSED("LowColorLevel", "2", FULL_COLOUR),
    REFUSED("LowColourLevel", "2", FULL_COLOUR),
    {{"FullScreenAllMonitors", NULL, "", ALL_MONITORS, 0}, "0"},
    {{"FullscreenSystemKeys", NULL,
      "full screen takes all keys, where the window manager allows it", MUST_BE_ON, 0},
     "1"},
    {{"PointerEventInterval", "0|10|17",
      "motion is sent at once, the newest position only, as the line has room", ONE_OF, 0},
     "17"},
    {{"EmulateMiddleButton", NULL, "two buttons together are not made a middle one", MUST_BE_OFF,
      0},
     "0"},
    {{"DotWhenNoCursor", NULL, "", SET, FIELD(dot_cursor)}, "0"},
    {{"AlwaysCursor", NULL, "", SET, FIELD(dot_cursor)}, "0"},
    REFUSED("CursorType", "Dot", "where the server hides the pointer there is a dot, or nothing"),
    {{"ShortcutModifiers", "Ctrl,Alt|Alt,Ctrl", "the program's own keys begin with Ctrl+Alt",
      ONE_OF, 0},
     "Ctrl,Alt"},
    {{"AcceptClipboard", NULL, "", SET, FIELD(accept_clipboard)}, "1"},
    {{"SendClipboard", NULL, "", SET, FIELD(send_clipboard)}, "1"},
    {{"SetPrimary", NULL, "", SET, FIELD(set_primary)}, "1"},
    {{"SendPrimary", NULL, "", SET, FIELD(send_primary)}, "1"},
    REFUSED("MaxCutText", "262144", "texts up to 4 MiB are exchanged"),
    {{"GnuTLSPriority", "NORMAL", "GnuTLS's own choice is taken", ONE_OF, 0}, "NORMAL"},
    REFUSED("display", "", "set DISPLAY in the environment"),
};

const size_t foreign_option_count = sizeof foreign_options / sizeof *foreign_options;
