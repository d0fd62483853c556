#include "rfb/client.h"

#include <fcntl.h>
#include <pthread.h>
#include <rfb/rfbclient.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prerequest/tick.h"
#include "rfb/jpeg.h"
#include "rfb/log.h"
#include "rfb/rfb33.h"

#define GREETING_BYTES 12
#define RECT_HEADER    12
#define UPDATE_HEADER  4
/* Largest width of a Tight rectangle with basic compression (RFB, "Tight Encoding"). */
#define TIGHT_MAX_WIDTH 2048

struct client {
    rfbClient *lib;
    struct framebuffer *fb;
    struct jpeg *jpeg;
    bool was_jpeg; /* of the newest rectangle */
    struct client_options options;
    struct reason credential_reason; /* set when the credentials callback gave up */
    bool credential_asked;
    tick_t prompt_time; /* spent in the credentials callback */
    double handshake_rtt_ms;
    /* bytes handed back to the library, in front of what it had buffered */
    char staging[RFB_BUF_SIZE + 64];
};

static char client_tag; /* its address names our data in the library's client */

static struct client *of(rfbClient *lib)
{
    return rfbClientGetClientData(lib, &client_tag);
}

/* The library's log has no client in it; the line that explains a failure is the last one of the
 * thread that saw it. */
static _Thread_local char last_library_line[300];

/* Of a certificate the last line only says that there was an error; the one before says which. */
static _Thread_local char certificate_line[300];

static void library_log(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_library_line, sizeof last_library_line, format, args);
    va_end(args);
    last_library_line[strcspn(last_library_line, "\r\n")] = '\0';
    if (strstr(last_library_line, "certificate") && !certificate_line[0])
        strcpy(certificate_line, last_library_line);
    log_debug("libvncclient: %s", last_library_line);
}

static void set_up_library(void)
{
    rfbClientLog = library_log;
    rfbClientErr = library_log;
    signal(SIGPIPE, SIG_IGN); /* a closed socket is an error code, not a signal */
}

/* ---- drawing ---- */

static struct rect whole(const rfbClient *lib)
{
    return (struct rect){0, 0, lib->width, lib->height};
}

static bool inside(const rfbClient *lib, struct rect r)
{
    struct rect cut = rect_intersect(r, whole(lib));

    return r.x >= 0 && r.y >= 0 && cut.w == r.w && cut.h == r.h;
}

static uint32_t *pixel_at(const rfbClient *lib, int x, int y)
{
    return (uint32_t *)(void *)lib->frameBuffer + (size_t)y * (size_t)lib->width + (size_t)x;
}

static void got_bitmap(rfbClient *lib, const uint8_t *from, int x, int y, int w, int h)
{
    size_t row = (size_t)w * sizeof(uint32_t);

    if (!inside(lib, (struct rect){x, y, w, h}))
        return;
    for (int i = 0; i < h; i++, from += row)
        memcpy(pixel_at(lib, x, y + i), from, row);
}

static void got_fill(rfbClient *lib, int x, int y, int w, int h, uint32_t colour)
{
    /* sub-rectangles may be larger than the rectangle they belong to: draw what fits */
    struct rect r = rect_intersect((struct rect){x, y, w, h}, whole(lib));

    for (int i = 0; i < r.h; i++) {
        uint32_t *to = pixel_at(lib, r.x, r.y + i);
        for (int j = 0; j < r.w; j++)
            to[j] = colour;
    }
}

static void got_copy(rfbClient *lib, int from_x, int from_y, int w, int h, int x, int y)
{
    bool upwards = from_y < y;

    if (!inside(lib, (struct rect){from_x, from_y, w, h}) ||
        !inside(lib, (struct rect){x, y, w, h}))
        return;
    for (int i = 0; i < h; i++) {
        int row = upwards ? h - 1 - i : i;
        memmove(pixel_at(lib, x, y + row), pixel_at(lib, from_x, from_y + row),
                (size_t)w * sizeof(uint32_t));
    }
}

/* The library hands over the compressed data to be freed here. */
static rfbBool got_jpeg(rfbClient *lib, const uint8_t *data, int size, int x, int y, int w, int h)
{
    struct rect r = {x, y, w, h};
    bool ok = inside(lib, r) && w > 0 && h > 0 &&
              jpeg_decode(of(lib)->jpeg, data, (size_t)size, pixel_at(lib, 0, 0), lib->width, r);

    of(lib)->was_jpeg = true;
    free((void *)(uintptr_t)data);
    if (!ok)
        library_log("bad JPEG image");
    return ok;
}

/* ---- credentials ---- */

static bool ask(struct client *c, bool want_user, char **name, char **password)
{
    tick_t start = tick_now();
    bool ok =
        c->options.credentials(c->options.user, want_user, name, password, &c->credential_reason);

    c->prompt_time += tick_now() - start;
    c->credential_asked = true;
    return ok;
}

static char *password_of(struct client *c, struct reason *why)
{
    char *name = NULL, *password = NULL;

    if (!ask(c, false, &name, &password)) {
        *why = c->credential_reason;
        return NULL;
    }
    free(name);
    if (*password)
        return password;
    free(password); /* the library would refuse it, and forget to free it */
    reason_set(why, "the password is empty, and the server wants one");
    return NULL;
}

static char *get_password(rfbClient *lib)
{
    return password_of(of(lib), &of(lib)->credential_reason);
}

static rfbCredential *get_user(struct client *c)
{
    rfbCredential *credential;

    if (!(credential = calloc(1, sizeof *credential)))
        return NULL;
    if (!c->lib->tlsSession)
        log_line("warning: this server takes the password unencrypted");
    if (ask(c, true, &credential->userCredential.username, &credential->userCredential.password))
        return credential;
    free(credential);
    return NULL;
}

static rfbCredential *get_x509(struct client *c)
{
    static const char system_bundle[] = "/etc/ssl/certs/ca-certificates.crt";
    const char *file = c->options.x509_ca ? c->options.x509_ca : system_bundle;
    rfbCredential *credential;

    if (access(file, R_OK) != 0) {
        reason_set(&c->credential_reason,
                   "the server has a certificate to be checked, and %s cannot be read: name a file "
                   "with --x509-ca",
                   file);
        return NULL;
    }
    if ((credential = calloc(1, sizeof *credential)))
        credential->x509Credential.x509CACertFile = strdup(file);
    return credential;
}

static rfbCredential *get_credential(rfbClient *lib, int type)
{
    return type == rfbCredentialTypeX509 ? get_x509(of(lib)) : get_user(of(lib));
}

/* ---- life ---- */

/* The picture's memory is the framebuffer's: the library must never replace it. */
static rfbBool no_new_picture(rfbClient *lib)
{
    return FALSE;
}

struct client *client_create(const struct client_options *options, struct framebuffer *fb)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const uint32_t security[] = {rfbNoAuth, rfbVncAuth, rfbTLS, rfbVeNCrypt};
    struct client *c = calloc(1, sizeof *c);
    rfbClient *lib;

    pthread_once(&once, set_up_library);
    if (!c)
        return NULL;
    c->options = *options;
    c->fb = fb;
    c->jpeg = jpeg_create();
    lib = c->lib = rfbGetClient(8, 3, 4);
    if (!lib || !c->jpeg) {
        client_destroy(c);
        return NULL;
    }
    rfbClientSetClientData(lib, &client_tag, c);
    lib->format.redShift = 16; /* native 0x00RRGGBB */
    lib->format.greenShift = 8;
    lib->format.blueShift = 0;
    lib->appData.shareDesktop = options->shared;
    lib->MallocFrameBuffer = no_new_picture;
    lib->GotBitmap = got_bitmap;
    lib->GotFillRect = got_fill;
    lib->GotCopyRect = got_copy;
    lib->GotJpeg = got_jpeg;
    lib->GetPassword = get_password;
    lib->GetCredential = get_credential;
    SetClientAuthSchemes(lib, security, sizeof security / sizeof *security);
    free(lib->serverHost);
    lib->serverHost = strdup(options->host ? options->host : "");
    return c;
}

void client_destroy(struct client *c)
{
    if (!c)
        return;
    if (c->lib) {
        /* what rfbClientCleanup() forgets */
        free(c->lib->rcSource);
        free(c->lib->rcMask);
        c->lib->frameBuffer = NULL;
        rfbClientCleanup(c->lib);
    }
    jpeg_destroy(c->jpeg);
    free(c);
}

/* ---- reading ---- */

/* Puts bytes back in front of what the library has buffered. It takes buffered bytes from wherever
 * bufoutptr points and returns to its own buffer by itself when they are used up. */
static void push_back(struct client *c, const void *bytes, size_t size)
{
    rfbClient *lib = c->lib;
    bool staged = lib->bufoutptr >= c->staging && lib->bufoutptr <= c->staging + sizeof c->staging;
    char *start = staged ? c->staging : lib->buf;

    if ((size_t)(lib->bufoutptr - start) < size) { /* no room in front: move to where there is */
        memmove(c->staging + size, lib->bufoutptr, lib->buffered);
        lib->bufoutptr = c->staging + size;
    }
    lib->bufoutptr -= size;
    lib->buffered += (unsigned)size;
    memcpy(lib->bufoutptr, bytes, size);
}

bool client_read(struct client *c, void *out, size_t size, struct reason *why)
{
    last_library_line[0] = '\0';
    if (ReadFromRFBServer(c->lib, out, (unsigned)size))
        return true;
    if (strstr(last_library_line, "closed connection"))
        return reason_set(why, "the server closed the connection");
    return reason_set(why, "the connection broke: %s",
                      last_library_line[0] ? last_library_line : "read failed");
}

/* ---- handshake ---- */

static bool handshake_failed(struct client *c, struct reason *why)
{
    static const char refused[] = "VNC connection failed: ";
    const char *line = last_library_line;
    const char *said = strncmp(line, refused, strlen(refused)) == 0 ? line + strlen(refused) : NULL;

    if (c->credential_reason.text[0])
        return reason_set(why, "%s", c->credential_reason.text);
    if (said && c->credential_asked)
        return reason_set(why, "the server refused the password: %s", said);
    if (said)
        return reason_set(why, "the server refused the connection: %s", said);
    if (strncmp(line, "VNC authentication failed", 25) == 0)
        return reason_set(why, "the server refused the password");
    if (strstr(line, "closed connection"))
        return reason_set(why, "the server closed the connection during the handshake");
    if (strstr(line, "nown authentication scheme") && strrchr(line, ' '))
        return reason_set(why, "the server offers no security type this client has: %s",
                          strrchr(line, ' ') + 1);
    if (certificate_line[0])
        return reason_set(why,
                          "the server's certificate is not accepted (%s); name the file that "
                          "signed it with --x509-ca",
                          certificate_line);
    return reason_set(why, "the handshake failed: %s", line[0] ? line : "no reason given");
}

/* Round trips between greeting and ServerInit; 0 where encryption makes them uneven. */
static int handshake_round_trips(const rfbClient *lib)
{
    bool password = lib->authScheme == rfbVncAuth;

    if (lib->authScheme != rfbNoAuth && !password)
        return 0;
    if (lib->minor < 7)
        return 2 + password;
    return 2 + (lib->minor > 7 || password) + password;
}

static void set_blocking(int fd, bool blocking)
{
    int flags = fcntl(fd, F_GETFL);

    fcntl(fd, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

static bool handshake_33(struct client *c, struct reason *why)
{
    struct server_init init = {0};
    rfbClient *lib = c->lib;

    if (!rfb33_handshake(c, c->options.shared, password_of, &init, why))
        return false;
    lib->major = lib->minor = 3;
    lib->authScheme = init.security;
    lib->si.framebufferWidth = (uint16_t)init.width;
    lib->si.framebufferHeight = (uint16_t)init.height;
    lib->desktopName = init.name;
    return true;
}

static bool handshake_library(struct client *c, const char *greeting, struct reason *why)
{
    push_back(c, greeting, GREETING_BYTES);
    last_library_line[0] = '\0';
    certificate_line[0] = '\0';
    return InitialiseRFBConnection(c->lib) || handshake_failed(c, why);
}

bool client_handshake(struct client *c, int fd, struct reason *why)
{
    rfbClient *lib = c->lib;
    char greeting[GREETING_BYTES + 1] = "";
    int minor;
    tick_t start;
    int trips;

    lib->sock = fd;
    /* the library's TLS handshake spins on a socket that does not block */
    set_blocking(fd, true);
    if (!client_read(c, greeting, GREETING_BYTES, why))
        return false;
    if (sscanf(greeting, "RFB %*3d.%3d", &minor) != 1)
        return reason_set(why, "not a VNC server: it greets with '%s'", greeting);
    start = tick_now();
    if (!(rfb33_wanted(greeting) ? handshake_33(c, why) : handshake_library(c, greeting, why)))
        return false;
    trips = handshake_round_trips(lib);
    if (trips > 0)
        c->handshake_rtt_ms = tick_to_ms(tick_now() - start - c->prompt_time) / trips;
    set_blocking(fd, false);
    /* the library asks for the next update by itself unless the server cannot be asked */
    lib->supportedMessages.client2server[0] &= (uint8_t) ~(1u << rfbFramebufferUpdateRequest);
    return true;
}

int client_width(const struct client *c)
{
    return c->lib->si.framebufferWidth;
}

int client_height(const struct client *c)
{
    return c->lib->si.framebufferHeight;
}

const char *client_desktop_name(const struct client *c)
{
    return c->lib->desktopName;
}

int client_buffered(const struct client *c)
{
    return (int)c->lib->buffered;
}

double client_handshake_rtt_ms(const struct client *c)
{
    return c->handshake_rtt_ms;
}

void client_use_picture(struct client *c, int width, int height)
{
    c->lib->frameBuffer = (uint8_t *)framebuffer_private(c->fb);
    c->lib->width = width;
    c->lib->height = height;
}

/* ---- decoding ---- */

/* Reads the first byte of a Tight rectangle and refuses what the decoder's buffers are not made
 * for. */
static bool check_tight(struct client *c, struct rect r, uint8_t *control, struct reason *why)
{
    unsigned kind;

    if (!client_read(c, control, 1, why))
        return false;
    kind = *control >> 4;
    if (kind == rfbTightFill || kind == rfbTightJpeg)
        return true;
    if (r.w > TIGHT_MAX_WIDTH)
        return reason_set(why, "the server sent a Tight rectangle %d pixels wide (at most %d)", r.w,
                          TIGHT_MAX_WIDTH);
    if ((kind & rfbTightNoZlib) == rfbTightNoZlib &&
        (size_t)r.w * (size_t)r.h * sizeof(uint32_t) > RFB_BUFFER_SIZE)
        return reason_set(why, "the server sent an uncompressed Tight rectangle of %d x %d pixels",
                          r.w, r.h);
    return true;
}

/* An update of one rectangle, as the library wants to read it. */
static size_t one_rect_update(uint8_t *out, struct rect r, int32_t encoding)
{
    const unsigned side[] = {(unsigned)r.x, (unsigned)r.y, (unsigned)r.w, (unsigned)r.h};
    uint8_t *p = out;

    *p++ = rfbFramebufferUpdate;
    *p++ = 0;
    *p++ = 0;
    *p++ = 1;
    for (int i = 0; i < 4; i++) {
        *p++ = (uint8_t)(side[i] >> 8);
        *p++ = (uint8_t)side[i];
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        *p++ = (uint8_t)((uint32_t)encoding >> shift);
    return (size_t)(p - out);
}

bool client_decode(struct client *c, struct rect r, int32_t encoding, struct reason *why)
{
    uint8_t header[UPDATE_HEADER + RECT_HEADER + 1];
    const char *name = encoding_name(encoding);
    size_t size;

    /* raw needs no offer (RFB, "FramebufferUpdate") */
    if (!name || (encoding != ENCODING_RAW && !encoding_list_has(c->options.offered, encoding)))
        return reason_set(why, "the server sent encoding %d, which was not offered", (int)encoding);
    if (!inside(c->lib, r))
        return reason_set(why, "the server sent a rectangle outside the screen: %dx%d at %d,%d",
                          r.w, r.h, r.x, r.y);
    if ((r.w == 0 || r.h == 0) && encoding != ENCODING_RAW && encoding != ENCODING_COPYRECT)
        return reason_set(why, "the server sent an empty %s rectangle", name);
    size = one_rect_update(header, r, encoding);
    if (encoding == ENCODING_TIGHT && !check_tight(c, r, &header[size++], why))
        return false;
    push_back(c, header, size);
    c->was_jpeg = false;
    last_library_line[0] = '\0';
    if (HandleRFBServerMessage(c->lib)) {
        framebuffer_drawn(c->fb, r);
        return true;
    }
    if (strstr(last_library_line, "closed connection"))
        return reason_set(why, "the server closed the connection in the middle of an update");
    return reason_set(why, "the server sent a bad %s rectangle: %s", name,
                      last_library_line[0] ? last_library_line : "it does not decode");
}

bool client_was_jpeg(const struct client *c)
{
    return c->was_jpeg;
}

bool client_write(struct client *c, const void *bytes, size_t size)
{
    return WriteToRFBServer(c->lib, bytes, (unsigned)size);
}
