#include "sort/key_rule.h"

/* The bits of +inf; 0 for types without it. */
static uint64_t infinity(of_dtype dtype) {
    switch (dtype) {
    case OF_F16: return 0x7c00;
    case OF_BF16: return 0x7f80;
    case OF_F32: return 0x7f800000;
    case OF_F64: return UINT64_C(0x7ff0000000000000);
    default: return 0;
    }
}

of__key_rule of__key_rule_for(of_dtype dtype, bool descending) {
    int bits = 8 * (int)of_dtype_size(dtype);
    uint64_t all = UINT64_MAX >> (64 - bits), sign = UINT64_C(1) << (bits - 1);
    of__key_rule rule = {.most = all, .bits = bits};
    if (dtype == OF_BOOL) {
        rule.most = 1;
    } else if (of_dtype_is_signed(dtype)) {
        rule.negative_mask = rule.positive_mask = sign;
    } else if (of_dtype_is_float(dtype)) {
        rule.negative_mask = all;
        rule.positive_mask = sign;
        rule.bias = all ^ (sign | infinity(dtype)); /* what -inf becomes */
        rule.most = (infinity(dtype) ^ sign) - rule.bias + 1;
    }
    rule.turn = descending ? all : 0;
    return rule;
}
