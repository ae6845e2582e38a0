#include "datasets.h"

#include <math.h>
#include <string.h>

#include "compare.h"

const char *distribution_name(distribution distribution) {
    static const char *const names[] = {[NORMAL] = "normal",
                                        [BINADES_58] = "58-binades",
                                        [LOG_UNIFORM] = "log-uniform",
                                        [UNIFORM] = "uniform"};
    return names[distribution];
}

/* Marsaglia's xorshift64. */
static uint64_t random_bits(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Between 0 and 1, both excluded. */
static double uniform(uint64_t *state) {
    return ((double)(random_bits(state) >> 11) + 0.5) * 0x1p-53;
}

/* By Box and Muller. */
static double normal(uint64_t *state) {
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(2 * 3.14159265358979324 * uniform(state));
}

static of_scalar finite_pattern(uint64_t *state, of_dtype dtype) {
    of_scalar value;
    do {
        uint64_t bits = random_bits(state);
        value = of_scalar_load(dtype, &bits);
    } while (!isfinite(of_scalar_to_f64(value)));
    return value;
}

static of_scalar draw(uint64_t *state, of_dtype dtype, distribution distribution) {
    double value;
    switch (distribution) {
    case NORMAL: value = normal(state); break;
    case BINADES_58:
        value = exp2(58 * (uniform(state) - 0.5));
        if (random_bits(state) & 1) value = -value;
        break;
    default: return finite_pattern(state, dtype);
    }
    return of_scalar_convert(of_scalar_f64(value), dtype);
}

/* Drawing is slow: past a few million numbers they repeat. The period is no power of two, so that
 * threads and blocks do not all meet the same. */
of_array *make_dataset(of_dtype dtype, int ndim, const int64_t *shape, distribution distribution) {
    of_array *array;
    of_error err = {0};
    require(of_array_create(NULL, dtype, ndim, shape, &array, &err), &err);
    size_t element = of_dtype_size(dtype);
    int64_t count = of_array_size(array), period = (1 << 22) - 12288;
    if (period > count) period = count;
    char *data = of_array_mutable_data(array);
    uint64_t state = 88172645463325252;
    for (int64_t i = 0; i < period; i++)
        of_scalar_store(draw(&state, dtype, distribution), data + (size_t)i * element);
    for (int64_t i = period; i < count; i += period) {
        int64_t more = count - i < period ? count - i : period;
        memcpy(data + (size_t)i * element, data, (size_t)more * element);
    }
    return array;
}
