#include "cli/check_run.h"

#include <string.h>
#include <xxhash.h>

#include "cli/check_data.h"

/* Thread counts outermost: to change them is slow. */
static void list_ways(const char *only_isa, int only_threads, struct check_outcome *out) {
    static const int usual[] = {1, 2, 3, 7};
    const int *threads = only_threads > 0 ? &only_threads : usual;
    const int counts = only_threads > 0 ? 1 : 4;
    const char *isa;
    out->way_count = 0;
    for (int t = 0; t < counts; t++) {
        for (int i = 0; (isa = of_isa_at(i)) != NULL; i++) {
            if (only_isa != NULL && strcmp(isa, only_isa) != 0) continue;
            for (int strided = 0; strided < 2 && out->way_count < MOST_WAYS; strided++)
                out->ways[out->way_count++] = (struct way){isa, threads[t], strided};
        }
    }
}

/* All items on one array before the next one: threads that were woken for a large array are then not
 * left to spin beside the work on small ones. */
static of_status run_dtype(const struct check_data *data, bool strided, XXH3_state_t *hash,
                           uint64_t parts[CHECK_ITEM_COUNT][MOST_CHECK_ARRAYS], of_error *err) {
    for (int i = 0; i < data->count; i++) {
        of_array *array = strided ? data->strided[i] : data->dense[i];
        const struct check_source source = {.array = array,
                                            .is_large = of_array_nbytes(array) >= LARGE_CHECK_BYTES,
                                            .is_wide = i == LARGE_WIDE_ARRAY};
        for (int item = 0; item < CHECK_ITEM_COUNT; item++) {
            (void)XXH3_64bits_reset(hash);
            of_status status = check_items[item].hash(hash, &check_items[item], &source, err);
            if (status != OF_OK) return status;
            parts[item][i] = XXH3_64bits_digest(hash);
        }
    }
    return OF_OK;
}

static of_status run_way(const struct check_data *data, int number, XXH3_state_t *hash,
                         struct check_outcome *out, of_error *err) {
    const struct way *way = &out->ways[number];
    of_status status = of_isa_set(way->isa, err);
    if (status == OF_OK) status = of_threads_set(way->threads, err);
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END && status == OF_OK; dtype++) {
        uint64_t parts[CHECK_ITEM_COUNT][MOST_CHECK_ARRAYS] = {{0}};
        status = run_dtype(&data[dtype], way->strided, hash, parts, err);
        if (status != OF_OK) break;
        size_t bytes = (size_t)data[dtype].count * sizeof parts[0][0];
        for (int item = 0; item < CHECK_ITEM_COUNT; item++)
            out->hash[item][dtype][number] = XXH3_64bits(parts[item], bytes);
    }
    return status;
}

of_status check_run(const char *only_isa, int only_threads, struct check_outcome *out,
                    of_error *err) {
    struct check_data data[OF_DTYPE_END] = {0};
    XXH3_state_t *hash = XXH3_createState();
    if (hash == NULL) return OF_ERR_MEMORY;
    list_ways(only_isa, only_threads, out);
    of_status status = OF_OK;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END && status == OF_OK; dtype++)
        status = check_data_create(dtype, &data[dtype], err);
    for (int i = 0; i < out->way_count && status == OF_OK; i++)
        status = run_way(data, i, hash, out, err);
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) check_data_free(&data[dtype]);
    (void)XXH3_freeState(hash);
    return status;
}

bool check_agrees(const struct check_outcome *outcome, int item, of_dtype dtype) {
    const uint64_t *hash = outcome->hash[item][dtype];
    for (int i = 1; i < outcome->way_count; i++)
        if (hash[i] != hash[0]) return false;
    return true;
}

uint64_t check_fingerprint(const struct check_outcome *outcome) {
    uint64_t all[CHECK_ITEM_COUNT * (OF_DTYPE_END - 1)];
    int count = 0;
    for (int item = 0; item < CHECK_ITEM_COUNT; item++)
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
            all[count++] = outcome->hash[item][dtype][0];
    return XXH3_64bits(all, sizeof all);
}
