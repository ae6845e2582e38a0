/* check: whether instruction sets, threads and layouts agree on this machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/check_run.h"
#include "cli/commands.h"
#include "cli/message.h"

static const char *layout_name(const struct way *way) {
    return way->strided ? "strided" : "dense";
}

static int count_disagreements(const struct check_outcome *outcome) {
    int count = 0;
    for (int item = 0; item < CHECK_ITEM_COUNT; item++)
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
            count += !check_agrees(outcome, item, dtype);
    return count;
}

/* ---- Text ---- */

/* A table of operations by some of the types, as many as fit on a line. */
static void print_table(const struct check_outcome *outcome, of_dtype first, of_dtype last) {
    printf("\n%-13s", "");
    for (of_dtype dtype = first; dtype <= last; dtype++) printf("  %7s", of_dtype_name(dtype));
    putchar('\n');
    for (int item = 0; item < CHECK_ITEM_COUNT; item++) {
        printf("%-13s", check_items[item].name);
        for (of_dtype dtype = first; dtype <= last; dtype++) {
            uint64_t short_hash = outcome->hash[item][dtype][0] >> 36;
            if (check_agrees(outcome, item, dtype))
                printf("  %07" PRIx64, short_hash);
            else
                fputs("  DIFFERS", stdout);
        }
        putchar('\n');
    }
}

static void print_ways(const struct check_outcome *outcome, int item, of_dtype dtype) {
    const uint64_t *hash = outcome->hash[item][dtype];
    for (int i = 0; i < outcome->way_count; i++) {
        const struct way *way = &outcome->ways[i];
        printf("%-13s  %-4s  %-8s  threads %d  %-7s  %016" PRIx64 "  %s\n", check_items[item].name,
               of_dtype_name(dtype), way->isa, way->threads, layout_name(way), hash[i],
               hash[i] == hash[0] ? "same" : "DIFFERS");
    }
}

/* Each instruction set and number of threads once: ways that share them stand together. */
static void print_head(const struct check_outcome *outcome) {
    const struct way *ways = outcome->ways;
    printf("Each operation and type in %d ways: instruction sets", outcome->way_count);
    for (int i = 0; i < outcome->way_count && ways[i].threads == ways[0].threads; i += 2)
        printf(" %s", ways[i].isa);
    fputs(",\nthreads", stdout);
    for (int i = 0; i < outcome->way_count; i++)
        if (i == 0 || ways[i].threads != ways[i - 1].threads) printf(" %d", ways[i].threads);
    puts(", elements dense and strided. A hash: the bits were the same.");
}

static void print_text(const struct check_outcome *outcome, bool verbose) {
    const int pairs = CHECK_ITEM_COUNT * (OF_DTYPE_END - OF_BOOL);
    int different = count_disagreements(outcome);
    print_head(outcome);
    if (verbose) {
        putchar('\n');
        for (int item = 0; item < CHECK_ITEM_COUNT; item++)
            for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++)
                print_ways(outcome, item, dtype);
    }
    print_table(outcome, OF_BOOL, OF_U16);
    print_table(outcome, OF_U32, OF_F64);
    if (different == 0)
        printf("\nAll %d are the same in every way. Fingerprint %016" PRIx64 ".\n", pairs,
               check_fingerprint(outcome));
    else
        printf("\n%d of %d DIFFER from one way to another.\n", different, pairs);
}

/* ---- JSON ---- */

static void print_json_ways(const struct check_outcome *outcome, const uint64_t *hash) {
    fputs(",\"ways\":[", stdout);
    for (int i = 0; i < outcome->way_count; i++) {
        const struct way *way = &outcome->ways[i];
        printf("%s{\"isa\":\"%s\",\"threads\":%d,\"layout\":\"%s\",\"hash\":\"%016" PRIx64 "\"}",
               i > 0 ? "," : "", way->isa, way->threads, layout_name(way), hash[i]);
    }
    putchar(']');
}

static void print_json(const struct check_outcome *outcome, bool verbose) {
    printf("{\"op\":\"check\",\"version\":\"%s\",\"contract\":%d,\"ways\":%d,\"same\":%s",
           of_version(), OF_CONTRACT_VERSION, outcome->way_count,
           count_disagreements(outcome) == 0 ? "true" : "false");
    printf(",\"fingerprint\":\"%016" PRIx64 "\",\"results\":[", check_fingerprint(outcome));
    const char *comma = "";
    for (int item = 0; item < CHECK_ITEM_COUNT; item++) {
        for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
            const uint64_t *hash = outcome->hash[item][dtype];
            bool same = check_agrees(outcome, item, dtype);
            printf("%s{\"op\":\"%s\",\"dtype\":\"%s\",\"hash\":\"%016" PRIx64 "\",\"same\":%s",
                   comma, check_items[item].name, of_dtype_name(dtype), hash[0],
                   same ? "true" : "false");
            if (verbose || !same) print_json_ways(outcome, hash);
            putchar('}');
            comma = ",";
        }
    }
    puts("]}");
}

int run_check(const struct command *command, const struct settings *settings) {
    (void)command;
    static struct check_outcome outcome;
    of_error err = {0};
    of_status status = check_run(settings->isa, settings->threads, &outcome, &err);
    if (status != OF_OK)
        return fail("check", "%s", err.code != OF_OK ? err.message : of_status_meaning(status));
    (settings->json ? print_json : print_text)(&outcome, settings->verbose);
    return count_disagreements(&outcome) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
