#include "scan/prefix.h"

#include "core/round.h"
#include "reduce/load.h"

static bool is_float_sum(const of__scan *scan) {
    return scan->operation == OF_SUM && of_dtype_is_float(scan->dtype);
}

static bool is_float_product(const of__scan *scan) {
    return scan->operation == OF_PROD && of_dtype_is_float(scan->dtype);
}

static of_scalar scalar_of(of_dtype dtype, uint64_t bits) {
    return (of_scalar){.dtype = dtype, .as.bits = bits};
}

/* The contract's NaN for any NaN. */
static uint64_t without_payload(of_scalar value) {
    if (!of_dtype_is_float(value.dtype)) return value.as.bits;
    double wide = of_scalar_to_f64(value);
    return wide == wide ? value.as.bits : of__nan_bits(value.dtype);
}

void of__prefix_begin(const of__scan *scan, of__prefix *prefix) {
    if (is_float_sum(scan)) {
        of__prefix_sum_begin(&prefix->as.sum);
        if (scan->has_init) of__prefix_sum_add(&prefix->as.sum, of_scalar_to_f64(scan->init));
    } else if (is_float_product(scan)) {
        of__product_begin(&prefix->as.product.all);
        prefix->as.product.trees = of__product_trees(&prefix->as.product.all);
    } else {
        prefix->as.bits = scan->has_init ? without_payload(scan->init)
                                         : of__scan_empty(scan->operation, scan->dtype);
    }
}

void of__scan_begin_partial(const of__scan *scan, of__partial *partial) {
    of__partial_begin(partial, scan->operation, scan->dtype, is_float_product(scan));
}

void of__prefix_advance(const of__scan *scan, of__prefix *prefix, const of__partial *partial) {
    if (partial->count == 0) return;
    if (is_float_sum(scan)) {
        of__prefix_sum_merge(&prefix->as.sum, &partial->as.sum);
    } else if (is_float_product(scan)) {
        prefix->as.product.all = partial->as.product;
        prefix->as.product.trees = of__product_trees(&prefix->as.product.all);
    } else { /* prefix holds init alone, so far */
        of_scalar init = scalar_of(scan->dtype, prefix->as.bits);
        of__finish finish = {.result = scan->dtype, .init = &init};
        prefix->as.bits = of__partial_finish(partial, &finish).as.bits;
    }
}

of_scalar of__prefix_value(const of__scan *scan, const of__prefix *prefix) {
    if (is_float_sum(scan))
        return scalar_of(scan->dtype, of__prefix_sum_bits(&prefix->as.sum, scan->dtype));
    if (!is_float_product(scan)) return scalar_of(scan->dtype, prefix->as.bits);
    double init = scan->has_init ? of_scalar_to_f64(scan->init) : 1;
    return scalar_of(scan->dtype,
                     of__product_bits_after(&prefix->as.product.all, prefix->as.product.trees,
                                            scan->has_init ? &init : NULL, scan->dtype));
}

/* The trees change with each whole run, so that a value costs two or three multiplications. */
static void scan_product(const of__scan *scan, of__prefix *prefix, const char *x, char *out,
                         int64_t n) {
    of__product *product = &prefix->as.product.all;
    const int64_t size = (int64_t)scan->size;
    for (int64_t i = 0; i < n; i++) {
        double element = of__element_f64(scan->dtype, x + i * size);
        if (scan->exclusive) of_scalar_store(of__prefix_value(scan, prefix), out + i * size);
        of__product_add(product, element);
        if (product->count % OF__RUN == 0) prefix->as.product.trees = of__product_trees(product);
        if (!scan->exclusive) of_scalar_store(of__prefix_value(scan, prefix), out + i * size);
    }
}

void of__prefix_scan(const of__scan *scan, of__prefix *prefix, const void *x, void *out,
                     int64_t n) {
    if (is_float_sum(scan))
        of__prefix_sum_scan(&prefix->as.sum, scan->scan_kernels, scan->dtype, scan->exclusive, x,
                            out, n);
    else if (is_float_product(scan))
        scan_product(scan, prefix, x, out, n);
    else
        of__scan_step_for(scan->operation, scan->dtype)(x, out, n, scan->exclusive,
                                                        &prefix->as.bits);
}
