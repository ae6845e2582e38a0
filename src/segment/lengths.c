/* Lengths, offsets and ids of segments whose rows lie one after another. */
#include <string.h>

#include "core/fail.h"
#include "group/group_order.h"
#include "segment/segment_call.h"

/* The numbers of a one-dimensional integer array as i64, in a new array; u64 from 2^63 on turn
 * negative. */
static of_status read_numbers(const char *name, const of_array *array, of_array **out,
                              of_error *err) {
    char text[OF__SHAPE_TEXT_SIZE];
    OF_TRY(of__check_given(array, name, err));
    OF_TRY(of__check_integers(array, name, err));
    if (array->ndim != 1)
        return of__fail(err, OF_ERR_VALUE, "%s has shape %s; it takes one dimension", name,
                        of__shape_text(array->ndim, array->shape, text));
    return of_array_convert(array, OF_I64, out, err);
}

static int64_t *numbers_of(const of_array *array) {
    return (int64_t *)(void *)array->data;
}

/* Where lengths end when they begin at 0. */
static of_status check_lengths(const of_array *lengths, const int64_t *length, int64_t *end,
                               of_error *err) {
    int64_t sum = 0;
    for (int64_t i = 0; i < lengths->size; i++) {
        if (length[i] < 0) return of__fail_length("lengths", i, lengths->dtype, length[i], err);
        if (__builtin_add_overflow(sum, length[i], &sum))
            return of__fail(err, OF_ERR_VALUE, "lengths add up past 2^63 - 1 at lengths[%lld]",
                            (long long)i);
    }
    *end = sum;
    return OF_OK;
}

/* Turns n lengths into n + 1 offsets. */
static void sum_up(const int64_t *length, int64_t n, int64_t *offset) {
    int64_t next = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t here = length[i]; /* may lie where the offset goes */
        offset[i] = next;
        next += here;
    }
    offset[n] = next;
}

of_status of_lengths_to_offsets(const of_array *lengths, of_array **out, of_error *err) {
    of_array *length, *offset;
    int64_t end;
    OF_TRY(read_numbers("lengths", lengths, &length, err));
    of_status status = check_lengths(lengths, numbers_of(length), &end, err);
    if (status == OF_OK) status = of__create_list(lengths, OF_I64, length->size + 1, &offset, err);
    if (status == OF_OK) {
        sum_up(numbers_of(length), length->size, numbers_of(offset));
        *out = offset;
    }
    of_array_release(length);
    return status;
}

static of_status check_offsets(const of_array *offsets, const int64_t *offset, of_error *err) {
    bool is_u64 = offsets->dtype == OF_U64;
    if (!offsets->size)
        return of__fail(err, OF_ERR_VALUE, "offsets is empty; there is one more than segments");
    for (int64_t i = 0; i < offsets->size; i++)
        if (is_u64 && offset[i] < 0) return of__fail_length("offsets", i, OF_U64, offset[i], err);
    for (int64_t i = 1; i < offsets->size; i++)
        if (offset[i] < offset[i - 1])
            return of__fail(err, OF_ERR_VALUE, "offsets[%lld] is %lld, less than %lld before it",
                            (long long)i, (long long)offset[i], (long long)offset[i - 1]);
    if (offset[0])
        return of__fail(err, OF_ERR_VALUE, "offsets[0] is %lld; it must be 0",
                        (long long)offset[0]);
    return OF_OK;
}

of_status of_offsets_to_lengths(const of_array *offsets, of_array **out, of_error *err) {
    of_array *offset, *length;
    OF_TRY(read_numbers("offsets", offsets, &offset, err));
    of_status status = check_offsets(offsets, numbers_of(offset), err);
    if (status == OF_OK) status = of__create_list(offsets, OF_I64, offset->size - 1, &length, err);
    if (status == OF_OK) {
        for (int64_t i = 0; i < length->size; i++)
            numbers_of(length)[i] = numbers_of(offset)[i + 1] - numbers_of(offset)[i];
        *out = length;
    }
    of_array_release(offset);
    return status;
}

/* The numbers of the segments that rows belong to, segment i having length[i] of them; the last
 * segment takes all the rows that are left. */
static void number_rows(const int64_t *length, int64_t segments, int64_t rows, int64_t *id) {
    int64_t row = 0;
    for (int64_t i = 0; i < segments && row < rows; i++) {
        bool takes_rest = i == segments - 1 || length[i] > rows - row;
        int64_t stop = takes_rest ? rows : row + length[i];
        for (; row < stop; row++) id[row] = i;
    }
}

of_status of_offsets_to_ids(const of_array *offsets, of_array **out, of_error *err) {
    of_array *length, *id;
    OF_TRY(of_offsets_to_lengths(offsets, &length, err));
    int64_t rows = 0;
    for (int64_t i = 0; i < length->size; i++) rows += numbers_of(length)[i];
    of_status status = of__create_list(offsets, OF_I64, rows, &id, err);
    if (status == OF_OK) {
        number_rows(numbers_of(length), length->size, rows, numbers_of(id));
        *out = id;
    }
    of_array_release(length);
    return status;
}

of_status of_partition_ids(const of_array *lengths, int64_t total_length, of_array **out,
                           of_error *err) {
    of_array *length, *id;
    int64_t end;
    if (total_length < 0)
        return of__fail(err, OF_ERR_VALUE, "total_length is %lld; it must be 0 or more",
                        (long long)total_length);
    OF_TRY(read_numbers("lengths", lengths, &length, err));
    of_status status = check_lengths(lengths, numbers_of(length), &end, err);
    if (status == OF_OK && !length->size && total_length)
        status = of__fail(err, OF_ERR_VALUE,
                          "lengths is empty, but total_length is %lld; there is no segment to "
                          "number its rows",
                          (long long)total_length);
    if (status == OF_OK) status = of__create_list(lengths, OF_I64, total_length, &id, err);
    if (status == OF_OK) {
        number_rows(numbers_of(length), length->size, total_length, numbers_of(id));
        *out = id;
    }
    of_array_release(length);
    return status;
}

/* How many rows each segment has, the ids themselves being taken for the rows; then `room` numbers
 * more. */
static of_status count_ids(const of_array *ids, int64_t num_segments, int64_t room, of_array **out,
                           of_error *err) {
    of__segment_call call;
    static const of_segment_opts defaults;
    OF_TRY(of__check_given(ids, "ids", err));
    OF_TRY(of__check_integers(ids, "ids", err));
    char text[OF__SHAPE_TEXT_SIZE];
    if (ids->ndim != 1)
        return of__fail(err, OF_ERR_VALUE, "ids has shape %s; it takes one dimension",
                        of__shape_text(ids->ndim, ids->shape, text));
    OF_TRY(of__segment_call_prepare(&call, ids, ids, num_segments, &defaults, err));
    of_array *count;
    if (num_segments == INT64_MAX) room = 0; /* refused by its size */
    OF_TRY(of__create_list(ids, OF_I64, num_segments + room, &count, err));
    of_status status = of__group_count(&call.rows, numbers_of(count), err);
    if (status != OF_OK) {
        of_array_release(count);
        return status;
    }
    *out = count;
    return OF_OK;
}

of_status of_ids_to_lengths(const of_array *ids, int64_t num_segments, of_array **out,
                            of_error *err) {
    return count_ids(ids, num_segments, 0, out, err);
}

of_status of_ids_to_offsets(const of_array *ids, int64_t num_segments, of_array **out,
                            of_error *err) {
    of_array *count;
    OF_TRY(count_ids(ids, num_segments, 1, &count, err));
    sum_up(numbers_of(count), num_segments, numbers_of(count));
    *out = count;
    return OF_OK;
}
