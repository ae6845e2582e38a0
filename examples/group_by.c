/*
 * Groups the rows of a CSV file by a column of text, and prints what another column holds in each of
 * the largest groups.
 *
 *     group_by FILE.csv KEY VALUE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <onefold/onefold.h>

enum { MOST_ROWS = 12 };

static const of_group_operation operations[] = {OF_GROUP_COUNT, OF_GROUP_MEAN, OF_GROUP_MIN,
                                                OF_GROUP_MAX};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* The keys of all groups, the answers of the operations for each, and the groups by size. */
typedef struct groups {
    of_array *keys, *answers[OPERATIONS], *order;
} groups;

static of_status read_numbers(const char *path, const char *column, of_array **out, of_error *err) {
    of_reader_opts opts = {.format = OF_FORMAT_CSV, .column = column};
    of_reader *reader;
    of_status status = of_reader_open(path, &opts, &reader, err);
    if (status != OF_OK) return status;
    status = of_reader_all(reader, out, err);
    of_reader_close(reader);
    return status;
}

/* Sorting brings equal keys together, and their values with them; runs of equal keys are reduced. */
static of_status group(const of_array *keys, const of_array *values, groups *out, of_error *err) {
    of_array *sorted_keys = NULL, *sorted_values = NULL;
    of_sort_opts largest_first = {.descending = true};

    of_status status = of_sort_by_key(keys, values, NULL, &sorted_keys, &sorted_values, err);
    if (status == OF_OK) status = of_unique(sorted_keys, NULL, &out->keys, NULL, NULL, NULL, err);
    for (int i = 0; i < OPERATIONS && status == OF_OK; i++)
        status = of_reduce_by_key(sorted_keys, sorted_values, operations[i], NULL, NULL,
                                  &out->answers[i], err);
    if (status == OF_OK) status = of_argsort(out->answers[0], &largest_first, &out->order, err);

    of_array_release(sorted_values);
    of_array_release(sorted_keys);
    return status;
}

static void print_group(const groups *groups, int64_t number, const of_names *names) {
    printf("%-16s", of_names_at(names, ((const int64_t *)of_array_data(groups->keys))[number]));
    for (int i = 0; i < OPERATIONS; i++) {
        of_scalar answer;
        if (of_array_get(groups->answers[i], &number, &answer, NULL) == OF_OK)
            printf("%12.6g", of_scalar_to_f64(answer));
    }
    puts("");
}

static void print_groups(const char *key, const groups *groups, const of_names *names) {
    printf("%-16s", key);
    for (int i = 0; i < OPERATIONS; i++) printf("%12s", of_group_operation_name(operations[i]));
    puts("");
    int64_t count = of_array_size(groups->order);
    const int32_t *order = of_array_data(groups->order);
    for (int64_t i = 0; i < count && i < MOST_ROWS; i++) print_group(groups, order[i], names);
    if (count > MOST_ROWS) printf("and %" PRId64 " more\n", count - MOST_ROWS);
}

static of_status run(const char *path, const char *key, const char *value, of_error *err) {
    of_array *keys = NULL, *values = NULL;
    of_names *names = NULL;
    of_reader_opts key_column = {.column = key};
    groups groups = {0};

    of_status status = of_names_load(path, &key_column, &keys, &names, err);
    if (status == OF_OK) status = read_numbers(path, value, &values, err);
    if (status == OF_OK) status = group(keys, values, &groups, err);
    if (status == OF_OK) print_groups(key, &groups, names);

    of_array_release(groups.order);
    for (int i = 0; i < OPERATIONS; i++) of_array_release(groups.answers[i]);
    of_array_release(groups.keys);
    of_array_release(values);
    of_array_release(keys);
    of_names_free(names);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: group_by FILE.csv KEY VALUE\n", stderr);
        return 2;
    }
    of_error err = {0};
    if (run(argv[1], argv[2], argv[3], &err) != OF_OK) {
        fprintf(stderr, "group_by: %s\n", err.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
