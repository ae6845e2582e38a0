#include <onefold/io.h>

#include "array/array_internal.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "device/backend.h"
#include "io/gather.h"
#include "io/npy_header.h"
#include "io/replace_file.h"

/* Elements that do not lie in row-major order are put so this many bytes at a time. */
#ifdef ONEFOLD_TEST_SMALL
#define GATHER_BYTES 32
#else
#define GATHER_BYTES (1 << 18)
#endif

/* Writes the elements in row-major order; `buffer` is for those that lie otherwise. */
static of_status write_elements(of__replacement *file, const of_array *array, char *buffer,
                                of_error *err) {
    if (buffer == NULL)
        return of__replacement_write(file, of_array_data(array), of_array_nbytes(array), err);
    int64_t size = (int64_t)of_dtype_size(array->dtype);
    int64_t room = GATHER_BYTES / size;
    for (int64_t first = 0; first < array->size; first += room) {
        int64_t count = array->size - first < room ? array->size - first : room;
        of__array_gather(array, first, count, buffer);
        OF_TRY(of__replacement_write(file, buffer, count * size, err));
    }
    return OF_OK;
}

of_status of_npy_save(const char *path, const of_array *array, of_error *err) {
    const of_device *device = of_array_device(array);
    if (!device->backend->host_visible) {
        return of__fail(err, OF_ERR_UNSUPPORTED,
                        "array is on %s, whose memory cannot be written from", device->name);
    }
    char *buffer = NULL;
    if (!of_array_is_contiguous(array)) {
        buffer = of__alloc(GATHER_BYTES);
        if (buffer == NULL) {
            return of__fail(err, OF_ERR_MEMORY, "%d bytes for writing could not be allocated",
                            GATHER_BYTES);
        }
    }
    of__replacement file;
    of_status status = of__replacement_open(path, &file, err);
    if (status == OF_OK) {
        char header[OF__NPY_HEADER_ROOM];
        status = of__replacement_write(&file, header, of__npy_header_write(array, header), err);
        if (status == OF_OK) status = write_elements(&file, array, buffer, err);
        status = of__replacement_close(&file, status, err);
    }
    of__free(buffer);
    return status;
}
