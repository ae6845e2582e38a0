/*
 * A second reading of the contract, written to be obviously right and nothing else: every value is
 * a GMP integer times a power of two, and rounds once, here. It takes only type declarations from
 * the library, none of its code.
 */
#ifndef ONEFOLD_TESTS_REFERENCE_H
#define ONEFOLD_TESTS_REFERENCE_H

#include <gmp.h>

#include <onefold/reduce.h>

/* One value that a reduction takes: an element, a square or product of elements, or init. It is
 * never rounded. */
typedef struct ref_term {
    enum { REF_FINITE, REF_INFINITE, REF_NAN } kind;
    bool negative; /* the sign bit; of zeros and infinities too */
    bool integer;  /* from an integer or bool: it has no negative zero, and converts by its low bits
                    */
    unsigned __int128 magnitude;
    int exponent; /* the value is magnitude * 2^exponent */
} ref_term;

/* What is reduced, and to what. The elements lie packed, one after another. */
typedef struct ref_call {
    of_operation operation;
    of_dtype dtype;
    const void *elements;
    int64_t count;
    of_map map;
    double ord;            /* of norm; 0: 2 */
    of_dtype second_dtype; /* of the other factors, for OF_MAP_PRODUCT and operations of two */
    const void *second;
    const of_scalar *init; /* NULL: none */
    of_dtype result;       /* the type to round or convert to; NONE: the contract's */
    bool along_dims;       /* the elements are a slice: mean, absmax and statistics have their float
                              type */
} ref_call;

/* The answer; false when there is none (the minimum of nothing). */
bool ref_reduce(const ref_call *call, of_scalar *out);

/* The type of an answer when `result` names none: contract 2 to 6. */
of_dtype ref_result_dtype(const ref_call *call);

/* The type in which two types meet. */
of_dtype ref_join(of_dtype a, of_dtype b);

bool ref_is_float(of_dtype dtype);
bool ref_is_signed(of_dtype dtype);
int ref_size(of_dtype dtype);

/* Element number `index` of packed elements. */
ref_term ref_load(of_dtype dtype, const void *elements, int64_t index);
ref_term ref_load_scalar(of_scalar value);

/* Contract 6: the exact square, product or absolute value; of integers modulo 2^64. */
ref_term ref_mapped(const ref_call *call, int64_t index);

/* The exact product; of integers too. */
ref_term ref_product(ref_term a, ref_term b);

/* Exact comparison of two numbers: -1, 0 or 1. The two zeros are equal; neither may be NaN. */
int ref_compare(ref_term a, ref_term b);

/* Contract 1's conversion of a value to any type. */
of_scalar ref_convert(ref_term value, of_dtype dtype);

/* The float nearest to (-1)^negative * numerator / denominator * 2^exponent, ties to even. */
of_scalar ref_round(of_dtype dtype, bool negative, const mpz_t numerator, const mpz_t denominator,
                    long exponent);
/* The integer modulo the width of an integer type. */
of_scalar ref_wrap(of_dtype dtype, const mpz_t value);
of_scalar ref_nan(of_dtype dtype);
of_scalar ref_infinity(of_dtype dtype, bool negative);
of_scalar ref_zero(of_dtype dtype, bool negative);

/* magnitude, without its sign. */
void ref_magnitude(mpz_t out, ref_term value);

/* A sum of terms: total * 2^exponent and what else there was. */
typedef struct ref_total {
    mpz_t total;
    int exponent; /* so low that every term is a whole number of these units */
    bool nan, plus_infinity, minus_infinity;
    bool all_negative_zeros; /* and at least one */
} ref_total;

/* Adds terms 0 to count - 1. mpz_clear(out->total) frees it. */
void ref_add_up(ref_total *out, const ref_call *call, int64_t count,
                ref_term (*term)(const ref_call *call, int64_t index));

/* The total over `count`, rounded once. */
of_scalar ref_round_total(const ref_total *sum, uint64_t count, of_dtype dtype);

/* One file each. */
of_scalar ref_sum(const ref_call *call);
of_scalar ref_mean(const ref_call *call);
of_scalar ref_prod(const ref_call *call);
of_scalar ref_extreme(const ref_call *call);
of_scalar ref_arg_extreme(const ref_call *call);
of_scalar ref_absmax(const ref_call *call);
of_scalar ref_var(const ref_call *call);
of_scalar ref_norm(const ref_call *call);
of_scalar ref_dot(const ref_call *call);
of_scalar ref_weighted_mean(const ref_call *call);
of_scalar ref_count_nonzero(const ref_call *call);
of_scalar ref_any(const ref_call *call);
of_scalar ref_all(const ref_call *call);

#endif
