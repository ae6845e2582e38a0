/* Checks and layouts, before anything runs. */
#include "reduce/call.h"

#include "array/checks.h"
#include "core/fail.h"
#include "reduce/workspace.h"

static of_status resolve_dims(const of_array *src, const of_dims *dims, bool *reduced,
                              of_error *err) {
    for (int i = 0; i < src->ndim; i++) reduced[i] = !dims->given;
    if (!dims->given) return OF_OK;
    if (dims->count < 0 || dims->count > OF_MAX_DIMS)
        return of__fail(err, OF_ERR_VALUE, "dims has %d entries; there may be 0 to %d", dims->count,
                        OF_MAX_DIMS);
    for (int i = 0; i < dims->count; i++) {
        int axis = dims->axis[i] < 0 ? dims->axis[i] + src->ndim : dims->axis[i];
        if (axis < 0 || axis >= src->ndim)
            return of__fail(err, OF_ERR_VALUE,
                            "dim %d is out of range for an array of %d dimensions", dims->axis[i],
                            src->ndim);
        if (reduced[axis])
            return of__fail(err, OF_ERR_VALUE, "dim %d is given twice", dims->axis[i]);
        reduced[axis] = true;
    }
    return OF_OK;
}

/* `into` has the source's shape, with 1 where it is reduced; it may leave off trailing dimensions
 * of 1. */
static of_status resolve_into(const of_array *src, const of_array *into, const of_reduce_opts *opts,
                              bool *reduced, of_error *err) {
    char src_text[OF__SHAPE_TEXT_SIZE], into_text[OF__SHAPE_TEXT_SIZE];
    if (opts->dims.given || opts->keepdims)
        return of__fail(err, OF_ERR_VALUE,
                        "%s is given, but the shape of `into` says what is reduced",
                        opts->dims.given ? "dims" : "keepdims");
    bool fits = into->ndim <= src->ndim;
    for (int i = 0; fits && i < src->ndim; i++) {
        int64_t size = i < into->ndim ? into->shape[i] : 1;
        reduced[i] = size == 1 && src->shape[i] != 1;
        fits = reduced[i] || size == src->shape[i];
    }
    if (!fits)
        return of__fail(err, OF_ERR_VALUE,
                        "into has shape %s, which no reduction of shape %s gives",
                        of__shape_text(into->ndim, into->shape, into_text),
                        of__shape_text(src->ndim, src->shape, src_text));
    OF_TRY(of__check_writable(into, "into", err));
    OF_TRY(of__check_apart(into, "into", src, "src", err));
    return opts->second ? of__check_apart(into, "into", opts->second, "second", err) : OF_OK;
}

/* `flat`: the shapes may differ. */
static of_status check_second(const of_array *src, of_operation operation,
                              const of_reduce_opts *opts, bool flat, of_error *err) {
    const of_array *second = opts->second;
    bool two = of_operation_sources(operation) == 2;
    if (opts->map != OF_MAP_PRODUCT && !two)
        return second ? of__fail(err, OF_ERR_VALUE, "second is given, but %s takes one source",
                                 opts->map ? "the map" : of_operation_name(operation))
                      : OF_OK;
    if (!second)
        return of__fail(err, OF_ERR_VALUE, "second is NULL; %s takes two sources",
                        two ? of_operation_name(operation) : "the product map");
    char src_text[OF__SHAPE_TEXT_SIZE], second_text[OF__SHAPE_TEXT_SIZE];
    if (!flat && !of__same_shape(src, second))
        return of__fail(err, OF_ERR_VALUE, "second has shape %s, but src has %s",
                        of__shape_text(second->ndim, second->shape, second_text),
                        of__shape_text(src->ndim, src->shape, src_text));
    return of__check_same_device(src, "src", second, "second", err);
}

/* How many elements of a whole array are reduced. Of two arrays with shapes of their own the second
 * has to have as many. */
static of_status resolve_count(const of_array *src, const of_reduce_opts *opts, bool whole,
                               bool flat, int64_t *count, of_error *err) {
    if (opts->n && !whole)
        return of__fail(err, OF_ERR_VALUE,
                        "n is given, %lld, but only reductions of whole arrays take it",
                        (long long)*opts->n);
    OF_TRY(of__check_limit(opts->n, src->size, "src", count, err));
    return flat ? of__check_limit(count, opts->second->size, "second", count, err) : OF_OK;
}

/* Folding into the old element is op(old, partial): it needs an operator. */
static of_status resolve_into_type(of__reduction *r, const of_array *into,
                                   const of_reduce_opts *opts, of_error *err) {
    const char *name = of_operation_name(r->asked);
    bool fold = !opts->init && !opts->overwrite;
    bool into_float = of_dtype_is_float(into->dtype);
    bool index = r->asked == OF_ARGMIN || r->asked == OF_ARGMAX;
    switch (r->asked) {
    case OF_SUM:
    case OF_PROD:
    case OF_MIN:
    case OF_MAX:
        if (of_dtype_is_float(r->finish.result) && !into_float)
            return of__fail(err, OF_ERR_TYPE, "into has type %s, which cannot hold a %s of %s",
                            of_dtype_name(into->dtype), name, of_dtype_name(r->source));
        if (into_float && opts->acctype == OF_DTYPE_NONE) {
            r->finish.result = into->dtype; /* rounded once, to where it goes */
            r->in_floats = r->asked == OF_PROD;
        }
        return OF_OK;
    case OF_ANY:
    case OF_ALL: return OF_OK;
    case OF_COUNT_NONZERO:
        if (fold && into_float)
            return of__fail(
                err, OF_ERR_TYPE,
                "into has type %s, but a count is an integer; set overwrite to convert it",
                of_dtype_name(into->dtype));
        return OF_OK;
    default:
        if (fold)
            return of__fail(err, OF_ERR_VALUE,
                            "overwrite is not set, but %s cannot be folded into an old element",
                            name);
        if (!index && !into_float)
            return of__fail(err, OF_ERR_TYPE, "into has type %s; a %s is a float",
                            of_dtype_name(into->dtype), name);
        if (into_float && opts->acctype == OF_DTYPE_NONE && !index) r->finish.result = into->dtype;
        return OF_OK;
    }
}

static of_status check_empty(const of__call *call, const of_reduce_opts *opts, of__target target,
                             of_error *err) {
    if (call->slice.x.size || !call->outputs || opts->init || target == OF__INTO_ARRAY)
        return OF_OK;
    if (of__has_empty_value(call->reduction.operation)) return OF_OK;
    return of__fail(err, OF_ERR_VALUE, "%s reduction requires a nonempty array",
                    of_operation_name(call->reduction.asked));
}

/* One layout of the kept dimensions, one of the reduced. */
static void lay_out(const of_array *array, const bool *reduced, of__layout *kept,
                    of__layout *slice) {
    *kept = *slice = of__layout_begin((int64_t)of_dtype_size(array->dtype));
    kept->data = slice->data = array->data;
    bool empty = array->size == 0;
    for (int i = 0; i < array->ndim; i++) {
        of__layout *one = reduced[i] ? slice : kept;
        if (empty) /* only the sizes count; beside a 0 they may multiply past every limit */
            one->size = one->size && array->shape[i] <= INT64_MAX / one->size
                            ? one->size * array->shape[i]
                            : 0;
        else
            of__layout_append(one, array->shape[i], array->strides[i]);
    }
}

of_status of__call_prepare(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                           of__target target, const of_array *into, of__call *out, of_error *err) {
    OF_TRY(of__check_given(src, "src", err));
    of__call call = {.ndim = src->ndim, .workspace = opts->workspace};
    bool whole = target == OF__INTO_ARRAY ? into->size == 1 : !opts->dims.given;
    bool flat = of_operation_sources(operation) == 2 && target != OF__INTO_ARRAY && whole;
    int64_t count;
    OF_TRY(check_second(src, operation, opts, flat, err));
    OF_TRY(resolve_count(src, opts, whole, flat, &count, err));
    if (target == OF__INTO_ARRAY)
        OF_TRY(resolve_into(src, into, opts, call.reduced, err));
    else
        OF_TRY(resolve_dims(src, &opts->dims, call.reduced, err));
    for (int i = 0; i < src->ndim && target == OF__TO_SCALAR; i++)
        if (!call.reduced[i])
            return of__fail(err, OF_ERR_VALUE,
                            "dims leaves out dim %d; a reduction to one value takes all", i);
    bool along_dims = target == OF__INTO_ARRAY || (target == OF__TO_ARRAY && opts->dims.given);
    OF_TRY(of__reduction_resolve(src->dtype, opts->second ? opts->second->dtype : OF_DTYPE_NONE,
                                 operation, opts, along_dims, &call.reduction, err));
    if (target == OF__INTO_ARRAY) OF_TRY(resolve_into_type(&call.reduction, into, opts, err));
    if (target == OF__TO_ARRAY && (operation == OF_ARGMIN || operation == OF_ARGMAX) &&
        opts->dims.given && opts->dims.count != 1 && opts->dims.count != src->ndim)
        return of__fail(err, OF_ERR_VALUE, "dims has %d entries; %s takes one, or all",
                        opts->dims.count, of_operation_name(operation));
    lay_out(src, call.reduced, &call.x_kept, &call.slice.x);
    if (flat) {
        call.slice.y = of__layout_of(opts->second);
        call.y_kept = of__layout_begin(call.slice.y.element_size);
        call.y_kept.data = call.slice.y.data;
    } else if (opts->second) {
        lay_out(opts->second, call.reduced, &call.y_kept, &call.slice.y);
    }
    if (whole) call.slice.x.size = count;
    call.outputs = call.x_kept.size;
    OF_TRY(check_empty(&call, opts, target, err));
    call.order_matters = operation == OF_ARGMIN || operation == OF_ARGMAX ||
                         call.reduction.in_floats || opts->second || opts->n;
    if (!call.order_matters) {
        const char *data = call.slice.x.data;
        of__layout_forget_order(&call.slice.x);
        call.x_kept.data +=
            call.slice.x.data - data; /* the slice's lowest element, for every output */
    }
    int64_t terms = call.outputs && call.slice.x.size > INT64_MAX / call.outputs
                        ? INT64_MAX
                        : call.outputs * call.slice.x.size;
    call.workers = of__reduction_workers(&call.reduction, terms);
    call.plain_answers = target == OF__TO_ARRAY;
    if (target == OF__INTO_ARRAY)
        call.plain_answers = opts->overwrite && !opts->init &&
                             into->dtype == call.reduction.finish.result &&
                             of_array_is_contiguous(into);
    if (call.workspace) OF_TRY(of__workspace_check(call.workspace, src, opts, into, &call, err));
    *out = call;
    return OF_OK;
}

of__terms of__call_slice(const of__call *call, int64_t output) {
    of__terms terms = call->slice;
    terms.x.data = call->x_kept.data + of__layout_offset(&call->x_kept, output);
    if (call->reduction.map == OF_MAP_PRODUCT)
        terms.y.data = call->y_kept.data + of__layout_offset(&call->y_kept, output);
    return terms;
}
