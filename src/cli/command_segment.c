/* segment-sum: the numbers of FILE added up by segment. */
#include <stdlib.h>

#include <onefold/segment.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"

int run_segment_sum(const struct command *command, const struct settings *settings) {
    if (settings->second == NULL) return misuse(command, "--ids IDS is missing");
    if (!settings->segments_given) return misuse(command, "--segments N is missing");
    of_array *values = NULL, *ids = NULL, *sums = NULL;
    of_error err = {0};
    int status = operand_read_second(settings, OF_I64, &ids);
    if (status == EXIT_SUCCESS) status = operand_read(settings, OF_DTYPE_NONE, &values);
    if (status == EXIT_SUCCESS)
        status = output_check_size(settings, operand_name(settings), settings->segments);
    if (status == EXIT_SUCCESS &&
        of_segment_sum(values, ids, settings->segments, NULL, &sums, &err) != OF_OK)
        status = fail(operand_name(settings), "%s", err.message);
    if (status == EXIT_SUCCESS) status = output_deliver_array(command->name, settings, sums);
    of_array_release(sums);
    of_array_release(ids);
    of_array_release(values);
    return status;
}
