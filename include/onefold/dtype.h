/*
 * Element types and single values.
 */
#ifndef ONEFOLD_DTYPE_H
#define ONEFOLD_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <onefold/error.h>

OF_BEGIN_C

/* OF_DTYPE_NONE, which is zero, means "the default" in options. */
typedef enum of_dtype {
    OF_DTYPE_NONE = 0,
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) OF_##SYMBOL,
#include <onefold/dtypes.def>
#undef OF_DTYPE
    OF_DTYPE_END /* one past the last; not a type */
} of_dtype;

/** The name of a type as files, options and messages spell it: "bool", "i8", ..., "f64"; "none"
 * otherwise. */
OF_API const char *of_dtype_name(of_dtype dtype);

/** Bytes of one element; 0 for a number that is no type. */
OF_API size_t of_dtype_size(of_dtype dtype);

/** True for f16, bf16, f32 and f64. */
OF_API bool of_dtype_is_float(of_dtype dtype);
/** True for signed and unsigned integers; false for bool. */
OF_API bool of_dtype_is_integer(of_dtype dtype);
/** True for signed integers. */
OF_API bool of_dtype_is_signed(of_dtype dtype);

/**
 * Finds a type by name: Onefold's names ("f32") and NumPy's ("float32", "uint8", "bool",
 * "bfloat16"). OF_ERR_TYPE: no type has that name; the message lists those that exist.
 */
OF_API OF_MUST_USE of_status of_dtype_parse(const char *name, of_dtype *out, of_error *err);

/**
 * The type in which two types meet (contract 2): a float wins over integers; of two floats the
 * wider, f16 with bf16 f32; of two integers the narrowest that holds both, signed with u64 f64;
 * bool yields to anything.
 */
OF_API of_dtype of_dtype_join(of_dtype a, of_dtype b);

/* One value with its type. `bits` is the storage zero-extended to 64 bits, for comparing and
 * printing. */
typedef struct of_scalar {
    of_dtype dtype;
    union {
        uint64_t bits;
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) storage member;
#include <onefold/dtypes.def>
#undef OF_DTYPE
    } as;
} of_scalar;

/** A value of the type that the name ends in. */
OF_API of_scalar of_scalar_i64(int64_t value);
OF_API of_scalar of_scalar_u64(uint64_t value);
OF_API of_scalar of_scalar_f32(float value);
OF_API of_scalar of_scalar_f64(double value);
OF_API of_scalar of_scalar_bool(bool value);

/**
 * Reads one element of type `dtype` from memory of any alignment.
 *
 *     memcpy(&result.as, element, of_dtype_size(dtype));
 */
OF_API of_scalar of_scalar_load(of_dtype dtype, const void *element);

/** Writes a value's bytes, of_dtype_size(value.dtype) of them, to memory of any alignment. */
OF_API void of_scalar_store(of_scalar value, void *element);

/**
 * Converts a value to another type by the contract's rules (section 1): to a float rounds once, to
 * nearest, ties to even; float to integer truncates, saturates, NaN gives 0; integer to integer
 * keeps the low bits; to bool is x != 0. A NaN becomes the quiet NaN of the new type, unless the
 * type stays the same, which moves the bits.
 */
OF_API of_scalar of_scalar_convert(of_scalar value, of_dtype dtype);

/** The value as a binary64, rounded once where it does not fit. */
OF_API double of_scalar_to_f64(of_scalar value);

/* Room for any value that of_scalar_format writes, with its terminating zero. */
#define OF_SCALAR_TEXT_SIZE 40

/**
 * Writes a value as text: integers in decimal, bool as "true" or "false", floats as the shortest
 * decimal that reads back to the same bits of their type ("0.1", "1e+300", "-0.0", "nan", "inf").
 * Returns `text`.
 *
 * text   at least OF_SCALAR_TEXT_SIZE bytes; receives the value and a terminating zero.
 */
OF_API char *of_scalar_format(of_scalar value, char *text);

/**
 * Reads a value of type `dtype` from text, rounding once. Leading and trailing blanks are allowed,
 * other text is not. Floats accept decimal and hexadecimal notation, "inf", "infinity" and "nan" in
 * any case; bool accepts "true", "false", "1" and "0".
 *
 * OF_ERR_FORMAT: the text is no number. OF_ERR_VALUE: an integer that the type cannot hold.
 */
OF_API OF_MUST_USE of_status of_scalar_parse(const char *text, of_dtype dtype, of_scalar *out,
                                             of_error *err);

OF_END_C

#endif
