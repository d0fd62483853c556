#include "prerequest/push/picture/film_cut.h"

#include <math.h>

#include "prerequest/push/packets/insurance.h"
#include "prerequest/push/picture/film.h"

double push_film_fails(int qp)
{
    const double steps = PUSH_FILM_QP_COARSE - PUSH_FILM_QP_GOOD;
    double coarse = fmin(fmax(qp - PUSH_FILM_QP_GOOD, 0) / steps, 1);

    return PUSH_FILM_FAILS_LEAST * pow(PUSH_FILM_FAILS_MOST / PUSH_FILM_FAILS_LEAST, coarse);
}

/* What leaves for each block of n. */
static double film_takes(unsigned n, double loss, double fails)
{
    return n + (loss > 0 ? push_insurance_parities(n, loss, fails) : 0);
}

unsigned push_film_cut(size_t bytes, double loss, double fails)
{
    unsigned least = (unsigned)((bytes + PUSH_FILM_ROOM - 1) / PUSH_FILM_ROOM), best = least;
    double fewest = HUGE_VAL;

    if (least > PUSH_FILM_PARTS)
        return least;
    for (unsigned n = least > 1 ? least : 1; n <= PUSH_FILM_PARTS; n++) {
        double takes =
            film_takes(n, loss, fails) * (ceil((double)bytes / n) + (double)PUSH_FILM_HEAD);

        if ((double)n * PUSH_FILM_HEAD >= fewest)
            break;
        if (takes < fewest) {
            fewest = takes;
            best = n;
        }
    }
    return best > 1 ? best : 1;
}

size_t push_film_fits(double most, double loss, double fails)
{
    double best = 0;

    for (unsigned n = 1; n <= PUSH_FILM_PARTS; n++) {
        double room = most / film_takes(n, loss, fails) - PUSH_FILM_HEAD;

        if (room <= 0)
            break;
        best = fmax(best, n * floor(fmin(room, PUSH_FILM_ROOM)));
    }
    return (size_t)best;
}
