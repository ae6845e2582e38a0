/* What each option does with its value, and the table of them. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

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

static const char *take_order(struct settings *settings, const char *value) {
    static const char *const names[] = {"1", "2", "inf"};
    static const double orders[] = {1, 2, INFINITY};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) != 0) continue;
        settings->order = orders[i];
        return NULL;
    }
    return "1, 2 or inf";
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

static const char *take_second(struct settings *settings, const char *value) {
    if (*value == '\0') return "a column or the name of a file";
    settings->second = value;
    return NULL;
}

static const char *take_scan_operation(struct settings *settings, const char *value) {
    of_operation *out = &settings->scan_operation;
    bool is_known = of_operation_parse(value, out, NULL) == OF_OK;
    bool has_scan = *out == OF_SUM || *out == OF_PROD || *out == OF_MIN || *out == OF_MAX;
    return is_known && has_scan ? NULL : "sum, prod, min or max";
}

static const char *take_group_operation(struct settings *settings, const char *value) {
    of_group_operation *out = &settings->group_operation;
    bool is_known = of_group_operation_parse(value, out, NULL) == OF_OK;
    return is_known ? NULL : "sum, min, max, mean, count, prod or variance";
}

static const char *take_segments(struct settings *settings, const char *value) {
    settings->segments_given = true;
    bool is_taken = read_whole_integer(value, 0, INT64_MAX, &settings->segments);
    return is_taken ? NULL : "a number from 0";
}

static const char *take_bins(struct settings *settings, const char *value) {
    bool is_taken = read_whole_integer(value, 1, INT32_MAX, &settings->bins);
    return is_taken ? NULL : "a number from 1 to 2147483647";
}

/* range = number "," number */
static const char *take_range(struct settings *settings, const char *value) {
    static const char needed[] = "two numbers with a comma between them";
    const char *comma = strchr(value, ',');
    char low[64];
    of_scalar ends[2];
    if (comma == NULL || (size_t)(comma - value) >= sizeof low) return needed;
    memcpy(low, value, (size_t)(comma - value));
    low[comma - value] = '\0';
    if (of_scalar_parse(low, OF_F64, &ends[0], NULL) != OF_OK ||
        of_scalar_parse(comma + 1, OF_F64, &ends[1], NULL) != OF_OK)
        return needed;
    settings->range_given = true;
    for (int i = 0; i < 2; i++) settings->range[i] = ends[i].as.f64;
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

static const char *take_file(const char **out, const char *value) {
    if (strcmp(value, "-") == 0 || *value == '\0') return "the name of a file";
    *out = value;
    return NULL;
}

static const char *take_output(struct settings *settings, const char *value) {
    return take_file(&settings->output, value);
}

static const char *take_second_output(struct settings *settings, const char *value) {
    return take_file(&settings->second_output, value);
}

static const char *take_svg(struct settings *settings, const char *value) {
    return take_file(&settings->svg, value);
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
