/* Scratch memory that a caller keeps between calls. */
#ifndef ONEFOLD_REDUCE_WORKSPACE_H
#define ONEFOLD_REDUCE_WORKSPACE_H

#include "reduce/call.h"

/* Refuses a workspace made for another call, and has the call use no more workers than it was made
 * for. */
of_status of__workspace_check(const of_workspace *workspace, const of_array *src,
                              const of_reduce_opts *opts, const of_array *into, of__call *call,
                              of_error *err);

void *of__workspace_memory(const of_workspace *workspace);

#endif
