/* The inside of an array, for the operations. */
#ifndef ONEFOLD_ARRAY_ARRAY_INTERNAL_H
#define ONEFOLD_ARRAY_ARRAY_INTERNAL_H

#include <stdatomic.h>

#include <onefold/array.h>

/* Memory shared by an array and its views. */
typedef struct of__storage {
    atomic_int owners;
    of_device *device;
    void *memory;       /* from the device's alloc; NULL for borrowed memory */
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

/* ---- Shapes ---- */

/* The product of sizes in *out; false when a size is negative or those that are not 0 multiply past
 * int64. */
bool of__shape_size(int ndim, const int64_t *shape, int64_t *out);

/* The strides of a new array, in bytes; false when its bytes overflow int64. */
bool of__row_major_strides(int ndim, const int64_t *shape, size_t element_size, int64_t *strides);

/* How far the elements reach from the first one, of which there is at least one: from `low` bytes
 * (0 or less) up to before `high`. False when that overflows int64. */
bool of__strides_reach(int ndim, const int64_t *shape, const int64_t *strides, size_t element_size,
                       int64_t *low, int64_t *high);

bool of__same_shape(const of_array *a, const of_array *b);

/* "(3, 4)" into text of at least OF__SHAPE_TEXT_SIZE bytes, for messages. Returns text. */
#define OF__SHAPE_TEXT_SIZE 192
char *of__shape_text(int ndim, const int64_t *shape, char *text);

/* ---- Arrays ---- */

/* The lowest and one past the highest byte that the elements of an array touch; both NULL when it
 * has none. */
void of__array_extent(const of_array *array, const char **low, const char **high);

/* Whether two arrays share a byte between their extents. */
bool of__arrays_overlap(const of_array *a, const of_array *b);

/* A new array of one dimension on the device of `like`. Errors as of_array_create. */
of_status of__create_list(const of_array *like, of_dtype dtype, int64_t size, of_array **out,
                          of_error *err);

/* A new handle equal to src that shares its memory; the caller then changes what is to differ.
 * OF_ERR_MEMORY. */
of_status of__array_view(const of_array *src, of_array **out, of_error *err);

/* Checks a dimension number and makes a negative one count from the front. OF_ERR_VALUE. */
of_status of__check_dim(int ndim, int dim, int *out, of_error *err);

/* OF_ERR_TYPE for a number that is no type. */
of_status of__check_dtype(of_dtype dtype, of_error *err);

/* Writes every element of `from`, converted, to the same index of `to`. The shapes are equal; the
 * memory does not overlap and is the host's. With equal types the bits move unchanged. */
void of__copy_elements(const of_array *to, const of_array *from);

#endif
