/* The CPU backend: memory is the host's, and work is done when a call returns. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "device/backend.h"

static of_status allocate(of_device *device, size_t size, void **memory, of_error *err) {
    (void)device;
    void *made = of__alloc(size);
    if (made == NULL)
        return of__fail(err, OF_ERR_MEMORY, "%zu bytes could not be allocated on the cpu", size);
    *memory = made;
    return OF_OK;
}

static void release(of_device *device, void *memory) {
    (void)device;
    of__free(memory);
}

static of_status copy(of_device *device, void *to, const void *from, size_t size, of_error *err) {
    (void)device, (void)err;
    if (size > 0) memcpy(to, from, size);
    return OF_OK;
}

static of_status sync(of_device *device, of_error *err) {
    (void)device, (void)err;
    return OF_OK;
}

/* The processor's own name for itself, where it has one. */
static void read_processor_name(char *name, size_t size) {
    snprintf(name, size, "processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
        value += 1 + strspn(value + 1, " ");
        value[strcspn(value, "\n")] = '\0';
        snprintf(name, size, "%s", value);
        break;
    }
    fclose(file);
}

static const char *describe(const of_device *device) {
    (void)device;
    static _Thread_local char text[256];
    char name[128];
    read_processor_name(name, sizeof name);
    int threads = of_threads_get();
    snprintf(text, sizeof text, "%s, %s, %d thread%s", name, of_isa_get(), threads,
             threads == 1 ? "" : "s");
    return text;
}

const of_backend of__cpu_backend = {
    .name = "cpu",
    .alloc = allocate,
    .free = release,
    .upload = copy,
    .download = copy,
    .copy = copy,
    .sync = sync,
    .describe = describe,
    .host_visible = true,
};
