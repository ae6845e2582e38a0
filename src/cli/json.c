#include "cli/json.h"

#include <math.h>
#include <stdio.h>

void json_print_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

void json_print_scalar(of_scalar value) {
    char text[OF_SCALAR_TEXT_SIZE];
    of_scalar_format(value, text);
    bool is_number = !of_dtype_is_float(value.dtype) || isfinite(of_scalar_to_f64(value));
    printf(is_number ? "%s" : "\"%s\"", text);
}

void json_print_shape(int ndim, const int64_t *shape) {
    putchar('[');
    for (int i = 0; i < ndim; i++) printf("%s%lld", i > 0 ? "," : "", (long long)shape[i]);
    putchar(']');
}

static void print_bytes(of_scalar value) {
    for (size_t i = 0; i < of_dtype_size(value.dtype); i++)
        printf("%02x", (unsigned)(value.as.bits >> (8 * i) & 0xff));
}

void json_print_bits(of_scalar value) {
    putchar('"');
    print_bytes(value);
    putchar('"');
}

/* Prints the part of a row-major array that starts at *element, which moves past it. */
static void print_nested(const of_array *array, int dim, const char **element) {
    if (dim == of_array_ndim(array)) {
        json_print_scalar(of_scalar_load(of_array_dtype(array), *element));
        *element += of_dtype_size(of_array_dtype(array));
        return;
    }
    putchar('[');
    for (int64_t i = 0; i < of_array_shape(array)[dim]; i++) {
        if (i > 0) putchar(',');
        print_nested(array, dim + 1, element);
    }
    putchar(']');
}

void json_print_array(const of_array *array) {
    const char *element = of_array_data(array);
    print_nested(array, 0, &element);
}

void json_print_array_bits(const of_array *array) {
    const char *element = of_array_data(array);
    size_t size = of_dtype_size(of_array_dtype(array));
    putchar('"');
    for (int64_t i = 0; i < of_array_size(array); i++)
        print_bytes(of_scalar_load(of_array_dtype(array), element + (size_t)i * size));
    putchar('"');
}
