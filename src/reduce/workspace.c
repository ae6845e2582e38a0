#include "reduce/workspace.h"

#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"

/* What a workspace is good for: everything that its size was computed from. */
typedef struct signature {
    int operation, map, source, second, acctype, into_dtype, ndim;
    double ord;
    bool into, reduced[OF_MAX_DIMS];
    int64_t count, shape[OF_MAX_DIMS], strides[OF_MAX_DIMS];
    const of_device *device;
} signature;

struct of_workspace {
    signature made_for;
    int workers;
    int64_t size;
    void *memory;
};

static signature signature_of(const of_array *src, const of_reduce_opts *opts, const of_array *into,
                              const of__call *call) {
    signature s;
    memset(&s, 0, sizeof s); /* compared as bytes */
    s.operation = call->reduction.asked;
    s.ord = opts->ord == 0 ? 0 : opts->ord; /* one zero */
    s.map = opts->map;
    s.source = call->reduction.source;
    s.second = call->reduction.second;
    s.acctype = opts->acctype;
    s.into = into != NULL;
    s.into_dtype = into ? into->dtype : OF_DTYPE_NONE;
    s.ndim = src->ndim;
    s.count = call->slice.x.size;
    s.device = src->storage->device;
    memcpy(s.reduced, call->reduced, sizeof s.reduced);
    memcpy(s.shape, src->shape, (size_t)src->ndim * sizeof *s.shape);
    memcpy(s.strides, src->strides, (size_t)src->ndim * sizeof *s.strides);
    return s;
}

of_status of__workspace_check(const of_workspace *workspace, const of_array *src,
                              const of_reduce_opts *opts, const of_array *into, of__call *call,
                              of_error *err) {
    signature s = signature_of(src, opts, into, call);
    const signature *made_for = &workspace->made_for;
    if (memcmp(&s, made_for, sizeof s)) {
        const char *what = s.operation != made_for->operation ? "operation"
                           : s.device != made_for->device     ? "device"
                           : s.source != made_for->source || s.second != made_for->second ||
                                   s.acctype != made_for->acctype ||
                                   s.into_dtype != made_for->into_dtype
                               ? "type"
                               : "shape or set of options";
        return of__fail(err, OF_ERR_VALUE, "workspace was made for another %s", what);
    }
    if (call->workers > workspace->workers) call->workers = workspace->workers;
    /* init, overwrite and how `into` lies choose among ways that need more or less memory */
    if (of__call_scratch(call) > workspace->size)
        return of__fail(err, OF_ERR_VALUE,
                        "workspace was made for another set of options: it has %lld bytes, and "
                        "%lld are needed",
                        (long long)workspace->size, (long long)of__call_scratch(call));
    return OF_OK;
}

void *of__workspace_memory(const of_workspace *workspace) {
    return workspace->memory;
}

of_status of_workspace_create(const of_array *src, of_operation operation,
                              const of_reduce_opts *opts, const of_array *into, of_workspace **out,
                              of_error *err) {
    of_reduce_opts without = opts ? *opts : (of_reduce_opts){0};
    without.workspace = NULL;
    of__call call;
    OF_TRY(of__call_prepare(src, operation, &without, into ? OF__INTO_ARRAY : OF__TO_ARRAY, into,
                            &call, err));
    of_workspace *workspace = of__alloc(sizeof *workspace);
    if (!workspace) return of__fail(err, OF_ERR_MEMORY, "no memory for a workspace");
    workspace->made_for = signature_of(src, &without, into, &call);
    workspace->workers = call.workers;
    workspace->size = of__call_scratch(&call);
    workspace->memory = of__alloc((size_t)workspace->size);
    if (!workspace->memory) {
        long long size = workspace->size;
        of__free(workspace);
        return of__fail(err, OF_ERR_MEMORY, "no memory for a workspace of %lld bytes", size);
    }
    *out = workspace;
    return OF_OK;
}

void of_workspace_free(of_workspace *workspace) {
    if (!workspace) return;
    of__free(workspace->memory);
    of__free(workspace);
}

int64_t of_workspace_size(const of_workspace *workspace) {
    return workspace->size;
}
