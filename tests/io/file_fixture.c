#include "io/file_fixture.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

int fixture_folder_make(void **state) {
    (void)state;
    strcpy(folder, "/tmp/onefold-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

int fixture_folder_remove(void **state) {
    (void)state;
    DIR *list = opendir(folder);
    if (list == NULL) return 1;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        remove(fixture_path(entry->d_name));
    }
    closedir(list);
    return rmdir(folder);
}

const char *fixture_path(const char *name) {
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *fixture_file(const char *name, const void *bytes, size_t size) {
    const char *path = fixture_path(name);
    remove(path); /* some file systems write back at once what is cut short and written anew */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *fixture_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

int fixture_count(void) {
    DIR *list = opendir(folder);
    assert_non_null(list);
    int count = -2; /* "." and ".." */
    while (readdir(list) != NULL) count++;
    closedir(list);
    return count;
}

static void write_steps(int descriptor, const char *bytes, size_t size, size_t step) {
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size < step ? size : step);
        if (written <= 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}

fixture_pipe fixture_pipe_start(const void *bytes, size_t size, size_t step) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fixture_pipe result = {.reading_end = ends[0]};
    snprintf(result.path, sizeof result.path, "/proc/self/fd/%d", ends[0]);
    if (size <= PIPE_BUF && step >= size) { /* the pipe holds it all: no process is needed */
        write_steps(ends[1], bytes, size, step);
        close(ends[1]);
        return result;
    }
    result.writer = fork();
    assert_true(result.writer >= 0);
    if (result.writer == 0) {
        close(ends[0]);
        write_steps(ends[1], bytes, size, step);
        _exit(0);
    }
    close(ends[1]);
    return result;
}

void fixture_pipe_end(fixture_pipe *pipe) {
    close(pipe->reading_end);
    if (pipe->writer <= 0) return;
    kill(pipe->writer, SIGKILL);
    waitpid(pipe->writer, NULL, 0);
}

int fixture_standard_input(int descriptor) {
    int saved = dup(STDIN_FILENO);
    assert_true(dup2(descriptor, STDIN_FILENO) >= 0);
    close(descriptor);
    return saved;
}

of_status fixture_reader(int from, const char *name, const void *bytes, size_t size,
                         const of_reader_opts *opts, of_reader **out, of_error *err) {
    if (from == FROM_FILE) return of_reader_open(fixture_file(name, bytes, size), opts, out, err);
    /* Once open, the reader has the pipe of its own, and the writer ends when all is read or nobody
     * listens. */
    signal(SIGCHLD, SIG_IGN);
    fixture_pipe pipe = fixture_pipe_start(bytes, size, from == FROM_SLOW_PIPE ? 1 : SIZE_MAX);
    of_status status = of_reader_open(pipe.path, opts, out, err);
    close(pipe.reading_end);
    return status;
}

void assert_failure(of_status status, of_status expected, const of_error *err, const char *part) {
    if (status != expected || err->code != expected || strstr(err->message, part) == NULL) {
        fail_msg("%s failure with \"%s\" expected; got %s: %s", of_status_name(expected), part,
                 of_status_name(status), err->message);
    }
}
