/* Adding arrays to the public accumulator: the sum's own passes. */
#include "core/alloc.h"
#include "core/fail.h"
#include "core/fpenv.h"
#include "reduce/call.h"

of_status of_exact_add_array(of_exact *exact, const of_array *array, of_error *err) {
    static const of_reduce_opts defaults;
    of__call call;
    of__partial partial;
    void *scratch;
    OF_TRY(of__call_prepare(array, OF_SUM, &defaults, OF__TO_SCALAR, NULL, &call, err));
    OF_TRY(of__call_acquire(&call, &scratch, err));
    of__terms terms = of__call_slice(&call, 0);
    of__fpenv saved = of__fpenv_enter();
    of__reduction_run(&call.reduction, &terms, scratch ? call.workers : 1, scratch, &partial);
    of__fpenv_leave(saved);
    of__call_release(&call, scratch);
    of_exact_merge(exact, &partial.as.sum);
    return OF_OK;
}
