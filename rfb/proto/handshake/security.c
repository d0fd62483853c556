#include "rfb/proto/handshake/security.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Strongest first. Two rows may have one name: a server has two numbers for the same. */
static const struct security types[] = {
    {"X509Vnc", SECURITY_VENCRYPT, VENCRYPT_X509_VNC, CHANNEL_CERTIFICATE, PROOF_VNC},
    {"X509Plain", SECURITY_VENCRYPT, VENCRYPT_X509_PLAIN, CHANNEL_CERTIFICATE, PROOF_PLAIN},
    {"X509None", SECURITY_VENCRYPT, VENCRYPT_X509_NONE, CHANNEL_CERTIFICATE, PROOF_NONE},
    {"RA2_256", SECURITY_RA2_256, 0, CHANNEL_KEY, PROOF_PLAIN},
    {"RA2", SECURITY_RA2, 0, CHANNEL_KEY, PROOF_PLAIN},
    {"TLSVnc", SECURITY_VENCRYPT, VENCRYPT_TLS_VNC, CHANNEL_ANONYMOUS, PROOF_VNC},
    {"TLSVnc", SECURITY_TLS, SECURITY_VNC, CHANNEL_ANONYMOUS, PROOF_VNC},
    {"TLSPlain", SECURITY_VENCRYPT, VENCRYPT_TLS_PLAIN, CHANNEL_ANONYMOUS, PROOF_PLAIN},
    {"TLSNone", SECURITY_VENCRYPT, VENCRYPT_TLS_NONE, CHANNEL_ANONYMOUS, PROOF_NONE},
    {"TLSNone", SECURITY_TLS, SECURITY_NONE, CHANNEL_ANONYMOUS, PROOF_NONE},
    {"RA2ne_256", SECURITY_RA2_NE_256, 0, CHANNEL_HANDSHAKE, PROOF_PLAIN},
    {"RA2ne", SECURITY_RA2_NE, 0, CHANNEL_HANDSHAKE, PROOF_PLAIN},
    {"VncAuth", SECURITY_VNC, 0, CHANNEL_CLEAR, PROOF_VNC},
    {"VncAuth", SECURITY_VENCRYPT, SECURITY_VNC, CHANNEL_CLEAR, PROOF_VNC},
    {"DH", SECURITY_DH, 0, CHANNEL_CLEAR, PROOF_DH},
    {"None", SECURITY_NONE, 0, CHANNEL_CLEAR, PROOF_NONE},
    {"None", SECURITY_VENCRYPT, SECURITY_NONE, CHANNEL_CLEAR, PROOF_NONE},
    {"Plain", SECURITY_VENCRYPT, VENCRYPT_PLAIN, CHANNEL_CLEAR, PROOF_PLAIN},
};

#define SECURITY_TYPES (sizeof types / sizeof *types)

static bool security_allows(security_set allowed, size_t way)
{
    return allowed >> way & 1;
}

/* The types of this name; none when it is unknown. */
static security_set security_named(const char *name, size_t length)
{
    security_set set = 0;

    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (strlen(types[i].name) == length && strncasecmp(types[i].name, name, length) == 0)
            set |= 1u << i;
    return set;
}

/* Types of other viewers that this client does not have. */
static bool is_absent(const char *name, size_t length)
{
    static const char *const absent[] = {"MSLogonII"};

    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strlen(absent[i]) == length && strncasecmp(absent[i], name, length) == 0)
            return true;
    return false;
}

bool security_parse(security_set *allowed, const char *names, struct reason *why)
{
    const char *absent = NULL;

    *allowed = 0;
    for (;;) {
        size_t length;
        security_set set;

        names += strspn(names, ", ");
        length = strcspn(names, ", ");
        if (length == 0)
            break;
        set = security_named(names, length);
        if (!set && is_absent(names, length))
            absent = names;
        else if (!set)
            return reason_set(why, "unknown security type '%.*s': choose from " SECURITY_ALL_NAMES,
                              (int)length, names);
        *allowed |= set;
        names += length;
    }
    if (*allowed)
        return true;
    if (absent)
        return reason_set(why,
                          "security type '%.*s' is not supported: choose from " SECURITY_ALL_NAMES,
                          (int)strcspn(absent, ", "), absent);
    return reason_set(why, "no security type named");
}

security_set security_default(void)
{
    struct reason never;
    security_set set;

    security_parse(&set, SECURITY_DEFAULT_NAMES, &never);
    return set;
}

const char *security_name(size_t index)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++) {
        security_set same = security_named(types[i].name, strlen(types[i].name));

        if (same & ((1u << i) - 1)) /* a row before has this name */
            continue;
        if (index-- == 0)
            return types[i].name;
    }
    return NULL;
}

security_set security_with_certificate(security_set allowed)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (types[i].channel != CHANNEL_CERTIFICATE)
            allowed &= ~(1u << i);
    return allowed;
}

security_set security_with_key(security_set allowed)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (types[i].channel < CHANNEL_KEY)
            allowed &= ~(1u << i);
    return allowed;
}

security_set security_only(security_set allowed, const struct security *way)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (types[i].type != way->type)
            allowed &= ~(1u << i);
    return allowed;
}

bool security_channel_is_tls(enum security_channel channel)
{
    return channel == CHANNEL_ANONYMOUS || channel == CHANNEL_CERTIFICATE;
}

bool security_channel_is_rsa(enum security_channel channel)
{
    return channel == CHANNEL_KEY || channel == CHANNEL_HANDSHAKE;
}

security_set security_at_least(security_set allowed, security_set asked)
{
    for (size_t i = SECURITY_TYPES; i-- > 0 && !security_allows(asked, i);)
        allowed &= ~(1u << i);
    return allowed;
}

bool security_has(security_set allowed, enum security_channel channel, enum security_proof proof)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (security_allows(allowed, i) && types[i].channel == channel && types[i].proof == proof)
            return true;
    return false;
}

static bool has(const uint32_t *offered, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (offered[i] == number)
            return true;
    return false;
}

const struct security *security_choose(security_set allowed, enum security_number type,
                                       const uint32_t *offered, size_t count)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++) {
        const struct security *w = &types[i];

        if (security_allows(allowed, i) &&
            (type ? w->type == type && has(offered, count, w->subtype)
                  : has(offered, count, w->type)))
            return w;
    }
    return NULL;
}

const struct security *security_find(security_set allowed, uint32_t type, uint32_t subtype)
{
    for (size_t i = 0; i < SECURITY_TYPES; i++)
        if (security_allows(allowed, i) && types[i].type == type && types[i].subtype == subtype)
            return &types[i];
    return NULL;
}

static const char *security_name_of(uint32_t number)
{
    static const struct {
        uint32_t number;
        const char *name;
    } names[] = {
        {SECURITY_NONE, "None"},
        {SECURITY_VNC, "VncAuth"},
        {SECURITY_RA2, "RA2"},
        {SECURITY_RA2_NE, "RA2ne"},
        {SECURITY_RA2_256, "RA2_256"},
        {SECURITY_RA2_NE_256, "RA2ne_256"},
        {SECURITY_TLS, "TLS"},
        {SECURITY_VENCRYPT, "VeNCrypt"},
        {SECURITY_DH, "DH"},
        {VENCRYPT_PLAIN, "Plain"},
        {VENCRYPT_TLS_NONE, "TLSNone"},
        {VENCRYPT_TLS_VNC, "TLSVnc"},
        {VENCRYPT_TLS_PLAIN, "TLSPlain"},
        {VENCRYPT_X509_NONE, "X509None"},
        {VENCRYPT_X509_VNC, "X509Vnc"},
        {VENCRYPT_X509_PLAIN, "X509Plain"},
        /* those that this client does not have */
        {16, "Tight (type 16)"},
        {17, "Ultra (type 17)"},
        {20, "SASL (type 20)"},
        {113, "MSLogonII (type 113)"},
        {263, "TLSSASL (type 263)"},
        {264, "X509SASL (type 264)"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

/* IANA's ranges (https://www.iana.org/assignments/rfb); Macs have 36, too. NULL: nobody's. */
static const char *maker_of(uint32_t number)
{
    if (number >= 31 && number <= 36)
        return SECURITY_OF_APPLE;
    if ((number >= 3 && number <= 15) || (number >= 128 && number <= 255))
        return SECURITY_OF_REALVNC;
    return NULL;
}

/* Enough for " and N more". */
#define MORE_SIZE 24

/* Both have no name of their own, and are of one maker. */
static bool is_alike(uint32_t a, uint32_t b)
{
    const char *of_a = maker_of(a), *of_b = maker_of(b);

    return !security_name_of(a) && !security_name_of(b) && of_a && of_b && strcmp(of_a, of_b) == 0;
}

/* "NAME, MAKER's (type N, N) and 3 more". */
static void security_describe(const uint32_t *offered, size_t count, char *out, size_t size)
{
    size_t used = 0;

    snprintf(out, size, "nothing");
    for (size_t i = 0; i < count; i++) {
        const char *name = security_name_of(offered[i]), *maker = maker_of(offered[i]);
        const bool joins = i > 0 && is_alike(offered[i - 1], offered[i]);
        char item[32];

        if (name)
            snprintf(item, sizeof item, "%s", name);
        else if (joins)
            snprintf(item, sizeof item, ", %u)", offered[i]);
        else if (maker)
            snprintf(item, sizeof item, "%s%u)", maker, offered[i]);
        else
            snprintf(item, sizeof item, "type %u", offered[i]);
        if (used + strlen(", ") + strlen(item) + MORE_SIZE > size) {
            snprintf(out + used, size - used, " and %zu more", count - i);
            return;
        }
        if (joins) /* in the same brackets */
            used--;
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", i > 0 && !joins ? ", " : "", item);
    }
}

/* What whoever looks after a server with only these types can do, as the end of a line. */
static const char *security_remedy(const char *list)
{
    if (strstr(list, SECURITY_OF_APPLE))
        return ". On the Mac turn on \"VNC viewers may control screen with password\" (System "
               "Settings, General, Sharing, the \"i\" beside Screen Sharing)";
    if (strstr(list, SECURITY_OF_REALVNC))
        return ". RealVNC's server lets other viewers in with Authentication=VncAuth and "
               "Encryption=PreferOn in its settings, and a password made by \"vncpasswd -legacy\"";
    return "";
}

bool security_refuse(security_set allowed, bool certified_before, const uint32_t *offered,
                     size_t count, struct reason *why)
{
    char list[160];
    security_set all, keys;
    bool certificate = allowed == security_with_certificate(allowed);
    struct reason never;

    security_describe(offered, count, list, sizeof list);
    security_parse(&all, SECURITY_ALL_NAMES, &never);
    keys = certificate ? security_with_certificate(all) : security_with_key(all);
    if (certified_before)
        return reason_set(
            why,
            SECURITY_CERTIFIED_BEFORE
            " (or a key), and offers none now: it has %s. Somebody may stand in between. If it "
            "is meant to be so, name one of "
            "these with --security-types",
            list);
    if (allowed == security_with_key(allowed) && !security_choose(keys, 0, offered, count) &&
        !security_choose(keys, SECURITY_VENCRYPT, offered, count))
        return reason_set(why, "%s is asked for, and the server offers none: it has %s",
                          certificate ? "a certificate" : "a certificate or a key", list);
    if (security_choose(all & ~allowed, 0, offered, count) ||
        security_choose(all & ~allowed, SECURITY_VENCRYPT, offered, count))
        return reason_set(why,
                          "the server offers no allowed security type: it has %s; "
                          "--security-types allows more",
                          list);
    return reason_set(why, "the server offers " SECURITY_HAS_NONE ", only %s%s", list,
                      security_remedy(list));
}
