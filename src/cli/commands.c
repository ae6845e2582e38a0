#include "cli/commands.h"

#include <string.h>

#include "cli/message.h"
#include "cli/suggest.h"

#define TAKES_COMMON (TAKES_JSON | TAKES_HELP)
#define TAKES_FILE   (TAKES_INPUT | TAKES_RUNNING | TAKES_DEVICE | TAKES_COMMON)

static const char reduce_details[] =
    "FILE is a .npy file, a CSV file, raw numbers, or - for standard input. It may be larger than "
    "memory. The answer has the same bits for every number of threads, instruction set and device.";

/* How the second array of a command is found. */
#define SECOND_DETAILS(NAME)                                                                       \
    NAME " is a column of FILE, which is then CSV, or another .npy or CSV file: a name that ends " \
         "in .npy, .csv, .tsv or .txt or has a / in it."

/* What cells become without --dtype. */
#define NUMBER_DETAILS "CSV cells are taken as i64 where all of them are integers, else as f64."
#define KEY_DETAILS                                                                                \
    "Keys in CSV are taken as i64, as f64 or as text, the first of these that all cells are. A "   \
    "column of text has a header when it is given by name, and none when it is given by number."

static const char sort_details[] =
    "From the smallest to the largest: -inf ... -0.0, 0.0 ... inf, then NaNs. Equal ones keep "
    "their order. " NUMBER_DETAILS;

const struct command commands[] = {
#define OF_STATISTIC_OF_TWO(SYMBOL, symbol, meaning)
#define OF_OPERATION(SYMBOL, symbol, meaning)                                                      \
    {.name = #symbol,                                                                              \
     .operand = "FILE",                                                                            \
     .prints = meaning,                                                                            \
     .takes =                                                                                      \
         TAKES_REDUCTION | TAKES_OUTPUT | TAKES_FILE | (OF_##SYMBOL == OF_NORM ? TAKES_ORDER : 0), \
     .run = run_reduce,                                                                            \
     .operation = OF_##SYMBOL,                                                                     \
     .details = reduce_details,                                                                    \
     .examples = "onefold " #symbol " data.npy\n"                                                  \
                 "onefold " #symbol " prices.csv --column price\n"                                 \
                 "onefold " #symbol " data.npy --dim 0 -o columns.npy\n"                           \
                 "seq 100 | onefold " #symbol " -\n"                                               \
                 "zcat numbers.gz | onefold " #symbol " - --dtype f32"},
#include <onefold/operations.def>
#undef OF_OPERATION
    {.name = "dot",
     .operand = "FILE",
     .needs = "--with OTHER",
     .prints = "the exact sum of the exact products of two arrays, rounded once",
     .takes = TAKES_REDUCTION | TAKES_FACTOR | TAKES_OUTPUT | TAKES_FILE,
     .run = run_reduce_two,
     .operation = OF_DOT,
     .details = SECOND_DETAILS("OTHER"),
     .examples = "onefold dot x.npy --with y.npy\n"
                 "onefold dot prices.csv --column price --with amount"},
    {.name = "weighted_mean",
     .operand = "FILE",
     .needs = "--weights WEIGHTS",
     .prints = "the exact sum of products with weights over that of the weights",
     .takes = TAKES_REDUCTION | TAKES_WEIGHTS | TAKES_OUTPUT | TAKES_FILE,
     .run = run_reduce_two,
     .operation = OF_WEIGHTED_MEAN,
     .details =
         "It is rounded once, and NaN where the weights add up to 0. " SECOND_DETAILS("WEIGHTS"),
     .examples = "onefold weighted_mean x.npy --weights w.npy\n"
                 "onefold weighted_mean prices.csv --column price --weights amount"},
    {.name = "stats",
     .operand = "FILE",
     .prints = "count, sum, mean, extremes, zeros, NaNs and infinities, in one pass",
     .takes = TAKES_FILE,
     .run = run_stats,
     .details = reduce_details,
     .examples = "onefold stats data.npy\n"
                 "onefold stats prices.csv --column price --skip-missing\n"
                 "zcat numbers.gz | onefold stats - --dtype f32"},
    {.name = "hist",
     .operand = "FILE",
     .prints = "how many numbers lie in each of some bins, as bars",
     .takes = TAKES_HISTOGRAM | TAKES_DRAWING | TAKES_OUTPUT | TAKES_FILE,
     .run = run_hist,
     .details = "A bin holds the numbers from its first edge up to, not including, its second; the "
                "last bin holds both. NaN is in no bin. " SECOND_DETAILS("WEIGHTS"),
     .examples = "onefold hist data.npy\n"
                 "onefold hist prices.csv --column price --bins 20 --range 0,100\n"
                 "onefold hist prices.csv --column price --weights amount --svg prices.svg"},
    {.name = "scan",
     .operand = "FILE",
     .prints = "the running sum, or the running product, smallest or largest value",
     .takes = TAKES_SCAN | TAKES_ALONG | TAKES_OUTPUT | TAKES_FILE,
     .run = run_scan,
     .details = "Each sum is the exact sum of all numbers up to its place, rounded once.",
     .examples = "onefold scan data.npy -o sums.npy\n"
                 "onefold scan data.npy --op max --dim 0\n"
                 "seq 10 | onefold scan - --exclusive --dtype i64 --format csv"},
    {.name = "sort",
     .operand = "FILE",
     .prints = "the numbers in order",
     .takes = TAKES_SORTING | TAKES_ALONG | TAKES_OUTPUT | TAKES_FILE,
     .run = run_sort,
     .details = sort_details,
     .examples = "onefold sort data.npy -o sorted.npy\n"
                 "onefold sort prices.csv --column price --descending | head"},
    {.name = "argsort",
     .operand = "FILE",
     .prints = "where the numbers in order are, counted from 0",
     .takes = TAKES_SORTING | TAKES_ALONG | TAKES_OUTPUT | TAKES_FILE,
     .run = run_sort,
     .details = sort_details,
     .examples = "onefold argsort data.npy -o order.npy\n"
                 "onefold argsort prices.csv --column price --descending | head"},
    {.name = "unique",
     .operand = "FILE",
     .prints = "one of each run of equal numbers or texts",
     .takes = TAKES_GROUPING | TAKES_COUNTS | TAKES_COUNTS_OUTPUT | TAKES_OUTPUT | TAKES_FILE,
     .run = run_unique,
     .details = "Equal numbers that do not stand together are told again, unless --sort puts them "
                "together. NaN is equal to nothing. " KEY_DETAILS,
     .examples = "onefold unique data.npy --sort -o keys.npy\n"
                 "onefold unique prices.csv --column region --sort --counts"},
    {.name = "reduce-by-key",
     .operand = "FILE",
     .needs = "--key KEYS",
     .prints = "the sum, mean or other reduction of the numbers of each key",
     .takes = TAKES_KEYS | TAKES_GROUPING | TAKES_KEYS_OUTPUT | TAKES_OUTPUT | TAKES_FILE,
     .run = run_reduce_by_key,
     .details = "Each run of equal keys has a result of its own, unless --sort puts equal keys "
                "together. NaN is equal to nothing. Sums are exact, rounded once. " SECOND_DETAILS(
                    "KEYS") " " KEY_DETAILS,
     .examples = "onefold reduce-by-key prices.csv --key region --column price --op mean --sort\n"
                 "onefold reduce-by-key values.npy --key keys.npy -o sums.npy --keys-out of.npy"},
    {.name = "compact",
     .operand = "FILE",
     .needs = "--flags FLAGS",
     .prints = "the numbers whose flag is not 0",
     .takes = TAKES_FLAGS | TAKES_OUTPUT | TAKES_FILE,
     .run = run_compact,
     .details = "They keep their order. Where FILE has more dimensions than FLAGS, a flag is for a "
                "whole row. " SECOND_DETAILS("FLAGS"),
     .examples = "onefold compact data.npy --flags valid.npy -o kept.npy\n"
                 "onefold compact prices.csv --column price --flags paid"},
    {.name = "segment-sum",
     .operand = "FILE",
     .needs = "--ids IDS --segments N",
     .prints = "the exact sum of the numbers of each segment",
     .takes = TAKES_SEGMENTS | TAKES_OUTPUT | TAKES_FILE,
     .run = run_segment_sum,
     .details =
         "Ids need not be sorted. The sum of a segment without numbers is 0. Where FILE has two "
         "dimensions or more, whole rows are added up. " SECOND_DETAILS("IDS"),
     .examples = "onefold segment-sum forces.npy --ids node.npy --segments 5000 -o sums.npy\n"
                 "onefold segment-sum prices.csv --column price --ids shop --segments 12"},
    {.name = "devices",
     .prints = "the devices, threads and instruction sets of this machine",
     .takes = TAKES_COMMON,
     .run = run_devices},
    {.name = "check",
     .prints = "whether every way of computing gives the same bits on this machine",
     .takes = TAKES_VERBOSE | TAKES_RUNNING | TAKES_COMMON,
     .run = run_check,
     .details =
         "Runs every operation on built-in data of every type, with each instruction set that this "
         "machine has, with 1, 2, 3 and 7 threads, and with the elements side by side and strided; "
         "--isa and --threads narrow this to one. A cell of the table is a hash of all the results "
         "of that operation and type: the same on every machine. DIFFERS means that the ways did "
         "not agree; the exit status is then 1."},
    {.name = "bench",
     .prints = "the speed of reductions, scans and histograms on this machine",
     .takes = TAKES_SIZE | TAKES_RUNNING | TAKES_COMMON,
     .run = run_bench,
     .details =
         "Each of them takes turns with a plain loop: an ordinary vectorized sum, inexact, over "
         "the same numbers with as many threads. It shows how fast this machine can read. GB/s is "
         "its speed, plain that of the loop, ratio the first over the second: the "
         "median of 7 turns each."},
    {.name = "help",
     .operand = "COMMAND",
     .prints = "what a command does and which options it takes",
     .takes = TAKES_HELP,
     .run = run_help},
};
const int command_count = (int)(sizeof commands / sizeof commands[0]);

const struct command *command_find(const char *name) {
    struct guess guess = {name, NULL, 0};
    for (int i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
        guess_consider(&guess, commands[i].name);
    }
    if (guess.name == NULL)
        misuse(NULL, "there is no command \"%s\"", name);
    else
        misuse(NULL, "there is no command \"%s\"; did you mean %s?", name, guess.name);
    return NULL;
}
