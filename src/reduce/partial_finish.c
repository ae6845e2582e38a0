/* From a partial to the answer: the one rounding, and init. */
#include "core/round.h"
#include "reduce/partial.h"

static of_scalar scalar_of(of_dtype dtype, uint64_t bits) {
    of_scalar value = {dtype, {0}};
    value.as.bits = bits;
    return value;
}

static of_scalar finish_sum(const of__partial *partial, const of__finish *finish) {
    of_exact with_init;
    const of_exact *sum = &partial->as.sum;
    if (finish->init) {
        with_init = *sum;
        of__exact_add(&with_init, *finish->init);
        sum = &with_init;
    }
    if (finish->root) return scalar_of(finish->result, of__exact_round_root(sum, finish->result));
    if (of_dtype_is_float(finish->result))
        return scalar_of(finish->result, of__exact_round_bits(sum, 1, finish->result));
    return of_scalar_convert(of_scalar_u64(of__exact_modulo(sum)), finish->result);
}

static of_scalar finish_mean(const of__partial *partial, const of__finish *finish) {
    if (partial->count == 0) return scalar_of(finish->result, of__nan_bits(finish->result));
    return scalar_of(
        finish->result,
        of__exact_round_bits(&partial->as.sum, (uint64_t)partial->count, finish->result));
}

static of_scalar finish_var(const of__partial *partial, const of__finish *finish) {
    if (partial->count == 0) return scalar_of(finish->result, of__nan_bits(finish->result));
    const of__two_sums *two = &partial->as.two;
    return scalar_of(finish->result,
                     of__exact_round_variance(&two->first, &two->products, (uint64_t)partial->count,
                                              finish->root, finish->result));
}

static of_scalar finish_weighted_mean(const of__partial *partial, const of__finish *finish) {
    const of__two_sums *two = &partial->as.two;
    return scalar_of(finish->result,
                     of__exact_round_ratio(&two->products, &two->first, finish->result));
}

static of_scalar finish_prod(const of__partial *partial, const of__finish *finish) {
    if (partial->in_floats) {
        double init = finish->init ? of_scalar_to_f64(*finish->init) : 1;
        uint64_t bits =
            of__product_bits(&partial->as.product, finish->init ? &init : NULL, finish->result);
        return scalar_of(finish->result, bits);
    }
    uint64_t product = partial->as.integer_product;
    if (finish->init) product *= of_scalar_convert(*finish->init, OF_U64).as.u64;
    return of_scalar_convert(of_scalar_u64(product), finish->result);
}

static bool is_nan(of_scalar value) {
    return of_dtype_is_float(value.dtype) && of_scalar_to_f64(value) != of_scalar_to_f64(value);
}

/* Rounding keeps the order, so the extreme of rounded values is the rounded extreme. */
static of_scalar finish_extreme(const of__partial *partial, const of__finish *finish) {
    of_scalar nan = {OF_DTYPE_NONE, {0}}, value, init;
    if (of_dtype_is_float(finish->result))
        nan = scalar_of(finish->result, of__nan_bits(finish->result));
    if (partial->count && partial->as.best.nan) return nan;
    if (partial->count)
        value = of_scalar_convert(scalar_of(partial->dtype, partial->as.best.bits), finish->result);
    if (!finish->init) return value;
    init = of_scalar_convert(*finish->init, finish->result);
    if (is_nan(init)) return nan;
    if (partial->count == 0) return init;
    uint64_t init_key = of__order_key(finish->result, init.as.bits);
    uint64_t value_key = of__order_key(finish->result, value.as.bits);
    bool init_wins = partial->operation == OF_MAX ? init_key > value_key : init_key < value_key;
    return init_wins ? init : value;
}

static of_scalar finish_absmax(const of__partial *partial, const of__finish *finish) {
    uint64_t magnitude = partial->as.best.bits;
    if (!of_dtype_is_float(partial->dtype))
        return of_scalar_convert(of_scalar_u64(magnitude), finish->result);
    if (magnitude > of__infinity_bits(partial->dtype, false))
        return scalar_of(finish->result, of__nan_bits(finish->result));
    return of_scalar_convert(scalar_of(partial->dtype, magnitude), finish->result);
}

of_scalar of__partial_finish(const of__partial *partial, const of__finish *finish) {
    bool init_true = finish->init && of_scalar_convert(*finish->init, OF_BOOL).as.b;
    switch (partial->operation) {
    case OF_SUM: return finish_sum(partial, finish);
    case OF_MEAN: return finish_mean(partial, finish);
    case OF_VAR: return finish_var(partial, finish);
    case OF_WEIGHTED_MEAN: return finish_weighted_mean(partial, finish);
    case OF_PROD: return finish_prod(partial, finish);
    case OF_MIN:
    case OF_MAX: return finish_extreme(partial, finish);
    case OF_ABSMAX: return finish_absmax(partial, finish);
    case OF_ANY: return of_scalar_bool(init_true || partial->as.nonzero > 0);
    case OF_ALL:
        return of_scalar_bool((init_true || !finish->init) &&
                              partial->as.nonzero == partial->count);
    case OF_COUNT_NONZERO: {
        int64_t init = finish->init ? of_scalar_convert(*finish->init, OF_I64).as.i64 : 0;
        return of_scalar_i64((int64_t)((uint64_t)init + (uint64_t)partial->as.nonzero));
    }
    default: return of_scalar_i64(partial->as.best.index);
    }
}
