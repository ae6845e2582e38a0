/*
 * Prints the exact sum of a .npy file and the mean of each of its columns.
 *
 *     sum_file FILE.npy
 */
#include <stdio.h>
#include <stdlib.h>

#include <onefold/onefold.h>

static void print_elements(const of_array *array) {
    const char *element = of_array_data(array);
    of_dtype dtype = of_array_dtype(array);
    for (int64_t i = 0; i < of_array_size(array); i++, element += of_dtype_size(dtype)) {
        char text[OF_SCALAR_TEXT_SIZE];
        puts(of_scalar_format(of_scalar_load(dtype, element), text));
    }
}

static of_status sum_file(const char *path, of_error *err) {
    of_array *numbers = NULL, *means = NULL;
    of_scalar sum;
    of_reduce_opts columns = {.dims = OF_DIMS(0)};

    of_status status = of_npy_load(path, NULL, OF_DTYPE_NONE, &numbers, err);
    if (status == OF_OK) status = of_sum(numbers, NULL, &sum, err);
    if (status == OF_OK) status = of_reduce(numbers, OF_MEAN, &columns, &means, err);
    if (status == OF_OK) {
        char text[OF_SCALAR_TEXT_SIZE];
        printf("sum %s\nmeans\n", of_scalar_format(sum, text));
        print_elements(means);
    }
    of_array_release(means);
    of_array_release(numbers);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: sum_file FILE.npy\n", stderr);
        return 2;
    }
    of_error err = {0};
    if (sum_file(argv[1], &err) != OF_OK) {
        fprintf(stderr, "sum_file: %s\n", err.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
