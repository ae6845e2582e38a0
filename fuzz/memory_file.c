#define _GNU_SOURCE
#include "memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static memory_file named(int descriptor) {
    memory_file file = {.descriptor = descriptor};
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", descriptor);
    return file;
}

memory_file memory_file_make(const uint8_t *bytes, size_t size) {
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    REQUIRE(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
    return named(descriptor);
}

memory_file memory_pipe_make(const uint8_t *bytes, size_t size) {
    int ends[2];
    REQUIRE(pipe(ends) == 0 && write(ends[1], bytes, size) == (ssize_t)size);
    close(ends[1]);
    return named(ends[0]);
}

void memory_file_close(memory_file file) {
    close(file.descriptor);
}
