/* What prerequest/tick.h needs of <time.h>, in the guest: its clock is the host's (clock.h). */
#ifndef VNCHL_GUEST_TIME_H
#define VNCHL_GUEST_TIME_H

#define CLOCK_MONOTONIC 1

struct timespec {
    int tv_sec;
    long tv_nsec;
};

int clock_gettime(int clock, struct timespec *ts);

#endif
