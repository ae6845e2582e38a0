#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/clock.h"

static const double quiet_seconds = 1.0;
static const double seconds_between = 0.1;

/* A size as a person reads it: three digits and a decimal prefix. */
static void format_bytes(double bytes, char *text, size_t size) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 6) {
        bytes /= 1000;
        unit++;
    }
    int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    snprintf(text, size, "%.*f %s", decimals, bytes, units[unit]);
}

void progress_start(struct progress *progress, int64_t total_bytes) {
    double now = clock_seconds();
    *progress = (struct progress){.total_bytes = total_bytes,
                                  .start = now,
                                  .last_shown = now,
                                  .wanted = isatty(STDERR_FILENO) == 1};
}

void progress_show(struct progress *progress, int64_t done_bytes) {
    if (!progress->wanted) return;
    double now = clock_seconds();
    if (now - progress->start < quiet_seconds || now - progress->last_shown < seconds_between)
        return;
    char done[16], total[16], rate[16];
    format_bytes((double)done_bytes, done, sizeof done);
    format_bytes((double)done_bytes / (now - progress->start), rate, sizeof rate);
    if (progress->total_bytes > 0) {
        format_bytes((double)progress->total_bytes, total, sizeof total);
        double percent = 100.0 * (double)done_bytes / (double)progress->total_bytes;
        fprintf(stderr, "\r\033[K%3.0f%%  %s of %s  %s/s", percent, done, total, rate);
    } else {
        fprintf(stderr, "\r\033[K%s  %s/s", done, rate);
    }
    fflush(stderr);
    progress->last_shown = now;
    progress->shown = true;
}

void progress_end(struct progress *progress) {
    if (progress->shown) fputs("\r\033[K", stderr);
}
