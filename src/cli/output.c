#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/message.h"
#include "cli/table.h"
#include "cli/terminal.h"

enum { MOST_ON_TERMINAL = 1000 };

int output_check_size(const struct settings *settings, const char *name, int64_t size) {
    if (settings->output != NULL || size <= MOST_ON_TERMINAL || !terminal_is_there())
        return EXIT_SUCCESS;
    return fail(name,
                "the result has %" PRId64 " elements, more than the %d that are printed on a "
                "terminal; write it to a file with -o OUT.npy",
                size, MOST_ON_TERMINAL);
}

static void print_names(const struct part *part) {
    const int64_t *numbers = of_array_data(part->array);
    putchar('[');
    for (int64_t i = 0; i < of_array_size(part->array) && !ferror(stdout); i++) {
        if (i > 0) putchar(',');
        json_print_string(of_names_at(part->names, numbers[i]));
    }
    putchar(']');
}

/* Type, shape and values of an array, as members of an object. */
static void print_members(const struct part *part) {
    bool is_text = part->names != NULL;
    printf("\"dtype\":\"%s\",\"shape\":",
           is_text ? "text" : of_dtype_name(of_array_dtype(part->array)));
    json_print_shape(of_array_ndim(part->array), of_array_shape(part->array));
    if (part->file != NULL) {
        fputs(",\"file\":", stdout);
        json_print_string(part->file);
    } else if (is_text) {
        fputs(",\"value\":", stdout);
        print_names(part);
    } else {
        fputs(",\"value\":", stdout);
        json_print_array(part->array);
        fputs(",\"bits\":", stdout);
        json_print_array_bits(part->array);
    }
}

static void print_json(const char *operation, const struct result *result) {
    printf("{\"op\":\"%s\",", operation);
    print_members(&result->parts[result->main]);
    for (int i = 0; i < result->count; i++) {
        if (i == result->main) continue;
        printf(",\"%s\":{", result->parts[i].name);
        print_members(&result->parts[i]);
        putchar('}');
    }
    puts("}");
}

/* The parts that are printed stand side by side under their names, or one alone without. */
static void print_text(const struct result *result) {
    struct column columns[MOST_COLUMNS];
    int printed = 0;
    for (int i = 0; i < result->count; i++) {
        const struct part *part = &result->parts[i];
        if (part->file == NULL)
            columns[printed++] = (struct column){part->name, part->array, part->names};
    }
    if (printed == 1) columns[0].title = NULL;
    if (printed == 1 && columns[0].names == NULL)
        table_print(columns[0].array);
    else if (printed > 0)
        table_print_columns(columns, printed);
}

static int save(const struct part *part) {
    of_error err = {0};
    if (part->names != NULL) return fail(part->file, "a .npy file cannot hold text");
    if (of_npy_save(part->file, part->array, &err) == OF_OK) return EXIT_SUCCESS;
    return fail(NULL, "%s", err.message);
}

int output_deliver(const char *operation, const struct settings *settings,
                   const struct result *result) {
    for (int i = 0; i < result->count; i++)
        if (result->parts[i].file != NULL && save(&result->parts[i]) != EXIT_SUCCESS)
            return EXIT_FAILURE;
    if (settings->json)
        print_json(operation, result);
    else
        print_text(result);
    return EXIT_SUCCESS;
}

int output_deliver_array(const char *operation, const struct settings *settings,
                         const of_array *array) {
    const struct result whole = {.parts = {{"result", array, settings->output, NULL}}, .count = 1};
    return output_deliver(operation, settings, &whole);
}
