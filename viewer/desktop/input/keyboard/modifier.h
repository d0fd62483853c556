/* The keys that can stay down on the server while nobody presses them here. */
#ifndef VNCHL_MODIFIER_H
#define VNCHL_MODIFIER_H

enum modifier { MODIFIER_CTRL, MODIFIER_ALT, MODIFIER_SHIFT, MODIFIER_SUPER, MODIFIERS };

#endif
