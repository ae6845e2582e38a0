#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/suggest.h"

/* ---- What each option does with its value ---- */

static const char type_needed[] = "one of the types"
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) " " #name
#include <onefold/dtypes.def>
#undef OF_DTYPE
    ;

/* Reads a decimal number from the start of a text; blanks are refused. Returns what follows it,
 * NULL on failure. */
static const char *read_integer(const char *text, int64_t least, int64_t most, int64_t *out) {
    const char *digits = *text == '-' ? text + 1 : text;
    if (*digits < '0' || *digits > '9') return NULL;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno == ERANGE || value < least || value > most) return NULL;
    *out = value;
    return end;
}

static bool read_whole_integer(const char *text, int64_t least, int64_t most, int64_t *out) {
    const char *end = read_integer(text, least, most, out);
    return end != NULL && *end == '\0';
}

static const char *take_dim(struct settings *settings, const char *value) {
    int64_t dim;
    if (!read_whole_integer(value, INT_MIN, INT_MAX, &dim)) return "an integer";
    of_dims *dims = &settings->dims;
    if (dims->count < OF_MAX_DIMS) dims->axis[dims->count] = (int)dim;
    dims->given = true;
    dims->count++;
    return NULL;
}

static const char *take_acc(struct settings *settings, const char *value) {
    return of_dtype_parse(value, &settings->acctype, NULL) == OF_OK ? NULL : type_needed;
}

static const char *take_dtype(struct settings *settings, const char *value) {
    return of_dtype_parse(value, &settings->reader.dtype, NULL) == OF_OK ? NULL : type_needed;
}

static const char *take_format(struct settings *settings, const char *value) {
    static const char *const names[] = {
        [OF_FORMAT_NPY] = "npy", [OF_FORMAT_RAW] = "raw", [OF_FORMAT_CSV] = "csv"};
    for (int format = OF_FORMAT_NPY; format <= OF_FORMAT_CSV; format++) {
        if (strcmp(value, names[format]) != 0) continue;
        settings->reader.format = (of_format)format;
        return NULL;
    }
    return "npy, raw or csv";
}

static const char *take_shape(struct settings *settings, const char *value) {
    static const char needed[] = "1 to 8 sizes with commas between them";
    of_reader_opts *reader = &settings->reader;
    reader->ndim = 0;
    for (const char *at = value;; at++) {
        if (reader->ndim == OF_MAX_DIMS) return needed;
        at = read_integer(at, -1, INT64_MAX, &reader->shape[reader->ndim++]);
        if (at == NULL || (*at != ',' && *at != '\0')) return needed;
        if (*at == '\0') return NULL;
    }
}

static const char *take_column(struct settings *settings, const char *value) {
    settings->reader.column = value;
    return NULL;
}

static const char *take_delimiter(struct settings *settings, const char *value) {
    bool tab = strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0;
    if (!tab && strlen(value) != 1) return "one character, or tab";
    settings->reader.delimiter = tab ? '\t' : value[0];
    return NULL;
}

static const char *take_threads(struct settings *settings, const char *value) {
    int64_t count;
    if (!read_whole_integer(value, 1, 1024, &count)) return "a number from 1 to 1024";
    settings->threads = (int)count;
    return NULL;
}

static const char *take_isa(struct settings *settings, const char *value) {
    settings->isa = value;
    return NULL;
}

static const char *take_device(struct settings *settings, const char *value) {
    settings->device = value;
    return NULL;
}

static const char *take_output(struct settings *settings, const char *value) {
    if (strcmp(value, "-") == 0 || *value == '\0') return "the name of a file";
    settings->output = value;
    return NULL;
}

static const char *take_size(struct settings *settings, const char *value) {
    int64_t mebibytes;
    if (!read_whole_integer(value, 1, 65536, &mebibytes)) return "a number from 1 to 65536";
    settings->mebibytes = (int)mebibytes;
    return NULL;
}

const struct option options[] = {
#define OPTION(field, GROUP, name, letter, argument, sentences)                                    \
    {TAKES_##GROUP, name, letter, argument, sentences, take_##field, 0},
#define FLAG(field, GROUP, name, letter, sentences)                                                \
    {TAKES_##GROUP, name, letter, NULL, sentences, NULL, offsetof(struct settings, field)},
#include "cli/options.def"
#undef OPTION
#undef FLAG
};
const int option_count = (int)(sizeof options / sizeof options[0]);

/* ---- Reading a command line ---- */

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

/* word = "--" name ["=" value] | "-" letter [value] */
static struct written_option find_option(const char *word) {
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
        if (is_long || is_short) found.option = option;
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
    struct written_option written = find_option(word);
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
    return settle_format(command, &settings->reader);
}
