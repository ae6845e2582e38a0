#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/suggest.h"

/* An option as it was written: its table entry, how to call it in messages, and the value after
 * "=", if any. */
struct written_option {
    const struct option *option;
    const char *value;
    char name[40];
};

static bool is_option(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

/* word = "--" name ["=" value] | "-" letter [value]. Of options with one name, that of the command. */
static struct written_option find_option(const struct command *command, const char *word) {
    struct written_option found = {0};
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
        if (length >= sizeof found.name) length = sizeof found.name - 1;
        memcpy(found.name, word, length);
        if (equals != NULL) found.value = equals + 1;
    } else {
        memcpy(found.name, word, 2);
        if (word[2] != '\0') found.value = word + 2;
    }
    for (int i = 0; i < option_count; i++) {
        const struct option *option = &options[i];
        bool is_long = word[1] == '-' && strcmp(found.name + 2, option->name) == 0;
        bool is_short = word[1] != '-' && option->letter == word[1];
        bool is_ours = (command->takes & option->group) != 0;
        if ((is_long || is_short) && (found.option == NULL || is_ours)) found.option = option;
    }
    return found;
}

static int refuse_unknown(const struct command *command, const struct written_option *written) {
    struct guess guess = {written->name + 2, NULL, 0};
    for (int i = 0; i < option_count; i++)
        if (command->takes & options[i].group) guess_consider(&guess, options[i].name);
    if (guess.name == NULL) return misuse(command, "there is no option %s", written->name);
    return misuse(command, "there is no option %s; did you mean --%s?", written->name, guess.name);
}

static int refuse_operand(const struct command *command, const char *first, const char *second) {
    if (command->operand == NULL) return misuse(command, "takes no \"%s\"", second);
    return misuse(command, "takes one %s, not both \"%s\" and \"%s\"", command->operand, first,
                  second);
}

/* Stores one option. `next` is the word after it, or NULL; *used_next tells whether it was the
 * value. */
static int read_option(const struct command *command, const char *word, const char *next,
                       struct settings *settings, bool *used_next) {
    struct written_option written = find_option(command, word);
    const struct option *option = written.option;
    *used_next = false;
    if (option == NULL) return refuse_unknown(command, &written);
    if (!(command->takes & option->group))
        return misuse(command, "%s is an option of other commands", written.name);
    if (option->argument == NULL && written.value != NULL)
        return misuse(command, "%s takes no value", written.name);
    if (option->argument == NULL) {
        *(bool *)((char *)settings + option->flag_offset) = true;
        return EXIT_SUCCESS;
    }
    if (written.value == NULL) {
        if (next == NULL)
            return misuse(command, "%s needs a value: %s %s", written.name, written.name,
                          option->argument);
        written.value = next;
        *used_next = true;
    }
    const char *needed = option->take(settings, written.value);
    if (needed != NULL)
        return misuse(command, "%s needs %s, not \"%s\"", written.name, needed, written.value);
    return EXIT_SUCCESS;
}

/* Whether FILE is said to be no CSV, by an option or its name. */
static bool has_no_columns(const struct settings *settings) {
    const of_reader_opts *reader = &settings->reader;
    size_t length = strlen(settings->operand);
    bool is_named_npy = length > 4 && strcmp(settings->operand + length - 4, ".npy") == 0;
    return reader->ndim > 0 || reader->format == OF_FORMAT_NPY || reader->format == OF_FORMAT_RAW ||
           (reader->format == OF_FORMAT_AUTO && is_named_npy);
}

/* The second array: a column, which makes FILE CSV, or a file of its own. */
static int settle_second(const struct command *command, struct settings *settings) {
    const char *second = settings->second;
    if (second == NULL) return EXIT_SUCCESS;
    if (strcmp(second, "-") == 0 && strcmp(settings->operand, "-") == 0)
        return misuse(command, "FILE and the other array are both standard input");
    if (operand_is_file(second)) return EXIT_SUCCESS;
    if (has_no_columns(settings))
        return misuse(
            command,
            "%s has no column \"%s\"; the name of a file ends in .npy, .csv, .tsv or .txt "
            "or has a / in it",
            settings->operand, second);
    if (settings->reader.skip_missing)
        return misuse(command, "--skip-missing cannot leave out the same lines of two columns");
    settings->reader.format = OF_FORMAT_CSV;
    return EXIT_SUCCESS;
}

/* Options that speak of one format choose it, and contradict the others. */
static int settle_format(const struct command *command, of_reader_opts *reader) {
    bool csv = reader->column != NULL || reader->delimiter != 0 || reader->skip_missing;
    bool raw = reader->ndim > 0;
    if (csv && (raw || reader->format == OF_FORMAT_NPY || reader->format == OF_FORMAT_RAW))
        return misuse(command, "--column, --delimiter and --skip-missing are for CSV alone");
    if (raw && (reader->format == OF_FORMAT_NPY || reader->format == OF_FORMAT_CSV))
        return misuse(command, "--shape is for raw data alone");
    if (csv) reader->format = OF_FORMAT_CSV;
    if (raw) reader->format = OF_FORMAT_RAW;
    if (reader->format == OF_FORMAT_RAW && reader->dtype == OF_DTYPE_NONE)
        return misuse(command, "raw data needs --dtype TYPE");
    return EXIT_SUCCESS;
}

int settings_read(const struct command *command, int word_count, char **words,
                  struct settings *settings) {
    *settings = (struct settings){0};
    bool options_ended = false;
    for (int i = 0; i < word_count; i++) {
        const char *word = words[i];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && is_option(word)) {
            bool used_next;
            const char *next = i + 1 < word_count ? words[i + 1] : NULL;
            int status = read_option(command, word, next, settings, &used_next);
            if (status != EXIT_SUCCESS) return status;
            if (settings->help) return EXIT_SUCCESS;
            if (used_next) i++;
        } else if (command->operand == NULL || settings->operand != NULL) {
            return refuse_operand(command, settings->operand, word);
        } else {
            settings->operand = word;
        }
    }
    if (settings->operand == NULL && (command->takes & TAKES_INPUT))
        return misuse(command, "FILE is missing");
    if (settings->dims.count > OF_MAX_DIMS)
        return misuse(command, "--dim was given %d times; an array has at most %d dimensions",
                      settings->dims.count, OF_MAX_DIMS);
    if (settings->dims.count > 1 && (command->takes & TAKES_ALONG))
        return misuse(command, "--dim was given %d times; it names one dimension",
                      settings->dims.count);
    int status = settle_second(command, settings);
    return status == EXIT_SUCCESS ? settle_format(command, &settings->reader) : status;
}
