/*
 * Adds up numbers in several processes and merges their partial sums without rounding: each process
 * writes the state of its accumulator into a pipe, the states are added as plain integers, and the
 * total is rounded once. Across a cluster, an MPI_Allreduce of the states with MPI_SUM does the
 * same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <onefold/onefold.h>

enum { COUNT = 100001, PROCESSES = 4 };

typedef struct state {
    int64_t numbers[OF_EXACT_STATE_SIZE];
} state;

/* Numbers of about 1e18 that cancel in pairs, and between them a 1: their sum. */
static void fill(double *numbers) {
    uint64_t seed = 1;
    numbers[COUNT / 2] = 1;
    for (int i = 0; i < COUNT / 2; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (double)(int64_t)seed;
        numbers[COUNT / 2 + 1 + i] = -numbers[i];
    }
}

static of_status sum_exactly(double *numbers, int64_t count, of_exact *sum) {
    of_array *array;
    of_status status = of_array_wrap(NULL, OF_F64, 1, &count, NULL, numbers, OF_WRAP_READ_ONLY,
                                     NULL, NULL, &array, NULL);
    if (status != OF_OK) return status;
    status = of_exact_add_array(sum, array, NULL);
    of_array_release(array);
    return status;
}

/* What each process does: sums its share and writes the state, all at once since it is shorter than
 * PIPE_BUF. */
static int work(double *numbers, int share, int pipe_end) {
    int64_t begin = (int64_t)COUNT * share / PROCESSES;
    int64_t end = (int64_t)COUNT * (share + 1) / PROCESSES;
    of_exact *sum = NULL;
    state partial;
    bool ok = of_exact_create(&sum, NULL) == OF_OK &&
              sum_exactly(numbers + begin, end - begin, sum) == OF_OK;
    if (ok) {
        of_exact_export(sum, partial.numbers);
        ok = write(pipe_end, &partial, sizeof partial) == (ssize_t)sizeof partial;
    }
    of_exact_free(sum);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Starts the processes and adds their states as they come. */
static bool sum_in_processes(double *numbers, state *total) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    bool ok = true;
    for (int share = 0; share < PROCESSES; share++) {
        pid_t child = fork();
        if (child == 0) _exit(work(numbers, share, ends[1]));
        ok = ok && child > 0;
    }
    close(ends[1]);
    memset(total, 0, sizeof *total);
    state partial;
    while (read(ends[0], &partial, sizeof partial) == (ssize_t)sizeof partial)
        for (int i = 0; i < OF_EXACT_STATE_SIZE; i++) total->numbers[i] += partial.numbers[i];
    close(ends[0]);
    int status;
    while (wait(&status) > 0) ok = ok && status == 0;
    return ok;
}

static of_status round_state(const state *total, of_scalar *out, of_error *err) {
    of_exact *sum;
    of_status status = of_exact_create(&sum, err);
    if (status != OF_OK) return status;
    status = of_exact_import(sum, total->numbers, err);
    if (status == OF_OK) status = of_exact_round(sum, OF_F64, out, err);
    of_exact_free(sum);
    return status;
}

int main(void) {
    static double numbers[COUNT];
    fill(numbers);
    double loop = 0;
    for (int i = 0; i < COUNT; i++) loop += numbers[i];

    state total;
    of_scalar sum;
    of_error err = {0};
    if (!sum_in_processes(numbers, &total)) {
        fputs("partial_sums: a process failed\n", stderr);
        return EXIT_FAILURE;
    }
    if (round_state(&total, &sum, &err) != OF_OK) {
        fprintf(stderr, "partial_sums: %s\n", err.message);
        return EXIT_FAILURE;
    }
    char text[OF_SCALAR_TEXT_SIZE];
    printf("a loop says %g, %d processes %s\n", loop, PROCESSES, of_scalar_format(sum, text));
    return EXIT_SUCCESS;
}
