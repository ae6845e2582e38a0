/* The commands of the program. */
#ifndef ONEFOLD_CLI_COMMANDS_H
#define ONEFOLD_CLI_COMMANDS_H

#include "cli/options.h"

struct command {
    const char *name;
    const char *operand; /* "FILE", required; "COMMAND", optional; or NULL for none */
    const char *needs;   /* the options that it cannot do without, or NULL */
    const char *prints;  /* completes the sentence "Prints ..." */
    unsigned takes;      /* its option groups */
    int (*run)(const struct command *command, const struct settings *settings);
    of_operation operation; /* of the commands that reduce */
    const char *details;    /* a paragraph for its help, or NULL */
    const char *examples;   /* lines for its help, or NULL */
};

extern const struct command commands[];
extern const int command_count;

/* The command of a name, or NULL after saying, with a guess, that there is none. */
const struct command *command_find(const char *name);

/* Each returns an exit status, having printed its result or said what went wrong. */
int run_reduce(const struct command *command, const struct settings *settings);
int run_reduce_two(const struct command *command, const struct settings *settings);
int run_stats(const struct command *command, const struct settings *settings);
int run_segment_sum(const struct command *command, const struct settings *settings);
int run_hist(const struct command *command, const struct settings *settings);
int run_sort(const struct command *command, const struct settings *settings);
int run_unique(const struct command *command, const struct settings *settings);
int run_reduce_by_key(const struct command *command, const struct settings *settings);
int run_compact(const struct command *command, const struct settings *settings);
int run_scan(const struct command *command, const struct settings *settings);
int run_devices(const struct command *command, const struct settings *settings);
int run_check(const struct command *command, const struct settings *settings);
int run_bench(const struct command *command, const struct settings *settings);
int run_help(const struct command *command, const struct settings *settings);

#endif
