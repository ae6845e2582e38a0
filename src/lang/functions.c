#include "lang/functions.h"

#include "core/fail.h"

of__node *of__function_find(const of__node *module, const of__node *name) {
    for (of__node *def = module->as.module.defs; def != NULL; def = def->next)
        if (of__node_same_name(def, name)) return def;
    return NULL;
}

/* How far the walk over calls has come with a function. */
typedef enum progress { UNSEEN, OPEN, DONE } progress;

typedef struct call_walk {
    const of__node *module;
    const of__kernel_text *source;
    of_error *err;
    progress *progress; /* by a function's place in the text */
} call_walk;

static int place_of(const of__node *module, const of__node *def) {
    int place = 0;
    for (const of__node *other = module->as.module.defs; other != def; other = other->next) place++;
    return place;
}

/* Follows a function's calls; one that leads to an open function closes a circle. As deep as there
 * are functions at most. */
static of_status follow_calls(const call_walk *walk, const of__node *def) {
    progress *state = &walk->progress[place_of(walk->module, def)];
    *state = OPEN;
    for (const of__node *call = def->next_call; call != NULL; call = call->next_call) {
        const of__node *callee = of__function_find(walk->module, call->as.call.callee);
        if (callee == NULL) continue;
        progress other = walk->progress[place_of(walk->module, callee)];
        if (other == OPEN && callee == def)
            return of__text_fail(walk->source, call->offset, walk->err, OF_ERR_VALUE,
                                 "%.*s calls itself; write a loop", OF__NAME_SHOWN(def));
        if (other == OPEN)
            return of__text_fail(walk->source, call->offset, walk->err, OF_ERR_VALUE,
                                 "%.*s calls %.*s, which has called it; write a loop",
                                 OF__NAME_SHOWN(def), OF__NAME_SHOWN(callee));
        if (other == UNSEEN) OF_TRY(follow_calls(walk, callee));
    }
    *state = DONE;
    return OF_OK;
}

of_status of__functions_check(of__node *module, const of__kernel_text *source, of_error *err) {
    progress states[OF__FUNCTIONS_MOST] = {UNSEEN};
    call_walk walk = {module, source, err, states};
    for (const of__node *def = module->as.module.defs; def != NULL; def = def->next)
        if (of__function_find(module, def) != def)
            return of__text_fail(source, def->offset, err, OF_ERR_VALUE,
                                 "another function is called %.*s", OF__NAME_SHOWN(def));
    for (const of__node *def = module->as.module.defs; def != NULL; def = def->next)
        if (states[place_of(module, def)] == UNSEEN) OF_TRY(follow_calls(&walk, def));
    return OF_OK;
}

static of_status find_named(const of__node *module, const char *name, const of__kernel_text *source,
                            of__node **out, of_error *err) {
    for (of__node *def = module->as.module.defs; def != NULL; def = def->next) {
        if (!of__node_is_named(def, name)) continue;
        if (def->role == OF__ROLE_FUNCTION)
            return of__text_fail(source, def->offset, err, OF_ERR_VALUE,
                                 "%.*s is marked as a helper; a kernel is marked @kernel, or not",
                                 OF__NAME_SHOWN(def));
        *out = def;
        return OF_OK;
    }
    return of__fail(err, OF_ERR_VALUE, "%.100s has no kernel %.40s", source->name, name);
}

of_status of__function_kernel(const of__node *module, const char *name,
                              const of__kernel_text *source, of__node **out, of_error *err) {
    if (name != NULL) return find_named(module, name, source, out, err);
    of__node *marked = NULL, *last = NULL;
    for (of__node *def = module->as.module.defs; def != NULL; def = def->next) {
        if (def->role != OF__ROLE_FUNCTION) last = def;
        if (def->role != OF__ROLE_KERNEL) continue;
        if (marked != NULL)
            return of__text_fail(source, def->offset, err, OF_ERR_VALUE,
                                 "%.*s is a kernel beside %.*s; give the name of the one wanted",
                                 OF__NAME_SHOWN(def), OF__NAME_SHOWN(marked));
        marked = def;
    }
    if (marked == NULL) marked = last;
    if (marked == NULL)
        return of__fail(err, OF_ERR_VALUE, "%.100s has helpers only, and no kernel", source->name);
    *out = marked;
    return OF_OK;
}
