/* One pass over keys that finds out how much sorting they need. */
#ifndef ONEFOLD_SORT_KEY_SCAN_H
#define ONEFOLD_SORT_KEY_SCAN_H

#include "sort/key_rule.h"

typedef struct of__key_scan {
    uint64_t least, most;
    uint64_t varying; /* the bits in which keys differ */
    bool rises;       /* no key is below the one before */
    bool falls;       /* every key is below the one before */
} of__key_scan;

/* Of n >= 1 contiguous elements of any alignment. */
of__key_scan of__scan_keys(const of__key_rule *rule, const void *elements, int64_t n, int workers);

/* The body of an instruction set: of n >= 1 elements that one follows, when `has_next`. */
typedef of__key_scan of__key_scanner(const of__key_rule *rule, const void *elements, int64_t n,
                                     bool has_next);

extern of__key_scanner of__key_scanner_baseline, of__key_scanner_avx2, of__key_scanner_avx512;

#endif
