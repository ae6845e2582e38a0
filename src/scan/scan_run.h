/* Running a scan that has passed every check: over one line of elements, and over many side by
 * side. */
#ifndef ONEFOLD_SCAN_SCAN_RUN_H
#define ONEFOLD_SCAN_SCAN_RUN_H

#include "array/flat.h"
#include "scan/prefix.h"

/* Scans the first n elements of `from` into `to`, with as many workers as that is worth. `total`
 * may be NULL. */
void of__scan_line(const of__scan *scan, const of__flat *from, const of__flat *to, int64_t n,
                   of_scalar *total);

/* The same by the caller alone, inside a task. */
void of__scan_line_alone(const of__scan *scan, const of__flat *from, const of__flat *to, int64_t n);

/* Scans the first n elements of every line along dimension `dim` of arrays of equal shape.
 * OF_ERR_MEMORY: nothing was written. */
of_status of__scan_lanes(const of__scan *scan, const of_array *src, of_array *dst, int dim,
                         int64_t n, of_error *err);

#endif
