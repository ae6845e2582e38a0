#include "io/file_elements.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "device/backend.h"
#include "io/byte_order.h"
#include "io/file_map.h"
#include "io/gather.h"
#include "io/growing.h"

/* A piece that has to be copied is no larger: it then stays in the cache until it is used. */
#ifdef ONEFOLD_TEST_SMALL
#define PIECE_BYTES 32
#else
#define PIECE_BYTES (INT64_C(1) << 20)
#endif

static int64_t element_size(const of__elements *elements) {
    return (int64_t)of_dtype_size(elements->layout.dtype);
}

of_status of__elements_begin(of__elements *elements, of__source *source,
                             const of__file_layout *layout, of_device *device, of_error *err) {
    *elements = (of__elements){.source = source, .layout = *layout, .device = device};
    if (source->size >= 0) {
        OF_TRY(
            of__file_layout_fit(&elements->layout, source->size - source->position, source, err));
    }
    OF_TRY(of__file_map(source, &elements->layout, device, &elements->mapped, err));
    if (elements->mapped == NULL || layout->fortran || layout->swapped) return OF_OK;
    of_status status =
        of_array_reshape(elements->mapped, 1, &elements->layout.size, &elements->row, err);
    if (status != OF_OK) of__elements_end(elements);
    return status;
}

void of__elements_end(of__elements *elements) {
    of_array_release(elements->row);
    of_array_release(elements->mapped);
    of__free(elements->buffer);
    elements->row = elements->mapped = NULL;
    elements->buffer = NULL;
}

/* After the last element: whether the file ends as its layout says. */
static of_status check_end(of__elements *elements, int64_t bytes, of_error *err) {
    if (elements->layout.exact && elements->layout.size >= 0) {
        char extra;
        int64_t got;
        OF_TRY(of__source_read_some(elements->source, &extra, 1, &got, err));
        if (got > 0) {
            return of__source_fail(elements->source, err, OF_ERR_FORMAT,
                                   "there is more data than the %lld bytes of the shape",
                                   (long long)bytes);
        }
    }
    return of__file_layout_fit(&elements->layout, bytes, elements->source, err);
}

/* Reads all data as it stands in the file. */
static of_status read_bytes(of__elements *elements, of__growing *bytes, of_error *err) {
    int64_t total = of__file_layout_bytes(&elements->layout);
    while (bytes->used != total) {
        OF_TRY(of__growing_extend(bytes, total, err));
        int64_t got;
        OF_TRY(of__source_read(elements->source, bytes->data + bytes->used,
                               bytes->capacity - bytes->used, &got, err));
        bytes->used += got;
        if (bytes->used < bytes->capacity) break;
    }
    return check_end(elements, bytes->used, err);
}

of_status of__elements_all(of__elements *elements, of_array **out, of_error *err) {
    if (elements->mapped != NULL && !elements->layout.swapped) {
        *out = of_array_retain(elements->mapped);
        return OF_OK;
    }
    of__growing bytes = {0};
    of_status status = read_bytes(elements, &bytes, err);
    if (status == OF_OK) {
        if (elements->layout.swapped) {
            of__bytes_swap(bytes.data, elements->layout.size, (size_t)element_size(elements));
        }
        status = of__growing_to_array(&bytes, &elements->layout, elements->device, out, err);
    }
    of__growing_free(&bytes);
    return status;
}

/* Reads the next elements, at most `count`, into the buffer; *got is 0 only at the end. */
static of_status read_piece(of__elements *elements, int64_t count, int64_t *got, of_error *err) {
    int64_t bytes;
    OF_TRY(of__source_read(elements->source, elements->buffer, count * element_size(elements),
                           &bytes, err));
    *got = bytes / element_size(elements);
    if (*got < count) {
        int64_t total = elements->next * element_size(elements) + bytes;
        OF_TRY(of__file_layout_fit(&elements->layout, total, elements->source, err));
    }
    return OF_OK;
}

/* Puts the next elements into the buffer in this machine's byte order. */
static of_status fill_buffer(of__elements *elements, int64_t count, int64_t *got, of_error *err) {
    if (elements->buffer == NULL) {
        elements->buffer = of__alloc(PIECE_BYTES);
        if (elements->buffer == NULL) {
            return of__fail(err, OF_ERR_MEMORY,
                            "%lld bytes for a piece of a file could not be allocated",
                            (long long)PIECE_BYTES);
        }
    }
    if (elements->layout.fortran) {
        of__array_gather(elements->mapped, elements->next, count, elements->buffer);
        *got = count;
    } else {
        OF_TRY(read_piece(elements, count, got, err));
    }
    if (elements->layout.swapped)
        of__bytes_swap(elements->buffer, *got, (size_t)element_size(elements));
    return OF_OK;
}

/* A piece of the mapped file. */
static of_status slice_row(of__elements *elements, int64_t count, of_array **out, of_error *err) {
    OF_TRY(of_array_slice(elements->row, 0, elements->next, count, 1, out, err));
    elements->next += count;
    return OF_OK;
}

of_status of__elements_next(of__elements *elements, int64_t most, of_array **out, of_error *err) {
    *out = NULL;
    if (elements->layout.fortran && elements->mapped == NULL) {
        return of__source_fail(
            elements->source, err, OF_ERR_UNSUPPORTED,
            "Fortran order cannot be read in row-major pieces from a pipe; read it whole");
    }
    int64_t size = elements->layout.size;
    int64_t left = size < 0 ? INT64_MAX : size - elements->next;
    if (left == 0) {
        return elements->mapped != NULL
                   ? OF_OK
                   : check_end(elements, of__file_layout_bytes(&elements->layout), err);
    }
    int64_t count = most < left ? most : left;
    if (elements->row != NULL) return slice_row(elements, count, out, err);

    int64_t room = PIECE_BYTES / element_size(elements), got;
    OF_TRY(fill_buffer(elements, count < room ? count : room, &got, err));
    if (got == 0) return OF_OK;
    OF_TRY(of_array_wrap(elements->device, elements->layout.dtype, 1, &got, NULL, elements->buffer,
                         OF_WRAP_READ_ONLY, NULL, NULL, out, err));
    elements->next += got;
    return OF_OK;
}

of_status of__elements_load(of__source *source, const of__file_layout *layout, of_device *device,
                            of_array **out, of_error *err) {
    if (device == NULL) OF_TRY(of_device_find(NULL, &device, err));
    if (!device->backend->host_visible) {
        return of__fail(err, OF_ERR_UNSUPPORTED, "device %s cannot take the memory of a file",
                        device->name);
    }
    of__elements elements;
    OF_TRY(of__elements_begin(&elements, source, layout, device, err));
    of_status status = of__elements_all(&elements, out, err);
    of__elements_end(&elements);
    return status;
}
