/* stats: what one pass over FILE tells. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/message.h"

/* What is printed of an input. A field is a value or, where `value` is NULL, a number, -1 meaning
 * that there is none. */
struct field {
    const char *name;
    const of_scalar *value;
    int64_t number;
};

enum { FIELD_COUNT = 10 };

static bool is_absent(const struct field *field) {
    return field->value != NULL ? field->value->dtype == OF_DTYPE_NONE : field->number < 0;
}

static void print_text(const struct field *fields, of_dtype dtype, int ndim, const int64_t *shape) {
    printf("%-12s%s\n%-12s", "dtype", of_dtype_name(dtype), "shape");
    json_print_shape(ndim, shape);
    putchar('\n');
    for (int i = 0; i < FIELD_COUNT; i++) {
        char text[OF_SCALAR_TEXT_SIZE] = "none";
        if (!is_absent(&fields[i])) {
            of_scalar number = of_scalar_i64(fields[i].number);
            of_scalar_format(fields[i].value != NULL ? *fields[i].value : number, text);
        }
        printf("%-12s%s\n", fields[i].name, text);
    }
}

static void print_json_field(const struct field *field) {
    printf(",\"%s\":", field->name);
    if (is_absent(field))
        fputs("null", stdout);
    else if (field->value != NULL)
        json_print_scalar(*field->value);
    else
        printf("%" PRId64, field->number);
}

static void print_json(const struct field *fields, of_dtype dtype, int ndim, const int64_t *shape) {
    printf("{\"op\":\"stats\",\"dtype\":\"%s\",\"shape\":", of_dtype_name(dtype));
    json_print_shape(ndim, shape);
    for (int i = 0; i < FIELD_COUNT; i++) print_json_field(&fields[i]);
    fputs(",\"bits\":{", stdout);
    const char *comma = "";
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].value == NULL || is_absent(&fields[i])) continue;
        printf("%s\"%s\":", comma, fields[i].name);
        json_print_bits(*fields[i].value);
        comma = ",";
    }
    puts("}}");
}

static of_status take_piece(void *summarizer, const of_array *piece, of_error *err) {
    return of_summarizer_update(summarizer, piece, err);
}

static int summarize(struct input *input, of_summary *out) {
    of_error err = {0};
    of_summarizer *summarizer;
    if (of_summarizer_create(of_reader_dtype(input->reader), &summarizer, &err) != OF_OK)
        return fail(input->name, "%s", err.message);
    int status = input_read_pieces(input, take_piece, summarizer);
    if (status == EXIT_SUCCESS) of_summarizer_result(summarizer, out);
    of_summarizer_free(summarizer);
    return status;
}

static void print_summary(const struct input *input, const of_summary *summary, bool json) {
    const struct field fields[FIELD_COUNT] = {
        {"count", NULL, summary->count},   {"sum", &summary->sum, 0},
        {"mean", &summary->mean, 0},       {"min", &summary->min, 0},
        {"max", &summary->max, 0},         {"argmin", NULL, summary->argmin},
        {"argmax", NULL, summary->argmax}, {"zeros", NULL, summary->zeros},
        {"nans", NULL, summary->nans},     {"infinities", NULL, summary->infinities},
    };
    int64_t shape[OF_MAX_DIMS];
    int ndim = input_shape(input, shape);
    of_dtype dtype = of_reader_dtype(input->reader);
    (json ? print_json : print_text)(fields, dtype, ndim, shape);
}

int run_stats(const struct command *command, const struct settings *settings) {
    (void)command;
    struct input input;
    of_summary summary;
    int status = input_open(&input, settings);
    if (status != EXIT_SUCCESS) return status;
    status = summarize(&input, &summary);
    if (status == EXIT_SUCCESS) print_summary(&input, &summary, settings->json);
    input_close(&input);
    return status;
}
