#include "io/npy_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file_fixture.h"

void npy_append(npy_bytes *file, const void *bytes, size_t size) {
    while (file->size + size >= file->capacity) {
        file->capacity = 2 * file->capacity + 64;
        file->data = realloc(file->data, file->capacity);
    }
    if (size > 0) memcpy(file->data + file->size, bytes, size);
    file->size += size;
}

void npy_free(npy_bytes *file) {
    free(file->data);
    *file = (npy_bytes){0};
}

npy_bytes npy_with_header(int major, const char *header) {
    npy_bytes file = {0};
    size_t length = strlen(header);
    const unsigned char prefix[12] = {0x93,
                                      'N',
                                      'U',
                                      'M',
                                      'P',
                                      'Y',
                                      (unsigned char)major,
                                      0,
                                      length & 0xff,
                                      length >> 8 & 0xff,
                                      length >> 16 & 0xff,
                                      length >> 24 & 0xff};
    npy_append(&file, prefix, major == 1 ? 10 : 12);
    npy_append(&file, header, length);
    return file;
}

uint64_t npy_element(int64_t k, size_t element_size) {
    uint64_t bits = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u;
    return bits >> (64 - 8 * element_size);
}

int64_t npy_count(const npy_case *made) {
    int64_t count = 1;
    for (int dim = 0; dim < made->ndim; dim++) count *= made->shape[dim];
    return count;
}

/* The row-major number of the element that stands at `place` in the file. */
static int64_t number_at(const npy_case *made, int64_t place) {
    if (!made->fortran) return place;
    int64_t number = 0, weight = npy_count(made);
    for (int dim = 0; dim < made->ndim; dim++) {
        weight /= made->shape[dim];
        number += place % made->shape[dim] * weight;
        place /= made->shape[dim];
    }
    return number;
}

npy_bytes npy_make(const npy_case *made) {
    char shape[200] = "", header[400];
    for (int dim = 0; dim < made->ndim; dim++)
        sprintf(shape + strlen(shape), "%lld, ", (long long)made->shape[dim]);
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n",
             made->descr, made->fortran ? "True" : "False", shape);
    npy_bytes file = npy_with_header(made->major, header);
    for (int64_t place = 0; place < npy_count(made); place++) {
        uint64_t bits = npy_element(number_at(made, place), made->element_size);
        unsigned char bytes[8];
        for (size_t i = 0; i < made->element_size; i++) {
            size_t low_first = made->descr[0] == '>' ? made->element_size - 1 - i : i;
            bytes[i] = (unsigned char)(bits >> (8 * low_first));
        }
        npy_append(&file, bytes, made->element_size);
    }
    return file;
}

of_status npy_load_text(int major, const char *header, size_t data_size, of_dtype dtype,
                        of_array **out, of_error *err) {
    npy_bytes file = npy_with_header(major, header);
    char *zeros = calloc(1, data_size + 1);
    npy_append(&file, zeros, data_size);
    free(zeros);
    const char *path = fixture_file("text.npy", file.data, file.size);
    npy_free(&file);
    return of_npy_load(path, NULL, dtype, out, err);
}
