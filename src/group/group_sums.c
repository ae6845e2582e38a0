#include "group/group_sums.h"

#include "core/alloc.h"
#include "core/fail.h"
#include "group/group_fold.h"
#include "group/group_order.h"
#include "group/group_table.h"

of_status of__group_sums(const of__grouped *source, of_dtype dtype, void *out, of_error *err) {
    of__group_table table;
    bool is_too_wide;
    OF_TRY(of__group_table_fill(&table, source, of_dtype_is_float(dtype), &is_too_wide, err));
    if (is_too_wide) return of__group_fold(source, OF_SUM, (of_scalar){.dtype = dtype}, out, err);
    of__group_table_round(&table, NULL, dtype, out);
    of__group_table_free(&table);
    return OF_OK;
}

of_status of__group_means(const of__grouped *source, of_dtype dtype, void *out, of_error *err) {
    of__group_table table;
    bool is_too_wide;
    OF_TRY(of__group_table_fill(&table, source, true, &is_too_wide, err));
    if (is_too_wide) return of__group_fold(source, OF_MEAN, (of_scalar){.dtype = dtype}, out, err);
    int64_t *count = of__alloc((size_t)source->groups * sizeof *count);
    of_status status = count ? of__group_count(source, count, err)
                             : of__fail(err, OF_ERR_MEMORY, "no memory for counts of %lld groups",
                                        (long long)source->groups);
    if (status == OF_OK) of__group_table_round(&table, count, dtype, out);
    of__group_table_free(&table);
    of__free(count);
    return status;
}
