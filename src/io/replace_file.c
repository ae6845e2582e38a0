#include "io/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"
#include "io/source.h"

/* Linux writes at most this much at once. */
#define MOST_AT_ONCE 0x7ffff000

static of_status fail(const of__replacement *file, of_error *err, int error) {
    return of__fail(err, OF_ERR_IO, "%s: %s", file->label, strerror(error));
}

/* Names a file beside the target that no other thread or process uses; false when the name is too
 * long. */
static bool name_temporary(of__replacement *file) {
    static atomic_uint counter;
    const char *slash = strrchr(file->target, '/');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - file->target);
    int length = snprintf(file->temporary, sizeof file->temporary, "%.*s.onefold-%ld-%u.tmp",
                          folder, file->target, (long)getpid(), atomic_fetch_add(&counter, 1));
    return length < (int)sizeof file->temporary;
}

/* Creates the temporary file with the rights that the target has, or that a new file gets. */
static of_status create_temporary(of__replacement *file, const struct stat *target, of_error *err) {
    do {
        if (!name_temporary(file)) return fail(file, err, ENAMETOOLONG);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file->fd < 0 && (errno == EEXIST || errno == EINTR));
    if (file->fd < 0) return fail(file, err, errno);
    /* A file system without rights refuses this, and has nothing to keep. */
    if (target != NULL) (void)!fchmod(file->fd, target->st_mode & 0777);
    return OF_OK;
}

of_status of__replacement_open(const char *path, of__replacement *file, of_error *err) {
    if (path == NULL) return of__fail(err, OF_ERR_VALUE, "path is NULL");
    of__path_label(path, file->label, sizeof file->label);
    file->temporary[0] = 0;
    struct stat target;
    bool exists = stat(path, &target) == 0;
    if (!exists && errno != ENOENT) return fail(file, err, errno);
    if (exists && S_ISDIR(target.st_mode)) return fail(file, err, EISDIR);
    if (exists && !S_ISREG(target.st_mode)) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
        return file->fd < 0 ? fail(file, err, errno) : OF_OK;
    }
    if (exists && access(path, W_OK) != 0) return fail(file, err, errno);
    if (exists && realpath(path, file->target) == NULL) return fail(file, err, errno);
    if (!exists &&
        snprintf(file->target, sizeof file->target, "%s", path) >= (int)sizeof file->target) {
        return fail(file, err, ENAMETOOLONG);
    }
    return create_temporary(file, exists ? &target : NULL, err);
}

of_status of__replacement_write(of__replacement *file, const void *bytes, int64_t size,
                                of_error *err) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(file->fd, next, size < MOST_AT_ONCE ? (size_t)size : MOST_AT_ONCE);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(file, err, errno);
        next += written;
        size -= written;
    }
    return OF_OK;
}

of_status of__replacement_close(of__replacement *file, of_status status, of_error *err) {
    if (close(file->fd) != 0 && status == OF_OK) status = fail(file, err, errno);
    if (file->temporary[0] == 0) return status;
    if (status == OF_OK && rename(file->temporary, file->target) != 0)
        status = fail(file, err, errno);
    if (status != OF_OK) unlink(file->temporary);
    return status;
}
