/* The names of the reductions. */
#include <string.h>

#include "core/fail.h"
#include "reduce/reduction.h"

static const char *const names[OF_OPERATION_END] = {
#define OF_OPERATION(SYMBOL, name, meaning) [OF_##SYMBOL] = #name,
#include <onefold/operations.def>
#undef OF_OPERATION
};

const char *of_operation_name(of_operation operation) {
    return (int)operation >= 0 && operation < OF_OPERATION_END ? names[operation] : "unknown";
}

int of_operation_sources(of_operation operation) {
    switch (operation) {
#define OF_OPERATION(SYMBOL, name, meaning)
#define OF_STATISTIC(SYMBOL, name, meaning)
#define OF_STATISTIC_OF_TWO(SYMBOL, name, meaning) case OF_##SYMBOL:
#include <onefold/operations.def>
#undef OF_OPERATION
        return 2;
    default: return 1;
    }
}

of_status of_operation_parse(const char *name, of_operation *out, of_error *err) {
    if (!name) return of__fail(err, OF_ERR_VALUE, "name is NULL");
    const char *wanted = !strcmp(name, "amin") ? "min" : !strcmp(name, "amax") ? "max" : name;
    for (int i = 0; i < OF_OPERATION_END; i++)
        if (!strcmp(names[i], wanted)) {
            *out = (of_operation)i;
            return OF_OK;
        }
    return of__fail(err, OF_ERR_VALUE, "there is no operation \"%s\"", name);
}
