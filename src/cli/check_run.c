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

static void hash_bytes(XXH3_state_t *hash, const void *bytes, size_t count) {
    (void)XXH3_64bits_update(hash, bytes, count);
}

/* That there is no minimum of nothing is a result too; other failures end the check. */
static of_status hash_failure(XXH3_state_t *hash, of_status status) {
    hash_bytes(hash, &status, sizeof status);
    return status == OF_ERR_VALUE ? OF_OK : status;
}

static of_status hash_scalar(XXH3_state_t *hash, const of_array *source, of_operation operation,
                             const of_reduce_opts *opts, of_error *err) {
    of_scalar result;
    of_status status = of_reduce_scalar(source, operation, opts, &result, err);
    if (status != OF_OK) return hash_failure(hash, status);
    hash_bytes(hash, &result.as, of_dtype_size(result.dtype));
    return OF_OK;
}

static of_status hash_array(XXH3_state_t *hash, const of_array *source, of_operation operation,
                            const of_reduce_opts *opts, of_error *err) {
    of_array *result;
    of_status status = of_reduce(source, operation, opts, &result, err);
    if (status != OF_OK) return hash_failure(hash, status);
    hash_bytes(hash, of_array_data(result), (size_t)of_array_nbytes(result));
    of_array_release(result);
    return OF_OK;
}

/* Reduces one array whole, along each dimension, along two, and with a type for the result. Along
 * the dimensions of large arrays would take long, and small ones tell as much. */
static of_status hash_reductions(XXH3_state_t *hash, const of_array *source, of_operation operation,
                                 of_error *err) {
    bool gives_index = operation == OF_ARGMIN || operation == OF_ARGMAX;
    bool takes_acctype = operation == OF_SUM || operation == OF_MEAN || operation == OF_PROD ||
                         operation == OF_ABSMAX;
    bool is_large = of_array_nbytes(source) >= LARGE_CHECK_BYTES;
    int dims = is_large ? 0 : of_array_ndim(source);
    of_status status = hash_scalar(hash, source, operation, NULL, err);
    if (status == OF_OK && takes_acctype && !is_large)
        status = hash_scalar(hash, source, operation, &(of_reduce_opts){.acctype = OF_F32}, err);
    for (int dim = 0; dim < dims && status == OF_OK; dim++)
        status = hash_array(hash, source, operation, &(of_reduce_opts){.dims = OF_DIMS(dim)}, err);
    if (status == OF_OK && dims == 3 && !gives_index)
        status = hash_array(hash, source, operation, &(of_reduce_opts){.dims = OF_DIMS(0, 2)}, err);
    return status;
}

/* All operations on one array before the next one: threads that were woken for a large array are
 * then not left to spin beside the work on small ones. */
static of_status run_dtype(const struct check_data *data, bool strided, XXH3_state_t *hash,
                           uint64_t parts[OF_OPERATION_END][MOST_CHECK_ARRAYS], of_error *err) {
    for (int i = 0; i < data->count; i++) {
        const of_array *source = strided ? data->strided[i] : data->dense[i];
        for (int operation = 0; operation < OF_OPERATION_END; operation++) {
            if (operation == OF_PROD && i == LARGE_WIDE_ARRAY) continue;
            (void)XXH3_64bits_reset(hash);
            of_status status = hash_reductions(hash, source, (of_operation)operation, err);
            if (status != OF_OK) return status;
            parts[operation][i] = XXH3_64bits_digest(hash);
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
        uint64_t parts[OF_OPERATION_END][MOST_CHECK_ARRAYS] = {{0}};
        status = run_dtype(&data[dtype], way->strided, hash, parts, err);
        if (status != OF_OK) break;
        size_t bytes = (size_t)data[dtype].count * sizeof parts[0][0];
        for (int operation = 0; operation < OF_OPERATION_END; operation++)
            out->hash[operation][dtype][number] = XXH3_64bits(parts[operation], bytes);
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

bool check_agrees(const struct check_outcome *outcome, of_operation operation, of_dtype dtype) {
    const uint64_t *hash = outcome->hash[operation][dtype];
    for (int i = 1; i < outcome->way_count; i++)
        if (hash[i] != hash[0]) return false;
    return true;
}

uint64_t check_fingerprint(const struct check_outcome *outcome) {
    uint64_t all[OF_OPERATION_END * (OF_DTYPE_END - 1)];
    int count = 0;
    for (int operation = 0; operation < OF_OPERATION_END; operation++)
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
            all[count++] = outcome->hash[operation][dtype][0];
    return XXH3_64bits(all, sizeof all);
}
