#include "cli/ticks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Numbers of this size and more, or steps below the other, are written with a power of ten. */
static const double large = 1e6, small = 1e-4;

/* Beyond this many steps from zero, neighbours may not be told apart. */
static const double most_steps = 1e15;

static int exponent_of(double value) {
    return value == 0 ? 0 : (int)floor(log10(fabs(value)) + 1e-9);
}

/* The smallest of 1, 2 and 5 times a power of ten that is not below a value. */
static double round_up(double value) {
    double power = pow(10, floor(log10(value)));
    double digit = value / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void append_exponent(char *text, int exponent) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", exponent);
    strcat(text, "×10");
    for (const char *c = plain; *c != '\0'; c++) strcat(text, *c == '-' ? "⁻" : digits[*c - '0']);
}

/* Takes zeros off the end of a decimal fraction. */
static void drop_zeros(char *text) {
    if (strchr(text, '.') == NULL) return;
    char *end = text + strlen(text);
    while (end[-1] == '0') end--;
    if (end[-1] == '.') end--;
    *end = '\0';
}

/* Writes a number to the precision of the step, as a printer would: with a real minus sign. */
static void write_tick(double value, double step, bool with_power, char text[TICK_TEXT_SIZE]) {
    int exponent = with_power ? exponent_of(value) : 0;
    int decimals = exponent - exponent_of(step);
    if (decimals < 0) decimals = 0;
    if (decimals > 16) decimals = 16;
    char mantissa[40];
    snprintf(mantissa, sizeof mantissa, "%.*f", decimals, fabs(value) / pow(10, exponent));
    if (with_power) drop_zeros(mantissa);
    snprintf(text, TICK_TEXT_SIZE, "%s%s", value < 0 ? "−" : "", value == 0 ? "0" : mantissa);
    if (with_power && value != 0) append_exponent(text, exponent);
}

static int character_count(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void measure(struct ticks *ticks) {
    for (int i = 0; i < ticks->count; i++) {
        int width = character_count(ticks->text[i]);
        if (width > ticks->widest) ticks->widest = width;
    }
}

static struct ticks ends(double low, double high) {
    struct ticks ticks = {.count = 2, .at = {low, high}};
    for (int i = 0; i < 2; i++) snprintf(ticks.text[i], TICK_TEXT_SIZE, "%.17g", ticks.at[i]);
    measure(&ticks);
    return ticks;
}

struct ticks ticks_find(double low, double high, int most) {
    double greatest = fmax(fabs(low), fabs(high));
    double step = round_up(high / (most - 1) - low / (most - 1));
    if (!(step > 1e-300) || greatest / step > most_steps) return ends(low, high);
    bool with_power = greatest >= large || step < small;
    struct ticks ticks = {0};
    double first = ceil(low / step - 1e-9);
    for (int i = 0; i < most; i++) {
        double value = (first + i) * step;
        if (value > high + step * 1e-9) break;
        ticks.at[ticks.count] = value;
        write_tick(value, step, with_power, ticks.text[ticks.count++]);
    }
    measure(&ticks);
    return ticks;
}
