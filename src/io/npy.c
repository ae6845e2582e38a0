#include "io/npy.h"

#include <string.h>

#include <onefold/io.h>

#include "array/array_internal.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "io/file_elements.h"
#include "io/npy_header.h"

/* Far beyond what 8 dimensions need; a longer one is a mistake or an attack. */
#define MOST_HEADER_BYTES (1 << 20)

of_status of__npy_detect(of__source *source, bool *is_npy, of_error *err) {
    const char *bytes;
    int got;
    OF_TRY(of__source_peek(source, OF__NPY_MAGIC_SIZE, &bytes, &got, err));
    *is_npy = got == OF__NPY_MAGIC_SIZE && memcmp(bytes, OF__NPY_MAGIC, OF__NPY_MAGIC_SIZE) == 0;
    return OF_OK;
}

static of_status check_magic(of__source *source, of_error *err) {
    const char *bytes;
    int got;
    OF_TRY(of__source_peek(source, OF__NPY_MAGIC_SIZE, &bytes, &got, err));
    if (got == 0) return of__source_fail(source, err, OF_ERR_FORMAT, "the file is empty");
    if (memcmp(bytes, OF__NPY_MAGIC, (size_t)got) == 0) return OF_OK;
    return of__source_fail(source, err, OF_ERR_FORMAT,
                           "not a .npy file: it does not start with \\x93NUMPY");
}

/* Reads bytes that every .npy file has. */
static of_status read_all(of__source *source, void *buffer, int64_t size, const char *what,
                          of_error *err) {
    int64_t got;
    OF_TRY(of__source_read(source, buffer, size, &got, err));
    if (got == size) return OF_OK;
    return of__source_fail(source, err, OF_ERR_FORMAT,
                           "the file ends after %lld bytes, inside the .npy %s",
                           (long long)source->position, what);
}

/* prefix = magic, major version, minor version, header length (2 bytes; from version 2 on 4) */
static of_status read_prefix(of__source *source, int64_t *header_length, of_error *err) {
    unsigned char prefix[OF__NPY_PREFIX_SIZE + 2];
    OF_TRY(check_magic(source, err));
    OF_TRY(read_all(source, prefix, OF__NPY_PREFIX_SIZE, "prefix", err));
    int major = prefix[6], minor = prefix[7];
    if (major < 1 || major > 3 || minor != 0) {
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "version %d.%d of .npy is not one of 1.0, 2.0 and 3.0", major,
                               minor);
    }
    *header_length = prefix[8] | prefix[9] << 8;
    if (major == 1) return OF_OK;
    OF_TRY(read_all(source, prefix + OF__NPY_PREFIX_SIZE, 2, "prefix", err));
    *header_length |= (int64_t)prefix[10] << 16 | (int64_t)prefix[11] << 24;
    return OF_OK;
}

of_status of__npy_begin(of__source *source, of_dtype dtype, of__file_layout *layout,
                        of_error *err) {
    int64_t length = 0;
    OF_TRY(read_prefix(source, &length, err));
    if (length > MOST_HEADER_BYTES) {
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "a .npy header of %lld bytes is longer than %d", (long long)length,
                               MOST_HEADER_BYTES);
    }
    char *text = of__alloc((size_t)length);
    if (text == NULL) {
        return of__fail(err, OF_ERR_MEMORY, "%lld bytes for a .npy header could not be allocated",
                        (long long)length);
    }
    of_status status = read_all(source, text, length, "header", err);
    if (status == OF_OK) status = of__npy_header_parse(text, length, dtype, source, layout, err);
    of__free(text);
    return status;
}

of_status of_npy_load(const char *path, of_device *device, of_dtype dtype, of_array **out,
                      of_error *err) {
    of__source source;
    of__file_layout layout;
    if (dtype != OF_DTYPE_NONE) OF_TRY(of__check_dtype(dtype, err));
    OF_TRY(of__source_open(path, &source, err));
    of_status status = of__npy_begin(&source, dtype, &layout, err);
    if (status == OF_OK) status = of__elements_load(&source, &layout, device, out, err);
    of__source_close(&source);
    return status;
}
