/* hist: how the numbers of FILE are spread, as bars. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <onefold/histogram.h>

#include "cli/bars.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/operands.h"
#include "cli/output.h"
#include "cli/svg.h"
#include "cli/terminal.h"

enum { USUAL_BINS = 10 };

/* How many of the numbers are in no bin. */
static int64_t count_left_out(const of_array *counts, int64_t size) {
    const int64_t *count = of_array_data(counts);
    for (int64_t i = 0; i < of_array_size(counts); i++) size -= count[i];
    return size;
}

/* Bars unless they are drawn into a file or were asked for in another form. */
static int show(const struct settings *settings, const of_array *counts, const of_array *edges,
                int64_t size) {
    bool is_weighted = settings->second != NULL;
    const struct svg_words words = {operand_name(settings), settings->reader.column,
                                    is_weighted ? "sum of weights" : "count"};
    if (settings->svg != NULL) return svg_write(settings->svg, &words, counts, edges);
    bars_print(counts, edges, terminal_width(), terminal_takes_utf8());
    int64_t left_out = is_weighted ? 0 : count_left_out(counts, size);
    if (left_out > 0) printf("in no bin: %" PRId64 "\n", left_out);
    return EXIT_SUCCESS;
}

static int deliver(const struct command *command, const struct settings *settings,
                   const of_array *counts, const of_array *edges, int64_t size) {
    int status = EXIT_SUCCESS;
    const struct part parts[] = {{"count", counts, settings->output, NULL},
                                 {"edges", edges, settings->second_output, NULL}};
    struct result result = {.count = 0};
    for (int i = 0; i < 2; i++)
        if (settings->json || parts[i].file != NULL) result.parts[result.count++] = parts[i];
    if (settings->svg != NULL || result.count == 0) status = show(settings, counts, edges, size);
    if (status == EXIT_SUCCESS && result.count > 0)
        status = output_deliver(command->name, settings, &result);
    return status;
}

int run_hist(const struct command *command, const struct settings *settings) {
    of_array *array = NULL, *weights = NULL, *counts = NULL, *edges = NULL;
    of_error err = {0};
    int64_t bins = settings->bins > 0 ? settings->bins : USUAL_BINS;
    int status = EXIT_SUCCESS;
    if (settings->second != NULL) status = operand_read_second(settings, OF_DTYPE_NONE, &weights);
    if (status == EXIT_SUCCESS) status = operand_read(settings, OF_DTYPE_NONE, &array);
    const of_histogram_opts opts = {.range = settings->range_given ? settings->range : NULL,
                                    .outside = settings->drop ? OF_OUTSIDE_DROP : OF_OUTSIDE_CLAMP,
                                    .weights = weights};
    if (status == EXIT_SUCCESS && settings->svg == NULL)
        status = output_check_size(settings, operand_name(settings), bins);
    if (status == EXIT_SUCCESS && of_histogram(array, bins, &opts, &counts, &edges, &err) != OF_OK)
        status = fail(operand_name(settings), "%s", err.message);
    if (status == EXIT_SUCCESS)
        status = deliver(command, settings, counts, edges, of_array_size(array));
    of_array_release(counts);
    of_array_release(edges);
    of_array_release(weights);
    of_array_release(array);
    return status;
}
