/* Security types: the ways into a server, which of them the user allows, and which is taken.
 *
 * A way in is a channel (clear, TLS without a certificate, TLS with one that is verified) and a
 * proof (none, VNC authentication, user name and password). The names are those of TigerVNC's
 * -SecurityTypes. Pure.
 *
 * Of what a server offers and the user allows, the strongest is taken, whatever the server's order
 * is: first by channel, then by what the server learns. VNC authentication never shows the password
 * itself, so it comes before a password that is sent.
 */
#ifndef VNCHL_SECURITY_H
#define VNCHL_SECURITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the protocol: types, and subtypes of VeNCrypt. */
enum security_number {
    SECURITY_FAILED = 0, /* no type: a reason follows */
    SECURITY_NONE = 1,
    SECURITY_VNC = 2,
    SECURITY_TIGHT = 16, /* TightVNC's: a tunnel, then a type again; not spoken by this client */
    SECURITY_TLS = 18,   /* anonymous TLS, then a list of types again */
    SECURITY_VENCRYPT = 19,
    VENCRYPT_PLAIN = 256,
    VENCRYPT_TLS_NONE = 257,
    VENCRYPT_TLS_VNC = 258,
    VENCRYPT_TLS_PLAIN = 259,
    VENCRYPT_X509_NONE = 260,
    VENCRYPT_X509_VNC = 261,
    VENCRYPT_X509_PLAIN = 262,
};

enum security_channel { CHANNEL_CLEAR, CHANNEL_ANONYMOUS, CHANNEL_CERTIFICATE };
enum security_proof { PROOF_NONE, PROOF_VNC, PROOF_PLAIN };

struct security {
    const char *name;
    enum security_number type, subtype; /* subtype: 0 where the type has none */
    enum security_channel channel;
    enum security_proof proof;
};

/* Which ways are allowed; 0: none. */
typedef unsigned security_set;
#define SECURITY_ALL (~0u)

/* All but Plain, which shows name and password to everybody on the way. */
#define SECURITY_DEFAULT_NAMES "X509Vnc,X509Plain,X509None,TLSVnc,TLSPlain,TLSNone,VncAuth,None"

security_set security_default(void);

/* "X509Vnc,TLSVnc": names with commas or spaces between them; their case does not matter. Names
 * that other viewers have and this client does not, such as RA2, allow nothing. */
bool security_parse(security_set *allowed, const char *names, struct reason *why);

/* The names that security_parse() knows, one after the other, the strongest first. NULL: there are
 * not so many. */
const char *security_name(size_t index);

/* What of `allowed` brings a verified certificate. */
security_set security_with_certificate(security_set allowed);

/* What of `allowed` is at least as strong as the weakest way of `asked`. */
security_set security_at_least(security_set allowed, security_set asked);

/* Whether one of these ways has this channel and this proof. */
bool security_has(security_set allowed, enum security_channel channel, enum security_proof proof);

/* The strongest allowed way among the types (or, with `type` set, among the subtypes of that type)
 * that the server offers. NULL: none of them. */
const struct security *security_choose(security_set allowed, enum security_number type,
                                       const uint32_t *offered, size_t count);

/* The allowed way with these numbers; `subtype` is 0 where the type has none. NULL: there is none.
 */
const struct security *security_find(security_set allowed, uint32_t type, uint32_t subtype);

/* Words of the line that security_refuse() makes with `had_certificate`. */
#define SECURITY_HAD_CERTIFICATE "this server showed a certificate before"

/* Fails with a line that says what the server offers and what would be needed. `had_certificate`:
 * only ways with a certificate are allowed because the server showed one before. */
bool security_refuse(security_set allowed, bool had_certificate, const uint32_t *offered,
                     size_t count, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
