/* The inside of an array, for the operations. */
#ifndef ONEFOLD_ARRAY_ARRAY_INTERNAL_H
#define ONEFOLD_ARRAY_ARRAY_INTERNAL_H

#include <stdatomic.h>

#include <onefold/array.h>

/* Memory shared by an array and its views. */
typedef struct of__storage {
    atomic_int owners;
    of_device *device;
    void *memory;      /* from the device's alloc; NULL for borrowed memory */
    of_deleter deleter; /* for borrowed memory; may be NULL */
    void *deleter_data, *deleter_context;
} of__storage;

struct of_array {
    atomic_int owners;
    of__storage *storage;
    char *data; /* the element at index (0, ..., 0) */
    of_dtype dtype;
    int ndim;
    bool read_only;
    int64_t size; /* elements */
    int64_t shape[OF_MAX_DIMS];
    int64_t strides[OF_MAX_DIMS]; /* bytes */
};

/* The lowest and one past the highest byte that the elements of an array touch; both NULL when it has none. */
void of__array_extent(const of_array *array, const char **low, const char **high);

/* Whether two arrays share a byte between their extents. */
bool of__arrays_overlap(const of_array *a, const of_array *b);

/* "(3, 4)" into text of at least OF__SHAPE_TEXT_SIZE bytes, for messages. Returns text. */
#define OF__SHAPE_TEXT_SIZE 192
char *of__shape_text(int ndim, const int64_t *shape, char *text);

/* The product of sizes in *out; false when it overflows int64 or a size is negative. */
bool of__shape_size(int ndim, const int64_t *shape, int64_t *out);

#endif
