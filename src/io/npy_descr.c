#include "io/npy_descr.h"

#include <string.h>

#include "core/fail.h"
#include "io/excerpt.h"

static const struct {
    of_dtype dtype;
    char descr[4]; /* as it is written; one byte has no order */
} types[] = {
    {OF_BOOL, "|b1"}, {OF_I8, "|i1"},  {OF_I16, "<i2"},  {OF_I32, "<i4"}, {OF_I64, "<i8"},
    {OF_U8, "|u1"},   {OF_U16, "<u2"}, {OF_U32, "<u4"},  {OF_U64, "<u8"}, {OF_F16, "<f2"},
    {OF_F32, "<f4"},  {OF_F64, "<f8"}, {OF_BF16, "<V2"}, /* raw bytes to NumPy */
};
#define TYPE_COUNT (sizeof types / sizeof types[0])

const char *of__npy_descr(of_dtype dtype) {
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (types[i].dtype == dtype) return types[i].descr;
    }
    return NULL;
}

/* What a descr says, before anybody asks for a type of raw bytes. */
typedef struct descr_parts {
    char order;
    of_dtype dtype;    /* OF_DTYPE_NONE: none of ours, or bytes that may be any */
    int64_t raw_bytes; /* of a type that is raw bytes; else 0 */
} descr_parts;

/* raw = "V" digits: the number of bytes, or 0 when it is none or has no use. */
static int64_t parse_raw(const char *code, int64_t length) {
    if (length != 2 || code[0] != 'V' || code[1] < '1' || code[1] > '9') return 0;
    return code[1] - '0';
}

/* descr = ["<" | ">" | "=" | "|"] code */
static descr_parts split(const char *descr, int64_t length) {
    descr_parts parts = {'=', OF_DTYPE_NONE, 0};
    if (length == 8 && memcmp(descr, "bfloat16", 8) == 0) return (descr_parts){'<', OF_BF16, 2};
    if (length > 0 && memchr("<>=|", descr[0], 4) != NULL) {
        parts.order = *descr++;
        length--;
    }
    parts.raw_bytes = parse_raw(descr, length);
    if (parts.raw_bytes > 0) return parts;
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (length != 2 || memcmp(types[i].descr + 1, descr, 2) != 0) continue;
        bool orderless = types[i].descr[0] == '|';
        if (parts.order != '|' || orderless) parts.dtype = types[i].dtype;
    }
    return parts;
}

of_status of__npy_descr_parse(const char *descr, int64_t length, of_dtype dtype,
                              const of__source *source, of__file_layout *layout, of_error *err) {
    char shown[80];
    descr_parts parts = split(descr, length);
    of__text_excerpt(descr, length, shown, sizeof shown);
    if (parts.raw_bytes > 0) {
        if (dtype == OF_DTYPE_NONE) {
            return of__source_fail(source, err, OF_ERR_TYPE,
                                   "descr '%s' is raw bytes; a dtype must say what they are%s",
                                   shown, parts.raw_bytes == 2 ? ", such as bf16" : "");
        }
        bool fits = (int64_t)of_dtype_size(dtype) == parts.raw_bytes;
        if (parts.dtype == OF_DTYPE_NONE && fits) parts.dtype = dtype;
    } else if (parts.dtype == OF_DTYPE_NONE) {
        return of__source_fail(source, err, OF_ERR_TYPE,
                               "descr '%s' is a type that Onefold does not have", shown);
    }
    if (dtype != OF_DTYPE_NONE && parts.dtype != dtype) {
        return of__source_fail(source, err, OF_ERR_TYPE,
                               "descr '%s' is not the dtype asked for, %s", shown,
                               of_dtype_name(dtype));
    }
    layout->dtype = parts.dtype;
    layout->swapped = parts.order == '>' && of_dtype_size(parts.dtype) > 1;
    return OF_OK;
}
