#include <onefold/onefold.h>

#include <stdio.h>

int main(void) {
    double values[] = {1e16, 1, -1e16, 1};
    int64_t shape[] = {4};
    of_error err = {0};
    of_array *x = NULL;
    of_scalar sum;
    of_status status = of_array_wrap(NULL, OF_F64, 1, shape, NULL, values, 0, NULL, NULL, &x, &err);
    if (status == OF_OK) status = of_sum(x, NULL, &sum, &err);
    of_array_release(x);
    if (status == OF_OK) printf("%s %g\n", of_version(), of_scalar_to_f64(sum));
    return status != OF_OK;
}
