#include "cli/check_data.h"

#include <string.h>

/* What the elements are like. The last two are for floats alone. */
enum kind {
    WIDE,       /* any finite value, each exponent as likely as another */
    NEAR_ONE,   /* +-1 give or take a few units in the last place, whose products stay finite; odd
                   integers */
    CANCELLING, /* as WIDE, but the second half is the first backwards and negated */
    TIES,       /* 0 to 3 */
    ZEROS,      /* of both signs */
    EDGES,      /* zeros, the smallest and the largest values, of both signs */
    INFINITE,   /* as WIDE, but for a few infinities of one sign */
    WITH_NAN    /* as WIDE, but for two NaNs with payloads and infinities of both signs */
};

/* Bit patterns that others are made from; an integer type has the sign alone. */
struct notable_bits {
    uint64_t sign;
    uint64_t infinity;
    uint64_t one;
};

static struct notable_bits notable_bits_of(of_dtype dtype) {
    int fraction = dtype == OF_F16 ? 10 : dtype == OF_BF16 ? 7 : dtype == OF_F32 ? 23 : 52;
    uint64_t sign = UINT64_C(1) << (8 * of_dtype_size(dtype) - 1);
    uint64_t infinity = sign - (UINT64_C(1) << fraction);
    uint64_t one = (infinity >> 1) & infinity;
    return (struct notable_bits){sign, infinity, one};
}

/* The number at a position of a fixed random sequence (splitmix64, public domain, Sebastiano
 * Vigna). */
static uint64_t random_at(uint64_t position) {
    uint64_t z = (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t pick(const uint64_t *values, int count, uint64_t random) {
    return values[random % (uint64_t)count];
}

static uint64_t wide_float(const struct notable_bits *notable, uint64_t random) {
    bool is_finite = (random & notable->infinity) != notable->infinity;
    uint64_t highest_exponent_bit = notable->sign >> 1;
    return is_finite ? random : random & ~highest_exponent_bit;
}

/* Upwards by up to 15 units of 2^-f, or downwards by up to 32 of half that size: balanced, so that
 * long products stay near one. */
static uint64_t float_near_one(const struct notable_bits *notable, uint64_t random) {
    uint64_t sign = random >> 8 & 1 ? notable->sign : 0;
    uint64_t size =
        random & 1 ? notable->one + (random >> 1 & 15) : notable->one - 1 - (random >> 1 & 31);
    return sign | size;
}

static uint64_t float_bits(of_dtype dtype, const struct notable_bits *notable, enum kind kind,
                           int64_t i, int64_t n, uint64_t random) {
    const uint64_t largest = notable->infinity - 1;
    const uint64_t edges[] = {0,       notable->sign,          1, notable->sign | 1,
                              largest, notable->sign | largest};
    switch (kind) {
    case NEAR_ONE: return float_near_one(notable, random);
    case TIES: return of_scalar_convert(of_scalar_i64((int64_t)(random & 3)), dtype).as.bits;
    case ZEROS: return random & notable->sign;
    case EDGES: return pick(edges, 6, random >> 32);
    case INFINITE: return i % 1000 == 600 ? notable->infinity : wide_float(notable, random);
    case WITH_NAN:
        if (i == n / 2 || i == n - 1) return notable->infinity | (random & largest) | 1;
        if (i % 1000 == 600) return notable->infinity | (random & notable->sign);
        return wide_float(notable, random);
    default: return wide_float(notable, random);
    }
}

static uint64_t integer_bits(const struct notable_bits *notable, enum kind kind, uint64_t random) {
    const uint64_t edges[] = {0, 1, notable->sign, notable->sign - 1, ~UINT64_C(0)};
    switch (kind) {
    case NEAR_ONE: return random | 1;
    case TIES: return random & 3;
    case ZEROS: return 0;
    case EDGES: return pick(edges, 5, random >> 32);
    default: return random;
    }
}

static void fill(of_array *array, enum kind kind) {
    of_dtype dtype = of_array_dtype(array);
    const struct notable_bits notable = notable_bits_of(dtype);
    bool is_float = of_dtype_is_float(dtype);
    size_t element_size = of_dtype_size(dtype);
    int64_t size = of_array_size(array);
    char *at = of_array_mutable_data(array);
    for (int64_t i = 0; i < size; i++, at += element_size) {
        bool is_mirrored = kind == CANCELLING && i > size - 1 - i;
        int64_t source = is_mirrored ? size - 1 - i : i;
        uint64_t random = random_at((uint64_t)kind << 32 | (uint64_t)source);
        uint64_t bits = is_float ? float_bits(dtype, &notable, kind, source, size, random)
                                 : integer_bits(&notable, kind, random);
        if (is_mirrored) bits = is_float ? bits ^ notable.sign : 0 - bits;
        if (dtype == OF_BOOL) bits &= 1;
        of_scalar_store((of_scalar){.dtype = dtype, .as.bits = bits}, at);
    }
}

/* An array of zeros with the shape of `dense`, in the other layout. */
static of_status create_strided(const of_array *dense, of_array **out, of_error *err) {
    int last = of_array_ndim(dense) - 1;
    int64_t length = of_array_shape(dense)[last];
    int64_t shape[OF_MAX_DIMS] = {2 * length};
    int axes[OF_MAX_DIMS];
    axes[last] = 0;
    for (int i = 0; i < last; i++) {
        shape[i + 1] = of_array_shape(dense)[i];
        axes[i] = i + 1;
    }
    of_array *buffer = NULL, *backwards = NULL;
    of_status status = of_array_zeros(NULL, of_array_dtype(dense), last + 1, shape, &buffer, err);
    if (status == OF_OK)
        status =
            of_array_slice(buffer, 0, length > 0 ? 2 * length - 1 : 0, length, -2, &backwards, err);
    if (status == OF_OK) status = of_array_transpose(backwards, axes, out, err);
    of_array_release(backwards);
    of_array_release(buffer);
    return status;
}

/* Copies what lies below one index of the dimensions before `dim`. Returns where the next element
 * is. */
static const char *copy_elements(const char *from, char *to, const of_array *strided, int dim) {
    int64_t length = of_array_shape(strided)[dim];
    int64_t stride = of_array_strides(strided)[dim];
    size_t size = of_dtype_size(of_array_dtype(strided));
    bool is_last = dim == of_array_ndim(strided) - 1;
    for (int64_t i = 0; i < length; i++, to += stride) {
        if (!is_last) {
            from = copy_elements(from, to, strided, dim + 1);
        } else {
            memcpy(to, from, size);
            from += size;
        }
    }
    return from;
}

static of_status add_array(struct check_data *data, of_dtype dtype, enum kind kind, int ndim,
                           const int64_t *shape, of_error *err) {
    of_array **dense = &data->dense[data->count];
    of_array **strided = &data->strided[data->count];
    data->count++;
    of_status status = of_array_create(NULL, dtype, ndim, shape, dense, err);
    if (status == OF_OK) status = create_strided(*dense, strided, err);
    if (status != OF_OK) return status;
    fill(*dense, kind);
    copy_elements(of_array_data(*dense), of_array_mutable_data(*strided), *strided, 0);
    return OF_OK;
}

of_status check_data_create(of_dtype dtype, struct check_data *out, of_error *err) {
    static const int64_t small[] = {11, 17, 19};
    const int64_t large[] = {LARGE_CHECK_BYTES / (32 * (int64_t)of_dtype_size(dtype)), 4, 8};
    static const int64_t lengths[] = {0, 1, 15, 16, 17};
    *out = (struct check_data){0};
    enum kind last = of_dtype_is_float(dtype) ? WITH_NAN : EDGES;
    of_status status = add_array(out, dtype, WIDE, 3, large, err);
    if (status == OF_OK) status = add_array(out, dtype, NEAR_ONE, 3, large, err);
    for (enum kind kind = WIDE; kind <= last && status == OF_OK; kind++)
        status = add_array(out, dtype, kind, 3, small, err);
    for (int i = 0; i < 5 && status == OF_OK; i++)
        status = add_array(out, dtype, WIDE, 1, &lengths[i], err);
    return status;
}

void check_data_free(struct check_data *data) {
    for (int i = 0; i < data->count; i++) {
        of_array_release(data->dense[i]);
        of_array_release(data->strided[i]);
    }
}
