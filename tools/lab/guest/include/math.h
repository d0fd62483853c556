/* What tools/demo/film.c needs of <math.h>, in the guest. */
#ifndef VNCHL_GUEST_MATH_H
#define VNCHL_GUEST_MATH_H

double sin(double x);
long lround(double x);

#endif
