/* sum, mean, prod and the other reductions: FILE, and for dot and weighted_mean another array, to one
 * value, or along dimensions to an array. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"

static of_reduce_opts reduction_options(const struct settings *settings) {
    return (of_reduce_opts){.dims = settings->dims,
                            .keepdims = settings->keepdims,
                            .acctype = settings->acctype,
                            .ord = settings->order};
}

/* ---- What is reduced ---- */

static of_status take_piece(void *reducer, const of_array *piece, of_error *err) {
    return of_reducer_update(reducer, piece, err);
}

/* The answer of a reducer, as an array without dimensions. */
static of_status create_answer(const of_reducer *reducer, of_array **out, of_error *err) {
    of_scalar value;
    of_status status = of_reducer_result(reducer, &value, err);
    if (status == OF_OK) status = of_array_create(NULL, value.dtype, 0, NULL, out, err);
    if (status == OF_OK) of_scalar_store(value, of_array_mutable_data(*out));
    return status;
}

static int reduce_pieces(const struct command *command, const struct settings *settings,
                         struct input *input, of_array **out) {
    of_error err = {0};
    of_reducer *reducer;
    of_reduce_opts opts = reduction_options(settings);
    of_dtype dtype = of_reader_dtype(input->reader);
    if (of_reducer_create(command->operation, dtype, &opts, &reducer, &err) != OF_OK)
        return fail(input->name, "%s", err.message);
    int status = input_read_pieces(input, take_piece, reducer);
    if (status == EXIT_SUCCESS && create_answer(reducer, out, &err) != OF_OK)
        status = fail(input->name, "%s", err.message);
    of_reducer_free(reducer);
    return status;
}

/* How many elements the result will have; 0 when there can be none such, which of_reduce reports.
 */
static int64_t result_size(const of_array *array, const struct settings *settings) {
    int ndim = of_array_ndim(array);
    bool reduced[OF_MAX_DIMS] = {false};
    for (int i = 0; i < settings->dims.count; i++) {
        int dim = settings->dims.axis[i];
        if (dim < -ndim || dim >= ndim) return 0;
        reduced[dim < 0 ? dim + ndim : dim] = true;
    }
    int64_t size = 1;
    for (int i = 0; i < ndim && settings->dims.given; i++)
        if (!reduced[i] && __builtin_mul_overflow(size, of_array_shape(array)[i], &size)) return 0;
    return size;
}

/* `second` is NULL for an operation of one array. */
static int reduce_whole(const struct command *command, const struct settings *settings,
                        const of_array *array, const of_array *second, of_array **out) {
    of_error err = {0};
    of_reduce_opts opts = reduction_options(settings);
    opts.second = second;
    int status = output_check_size(settings, operand_name(settings), result_size(array, settings));
    if (status == EXIT_SUCCESS && of_reduce(array, command->operation, &opts, out, &err) != OF_OK)
        status = fail(operand_name(settings), "%s", err.message);
    return status;
}

static int reduce_dims(const struct command *command, const struct settings *settings,
                       struct input *input, of_array **out) {
    of_array *array;
    int status = input_read_whole(input, &array);
    if (status != EXIT_SUCCESS) return status;
    status = reduce_whole(command, settings, array, NULL, out);
    of_array_release(array);
    return status;
}

int run_reduce(const struct command *command, const struct settings *settings) {
    struct input input;
    of_array *result = NULL;
    int status = input_open(&input, settings);
    if (status != EXIT_SUCCESS) return status;
    if (settings->dims.given || settings->keepdims)
        status = reduce_dims(command, settings, &input, &result);
    else
        status = reduce_pieces(command, settings, &input, &result);
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, result);
    of_array_release(result);
    input_close(&input);
    return status;
}

/* The library takes as many of the second array as the first one has. */
static int check_sizes(const struct settings *settings, const of_array *array,
                       const of_array *second) {
    if (of_array_size(array) == of_array_size(second)) return EXIT_SUCCESS;
    return fail(operand_name(settings), "there are %" PRId64 " numbers, and %" PRId64 " to go with",
                of_array_size(array), of_array_size(second));
}

int run_reduce_two(const struct command *command, const struct settings *settings) {
    of_array *array = NULL, *second = NULL, *result = NULL;
    if (settings->second == NULL) return misuse(command, "%s is missing", command->needs);
    int status = operand_read_second(settings, OF_DTYPE_NONE, &second);
    if (status == EXIT_SUCCESS) status = operand_read(settings, OF_DTYPE_NONE, &array);
    if (status == EXIT_SUCCESS) status = check_sizes(settings, array, second);
    if (status == EXIT_SUCCESS) status = reduce_whole(command, settings, array, second, &result);
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, result);
    of_array_release(result);
    of_array_release(second);
    of_array_release(array);
    return status;
}
