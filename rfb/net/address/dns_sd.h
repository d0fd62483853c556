/* What servers and accelerators say of themselves by DNS-SD (RFC 6763). The viewer looks for it. */
#ifndef VNCHL_DNS_SD_H
#define VNCHL_DNS_SD_H

#define DNS_SD_TYPE "_rfb._tcp"

/* The key in the TXT record of an accelerator. */
#define DNS_SD_ACCELERATOR "vnchl-accel"

#endif
