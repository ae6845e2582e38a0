/* Where bytes come from: a file, a pipe or standard input, read once from front to back. */
#ifndef ONEFOLD_IO_SOURCE_H
#define ONEFOLD_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <onefold/error.h>

/* How many bytes of__source_peek can look ahead: enough for a magic number. */
#define OF__PEEK_SIZE 8

typedef struct of__source {
    int fd;
    bool owned; /* standard input is not ours to close */
    int64_t
        origin; /* where in the file reading began; a redirected standard input may start inside */
    int64_t size;     /* bytes from there to the end; -1 for a pipe, where only the end will tell */
    int64_t position; /* bytes read so far */
    char ahead[OF__PEEK_SIZE];
    int ahead_size;  /* bytes that were looked at and not yet read */
    char label[256]; /* how messages name it; a long path keeps its end */
} of__source;

/* Opens a path for reading, or standard input for "-". OF_ERR_IO. */
of_status of__source_open(const char *path, of__source *source, of_error *err);

void of__source_close(of__source *source);

/* Looks at the next `size` bytes, at most OF__PEEK_SIZE, without taking them; *got is less only at
 * the end. */
of_status of__source_peek(of__source *source, int size, const char **bytes, int *got,
                          of_error *err);

/* Takes the next `size` bytes; *got is less only at the end. */
of_status of__source_read(of__source *source, void *buffer, int64_t size, int64_t *got,
                          of_error *err);

/* Takes what is there, 1 to `size` bytes, waiting only when there is nothing; *got is 0 only at the
 * end. */
of_status of__source_read_some(of__source *source, void *buffer, int64_t size, int64_t *got,
                               of_error *err);

/* As of__fail, with the source's name in front: "data.npy: ...". */
of_status of__source_fail(const of__source *source, of_error *err, of_status code,
                          const char *format, ...) OF_PRINTF(4, 5);

/* Writes a path, or as much of its end as fits into `size` bytes, for messages. */
void of__path_label(const char *path, char *label, size_t size);

#endif
