/*
 * Results pinned by hashes. golden.txt has a line "operation dtype kind hash" for each kind of
 * data; the hash is of the bytes of results for each size below: of the whole, then of the columns
 * and of the rows of (size / 7, 7). It is written by generate.c from the reference alone. A changed
 * line is a changed contract.
 */
#ifndef ONEFOLD_TESTS_GOLDEN_H
#define ONEFOLD_TESTS_GOLDEN_H

#include <stdint.h>

static const int64_t golden_sizes[] = {1, 17, 700, 7000};
enum { GOLDEN_SIZES = 4, GOLDEN_COLUMNS = 7 };

#define GOLDEN_SEED 20240229

#define GOLDEN_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a, of 64 bits. */
static inline uint64_t golden_hash(uint64_t hash, const void *bytes, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        hash ^= ((const unsigned char *)bytes)[i];
        hash *= UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
