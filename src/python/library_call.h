/* How every function of the library is called from Python: arguments are taken over first, then
 * the work is done without Python's lock, then results are handed out. Signals are answered
 * while a long call runs. */
#ifndef ONEFOLD_PYTHON_LIBRARY_CALL_H
#define ONEFOLD_PYTHON_LIBRARY_CALL_H

#include "python/dtype_object.h"

typedef struct call call;

/* Does the work; touches no Python object. */
typedef of_status (*call_body)(call *call, of_error *err);

enum { MOST_SOURCES = 4, MOST_RESULTS = 4 };

struct call {
    call_body run;
    of_array *source[MOST_SOURCES]; /* what it reads or writes; owned */
    of_array *result[MOST_RESULTS]; /* what it made; owned until taken */
    bool wanted[MOST_RESULTS];      /* which results to make, where they can be left out */
    of_scalar value;                /* a single value: an argument, or the answer */
    of_scalar init;
    int64_t n; /* where options point to it */
    int64_t number;
    int64_t result_bytes; /* see call_expect */
    int dim;              /* where options point to it */
    int operation;
    double range[2];
    union {
        of_reduce_opts reduce;
        of_scan_opts scan;
        of_sort_opts sort;
        of_gather_opts gather;
        of_search_opts search;
        of_top_k_opts top_k;
        of_merge_opts merge;
        of_reverse_opts reverse;
        of_runs_opts runs;
        of_compact_opts compact;
        of_segment_opts segment;
        of_repeat_opts repeat;
        of_histogram_opts histogram;
    } opts;
};

bool call_register(void);

/* A call with all else zero. NULL with MemoryError. */
call *call_create(call_body run);

/* Does the work and reports failure as an exception. When a signal handler raises, as that of
 * Ctrl-C does, the exception is raised at once and *call becomes NULL: the work goes on to its
 * end by itself, and then releases what it holds. */
bool call_perform(call **call);

/* Tells that the call will make some `elements` elements, where that may be far more than it reads:
 * how long it takes decides how it is run. */
void call_expect(call *call, int64_t elements);

/* Releases what the call still holds. NULL is allowed. */
void call_release(call *call);

#endif
