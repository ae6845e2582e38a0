/* The devices of this machine, and which one is the default. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "device/backend.h"

static of_device devices[] = {{.backend = &of__cpu_backend, .name = "cpu"}};
enum { DEVICE_COUNT = sizeof devices / sizeof *devices };

static of_device *_Atomic chosen_default; /* NULL: the environment's */

int of_device_count(void) {
    return DEVICE_COUNT;
}

of_device *of_device_at(int position) {
    return position < 0 || position >= DEVICE_COUNT ? NULL : &devices[position];
}

static of_status fail_unknown(const char *name, of_error *err) {
    char list[256] = "";
    for (size_t i = 0, used = 0; i < DEVICE_COUNT && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", devices[i].name);
    return of__fail(err, OF_ERR_DEVICE, "there is no device \"%.100s\"; there are:%s", name, list);
}

of_status of_device_find(const char *name, of_device **out, of_error *err) {
    if (name == NULL) {
        of_device *chosen = atomic_load(&chosen_default);
        if (chosen != NULL) {
            *out = chosen;
            return OF_OK;
        }
        const char *wish = getenv("ONEFOLD_DEVICE");
        name = wish == NULL || *wish == '\0' ? "cpu" : wish;
    }
    for (size_t i = 0; i < DEVICE_COUNT; i++) {
        if (strcmp(devices[i].name, name) != 0) continue;
        *out = &devices[i];
        return OF_OK;
    }
    return fail_unknown(name, err);
}

void of_device_set_default(of_device *device) {
    atomic_store(&chosen_default, device);
}

of_status of__device_or_default(of_device *device, of_device **out, of_error *err) {
    if (device == NULL) return of_device_find(NULL, out, err);
    *out = device;
    return OF_OK;
}

const char *of_device_name(const of_device *device) {
    return device->name;
}

const char *of_device_description(const of_device *device) {
    return device->backend->describe(device);
}

of_status of_device_sync(of_device *device, of_error *err) {
    return device->backend->sync(device, err);
}
