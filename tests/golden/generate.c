/* Writes golden.txt to standard output, from the reference: no code of the library is linked in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/golden.h"
#include "reduce/data.h"
#include "reference/reference.h"

static const char *const dtype_names[] = {
    "none",
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) #name,
#include <onefold/dtypes.def>
#undef OF_DTYPE
};

static const char *const operation_names[] = {
#define OF_OPERATION(SYMBOL, name, meaning) #name,
#include <onefold/operations.def>
#undef OF_OPERATION
};

static const data_kind kinds[] = {
    DATA_normal,    DATA_raw, DATA_binades_174, DATA_cancelling_but_tiny,
    DATA_tie_above, DATA_nan, DATA_odd,         DATA_one_zero};

/* Elements first, first + step, ... of `elements`, packed. */
static void *every(const char *elements, size_t size, int64_t first, int64_t step, int64_t count) {
    char *slice = malloc((size_t)count * size + 1);
    if (!slice) exit(1);
    for (int64_t i = 0; i < count; i++)
        memcpy(slice + (size_t)i * size, elements + (size_t)(first + i * step) * size, size);
    return slice;
}

static uint64_t add_result(uint64_t hash, ref_call call) {
    of_scalar result;
    if (!ref_reduce(&call, &result)) return hash;
    return golden_hash(hash, &result.as.bits, ref_size(result.dtype));
}

static uint64_t add_size(uint64_t hash, of_operation operation, of_dtype dtype,
                         const char *elements, int64_t count) {
    ref_call call = {.operation = operation, .dtype = dtype, .elements = elements, .count = count};
    call.second_dtype = dtype; /* of two arrays both are these */
    call.second = elements;
    hash = add_result(hash, call);
    int64_t rows = count / GOLDEN_COLUMNS;
    size_t size = (size_t)ref_size(dtype);
    if (rows == 0) return hash;
    call.along_dims = true;
    call.count = rows;
    for (int64_t column = 0; column < GOLDEN_COLUMNS; column++) {
        void *slice = every(elements, size, column, GOLDEN_COLUMNS, rows);
        call.elements = call.second = slice;
        hash = add_result(hash, call);
        free(slice);
    }
    call.count = GOLDEN_COLUMNS;
    for (int64_t row = 0; row < rows; row++) {
        call.elements = call.second = elements + (size_t)(row * GOLDEN_COLUMNS) * size;
        hash = add_result(hash, call);
    }
    return hash;
}

static void write_lines(of_dtype dtype, data_kind kind) {
    uint64_t hash[OF_OPERATION_END];
    for (of_operation operation = 0; operation < OF_OPERATION_END; operation++)
        hash[operation] = GOLDEN_HASH_START;
    for (int i = 0; i < GOLDEN_SIZES; i++) {
        char *elements = malloc((size_t)(golden_sizes[i] * ref_size(dtype)));
        if (!elements) exit(1);
        data_fill(elements, dtype, kind, golden_sizes[i], GOLDEN_SEED);
        for (of_operation operation = 0; operation < OF_OPERATION_END; operation++)
            hash[operation] =
                add_size(hash[operation], operation, dtype, elements, golden_sizes[i]);
        free(elements);
    }
    for (of_operation operation = 0; operation < OF_OPERATION_END; operation++) {
        if (operation >= OF_VAR && kind != DATA_normal) continue; /* statistics: one line a type */
        printf("%s %s %s %016" PRIx64 "\n", operation_names[operation], dtype_names[dtype],
               data_kind_name(kind), hash[operation]);
    }
}

int main(void) {
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (data_kind_has(kinds[k], dtype)) write_lines(dtype, kinds[k]);
    return fflush(stdout) ? 1 : 0;
}
