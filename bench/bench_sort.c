/* Sorting of every width of key, random and close together, and what goes with it; beside a plain
 * radix sort, and a copy of the keys. */
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "plain.h"
#include "suites.h"

/* A call of one of the functions. */
struct call {
    const of_array *keys, *second; /* values, indices, or more keys */
};

static void sort(void *context) {
    const struct call *call = context;
    of_array *out;
    of_error err;
    require(of_sort(call->keys, NULL, &out, &err), &err);
    of_array_release(out);
}

static void argsort(void *context) {
    const struct call *call = context;
    of_array *out;
    of_error err;
    require(of_argsort(call->keys, NULL, &out, &err), &err);
    of_array_release(out);
}

static void sort_by_key(void *context) {
    const struct call *call = context;
    of_array *keys, *values;
    of_error err;
    require(of_sort_by_key(call->keys, call->second, NULL, &keys, &values, &err), &err);
    of_array_release(keys);
    of_array_release(values);
}

static void top_1000(void *context) {
    const struct call *call = context;
    of_array *values, *indices;
    of_error err;
    int64_t size = of_array_size(call->keys);
    require(of_top_k(call->keys, size < 1000 ? size : 1000, NULL, &values, &indices, &err), &err);
    of_array_release(values);
    of_array_release(indices);
}

static void gather(void *context) {
    const struct call *call = context;
    of_array *out;
    of_error err;
    require(of_gather(call->keys, call->second, NULL, &out, &err), &err);
    of_array_release(out);
}

static void search(void *context) {
    const struct call *call = context;
    of_array *out;
    of_error err;
    require(of_searchsorted(call->keys, call->second, NULL, &out, &err), &err);
    of_array_release(out);
}

static void merge(void *context) {
    const struct call *call = context;
    of_array *out;
    of_error err;
    require(of_merge(call->keys, call->second, NULL, &out, &err), &err);
    of_array_release(out);
}

/* The argsort of i32 keys that everybody writes: four passes over keys and indices, 8 bits each. */
static void plain_argsort(void *context) {
    const struct call *call = context;
    const size_t n = (size_t)of_array_size(call->keys);
    const uint32_t *x = of_array_data(call->keys);
    uint32_t *memory = malloc(n * 4 * sizeof *memory);
    if (memory == NULL) return;
    uint32_t *key = memory, *index = key + n, *to_key = index + n, *to_index = to_key + n;
    for (size_t i = 0; i < n; i++) key[i] = x[i] ^ 0x80000000u, index[i] = (uint32_t)i;
    for (int shift = 0; shift < 32; shift += 8) {
        size_t place[257] = {0};
        for (size_t i = 0; i < n; i++) place[(key[i] >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++) place[digit + 1] += place[digit];
        for (size_t i = 0; i < n; i++) {
            size_t at = place[key[i] >> shift & 255]++;
            to_key[at] = key[i];
            to_index[at] = index[i];
        }
        uint32_t *swap = key;
        key = to_key, to_key = swap;
        swap = index;
        index = to_index, to_index = swap;
    }
    __asm__ volatile("" ::"r"(index) : "memory");
    free(memory);
}

static void compare_call(const char *operation, const char *data, void (*run)(void *),
                         struct call *call, int64_t bytes, const struct effort *effort) {
    of_dtype dtype = of_array_dtype(call->keys);
    of_error err;
    for (int threads = 1; threads <= effort->threads; threads *= 2) {
        require(of_threads_set(threads, &err), &err);
        struct plain reader = {plain_reader_of(dtype), call->keys, threads};
        struct row row = {
            .suite = "sort",
            .operation = operation,
            .data = data,
            .source = call->keys,
            .dim = ALL_DIMS,
            .bytes = bytes,
            .repeats = 1,
            .ours = {run, call},
            .limit = {run_plain, &reader},
        };
        if (run == argsort && dtype == OF_I32 && threads == 1) {
            row.peer = "plain radix sort";
            row.other = (struct side){plain_argsort, call};
        }
        compare(&row, effort);
    }
}

static void sort_keys(const of_array *keys, const char *data, const struct effort *effort) {
    int64_t bytes = of_array_nbytes(keys), indices = 4 * of_array_size(keys);
    struct call call = {keys, keys};
    compare_call("argsort", data, argsort, &call, bytes + indices, effort);
    compare_call("sort", data, sort, &call, 2 * bytes, effort);
    compare_call("sort_by_key", data, sort_by_key, &call, 4 * bytes, effort);
    compare_call("top_1000", data, top_1000, &call, bytes, effort);
}

/* With an order and sorted keys, which the other functions start from. */
static void use_order(const of_array *keys, const char *data, const struct effort *effort) {
    int64_t bytes = of_array_nbytes(keys), indices = 4 * of_array_size(keys);
    of_array *order, *sorted;
    of_error err;
    require(of_argsort(keys, NULL, &order, &err), &err);
    require(of_sort(keys, NULL, &sorted, &err), &err);
    compare_call("gather", data, gather, &(struct call){keys, order}, 2 * bytes + indices, effort);
    compare_call("searchsorted", data, search, &(struct call){sorted, keys}, 2 * bytes + indices,
                 effort);
    compare_call("merge", data, merge, &(struct call){sorted, sorted}, 4 * bytes, effort);
    of_array_release(order);
    of_array_release(sorted);
}

/* The low 16 bits of each key: ids, as of the points of a mesh. */
static of_array *make_ids(const of_array *keys) {
    of_array *ids;
    of_error err;
    require(of_array_copy(keys, &ids, &err), &err);
    int32_t *id = of_array_mutable_data(ids);
    for (int64_t i = 0; i < of_array_size(ids); i++) id[i] &= 0xffff;
    return ids;
}

void bench_sort(const struct effort *effort) {
    static const of_dtype dtypes[] = {OF_I32, OF_I64, OF_F32, OF_F64, OF_I16, OF_U8};
    for (int i = 0; i < 6; i++) {
        distribution data = of_dtype_is_float(dtypes[i]) ? NORMAL : UNIFORM;
        int64_t count = long_count(dtypes[i], effort);
        if (count > 10000000) count = 10000000;
        of_array *keys = make_dataset(dtypes[i], 1, &count, data);
        sort_keys(keys, distribution_name(data), effort);
        if (dtypes[i] == OF_I32) {
            use_order(keys, distribution_name(data), effort);
            of_array *ids = make_ids(keys);
            sort_keys(ids, "16-bit-ids", effort);
            of_array_release(ids);
        }
        of_array_release(keys);
    }
}
