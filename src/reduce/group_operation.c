/* The names of what can be made of a group of values. */
#include <stdbool.h>
#include <string.h>

#include <onefold/group.h>

#include "core/fail.h"

static const struct {
    const char *name, *meaning;
} operations[OF_GROUP_OPERATION_END] = {
#define OF_GROUP_OPERATION(SYMBOL, name, meaning) [OF_GROUP_##SYMBOL] = {#name, meaning},
#include <onefold/group_operations.def>
#undef OF_GROUP_OPERATION
};

static bool is_operation(of_group_operation operation) {
    return (int)operation >= 0 && operation < OF_GROUP_OPERATION_END;
}

const char *of_group_operation_name(of_group_operation operation) {
    return is_operation(operation) ? operations[operation].name : "unknown";
}

const char *of_group_operation_meaning(of_group_operation operation) {
    return is_operation(operation) ? operations[operation].meaning : "unknown";
}

of_status of_group_operation_parse(const char *name, of_group_operation *out, of_error *err) {
    if (!name) return of__fail(err, OF_ERR_VALUE, "name is NULL");
    for (int i = 0; i < OF_GROUP_OPERATION_END; i++)
        if (!strcmp(operations[i].name, name)) {
            *out = (of_group_operation)i;
            return OF_OK;
        }
    return of__fail(err, OF_ERR_VALUE, "there is no group operation \"%.100s\"; there are"
#define OF_GROUP_OPERATION(SYMBOL, name, meaning) " " #name
#include <onefold/group_operations.def>
#undef OF_GROUP_OPERATION
                    ,
                    name);
}
