/*
 * Devices, threads and instruction sets: where work runs. None of these ever changes a bit of a
 * result.
 */
#ifndef ONEFOLD_DEVICE_H
#define ONEFOLD_DEVICE_H

#include <onefold/error.h>

OF_BEGIN_C

/* A place that holds arrays and computes. Devices live as long as the process and are never freed;
 * any thread may use one. */
typedef struct of_device of_device;

/** The number of devices on this machine; at least 1, device 0 being "cpu". */
OF_API int of_device_count(void);

/** The device at a position in the list, or NULL when there is none. */
OF_API of_device *of_device_at(int position);

/**
 * Finds a device by name ("cpu"). NULL: the default device, which is the one named by
 * of_device_set_default, else by the environment variable ONEFOLD_DEVICE, else "cpu".
 * OF_ERR_DEVICE: there is none of that name; the message lists those there are.
 */
OF_API OF_MUST_USE of_status of_device_find(const char *name, of_device **out, of_error *err);

/** Makes a device the default for calls that name none, in every thread. NULL returns to the
 * environment's choice. */
OF_API void of_device_set_default(of_device *device);

/** The device's name, as of_device_find takes it. Never NULL. */
OF_API const char *of_device_name(const of_device *device);

/** One line for a person: processor, instruction set in use, threads. Never NULL; lives until the
 * calling thread asks again. */
OF_API const char *of_device_description(const of_device *device);

/** Waits until everything queued on the device is done. The CPU queues nothing: it returns at once.
 */
OF_API OF_MUST_USE of_status of_device_sync(of_device *device, of_error *err);

/**
 * Sets how many threads a call may use, counting its caller; 0 returns to the environment variable
 * ONEFOLD_THREADS where that is a number from 1 to 1024, else the number of processors this process
 * may run on. OF_ERR_VALUE: count is negative or above 1024. OF_ERR_MEMORY: the threads could not
 * be created; nothing changed.
 */
OF_API OF_MUST_USE of_status of_threads_set(int count, of_error *err);

/** How many threads a call may use. */
OF_API int of_threads_get(void);

/**
 * Chooses the instruction set by name: "baseline", "avx2", "avx512" on x86-64, "baseline"
 * elsewhere. NULL returns to ONEFOLD_ISA where that names one that the machine has, else the best
 * one. OF_ERR_VALUE: no such name. OF_ERR_UNSUPPORTED: this machine does not have it.
 */
OF_API OF_MUST_USE of_status of_isa_set(const char *name, of_error *err);

/** The name of the instruction set in use. */
OF_API const char *of_isa_get(void);

/** The names of the instruction sets that this machine has, plainest first, by position; NULL past
 * the last. */
OF_API const char *of_isa_at(int position);

OF_END_C

#endif
