/* The element types: what is known of each, finding one by name, and the type in which two meet. */
#include <stdio.h>
#include <string.h>

#include <onefold/dtype.h>

#include "core/fail.h"

typedef enum dtype_kind { NO_KIND, BOOL, SIGNED, UNSIGNED, FLOAT } dtype_kind;

typedef struct dtype_facts {
    const char *name;
    dtype_kind kind;
    size_t size;
} dtype_facts;

static dtype_facts facts_of(of_dtype dtype) {
    static const dtype_facts table[OF_DTYPE_END] = {
        [OF_DTYPE_NONE] = {"none", NO_KIND, 0},
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) [OF_##SYMBOL] = {#name, kind, bytes},
#include <onefold/dtypes.def>
#undef OF_DTYPE
    };
    bool exists = (unsigned)dtype < OF_DTYPE_END;
    return table[exists ? dtype : OF_DTYPE_NONE];
}

const char *of_dtype_name(of_dtype dtype) {
    return facts_of(dtype).name;
}

size_t of_dtype_size(of_dtype dtype) {
    return facts_of(dtype).size;
}

bool of_dtype_is_float(of_dtype dtype) {
    return facts_of(dtype).kind == FLOAT;
}

bool of_dtype_is_integer(of_dtype dtype) {
    dtype_kind kind = facts_of(dtype).kind;
    return kind == SIGNED || kind == UNSIGNED;
}

bool of_dtype_is_signed(of_dtype dtype) {
    return facts_of(dtype).kind == SIGNED;
}

/* Whether `name` is NumPy's spelling of `short_name`: the letters written out, the same digits. */
static bool is_long_spelling(const char *name, const char *short_name) {
    static const char *const spellings[][2] = {
        {"i", "int"}, {"u", "uint"}, {"f", "float"}, {"bf", "bfloat"}};
    size_t letters = strcspn(short_name, "0123456789");
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *brief = spellings[i][0], *full = spellings[i][1];
        if (strlen(brief) != letters || strncmp(short_name, brief, letters) != 0) continue;
        return strncmp(name, full, strlen(full)) == 0 &&
               strcmp(name + strlen(full), short_name + letters) == 0;
    }
    return false;
}

of_status of_dtype_parse(const char *name, of_dtype *out, of_error *err) {
    if (name == NULL) return of__fail(err, OF_ERR_TYPE, "the name of a type is missing");
    for (of_dtype dtype = OF_DTYPE_NONE + 1; dtype < OF_DTYPE_END; dtype++) {
        const char *short_name = of_dtype_name(dtype);
        if (strcmp(name, short_name) == 0 || is_long_spelling(name, short_name)) {
            *out = dtype;
            return OF_OK;
        }
    }
    return of__fail(err, OF_ERR_TYPE, "there is no type \"%.100s\"; the types are"
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) " " #name
#include <onefold/dtypes.def>
#undef OF_DTYPE
                    ,
                    name);
}

static of_dtype find(dtype_kind kind, size_t size) {
    of_dtype dtype = OF_DTYPE_NONE + 1;
    while (facts_of(dtype).kind != kind || facts_of(dtype).size != size) dtype++;
    return dtype;
}

static of_dtype join_integers(of_dtype a, of_dtype b) {
    dtype_facts of_a = facts_of(a), of_b = facts_of(b);
    if (of_a.kind == of_b.kind) return of_a.size >= of_b.size ? a : b;
    size_t unsigned_size = of_a.kind == UNSIGNED ? of_a.size : of_b.size;
    size_t signed_size = of_a.kind == SIGNED ? of_a.size : of_b.size;
    if (signed_size <= unsigned_size) signed_size = 2 * unsigned_size;
    return signed_size > sizeof(int64_t) ? OF_F64 : find(SIGNED, signed_size);
}

of_dtype of_dtype_join(of_dtype a, of_dtype b) {
    dtype_facts of_a = facts_of(a), of_b = facts_of(b);
    if (of_a.kind == NO_KIND || of_b.kind == NO_KIND) return OF_DTYPE_NONE;
    if (a == b || of_b.kind == BOOL) return a;
    if (of_a.kind == BOOL) return b;
    if (of_a.kind != FLOAT && of_b.kind != FLOAT) return join_integers(a, b);
    if (of_a.kind != of_b.kind) return of_a.kind == FLOAT ? a : b;
    if (of_a.size == of_b.size) return OF_F32; /* f16 and bf16: neither holds the other */
    return of_a.size > of_b.size ? a : b;
}
