#include "io/file_map.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mappings start on a page, elements anywhere in it. */
static uintptr_t offset_in_page(uintptr_t address) {
    return address % (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* The deleter of mapped arrays; the context is the number of bytes from the first element on. */
static void unmap(void *data, void *context) {
    uintptr_t skipped = offset_in_page((uintptr_t)data);
    munmap((char *)data - skipped, skipped + (uintptr_t)context);
}

of_status of__file_map(const of__source *source, const of__file_layout *layout, of_device *device,
                       of_array **out, of_error *err) {
    *out = NULL;
    int64_t bytes = of__file_layout_bytes(layout);
    if (source->size < 0 || bytes == 0) return OF_OK;

    int64_t offset = source->origin + source->position;
    size_t skipped = offset_in_page((uintptr_t)offset);
    char *pages = mmap(NULL, skipped + (size_t)bytes, PROT_READ, MAP_PRIVATE, source->fd,
                       offset - (int64_t)skipped);
    if (pages == MAP_FAILED) {
        if (errno != ENOMEM) return OF_OK;
        return of__source_fail(source, err, OF_ERR_MEMORY, "mapping %lld bytes: %s",
                               (long long)bytes, strerror(errno));
    }
    madvise(pages, skipped + (size_t)bytes, MADV_SEQUENTIAL);

    char *data = pages + skipped;
    int64_t strides[OF_MAX_DIMS];
    of__file_layout_strides(layout, strides);
    of_status status =
        of_array_wrap(device, layout->dtype, layout->ndim, layout->shape, strides, data,
                      OF_WRAP_READ_ONLY, unmap, (void *)(uintptr_t)bytes, out, err);
    if (status != OF_OK) unmap(data, (void *)(uintptr_t)bytes);
    return status;
}
