#include "sort/lanes.h"

#include <stdatomic.h>

#include "array/checks.h"
#include "core/alloc.h"
#include "core/fail.h"
#include "core/threads.h"
#include "sort/radix.h"
#include "sort/rows.h"

/* ---- Which ---- */

of_status of__lanes_of(const of_array *array, const char *name, const int64_t *n, const int *dim,
                       of__lanes *out, of_error *err) {
    if (dim == NULL) {
        *out = (of__lanes){.dim = -1, .count = 1, .ndim = 1};
        OF_TRY(of__check_limit(n, array->size, name, &out->length, err));
        out->shape[0] = out->length;
        return OF_OK;
    }
    *out = (of__lanes){.ndim = array->ndim};
    OF_TRY(of__check_dim(array->ndim, *dim, &out->dim, err));
    if (n != NULL)
        return of__fail(err, OF_ERR_VALUE,
                        "n is %lld and dim is %d, but n counts elements of a whole array",
                        (long long)*n, *dim);
    for (int i = 0; i < array->ndim; i++) out->shape[i] = array->shape[i];
    out->length = array->shape[out->dim];
    out->count = out->length == 0 ? 0 : array->size / out->length;
    return OF_OK;
}

/* The array with the dimension of the lanes as its last. */
static of_array with_dim_last(const of__lanes *lanes, const of_array *array) {
    of_array turned = *array;
    int last = array->ndim - 1;
    for (int i = lanes->dim; i < last; i++) {
        turned.shape[i] = array->shape[i + 1];
        turned.strides[i] = array->strides[i + 1];
    }
    turned.shape[last] = array->shape[lanes->dim];
    turned.strides[last] = array->strides[lanes->dim];
    return turned;
}

of_status of__lanes_take(const of__lanes *lanes, const of_array *array, of_array **out,
                         of_error *err) {
    if (lanes->dim < 0) return of__take_contiguous(array, lanes->length, out, err);
    of_array turned = with_dim_last(lanes, array);
    return of__take_contiguous(&turned, array->size, out, err);
}

/* ---- Results ---- */

of_status of__lanes_result_create(const of__lanes *lanes, of_device *device, of_dtype dtype,
                                  of__lanes_result *out, of_error *err) {
    *out = (of__lanes_result){0};
    OF_TRY(of_array_create(device, dtype, lanes->ndim, lanes->shape, &out->result, err));
    of_array turned = *out->result;
    if (lanes->dim >= 0) turned = with_dim_last(lanes, out->result);
    if (of_array_is_contiguous(&turned)) {
        out->lanes = of_array_retain(out->result);
        return OF_OK;
    }
    of_status status = of_array_create(device, dtype, turned.ndim, turned.shape, &out->lanes, err);
    if (status != OF_OK) of__lanes_result_release(out);
    return status;
}

of_array *of__lanes_result_finish(const of__lanes *lanes, of__lanes_result *result) {
    of_array *finished = result->result;
    if (result->lanes != finished) {
        of_array turned = with_dim_last(lanes, finished);
        of__copy_elements(&turned, result->lanes);
    }
    of_array_release(result->lanes);
    *result = (of__lanes_result){0};
    return finished;
}

void of__lanes_result_release(of__lanes_result *result) {
    of_array_release(result->result);
    of_array_release(result->lanes);
    *result = (of__lanes_result){0};
}

/* ---- Sorting ---- */

typedef struct lanes_job {
    of__sort_request first; /* of the first lane */
    int64_t lanes, group;   /* lanes taken at once */
    size_t scratch_bytes;   /* of a worker */
    char *scratch;
    atomic_llong next;
} lanes_job;

static void sort_lane(const lanes_job *job, int64_t lane, void *scratch) {
    of__sort_request request = job->first;
    int64_t size = (int64_t)of_dtype_size(request.dtype), offset = lane * request.n;
    request.keys = (const char *)request.keys + offset * size;
    if (request.sorted != NULL) request.sorted = (char *)request.sorted + offset * size;
    if (request.order != NULL)
        request.order =
            (char *)request.order + offset * (int64_t)of_dtype_size(request.index_dtype);
    of__sort_plan plan = of__sort_plan_for(&request);
    of__sort_run(&plan, scratch);
}

static void sort_lanes(void *context, int worker) {
    lanes_job *job = context;
    void *scratch = job->scratch + (size_t)worker * job->scratch_bytes;
    for (;;) {
        int64_t lane = atomic_fetch_add(&job->next, job->group), stop = lane + job->group;
        if (lane >= job->lanes) return;
        for (; lane < stop && lane < job->lanes; lane++) sort_lane(job, lane, scratch);
    }
}

of_status of__lanes_sort(const of__lanes *lanes, of_dtype dtype, bool descending, const void *keys,
                         void *sorted, void *order, of_dtype index_dtype, of_error *err) {
    const int64_t n = lanes->length, count = lanes->count;
    if (n == 0 || count == 0) return OF_OK;
    if (count == 1) return of__sort(dtype, descending, keys, n, sorted, order, index_dtype, err);
    int workers = of__workers_for_elements(n * count, 16);
    int within = of__workers_for_elements(n, 16); /* threads that share a lane */
    if (count >= 4 * workers) within = 1;
    if (within > 1) workers = 1;
    lanes_job job = {.first = {.dtype = dtype,
                               .descending = descending,
                               .keys = keys,
                               .n = n,
                               .sorted = sorted,
                               .order = order,
                               .index_dtype = index_dtype,
                               .workers = within},
                     .lanes = count,
                     .group = count / (16 * (int64_t)workers) + 1,
                     .scratch_bytes = of__sort_most_scratch(n, order != NULL, within)};
    size_t bytes;
    if (__builtin_mul_overflow(job.scratch_bytes, (size_t)workers, &bytes)) bytes = SIZE_MAX;
    job.scratch = bytes == 0 ? NULL : of__alloc(bytes);
    if (bytes != 0 && job.scratch == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory to sort %lld elements at a time",
                        (long long)n);
    if (within > 1)
        sort_lanes(&job, 0);
    else
        of__parallel(workers, sort_lanes, &job);
    of__free(job.scratch);
    return OF_OK;
}
