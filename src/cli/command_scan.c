/* scan: the running sum of FILE, or its running product or extreme. */
#include <stdlib.h>

#include <onefold/scan.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"

/* As the reduction has it, so that the last element is its answer. */
static of_dtype result_type(const struct settings *settings, of_dtype dtype) {
    of_operation operation = settings->scan_operation;
    if (settings->acctype != OF_DTYPE_NONE) return settings->acctype;
    if (operation == OF_MIN || operation == OF_MAX || of_dtype_is_float(dtype)) return dtype;
    return dtype == OF_BOOL || of_dtype_is_signed(dtype) ? OF_I64 : OF_U64;
}

/* Without --dim all elements are one row. */
static of_status create_result(const struct settings *settings, const of_array *array,
                               of_array **out, of_error *err) {
    of_dtype dtype = result_type(settings, of_array_dtype(array));
    int64_t size = of_array_size(array);
    if (!settings->dims.given) return of_array_create(NULL, dtype, 1, &size, out, err);
    return of_array_create(NULL, dtype, of_array_ndim(array), of_array_shape(array), out, err);
}

int run_scan(const struct command *command, const struct settings *settings) {
    of_operation operation = settings->scan_operation;
    if (settings->acctype == OF_BOOL && (operation == OF_SUM || operation == OF_PROD))
        return misuse(command, "--acc bool cannot hold a %s", of_operation_name(operation));
    of_array *array = NULL, *result = NULL;
    of_error err = {0};
    const of_scan_opts opts = {.operation = operation,
                               .dim = settings->dims.given ? settings->dims.axis : NULL};
    int status = operand_read(settings, OF_DTYPE_NONE, &array);
    if (status == EXIT_SUCCESS)
        status = output_check_size(settings, operand_name(settings), of_array_size(array));
    if (status == EXIT_SUCCESS && (create_result(settings, array, &result, &err) != OF_OK ||
                                   (settings->exclusive ? of_exclusive_scan : of_inclusive_scan)(
                                       array, result, &opts, NULL, &err) != OF_OK))
        status = fail(operand_name(settings), "%s", err.message);
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, result);
    of_array_release(result);
    of_array_release(array);
    return status;
}
