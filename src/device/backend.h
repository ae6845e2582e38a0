/*
 * What a kind of device must be able to do: one table of functions a backend. Operations are
 * written once above it. The slots that launch kernels join with the kernel language.
 */
#ifndef ONEFOLD_DEVICE_BACKEND_H
#define ONEFOLD_DEVICE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <onefold/device.h>

typedef struct of_backend {
    /* The prefix of its devices' names: "cpu". */
    const char *name;

    /* Allocates `size` bytes on the device, aligned to 64 bytes; `size` may be 0. The memory
     * belongs to the caller, who gives it back with `free`. Sets *memory only on success.
     * OF_ERR_MEMORY. */
    of_status (*alloc)(of_device *device, size_t size, void **memory, of_error *err);

    /* Gives back memory from `alloc`. Work queued before that still uses it safely. */
    void (*free)(of_device *device, void *memory);

    /* Copies host memory to the device; the source may be reused when it returns. Ordered after
     * queued work. */
    of_status (*upload)(of_device *device, void *to, const void *from, size_t size, of_error *err);

    /* Copies device memory to the host; waits for queued work that writes it. */
    of_status (*download)(of_device *device, void *to, const void *from, size_t size,
                          of_error *err);

    /* Copies within the device; the two may not overlap. Ordered as queued work. */
    of_status (*copy)(of_device *device, void *to, const void *from, size_t size, of_error *err);

    /* Waits for everything queued. */
    of_status (*sync)(of_device *device, of_error *err);

    /* One line for a person; lives until the calling thread asks again. */
    const char *(*describe)(const of_device *device);

    /* Whether the host can read the device's memory through its pointers. */
    bool host_visible;
} of_backend;

struct of_device {
    const of_backend *backend;
    const char *name;
    void *state; /* the backend's own */
};

extern const of_backend of__cpu_backend;

/* `device`, or the default one when it is NULL. Fails as of_device_find. */
of_status of__device_or_default(of_device *device, of_device **out, of_error *err);

#endif
