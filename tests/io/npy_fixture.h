/* .npy files made byte by byte, for the tests. */
#ifndef ONEFOLD_TESTS_IO_NPY_FIXTURE_H
#define ONEFOLD_TESTS_IO_NPY_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <onefold/onefold.h>

/* A file's bytes; grows as needed, never fails. Freed by npy_free. */
typedef struct npy_bytes {
    char *data;
    size_t size, capacity;
} npy_bytes;

void npy_append(npy_bytes *file, const void *bytes, size_t size);
void npy_free(npy_bytes *file);

/* Magic, version and a header of exactly this text. */
npy_bytes npy_with_header(int major, const char *header);

/* What a file of the tests holds. */
typedef struct npy_case {
    int major;         /* version */
    const char *descr; /* without quotes; its first character gives the byte order */
    size_t element_size;
    bool fortran;
    int ndim;
    int64_t shape[8];
} npy_case;

/* A whole file, whose element number k in row-major order has the bits npy_element(k,
 * element_size). */
npy_bytes npy_make(const npy_case *made);

/* The bits of an element: bytes that differ from each other and from element to element. */
uint64_t npy_element(int64_t k, size_t element_size);

/* How many elements a case has. */
int64_t npy_count(const npy_case *made);

/* Loads a file with a header of this text and `data_size` bytes of zeros behind it. */
of_status npy_load_text(int major, const char *header, size_t data_size, of_dtype dtype,
                        of_array **out, of_error *err);

#endif
