/* unique, reduce-by-key and compact: what is next to each other in FILE, or flagged. */
#include <inttypes.h>
#include <stdlib.h>

#include <onefold/compact.h>
#include <onefold/runs.h>
#include <onefold/sort.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"

static int sort_keys(const struct settings *settings, of_array **keys) {
    of_error err = {0};
    of_array *sorted;
    if (of_sort(*keys, NULL, &sorted, &err) != OF_OK)
        return fail(operand_name(settings), "%s", err.message);
    of_array_release(*keys);
    *keys = sorted;
    return EXIT_SUCCESS;
}

static int find_unique(const struct command *command, const struct settings *settings,
                       const of_array *all, const of_names *names) {
    of_array *keys = NULL, *counts = NULL;
    of_error err = {0};
    bool wants_counts = settings->counts || settings->second_output != NULL;
    if (of_unique(all, NULL, &keys, wants_counts ? &counts : NULL, NULL, NULL, &err) != OF_OK)
        return fail(operand_name(settings), "%s", err.message);
    const struct result result = {.parts = {{"key", keys, settings->output, names},
                                            {"count", counts, settings->second_output, NULL}},
                                  .count = wants_counts ? 2 : 1};
    int status = output_check_size(settings, operand_name(settings), of_array_size(keys));
    if (status == EXIT_SUCCESS) status = output_deliver(command->name, settings, &result);
    of_array_release(keys);
    of_array_release(counts);
    return status;
}

int run_unique(const struct command *command, const struct settings *settings) {
    of_array *keys = NULL;
    of_names *names = NULL;
    int status = operand_read_keys(settings, &keys, &names);
    if (status == EXIT_SUCCESS && settings->sort_first) status = sort_keys(settings, &keys);
    if (status == EXIT_SUCCESS) status = find_unique(command, settings, keys, names);
    of_names_free(names);
    of_array_release(keys);
    return status;
}

/* ---- Two arrays ---- */

/* Sorts the keys, and the values with them. */
static int sort_both(const struct settings *settings, of_array **keys, of_array **values) {
    of_array *sorted_keys, *sorted_values;
    of_error err = {0};
    if (of_sort_by_key(*keys, *values, NULL, &sorted_keys, &sorted_values, &err) != OF_OK)
        return fail(operand_name(settings), "%s", err.message);
    of_array_release(*keys);
    of_array_release(*values);
    *keys = sorted_keys;
    *values = sorted_values;
    return EXIT_SUCCESS;
}

static int reduce_groups(const struct command *command, const struct settings *settings,
                         const of_array *all_keys, const of_names *names, const of_array *values) {
    of_array *keys = NULL, *results = NULL;
    of_error err = {0};
    of_group_operation operation = settings->group_operation;
    if (of_reduce_by_key(all_keys, values, operation, NULL, &keys, &results, &err) != OF_OK)
        return fail(operand_name(settings), "%s", err.message);
    const struct result result = {
        .parts = {{"key", keys, settings->second_output, names},
                  {of_group_operation_name(operation), results, settings->output, NULL}},
        .count = 2,
        .main = 1};
    int status = output_check_size(settings, operand_name(settings), of_array_size(keys));
    if (status == EXIT_SUCCESS) status = output_deliver(command->name, settings, &result);
    of_array_release(keys);
    of_array_release(results);
    return status;
}

/* The values of FILE, one for each key; where they are only counted, the keys do as well. */
static int read_values(const struct settings *settings, of_array *keys, of_array **values) {
    if (settings->group_operation == OF_GROUP_COUNT) {
        *values = of_array_retain(keys);
        return EXIT_SUCCESS;
    }
    int status = operand_read(settings, OF_DTYPE_NONE, values);
    if (status != EXIT_SUCCESS || of_array_size(*values) == of_array_size(keys)) return status;
    return fail(operand_name(settings), "there are %" PRId64 " values and %" PRId64 " keys",
                of_array_size(*values), of_array_size(keys));
}

int run_reduce_by_key(const struct command *command, const struct settings *settings) {
    of_array *keys = NULL, *values = NULL;
    of_names *names = NULL;
    if (settings->second == NULL) return misuse(command, "%s is missing", command->needs);
    int status = operand_read_second_keys(settings, &keys, &names);
    if (status == EXIT_SUCCESS) status = read_values(settings, keys, &values);
    if (status == EXIT_SUCCESS && settings->sort_first)
        status = sort_both(settings, &keys, &values);
    if (status == EXIT_SUCCESS) status = reduce_groups(command, settings, keys, names, values);
    of_names_free(names);
    of_array_release(values);
    of_array_release(keys);
    return status;
}

int run_compact(const struct command *command, const struct settings *settings) {
    of_array *all = NULL, *flags = NULL, *kept = NULL;
    of_error err = {0};
    if (settings->second == NULL) return misuse(command, "%s is missing", command->needs);
    int status = operand_read_second(settings, OF_BOOL, &flags);
    if (status == EXIT_SUCCESS) status = operand_read(settings, OF_DTYPE_NONE, &all);
    if (status == EXIT_SUCCESS && of_compact(all, flags, NULL, &kept, &err) != OF_OK)
        status = fail(operand_name(settings), "%s", err.message);
    if (status == EXIT_SUCCESS)
        status = output_check_size(settings, operand_name(settings), of_array_size(kept));
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, kept);
    of_array_release(kept);
    of_array_release(flags);
    of_array_release(all);
    return status;
}
