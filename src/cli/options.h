/* The options of all commands. One table, options.def, makes the parser and the help. */
#ifndef ONEFOLD_CLI_OPTIONS_H
#define ONEFOLD_CLI_OPTIONS_H

#include <onefold/onefold.h>

struct command;

/* What a command line asks for. Zero means the default. */
struct settings {
    const char *operand; /* the FILE, or the COMMAND that help is asked for; NULL when not given */
    const char *second;  /* the column or file of --with, --weights, --key, ...; or NULL */
    of_dims dims;
    bool keepdims;
    of_dtype acctype;
    double order; /* of the norm */
    of_reader_opts reader;
    bool exclusive;
    of_operation scan_operation;
    bool sort_first;
    bool counts;
    bool descending;
    of_group_operation group_operation;
    bool segments_given;
    int64_t segments;
    int64_t bins;
    bool range_given;
    double range[2];
    bool drop;
    int threads;
    const char *isa;
    const char *device;
    const char *output;
    const char *second_output; /* of --keys-out, --counts-out or --edges-out */
    const char *svg;
    int mebibytes;
    bool json;
    bool verbose;
    bool help;
};

/* A command takes options by groups: OR them together. */
enum option_group {
    TAKES_REDUCTION = 1 << 0,
    TAKES_ORDER = 1 << 1,
    TAKES_ALONG = 1 << 2,
    TAKES_SCAN = 1 << 3,
    TAKES_SORTING = 1 << 4,
    TAKES_GROUPING = 1 << 5,
    TAKES_COUNTS = 1 << 6,
    TAKES_KEYS = 1 << 7,
    TAKES_FLAGS = 1 << 8,
    TAKES_SEGMENTS = 1 << 9,
    TAKES_HISTOGRAM = 1 << 10,
    TAKES_FACTOR = 1 << 11,
    TAKES_WEIGHTS = 1 << 12,
    TAKES_KEYS_OUTPUT = 1 << 13,
    TAKES_COUNTS_OUTPUT = 1 << 14,
    TAKES_DRAWING = 1 << 15,
    TAKES_INPUT = 1 << 16,
    TAKES_RUNNING = 1 << 17,
    TAKES_DEVICE = 1 << 18,
    TAKES_OUTPUT = 1 << 19,
    TAKES_JSON = 1 << 20,
    TAKES_VERBOSE = 1 << 21,
    TAKES_SIZE = 1 << 22,
    TAKES_HELP = 1 << 23
};

struct option {
    enum option_group group;
    const char *name;
    char letter;          /* its short form, or 0 */
    const char *argument; /* what the value stands for in the help; NULL: it takes no value */
    const char *sentences;
    /* Stores the value, or returns what it should have been, as in "an integer". */
    const char *(*take)(struct settings *settings, const char *value);
    size_t flag_offset; /* of an option without a value: the bool in struct settings that it sets */
};

extern const struct option options[];
extern const int option_count;

/**
 * Reads the words after a command's name. Options and the operand come in any order; `--` ends the
 * options, and a lone `-` is an operand. Returns EXIT_SUCCESS, or EXIT_USAGE after saying what is
 * wrong.
 */
int settings_read(const struct command *command, int word_count, char **words,
                  struct settings *settings);

#endif
