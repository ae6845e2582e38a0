/* Contiguous shares of n things for a number of workers. */
#ifndef ONEFOLD_SORT_SHARES_H
#define ONEFOLD_SORT_SHARES_H

#include "core/bytes.h"

/* Where the share of a worker begins, and that of the one before ends. */
OF__INLINE int64_t of__share_start(int64_t n, int workers, int worker) {
    int64_t more = n % workers; /* shares that have one more */
    return n / workers * worker + (worker < more ? worker : more);
}

#endif
