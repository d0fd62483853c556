/* Security types: the ways into a server, which of them the user allows, and which is taken.
 *
 * A way in is a channel (clear, TLS without a certificate, TLS with one that is verified, and what
 * RSA-AES has) and a proof (none, VNC authentication, user name and password; or the same encrypted
 * in a channel that is clear). The names are those of TigerVNC's -SecurityTypes. Pure.
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

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the protocol: types, and subtypes of VeNCrypt. */
enum security_number {
    SECURITY_FAILED = 0, /* no type: a reason follows */
    SECURITY_NONE = 1,
    SECURITY_VNC = 2,
    SECURITY_RA2 = 5,    /* RSA-AES, 128 bits */
    SECURITY_RA2_NE = 6, /* the same, and not encrypted behind the proof */
    SECURITY_TIGHT = 16, /* TightVNC's: a tunnel, then a type again; not spoken by this client */
    SECURITY_TLS = 18,   /* anonymous TLS, then a list of types again */
    SECURITY_VENCRYPT = 19,
    SECURITY_DH = 30,       /* Apple's (rfb/proto/handshake/apple_login.h) */
    SECURITY_RA2_256 = 129, /* RSA-AES, 256 bits */
    SECURITY_RA2_NE_256 = 130,
    VENCRYPT_PLAIN = 256,
    VENCRYPT_TLS_NONE = 257,
    VENCRYPT_TLS_VNC = 258,
    VENCRYPT_TLS_PLAIN = 259,
    VENCRYPT_X509_NONE = 260,
    VENCRYPT_X509_VNC = 261,
    VENCRYPT_X509_PLAIN = 262,
};

/* Weakest first: they are compared by this order. */
enum security_channel {
    CHANNEL_CLEAR,
    CHANNEL_HANDSHAKE, /* only the proof is encrypted, for an RSA key that is verified */
    CHANNEL_ANONYMOUS,
    CHANNEL_KEY, /* all is, for such a key */
    CHANNEL_CERTIFICATE,
    CHANNEL_COUNT
};
enum security_proof {
    PROOF_NONE,
    PROOF_VNC,
    PROOF_PLAIN, /* user name and password are sent */
    PROOF_DH,    /* the same, encrypted; nothing proves for whom. Only in a clear channel. */
    PROOF_COUNT
};

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
#define SECURITY_DEFAULT_NAMES                                                                     \
    "X509Vnc,X509Plain,X509None,RA2_256,RA2,TLSVnc,TLSPlain,TLSNone,RA2ne_256,RA2ne,VncAuth,DH,"   \
    "None"

/* All that security_parse() knows. */
#define SECURITY_ALL_NAMES SECURITY_DEFAULT_NAMES ",Plain"

security_set security_default(void);

/* "X509Vnc,TLSVnc": names with commas or spaces between them; their case does not matter. Names
 * that other viewers have and this client does not, such as MSLogonII, allow nothing. */
bool security_parse(security_set *allowed, const char *names, struct reason *why);

/* The names that security_parse() knows, one after the other, the strongest first. NULL: there are
 * not so many. */
const char *security_name(size_t index);

/* What of `allowed` brings a verified certificate. */
security_set security_with_certificate(security_set allowed);

/* The same, and what brings a verified key. */
security_set security_with_key(security_set allowed);

/* Of `allowed`, the ways of this one's type. */
security_set security_only(security_set allowed, const struct security *way);

/* Whether the channel is TLS. */
bool security_channel_is_tls(enum security_channel channel);

/* Whether it is RSA-AES, at least until the proof. */
bool security_channel_is_rsa(enum security_channel channel);

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

/* How types of these makers, which no other viewer has, begin in the line of security_refuse(). */
#define SECURITY_OF_APPLE   "Apple's (type "
#define SECURITY_OF_REALVNC "RealVNC's (type "

/* Words of the line of security_refuse() where the server offers nothing that this client has. */
#define SECURITY_HAS_NONE "no security type that this viewer has"

/* Words of the line that security_refuse() makes with `certified_before`. */
#define SECURITY_CERTIFIED_BEFORE "this server showed a certificate before"

/* Fails with a line that says what the server offers and what would be needed. `certified_before`:
 * only ways with a certificate or a key are allowed because the server showed one before. */
bool security_refuse(security_set allowed, bool certified_before, const uint32_t *offered,
                     size_t count, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
