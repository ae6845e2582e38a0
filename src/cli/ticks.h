/* Round numbers for an axis. */
#ifndef ONEFOLD_CLI_TICKS_H
#define ONEFOLD_CLI_TICKS_H

enum { MOST_TICKS = 12, TICK_TEXT_SIZE = 64 };

struct ticks {
    int count;
    double at[MOST_TICKS];
    char text[MOST_TICKS][TICK_TEXT_SIZE]; /* UTF-8 */
    int widest;                            /* characters of the widest text */
};

/* Finds at most `most` ticks (2 to MOST_TICKS) from low to high, both finite, a step of 1, 2 or 5
 * times a power of ten apart. Where numbers that close cannot be told apart in f64, the two ends
 * are the ticks. */
struct ticks ticks_find(double low, double high, int most);

#endif
