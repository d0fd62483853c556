#include "viewer/trust/purpose.h"

#include <stdio.h>
#include <string.h>

_Static_assert(CHANNEL_COUNT == 5 && PROOF_COUNT == 4,
               "names, protections and purpose_proof_holds() have each channel and proof");

static const char *const names[CHANNEL_COUNT][PROOF_COUNT] = {
    [CHANNEL_CLEAR] = {[PROOF_NONE] = "None",
                       [PROOF_VNC] = "VncAuth",
                       [PROOF_PLAIN] = "Plain",
                       [PROOF_DH] = "DH"},
    [CHANNEL_HANDSHAKE] = {[PROOF_PLAIN] = "RA2ne"}, /* with 256 bits, too */
    [CHANNEL_ANONYMOUS] =
        {[PROOF_NONE] = "TLSNone", [PROOF_VNC] = "TLSVnc", [PROOF_PLAIN] = "TLSPlain"},
    [CHANNEL_KEY] = {[PROOF_PLAIN] = "RA2"},
    [CHANNEL_CERTIFICATE] =
        {[PROOF_NONE] = "X509None", [PROOF_VNC] = "X509Vnc", [PROOF_PLAIN] = "X509Plain"},
};

static const char *const protections[CHANNEL_COUNT] = {
    [CHANNEL_CLEAR] = "not encrypted",
    [CHANNEL_HANDSHAKE] = "the password is encrypted, with a key",
    [CHANNEL_ANONYMOUS] = "encrypted, without a certificate",
    [CHANNEL_KEY] = "encrypted, with a key",
    [CHANNEL_CERTIFICATE] = "encrypted, with a certificate",
};

/* VNC authentication does not show the password itself. Plain shows it to the server and, where the
 * channel is clear, to everybody; DH to who answers. */
static bool purpose_proof_holds(const struct purpose *p, const struct purpose *now)
{
    /* who listens can try passwords against VNC authentication, and not against DH */
    if (p->proof == PROOF_DH && now->proof == PROOF_VNC)
        return now->channel != CHANNEL_CLEAR;
    if (now->proof == PROOF_VNC || p->proof == PROOF_PLAIN)
        return true;
    return p->proof == PROOF_DH && (now->proof == PROOF_DH || now->channel != CHANNEL_CLEAR);
}

/* Whether a secret reaches only the owner of a certificate, or of a key. */
static bool purpose_channel_proves(enum security_channel channel)
{
    return channel == CHANNEL_CERTIFICATE || security_channel_is_rsa(channel);
}

static bool purpose_channel_holds(const struct purpose *p, const struct purpose *now)
{
    if (now->channel < p->channel || !purpose_channel_proves(p->channel))
        return now->channel >= p->channel;
    if (!purpose_channel_proves(now->channel))
        return false;
    if (!p->keyed || !now->keyed)
        return p->keyed == now->keyed && p->channel == now->channel;
    return memcmp(p->sha256, now->sha256, sizeof p->sha256) == 0;
}

bool purpose_allows(const struct purpose *p, const struct purpose *now)
{
    switch (p->state) {
    case PURPOSE_NOBODY:
        return false;
    case PURPOSE_SERVER:
        return true;
    case PURPOSE_GIVEN:
        return purpose_proof_holds(p, now) && purpose_channel_holds(p, now);
    case PURPOSE_UNKNOWN: /* nothing is stronger */
        break;
    }
    return now->channel == CHANNEL_CERTIFICATE && now->proof == PROOF_VNC;
}

bool purpose_exposes(const struct purpose *now)
{
    return now->proof != PROOF_VNC && !purpose_channel_proves(now->channel);
}

const char *purpose_name(const struct purpose *p)
{
    return names[p->channel][p->proof];
}

void purpose_write(const struct purpose *p, char out[PURPOSE_TEXT_MAX])
{
    char key[FINGERPRINT_TEXT] = "";

    if (p->keyed)
        fingerprint_text(p->sha256, key);
    snprintf(out, PURPOSE_TEXT_MAX, "%s%s%s", purpose_name(p), p->keyed ? "/" : "", key);
}

static bool purpose_read_name(const char *text, size_t length, struct purpose *p)
{
    for (int channel = CHANNEL_CLEAR; channel < CHANNEL_COUNT; channel++)
        for (int proof = PROOF_VNC; proof < PROOF_COUNT; proof++) {
            const char *name = names[channel][proof];

            if (!name || strlen(name) != length || strncmp(name, text, length) != 0)
                continue;
            p->channel = (enum security_channel)channel;
            p->proof = (enum security_proof)proof;
            return true;
        }
    return false;
}

struct purpose purpose_read(const char *text)
{
    const struct purpose unknown = {.state = PURPOSE_UNKNOWN};
    struct purpose p = {.state = PURPOSE_GIVEN};
    size_t length = text ? strcspn(text, "/") : 0;

    if (!text || !purpose_read_name(text, length, &p))
        return unknown;
    if (text[length] == '\0')
        return p;
    p.keyed = true;
    return purpose_channel_proves(p.channel) && fingerprint_parse(text + length + 1, p.sha256)
               ? p
               : unknown;
}

void purpose_words(const struct purpose *p, char out[PURPOSE_TEXT_MAX])
{
    snprintf(out, PURPOSE_TEXT_MAX, "%s (%s)", purpose_name(p),
             p->proof == PROOF_DH ? "only name and password are encrypted"
                                  : protections[p->channel]);
}
