/*
 * Measures Onefold beside plain loops in C, and prints one line of JSON a row. bench/run.sh adds
 * the peers in Python and makes a table.
 *
 *     onefold_bench [--quick | --tiny] [SUITE]...
 *
 * --quick takes arrays of 2^24 elements and three turns; --tiny only shows that everything runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

static const struct suite {
    const char *name;
    void (*run)(const struct effort *effort);
} suites[] = {
#define SUITE(function, name, heading) {name, function},
#include "suites.def"
#undef SUITE
};
enum { SUITES = sizeof suites / sizeof *suites };

static const struct effort full = {.log2_count = 28, .bytes = (int64_t)1 << 30, .turns = 9};
static const struct effort quick = {.log2_count = 24, .bytes = (int64_t)1 << 30, .turns = 3};
static const struct effort tiny = {.log2_count = 14, .bytes = (int64_t)1 << 30, .turns = 1};

static const struct suite *find_suite(const char *name) {
    for (int i = 0; i < SUITES; i++)
        if (strcmp(suites[i].name, name) == 0) return &suites[i];
    fprintf(stderr, "onefold_bench: there is no suite \"%s\"; there are", name);
    for (int i = 0; i < SUITES; i++) fprintf(stderr, " %s", suites[i].name);
    fputs("\n", stderr);
    exit(2);
}

int main(int argc, char **argv) {
    struct effort effort = full;
    bool wanted[SUITES] = {false}, any_wanted = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            effort = quick;
        } else if (strcmp(argv[i], "--tiny") == 0) {
            effort = tiny;
        } else {
            wanted[find_suite(argv[i]) - suites] = true;
            any_wanted = true;
        }
    }
    effort.threads = of_threads_get();
    print_machine();
    for (int i = 0; i < SUITES; i++)
        if (wanted[i] || !any_wanted) suites[i].run(&effort);
    return EXIT_SUCCESS;
}
