/* Which instruction set this machine has, and which one is in use. */
#include "core/isa.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <onefold/device.h>

#include "core/fail.h"

static const char *const names[OF__ISA_COUNT] = {
    [OF__ISA_BASELINE] = "baseline",
    [OF__ISA_AVX2] = "avx2",
    [OF__ISA_AVX512] = "avx512",
};

#if defined(__x86_64__)

#include <cpuid.h>

/* clang 14 does not know this one by name. */
static bool has_f16c(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static bool machine_has(of__isa isa) {
    switch (isa) {
    case OF__ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    case OF__ISA_AVX512:
        return machine_has(OF__ISA_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    default: return isa == OF__ISA_BASELINE;
    }
}

#else

static bool machine_has(of__isa isa) {
    return isa == OF__ISA_BASELINE;
}

#endif

/* OF__ISA_COUNT for a name that is none. */
static of__isa find(const char *name) {
    of__isa isa = OF__ISA_BASELINE;
    while (isa < OF__ISA_COUNT && strcmp(names[isa], name) != 0) isa++;
    return isa;
}

static of__isa default_isa(void) {
    const char *wish = getenv("ONEFOLD_ISA");
    of__isa isa = wish == NULL ? OF__ISA_COUNT : find(wish);
    if (isa < OF__ISA_COUNT && machine_has(isa)) return isa;
    isa = OF__ISA_COUNT - 1;
    while (!machine_has(isa)) isa--;
    return isa;
}

enum { NOT_CHOSEN = -1 };
static atomic_int chosen = NOT_CHOSEN;

of__isa of__isa_current(void) {
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (isa != NOT_CHOSEN) return (of__isa)isa;
    int expected = NOT_CHOSEN;
    isa = (int)default_isa();
    return (of__isa)(atomic_compare_exchange_strong(&chosen, &expected, isa) ? isa : expected);
}

of_status of_isa_set(const char *name, of_error *err) {
    of__isa isa = name == NULL ? default_isa() : find(name);
    if (isa == OF__ISA_COUNT)
        return of__fail(err, OF_ERR_VALUE, "there is no instruction set \"%.100s\"", name);
    if (!machine_has(isa))
        return of__fail(err, OF_ERR_UNSUPPORTED, "this machine does not have %s", names[isa]);
    atomic_store(&chosen, (int)isa);
    return OF_OK;
}

const char *of_isa_get(void) {
    return names[of__isa_current()];
}

const char *of_isa_at(int position) {
    if (position < 0) return NULL;
    for (of__isa isa = OF__ISA_BASELINE; isa < OF__ISA_COUNT; isa++)
        if (machine_has(isa) && position-- == 0) return names[isa];
    return NULL;
}
