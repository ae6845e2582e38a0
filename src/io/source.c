#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"

/* Linux reads at most this much at once. */
#define MOST_AT_ONCE 0x7ffff000

void of__path_label(const char *path, char *label, size_t size) {
    size_t length = strlen(path);
    if (length < size) {
        memcpy(label, path, length + 1);
    } else {
        snprintf(label, size, "...%s", path + length - (size - 4));
    }
}

of_status of__source_fail(const of__source *source, of_error *err, of_status code,
                          const char *format, ...) {
    char text[sizeof err->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return of__fail(err, code, "%s: %s", source->label, text);
}

/* Finds out what was opened: a regular file has a size and can be mapped. OF_ERR_IO: a directory.
 */
static of_status inspect(of__source *source, of_error *err) {
    struct stat status;
    if (fstat(source->fd, &status) != 0)
        return of__source_fail(source, err, OF_ERR_IO, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return of__source_fail(source, err, OF_ERR_IO, "%s", strerror(EISDIR));
    /* Files that the kernel makes up say that they are empty: those are read until they end, as
     * pipes are. */
    if (!S_ISREG(status.st_mode) || status.st_size == 0) return OF_OK;
    off_t origin = lseek(source->fd, 0, SEEK_CUR);
    if (origin < 0 || origin > status.st_size) return OF_OK;
    source->origin = origin;
    source->size = status.st_size - origin;
    return OF_OK;
}

of_status of__source_open(const char *path, of__source *source, of_error *err) {
    if (path == NULL) return of__fail(err, OF_ERR_VALUE, "path is NULL");
    *source = (of__source){.fd = STDIN_FILENO, .size = -1};
    if (strcmp(path, "-") == 0) {
        of__path_label("standard input", source->label, sizeof source->label);
    } else {
        of__path_label(path, source->label, sizeof source->label);
        do {
            source->fd = open(path, O_RDONLY | O_CLOEXEC);
        } while (source->fd < 0 && errno == EINTR);
        if (source->fd < 0) return of__source_fail(source, err, OF_ERR_IO, "%s", strerror(errno));
        source->owned = true;
    }
    of_status status = inspect(source, err);
    if (status != OF_OK) of__source_close(source);
    return status;
}

void of__source_close(of__source *source) {
    if (source->owned) close(source->fd);
    source->owned = false;
}

/* Up to `size` bytes from the file itself. */
static of_status read_file(of__source *source, void *buffer, int64_t size, int64_t *got,
                           of_error *err) {
    ssize_t count;
    do {
        count = read(source->fd, buffer, size < MOST_AT_ONCE ? (size_t)size : MOST_AT_ONCE);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return of__source_fail(source, err, OF_ERR_IO, "%s", strerror(errno));
    *got = count;
    return OF_OK;
}

of_status of__source_peek(of__source *source, int size, const char **bytes, int *got,
                          of_error *err) {
    while (source->ahead_size < size) {
        int64_t count = 0;
        char *end = source->ahead + source->ahead_size;
        OF_TRY(read_file(source, end, size - source->ahead_size, &count, err));
        if (count == 0) break;
        source->ahead_size += (int)count;
    }
    *bytes = source->ahead;
    *got = source->ahead_size < size ? source->ahead_size : size;
    return OF_OK;
}

of_status of__source_read_some(of__source *source, void *buffer, int64_t size, int64_t *got,
                               of_error *err) {
    if (source->ahead_size > 0 && size > 0) {
        *got = source->ahead_size < size ? source->ahead_size : size;
        memcpy(buffer, source->ahead, (size_t)*got);
        source->ahead_size -= (int)*got;
        memmove(source->ahead, source->ahead + *got, (size_t)source->ahead_size);
    } else {
        OF_TRY(read_file(source, buffer, size, got, err));
    }
    source->position += *got;
    return OF_OK;
}

of_status of__source_read(of__source *source, void *buffer, int64_t size, int64_t *got,
                          of_error *err) {
    *got = 0;
    while (*got < size) {
        int64_t count;
        OF_TRY(of__source_read_some(source, (char *)buffer + *got, size - *got, &count, err));
        if (count == 0) break;
        *got += count;
    }
    return OF_OK;
}
