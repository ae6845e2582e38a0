#include "reduce/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const operation_names[] = {
#define OF_OPERATION(SYMBOL, name, meaning) #name,
#include <onefold/operations.def>
#undef OF_OPERATION
};

/* ---- single checks ---- */

static int64_t checks, failures;

enum { FAILURES_SHOWN = 25 };

static void complain(const char *format, va_list arguments, const char *detail) {
    if (++failures > FAILURES_SHOWN) return;
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    print_error("isa=%s threads=%d: %s%s\n", of_isa_get(), of_threads_get(), text, detail);
}

void check(bool holds, const char *what, ...) {
    checks++;
    if (holds) return;
    va_list arguments;
    va_start(arguments, what);
    complain(what, arguments, "");
    va_end(arguments);
}

void check_scalar(of_scalar got, of_scalar expected, const char *what, ...) {
    checks++;
    if (got.dtype == expected.dtype && got.as.bits == expected.as.bits) return;
    char detail[200];
    snprintf(detail, sizeof detail, ": got %s %016llx, expected %s %016llx",
             of_dtype_name(got.dtype), (unsigned long long)got.as.bits,
             of_dtype_name(expected.dtype), (unsigned long long)expected.as.bits);
    va_list arguments;
    va_start(arguments, what);
    complain(what, arguments, detail);
    va_end(arguments);
}

void check_failure(of_status got, of_status expected, const of_error *err, const char *words,
                   const char *what) {
    check(got == expected, "%s: status %s, expected %s", what, of_status_name(got),
          of_status_name(expected));
    if (got == OF_OK || !err) return;
    check(err->code == got, "%s: the error's code is %s", what, of_status_name(err->code));
    check(strstr(err->message, words), "%s: \"%s\" does not say \"%s\"", what, err->message, words);
    size_t length = strlen(err->message);
    check(length > 0 && err->message[length - 1] != '.', "%s: \"%s\" is no plain sentence", what,
          err->message);
}

void checks_finish(void) {
    int64_t made = checks, failed = failures;
    checks = failures = 0;
    if (failed > FAILURES_SHOWN)
        print_error("... and %lld more\n", (long long)(failed - FAILURES_SHOWN));
    if (failed) fail_msg("%lld of %lld checks failed", (long long)failed, (long long)made);
    if (made == 0) fail_msg("nothing was checked");
    print_message("             %lld checks\n", (long long)made);
}

/* ---- configurations ---- */

void each_configuration(void (*body)(void *context), void *context) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        assert_int_equal(of_threads_set(threads[t], NULL), OF_OK);
        for (int i = 0; of_isa_at(i); i++) {
            assert_int_equal(of_isa_set(of_isa_at(i), NULL), OF_OK);
            body(context);
        }
    }
    assert_int_equal(of_isa_set(NULL, NULL), OF_OK);
    assert_int_equal(of_threads_set(0, NULL), OF_OK);
}

/* ---- questions ---- */

typedef struct question {
    of_array *src, *second;
    of_operation operation;
    of_reduce_opts opts;
    of_scalar init;
    int64_t n;
    bool along_dims;
    int ndim; /* of the answer */
    int64_t shape[OF_MAX_DIMS];
    int64_t count;
    of_scalar *expected;
    char about[60];
} question;

static question *questions;
static int64_t question_count, question_room;

static void *take(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

/* The packed elements of a slice; those of a whole array are kept for the next question about it.
 */
static const void *packed(const of_array *src, dim_set dims, int64_t outer, int which) {
    static struct {
        of_array *array;
        dim_set dims;
        int64_t outer;
        void *elements;
    } kept[2];
    if (kept[which].array == src && kept[which].dims == dims && kept[which].outer == outer)
        return kept[which].elements;
    of_array_release(kept[which].array);
    free(kept[which].elements);
    kept[which].array = NULL;
    kept[which].elements = NULL;
    if (!src) return NULL;
    kept[which].array = of_array_retain((of_array *)src);
    kept[which].dims = dims;
    kept[which].outer = outer;
    size_t size = (size_t)ref_size(of_array_dtype(src));
    kept[which].elements = take((size_t)array_slice_size(src, dims) * size);
    array_gather(src, dims, outer, kept[which].elements);
    return kept[which].elements;
}

bool expected_of_slice(const of_array *src, dim_set dims, int64_t outer, of_operation operation,
                       const of_reduce_opts *opts, of_dtype result, of_scalar *out) {
    static const of_reduce_opts defaults;
    if (!opts) opts = &defaults;
    ref_call call = {.operation = operation,
                     .dtype = of_array_dtype(src),
                     .elements = packed(src, dims, outer, 0),
                     .count = array_slice_size(src, dims),
                     .map = opts->map,
                     .ord = opts->ord,
                     .init = opts->init,
                     .result = result ? result : opts->acctype,
                     .along_dims = dims != WHOLE};
    if (opts->n && dims == WHOLE) call.count = *opts->n;
    if (opts->second) {
        call.second_dtype = of_array_dtype(opts->second);
        call.second = packed(opts->second, dims, outer, 1);
    }
    return ref_reduce(&call, out);
}

void exact_total(mpz_t out, const of_array *array) {
    const void *elements = packed(array, WHOLE, 0, 0);
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(out, 0);
    for (int64_t i = 0; i < of_array_size(array); i++) {
        ref_term value = ref_load(of_array_dtype(array), elements, i);
        if (value.kind != REF_FINITE) continue;
        ref_magnitude(term, value);
        mpz_mul_2exp(term, term, (mp_bitcnt_t)(value.exponent + EXACT_SCALE));
        if (value.negative)
            mpz_sub(out, out, term);
        else
            mpz_add(out, out, term);
    }
    mpz_clear(term);
}

/* The dimensions that a call reduces. */
static dim_set reduced_dims(const of_array *src, const of_dims *dims) {
    int ndim = of_array_ndim(src);
    dim_set all = (1u << ndim) - 1, set = 0;
    if (!dims->given) return all;
    for (int i = 0; i < dims->count; i++)
        set |= 1u << (dims->axis[i] < 0 ? dims->axis[i] + ndim : dims->axis[i]);
    return set;
}

/* A question with everything but its answers. */
static question *new_question(const of_array *src, of_operation operation,
                              const of_reduce_opts *opts, const char *about) {
    if (question_count == question_room) {
        question_room = question_room ? 2 * question_room : 1024;
        questions = realloc(questions, (size_t)question_room * sizeof *questions);
        assert_non_null(questions);
    }
    question *q = &questions[question_count++];
    *q = (question){.src = of_array_retain((of_array *)src), .operation = operation, .count = 1};
    snprintf(q->about, sizeof q->about, "%s", about);
    if (opts) {
        q->opts = *opts;
        q->second = of_array_retain((of_array *)opts->second);
        if (opts->init) q->init = *opts->init;
        if (opts->n) q->n = *opts->n;
    }
    return q;
}

void ask_scalar(const of_array *src, of_operation operation, const of_reduce_opts *opts,
                const char *about) {
    question *q = new_question(src, operation, opts, about);
    q->expected = take(sizeof *q->expected);
    if (!expected_of_slice(src, WHOLE, 0, operation, opts, OF_DTYPE_NONE, q->expected))
        fail_msg("the reference has no %s of nothing", operation_names[operation]);
}

void ask_dims(const of_array *src, of_operation operation, const of_reduce_opts *opts,
              const char *about) {
    question *q = new_question(src, operation, opts, about);
    q->along_dims = true;
    dim_set reduced = reduced_dims(src, &q->opts.dims);
    for (int dim = 0; dim < of_array_ndim(src); dim++) {
        bool dropped = reduced >> dim & 1;
        if (!dropped || q->opts.keepdims)
            q->shape[q->ndim++] = dropped ? 1 : of_array_shape(src)[dim];
        if (!dropped) q->count *= of_array_shape(src)[dim];
    }
    q->expected = take((size_t)q->count * sizeof *q->expected);
    if (!q->opts.dims.given) reduced = WHOLE;
    for (int64_t i = 0; i < q->count; i++)
        if (!expected_of_slice(src, reduced, i, operation, opts, OF_DTYPE_NONE, &q->expected[i]))
            fail_msg("the reference has no %s of nothing", operation_names[operation]);
}

/* "sum f32 (3, 4) over dims 1: normal step_2" */
static const char *describe(const question *q) {
    static char text[400];
    int used = snprintf(text, sizeof text, "%s %s (", operation_names[q->operation],
                        of_dtype_name(of_array_dtype(q->src)));
    for (int dim = 0; dim < of_array_ndim(q->src); dim++)
        used += snprintf(text + used, sizeof text - (size_t)used, dim ? ", %lld" : "%lld",
                         (long long)of_array_shape(q->src)[dim]);
    used += snprintf(text + used, sizeof text - (size_t)used, ")");
    for (int i = 0; i < q->opts.dims.count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, i ? ", %d" : " over dims %d",
                         q->opts.dims.axis[i]);
    if (q->opts.acctype)
        used += snprintf(text + used, sizeof text - (size_t)used, " acctype %s",
                         of_dtype_name(q->opts.acctype));
    if (q->opts.init)
        used += snprintf(text + used, sizeof text - (size_t)used, " init %s",
                         of_dtype_name(q->init.dtype));
    if (q->opts.ord)
        used += snprintf(text + used, sizeof text - (size_t)used, " ord %g", q->opts.ord);
    if (q->opts.n)
        used += snprintf(text + used, sizeof text - (size_t)used, " n %lld", (long long)q->n);
    if (q->second)
        used += snprintf(text + used, sizeof text - (size_t)used, " with %s",
                         of_dtype_name(of_array_dtype(q->second)));
    if (q->opts.map)
        used += snprintf(text + used, sizeof text - (size_t)used, " map %d", (int)q->opts.map);
    snprintf(text + used, sizeof text - (size_t)used, ": %s", q->about);
    return text;
}

static bool same(of_scalar a, of_scalar b) {
    return a.dtype == b.dtype && a.as.bits == b.as.bits;
}

static void answer_scalar(const question *q, const of_reduce_opts *opts) {
    of_error err = {0};
    of_scalar got = {0};
    of_status status = of_reduce_scalar(q->src, q->operation, opts, &got, &err);
    if (status != OF_OK)
        check(false, "%s: %s", describe(q), err.message);
    else if (same(got, *q->expected))
        checks++;
    else
        check_scalar(got, *q->expected, "%s", describe(q));
}

static void answer_dims(const question *q, const of_reduce_opts *opts) {
    of_error err = {0};
    of_array *got = NULL;
    if (of_reduce(q->src, q->operation, opts, &got, &err) != OF_OK) {
        check(false, "%s: %s", describe(q), err.message);
        return;
    }
    bool shaped = of_array_ndim(got) == q->ndim && of_array_is_contiguous(got);
    for (int dim = 0; shaped && dim < q->ndim; dim++)
        shaped = of_array_shape(got)[dim] == q->shape[dim];
    check(shaped, "%s: the result's shape", describe(q));
    for (int64_t i = 0; shaped && i < q->count; i++) {
        const char *element = (const char *)of_array_data(got) + i * ref_size(of_array_dtype(got));
        of_scalar value = of_scalar_load(of_array_dtype(got), element);
        if (same(value, q->expected[i]))
            checks++;
        else
            check_scalar(value, q->expected[i], "%s: element %lld", describe(q), (long long)i);
    }
    of_array_release(got);
}

static void answer_all(void *context) {
    (void)context;
    for (int64_t i = 0; i < question_count; i++) {
        const question *q = &questions[i];
        of_reduce_opts opts = q->opts;
        if (opts.init) opts.init = &q->init;
        if (opts.n) opts.n = &q->n;
        if (q->along_dims)
            answer_dims(q, &opts);
        else
            answer_scalar(q, &opts);
    }
}

void harness_answer(void) {
    each_configuration(answer_all, NULL);
    for (int64_t i = 0; i < question_count; i++) {
        of_array_release(questions[i].src);
        of_array_release(questions[i].second);
        free(questions[i].expected);
    }
    free(questions);
    questions = NULL;
    question_count = question_room = 0;
    packed(NULL, 0, 0, 0);
    packed(NULL, 0, 0, 1);
}
