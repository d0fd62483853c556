#include "rfb/proto/handshake/vncauth.h"

#include <nettle/des.h>
#include <string.h>

/* VNC takes the bits of each key byte the other way round. */
static void set_key(struct des_ctx *des, const uint8_t password[DES_KEY_SIZE])
{
    uint8_t key[DES_KEY_SIZE];

    for (int i = 0; i < DES_KEY_SIZE; i++) {
        key[i] = 0;
        for (int bit = 0; bit < 8; bit++)
            key[i] = (uint8_t)(key[i] | (password[i] >> bit & 1) << (7 - bit));
    }
    des_set_key(des, key); /* weak keys are as good as others: the user chose the password */
    explicit_bzero(key, sizeof key);
}

void vncauth_answer(uint8_t challenge[VNCAUTH_CHALLENGE], const char *password)
{
    uint8_t padded[DES_KEY_SIZE] = {0};
    size_t length = strlen(password);
    struct des_ctx des;

    memcpy(padded, password, length < sizeof padded ? length : sizeof padded);
    set_key(&des, padded);
    des_encrypt(&des, VNCAUTH_CHALLENGE, challenge, challenge);
    explicit_bzero(padded, sizeof padded);
    explicit_bzero(&des, sizeof des);
}

void vncauth_reveal(const uint8_t block[VNCAUTH_PASSWORD], char password[VNCAUTH_PASSWORD + 1])
{
    static const uint8_t fixed[DES_KEY_SIZE] = {23, 82, 107, 6, 35, 78, 88, 7};
    struct des_ctx des;

    set_key(&des, fixed);
    des_decrypt(&des, VNCAUTH_PASSWORD, (uint8_t *)password, block);
    password[VNCAUTH_PASSWORD] = '\0';
}
