/* Bytes as something that opens by a path, without a disk. */
#ifndef ONEFOLD_FUZZ_MEMORY_FILE_H
#define ONEFOLD_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

/* What a pipe holds before a writer has to wait. */
#define PIPE_HOLDS 65536

typedef struct memory_file {
    int descriptor;
    char path[32];
} memory_file;

/* A regular file. */
memory_file memory_file_make(const uint8_t *bytes, size_t size);

/* A pipe that ends after the bytes, at most PIPE_HOLDS. */
memory_file memory_pipe_make(const uint8_t *bytes, size_t size);

void memory_file_close(memory_file file);

/* Stops the program when something does not hold that must. */
#define REQUIRE(condition)                                                                         \
    if (!(condition)) __builtin_trap()

#endif
