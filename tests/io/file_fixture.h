/* Files and pipes for the tests of reading and writing. Failures fail the test. */
#ifndef ONEFOLD_TESTS_IO_FILE_FIXTURE_H
#define ONEFOLD_TESTS_IO_FILE_FIXTURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <onefold/onefold.h>

/* For cmocka: a folder of the test program's own, made before its tests and removed after them. */
int fixture_folder_make(void **state);
int fixture_folder_remove(void **state);

/* The path of a name in the folder; valid until the eighth call after this one. */
const char *fixture_path(const char *name);

/* Writes a file into the folder. Returns its path, as fixture_path. */
const char *fixture_file(const char *name, const void *bytes, size_t size);

/* Reads a file whole. The caller frees the bytes. */
char *fixture_read(const char *path, size_t *size);

/* How many files the folder holds. */
int fixture_count(void);

/* A pipe that another process fills. */
typedef struct fixture_pipe {
    char path[32]; /* opens the reading end */
    int reading_end;
    pid_t writer; /* 0 when there is none */
} fixture_pipe;

/* Has the bytes written, `step` at a time, by a process where they do not fit at once. */
fixture_pipe fixture_pipe_start(const void *bytes, size_t size, size_t step);

/* Ends the process and closes the pipe. */
void fixture_pipe_end(fixture_pipe *pipe);

/* Puts a descriptor in the place of standard input; the result of the first call undoes it in a
 * second one. */
int fixture_standard_input(int descriptor);

/* Where bytes come from in tests that run over all of them. */
enum { FROM_FILE, FROM_PIPE, FROM_SLOW_PIPE, FROM_COUNT };

/* Opens a reader over bytes: from a file with a name, or from a pipe. */
of_status fixture_reader(int from, const char *name, const void *bytes, size_t size,
                         const of_reader_opts *opts, of_reader **out, of_error *err);

/* Asserts that a call failed with a code, and that its message has a text in it. */
void assert_failure(of_status status, of_status expected, const of_error *err, const char *part);

#endif
