/* The options of all commands. One table, options.def, makes the parser and the help. */
#ifndef ONEFOLD_CLI_OPTIONS_H
#define ONEFOLD_CLI_OPTIONS_H

#include <onefold/onefold.h>

struct command;

/* What a command line asks for. Zero means the default. */
struct settings {
    const char *operand; /* the FILE, or the COMMAND that help is asked for; NULL when not given */
    of_dims dims;
    bool keepdims;
    of_dtype acctype;
    of_reader_opts reader;
    int threads;
    const char *isa;
    const char *device;
    const char *output;
    int mebibytes;
    bool json;
    bool verbose;
    bool help;
};

/* A command takes options by groups: OR them together. */
enum option_group {
    TAKES_REDUCTION = 1 << 0,
    TAKES_INPUT = 1 << 1,
    TAKES_RUNNING = 1 << 2,
    TAKES_DEVICE = 1 << 3,
    TAKES_OUTPUT = 1 << 4,
    TAKES_JSON = 1 << 5,
    TAKES_VERBOSE = 1 << 6,
    TAKES_SIZE = 1 << 7,
    TAKES_HELP = 1 << 8
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
