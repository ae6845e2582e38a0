/* The public accumulator: making, adding single values, rounding, exporting. Adding arrays is in
 * reduce/. */
#include <onefold/exact.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "core/round.h"
#include "exact/accumulator.h"

of_status of_exact_create(of_exact **out, of_error *err) {
    of_exact *exact = of__alloc(sizeof *exact);
    if (!exact) return of__fail(err, OF_ERR_MEMORY, "no memory for an accumulator");
    of_exact_clear(exact);
    *out = exact;
    return OF_OK;
}

void of_exact_free(of_exact *exact) {
    of__free(exact);
}

int64_t of_exact_count(const of_exact *exact) {
    return exact->count;
}

of_status of_exact_add_scalar(of_exact *exact, of_scalar value, of_error *err) {
    if (!of_dtype_size(value.dtype))
        return of__fail(err, OF_ERR_TYPE, "value has type %d, which is no element type",
                        (int)value.dtype);
    of__fpenv saved = of__fpenv_enter();
    of__exact_add(exact, value);
    of__fpenv_leave(saved);
    return OF_OK;
}

of_status of_exact_round(const of_exact *exact, of_dtype dtype, of_scalar *out, of_error *err) {
    bool is_float = of_dtype_is_float(dtype);
    if (!is_float && !of_dtype_is_integer(dtype))
        return of__fail(err, OF_ERR_TYPE,
                        "dtype is %s; a sum is rounded to a float or an integer type",
                        of_dtype_name(dtype));
    if (!is_float && exact->floats)
        return of__fail(err, OF_ERR_TYPE, "dtype is %s, but the sum has floating-point terms",
                        of_dtype_name(dtype));
    of_scalar result = {dtype, {0}};
    if (is_float)
        result.as.bits = of__exact_round_bits(exact, 1, dtype);
    else
        result = of_scalar_convert(of_scalar_u64(of__exact_modulo(exact)), dtype);
    *out = result;
    return OF_OK;
}

of_status of_exact_round_quotient(const of_exact *exact, int64_t divisor, of_dtype dtype,
                                  of_scalar *out, of_error *err) {
    if (!of_dtype_is_float(dtype))
        return of__fail(err, OF_ERR_TYPE, "dtype is %s; a quotient is rounded to a float type",
                        of_dtype_name(dtype));
    if (divisor < 0)
        return of__fail(err, OF_ERR_VALUE, "divisor is %lld; it must be 0 or more",
                        (long long)divisor);
    *out = (of_scalar){dtype, {0}};
    out->as.bits =
        divisor ? of__exact_round_bits(exact, (uint64_t)divisor, dtype) : of__nan_bits(dtype);
    return OF_OK;
}

/* The exported limbs are in two's complement: all in [0, 2^32) but the last, which carries the
 * sign. Then come the counts. A state is thus a function of the terms alone, and adding states
 * number by number merges them. */
void of_exact_export(const of_exact *exact, int64_t *state) {
    of_exact carried = *exact;
    of__exact_carry(&carried);
    int64_t carry = 0;
    for (int k = 0; k < OF__LIMBS - 1; k++) {
        int64_t limb = carried.limb[k] + carry;
        carry = limb >> 32;
        state[k] = limb & 0xffffffff;
    }
    state[OF__LIMBS - 1] = carried.limb[OF__LIMBS - 1] + carry;
    int64_t *counts = state + OF__LIMBS;
    counts[0] = exact->count;
    counts[1] = exact->floats != 0;
    counts[2] = exact->not_negative_zeros != 0;
    counts[3] = exact->nans != 0;
    counts[4] = exact->positive_infinities != 0;
    counts[5] = exact->negative_infinities != 0;
}

of_status of_exact_import(of_exact *exact, const int64_t *state, of_error *err) {
    const int64_t *counts = state + OF__LIMBS, most = INT64_C(1) << 62;
    for (int k = 0; k < OF__LIMBS; k++)
        if (state[k] < -most || state[k] > most)
            return of__fail(err, OF_ERR_VALUE, "state number %d is %lld, which is no limb", k,
                            (long long)state[k]);
    for (int k = 0; k < 6; k++)
        if (counts[k] < 0)
            return of__fail(err, OF_ERR_VALUE, "state number %d is %lld; counts are not negative",
                            OF__LIMBS + k, (long long)counts[k]);
    of_exact imported;
    of_exact_clear(&imported);
    for (int k = 0; k < OF__LIMBS; k++) imported.limb[k] = state[k];
    imported.low = 0;
    imported.high = OF__LIMBS;
    of__exact_carry(&imported);
    int64_t top = imported.limb[OF__LIMBS - 1];
    if (top > INT32_MAX || top < INT32_MIN)
        return of__fail(err, OF_ERR_VALUE, "state is larger than any sum of 2^63 terms");
    imported.count = counts[0];
    imported.floats = counts[1];
    imported.not_negative_zeros = counts[2];
    imported.nans = counts[3];
    imported.positive_infinities = counts[4];
    imported.negative_infinities = counts[5];
    *exact = imported;
    return OF_OK;
}
