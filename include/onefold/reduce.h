/*
 * Reductions: many values into one, over a whole array or along any of its dimensions.
 *
 * Results are functions of the values alone: the same bits for any number of threads, instruction
 * set, layout and alignment. Sums and means are exact and rounded once. docs/contract.md states
 * every bit; its section numbers are given below.
 */
#ifndef ONEFOLD_REDUCE_H
#define ONEFOLD_REDUCE_H

#include <onefold/array.h>

OF_BEGIN_C

/* The reductions. */
typedef enum of_operation {
#define OF_OPERATION(SYMBOL, name, meaning) OF_##SYMBOL,
#include <onefold/operations.def>
#undef OF_OPERATION
    OF_OPERATION_END /* one past the last; not an operation */
} of_operation;

/** The name of an operation: "sum", "count_nonzero", ...; "unknown" for a number that is none. */
OF_API const char *of_operation_name(of_operation operation);

/** Finds an operation by name; also "amin" and "amax", which are min and max. OF_ERR_VALUE: there
 * is none. */
OF_API OF_MUST_USE of_status of_operation_parse(const char *name, of_operation *out, of_error *err);

/** How many arrays an operation reduces: 1, or 2 for dot and weighted_mean, whose other array is
 * `second` of the options. */
OF_API int of_operation_sources(of_operation operation);

/* What is done to each element before it is reduced. The terms are exact: a square or product of
 * floats is not rounded; integers are taken modulo 2^64 (signed and bool as i64, unsigned as u64). */
typedef enum of_map {
    OF_MAP_NONE = 0,
    OF_MAP_ABS,    /* |x| */
    OF_MAP_SQUARE, /* x * x */
    OF_MAP_PRODUCT /* x * y, y being the array `second` of the options */
} of_map;

/* A set of dimensions. Zero-initialised: not given, which means all of them. */
typedef struct of_dims {
    bool given;
    int count;
    int axis[OF_MAX_DIMS]; /* negative counts from the end */
} of_dims;

/* OF_DIMS(0, -1): these dimensions. OF_DIMS_EMPTY: the empty set, which reduces nothing. */
#define OF_DIMS(...)                                                                               \
    ((of_dims){true, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), {__VA_ARGS__}})
#define OF_DIMS_EMPTY ((of_dims){true, 0, {0}})

/* A handle of scratch memory. */
typedef struct of_workspace of_workspace;

/* Options of every reduction. Zero means the default, and a NULL pointer to the struct all
 * defaults. */
typedef struct of_reduce_opts {
    of_dims dims;     /* the dimensions to reduce; not given: all */
    bool keepdims;    /* keep reduced dimensions as 1 instead of dropping them */
    of_dtype acctype; /* type of the result of sum, mean, prod, absmax and the statistics, rounded
                         to once */
    const of_scalar
        *init;  /* sum: one more exact term; prod, min, max, any, all, count: op(init, partial) */
    of_map map; /* what is done to each element first */
    const of_array *second; /* the second factor for OF_MAP_PRODUCT and dot, the weights of
                               weighted_mean; of the source's shape, but see stats.h */
    bool overwrite; /* of_reduce_into: replace the elements of R rather than fold into them */
    of_workspace *workspace; /* scratch memory made by of_workspace_create for the same call; NULL:
                                allocated */
    const int64_t *n; /* reductions of whole arrays: only the first *n elements in row-major order;
                         NULL: all */
    double ord;       /* of norm: 1, 2 or infinity; 0 means 2 */
} of_reduce_opts;

/**
 * Reduces a whole array to one value.
 *
 *     for (i = 0; i < size; i++) result = op(result, map(src[i]));
 *
 * Sums are in real numbers and rounded once.
 *
 * src         any type, shape and strides; only read.
 * operation   which reduction.
 * opts        NULL: all defaults. `dims`, if given, must name every dimension.
 * out         receives the value. Its type, unless `acctype` says otherwise:
 *             sum and prod: the source's float type, i64 for signed integers and bool, u64 for
 *             unsigned; mean, absmax and the statistics of stats.h: f64; min and max: the
 *             source's type; argmin, argmax and count_nonzero: i64; any and all: bool.
 *
 * Bits: contract 3 to 6. Cost: one pass over the source at the speed of memory; O(threads) scratch.
 *
 * OF_ERR_VALUE: min, max, argmin or argmax of no elements without init ("min reduction requires a
 * nonempty array"); shapes of src and second differ; init given for an operation that takes none; a
 * workspace made for another call; n negative or larger than an array, or given with dims.
 * OF_ERR_TYPE: acctype is not possible (an integer type for floats), a float init on integers
 * without a float acctype. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_reduce_scalar(const of_array *src, of_operation operation,
                                              const of_reduce_opts *opts, of_scalar *out,
                                              of_error *err);

/**
 * Reduces along the dimensions opts->dims into a new array.
 *
 *     for each index j of the dimensions kept:
 *         out[j] = reduction of src[j, :] over the dimensions reduced
 *
 * src, operation, opts   as for of_reduce_scalar; argmin and argmax take one dimension, or none for
 *                        the flat index.
 * out                    receives a new row-major array on src's device; the caller releases it.
 *                        mean, absmax and statistics along given dims have the source's float
 *                        type, f64 for integers; other types as of_reduce_scalar.
 *
 * Bits: contract 3 to 7: those of of_reduce_scalar of each slice, but for the result type of mean,
 * absmax and statistics. Cost: one pass over src; allocates the result and O(threads) scratch, with a
 * workspace only the result.
 *
 * OF_ERR_VALUE: a dim repeated or out of range; an empty slice of an operation without a value for
 * it. Others as of_reduce_scalar.
 */
OF_API OF_MUST_USE of_status of_reduce(const of_array *src, of_operation operation,
                                       const of_reduce_opts *opts, of_array **out, of_error *err);

/**
 * Reduces into an existing array, along the dimensions where `into` has size 1 and the source does
 * not.
 *
 *     for each element r of into:
 *         if init is given:  r = op(init, partial)
 *         else if overwrite: r = partial
 *         else:              r = op(r, partial)
 *
 * into   writable, of any type that the operation's result converts to; may leave off trailing
 *        dimensions of size 1; may not overlap src or second. For sums the old element is one more
 *        exact term, rounded once to its type.
 * opts   as for of_reduce_scalar; `dims` and `keepdims` must not be given, `n` only where `into` has
 *        one element.
 *
 * An empty slice: init where it is given, else the element is left as it is.
 * OF_ERR_VALUE: shapes do not match; `into` overlaps a source, is read-only, or has strides that
 * lead to one element twice. OF_ERR_TYPE. OF_ERR_MEMORY.
 */
OF_API OF_MUST_USE of_status of_reduce_into(of_array *into, const of_array *src,
                                            of_operation operation, const of_reduce_opts *opts,
                                            of_error *err);

/* Each operation by name: of_sum(x, NULL, &total, &err) is of_reduce_scalar(x, OF_SUM, NULL,
 * &total, &err). The statistics are in stats.h. */
#define OF_STATISTIC(SYMBOL, name, meaning)
#define OF_STATISTIC_OF_TWO(SYMBOL, name, meaning)
#define OF_OPERATION(SYMBOL, name, meaning)                                                        \
    OF_API OF_MUST_USE of_status of_##name(const of_array *src, const of_reduce_opts *opts,        \
                                           of_scalar *out, of_error *err);
#include <onefold/operations.def>
#undef OF_OPERATION

/**
 * Makes the scratch memory that of_reduce_scalar, of_reduce or (with `into`) of_reduce_into would
 * allocate for the same arguments. It serves any number of calls, one at a time, with sources of
 * the same type, shape and strides, as long as the number of threads is not raised.
 *
 * into   NULL unless the workspace is for of_reduce_into.
 * out    receives the workspace; the caller frees it.
 * Errors as the reduction itself.
 */
OF_API OF_MUST_USE of_status of_workspace_create(const of_array *src, of_operation operation,
                                                 const of_reduce_opts *opts, const of_array *into,
                                                 of_workspace **out, of_error *err);

/** Frees a workspace. NULL is allowed. */
OF_API void of_workspace_free(of_workspace *workspace);

/** The bytes of scratch memory it holds. */
OF_API int64_t of_workspace_size(const of_workspace *workspace);

/* ---- Reducing data that arrives in pieces ---- */

/* A handle of a running reduction. */
typedef struct of_reducer of_reducer;

/**
 * Makes a running reduction for data that arrives in pieces, as a file or a pipe larger than memory
 * does. The answer has the bits of of_reduce_scalar over all the pieces in order, wherever they are
 * cut.
 *
 * dtype   the type of the pieces.
 * opts    acctype, init, ord and the maps OF_MAP_ABS and OF_MAP_SQUARE; others must be defaults.
 * Errors as of_reduce_scalar.
 */
OF_API OF_MUST_USE of_status of_reducer_create(of_operation operation, of_dtype dtype,
                                               const of_reduce_opts *opts, of_reducer **out,
                                               of_error *err);

/** Adds a piece: any shape and strides, its elements in row-major order following those before.
 * OF_ERR_TYPE: its type is not the reducer's. OF_ERR_MEMORY: the reducer is unchanged. */
OF_API OF_MUST_USE of_status of_reducer_update(of_reducer *reducer, const of_array *piece,
                                               of_error *err);

/** The answer so far; more pieces may follow. Errors as of_reduce_scalar. */
OF_API OF_MUST_USE of_status of_reducer_result(const of_reducer *reducer, of_scalar *out,
                                               of_error *err);

/** Frees a reducer. NULL is allowed. */
OF_API void of_reducer_free(of_reducer *reducer);

/* ---- One pass, many answers ---- */

/* What a summarizer finds. Values that do not exist (the minimum of nothing) have dtype
 * OF_DTYPE_NONE. */
typedef struct of_summary {
    int64_t count;
    of_scalar sum;  /* as of_sum */
    of_scalar mean; /* as of_mean */
    of_scalar min, max;
    int64_t argmin, argmax; /* flat index, -1 when there is none */
    int64_t zeros, nans, infinities;
} of_summary;

/* A handle of a running summary. */
typedef struct of_summarizer of_summarizer;

/** Counts, sum, mean and extremes in one pass over data that arrives in pieces. OF_ERR_TYPE: dtype.
 * OF_ERR_MEMORY. */
OF_API OF_MUST_USE of_status of_summarizer_create(of_dtype dtype, of_summarizer **out,
                                                  of_error *err);

/** Adds a piece, as of_reducer_update. */
OF_API OF_MUST_USE of_status of_summarizer_update(of_summarizer *summarizer, const of_array *piece,
                                                  of_error *err);

/** The summary so far; more pieces may follow. */
OF_API void of_summarizer_result(const of_summarizer *summarizer, of_summary *out);

/** Frees a summarizer. NULL is allowed. */
OF_API void of_summarizer_free(of_summarizer *summarizer);

OF_END_C

#endif
