/* sort and argsort: FILE in order. */
#include <stdlib.h>
#include <string.h>

#include <onefold/sort.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"

int run_sort(const struct command *command, const struct settings *settings) {
    of_array *keys = NULL, *result = NULL;
    of_error err = {0};
    const of_sort_opts opts = {.descending = settings->descending,
                               .dim = settings->dims.given ? settings->dims.axis : NULL};
    bool wants_order = strcmp(command->name, "argsort") == 0;
    int status = operand_read(settings, OF_I64, &keys);
    if (status == EXIT_SUCCESS)
        status = output_check_size(settings, operand_name(settings), of_array_size(keys));
    if (status == EXIT_SUCCESS &&
        (wants_order ? of_argsort : of_sort)(keys, &opts, &result, &err) != OF_OK)
        status = fail(operand_name(settings), "%s", err.message);
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, result);
    of_array_release(result);
    of_array_release(keys);
    return status;
}
