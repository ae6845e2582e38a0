/* DLPack: what is lent and what is taken, who deletes it, and structs that mean no good. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <onefold/onefold.h>

#include "array/dlpack_abi.h"
#include "core/alloc.h"
#include "random_bits.h"

static void assert_says(const of_error *err, of_status status, const char *words) {
    assert_int_equal(err->code, status);
    if (strstr(err->message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err->message, words);
}

static void count_call(void *data, void *context) {
    (void)data;
    ++*(int *)context;
}

/* An array over `data` that counts how often it is let go. */
static of_array *wrapped(of_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                         void *data, unsigned flags, int *calls) {
    of_array *array = NULL;
    assert_int_equal(of_array_wrap(NULL, dtype, ndim, shape, strides, data, flags,
                                   calls != NULL ? count_call : NULL, calls, &array, NULL),
                     OF_OK);
    return array;
}

/* ---- Lending ---- */

/* The codes and bits of the specification, by hand. */
static const struct {
    of_dtype dtype;
    of__dl_type type;
} types[] = {
    {OF_BOOL, {6, 8, 1}}, {OF_I8, {0, 8, 1}},   {OF_I16, {0, 16, 1}},  {OF_I32, {0, 32, 1}},
    {OF_I64, {0, 64, 1}}, {OF_U8, {1, 8, 1}},   {OF_U16, {1, 16, 1}},  {OF_U32, {1, 32, 1}},
    {OF_U64, {1, 64, 1}}, {OF_F16, {2, 16, 1}}, {OF_BF16, {4, 16, 1}}, {OF_F32, {2, 32, 1}},
    {OF_F64, {2, 64, 1}},
};

static void every_type_goes_there_and_back(void **state) {
    (void)state;
    assert_int_equal(sizeof types / sizeof *types, OF_DTYPE_END - OF_BOOL);
    char data[48] = {0};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        of_dtype dtype = types[i].dtype;
        of_array *array = wrapped(dtype, 2, (int64_t[]){2, 3}, NULL, data, 0, NULL), *back = NULL;
        struct DLManagedTensorVersioned *tensor = NULL;
        assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
        assert_memory_equal(&tensor->dl_tensor.type, &types[i].type, sizeof types[i].type);
        assert_int_equal(of_dlpack_import(tensor, 0, &back, NULL), OF_OK);
        assert_int_equal(of_array_dtype(back), dtype);
        assert_ptr_equal(of_array_mutable_data(back), data);
        of_array_release(back);

        struct DLManagedTensor *old = NULL;
        assert_int_equal(of_dlpack_export_unversioned(array, &old, NULL), OF_OK);
        assert_memory_equal(&old->dl_tensor.type, &types[i].type, sizeof types[i].type);
        assert_int_equal(of_dlpack_import_unversioned(old, 0, &back, NULL), OF_OK);
        assert_int_equal(of_array_dtype(back), dtype);
        of_array_release(back);
        of_array_release(array);
    }
}

static void a_lent_tensor_describes_the_array(void **state) {
    (void)state;
    int32_t data[24];
    of_array *array =
        wrapped(OF_I32, 3, (int64_t[]){2, 3, 1}, (int64_t[]){-48, 8, 7}, data + 12, 0, NULL);
    struct DLManagedTensorVersioned *tensor = NULL;
    assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
    assert_int_equal(tensor->version.major, 1);
    assert_int_equal(tensor->version.minor, 0);
    assert_true(tensor->flags == 0);
    assert_ptr_equal(tensor->dl_tensor.data, data + 12);
    assert_true(tensor->dl_tensor.byte_offset == 0);
    assert_int_equal(tensor->dl_tensor.device.kind, 1);
    assert_int_equal(tensor->dl_tensor.device.number, 0);
    assert_int_equal(tensor->dl_tensor.ndim, 3);
    assert_memory_equal(tensor->dl_tensor.shape, ((int64_t[]){2, 3, 1}), 24);
    /* the stride of 7 bytes is never stepped over */
    assert_memory_equal(tensor->dl_tensor.strides, ((int64_t[]){-12, 2, 1}), 24);
    of_dlpack_release(tensor);

    assert_int_equal(of_dlpack_export(array, OF_DLPACK_COPIED, &tensor, NULL), OF_OK);
    assert_true(tensor->flags == OF__DL_COPIED);
    of_dlpack_release(tensor);
    of_array_release(array);
}

static void arrays_of_no_elements_are_lent_without_data(void **state) {
    (void)state;
    double data[1];
    of_array *array = wrapped(OF_F64, 3, (int64_t[]){4, 0, 5}, (int64_t[]){1, 3, 5}, data, 0, NULL),
             *back = NULL;
    struct DLManagedTensorVersioned *tensor = NULL;
    assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
    assert_null(tensor->dl_tensor.data);
    assert_memory_equal(tensor->dl_tensor.shape, ((int64_t[]){4, 0, 5}), 24);
    assert_memory_equal(tensor->dl_tensor.strides, ((int64_t[]){5, 5, 1}), 24);
    assert_int_equal(of_dlpack_import(tensor, 0, &back, NULL), OF_OK);
    assert_int_equal(of_array_size(back), 0);
    assert_memory_equal(of_array_shape(back), ((int64_t[]){4, 0, 5}), 24);
    of_array_release(back);
    of_array_release(array);

    array = wrapped(OF_F64, 0, NULL, NULL, data, 0, NULL);
    assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
    assert_int_equal(tensor->dl_tensor.ndim, 0);
    assert_int_equal(of_dlpack_import(tensor, 0, &back, NULL), OF_OK);
    assert_ptr_equal(of_array_data(back), data);
    of_array_release(back);
    of_array_release(array);
}

static void the_tensor_keeps_the_array_alive(void **state) {
    (void)state;
    float data[6] = {0};
    int calls = 0;
    of_array *array = wrapped(OF_F32, 1, (int64_t[]){6}, NULL, data, 0, &calls);
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
    assert_int_equal(of_dlpack_export_unversioned(array, &old, NULL), OF_OK);
    of_array_release(array);
    of_dlpack_release(tensor);
    assert_int_equal(calls, 0);
    of_dlpack_release_unversioned(old);
    assert_int_equal(calls, 1);
    of_dlpack_release(NULL);
    of_dlpack_release_unversioned(NULL);
}

static void read_only_arrays_are_lent_as_such(void **state) {
    (void)state;
    float data[6] = {0};
    of_array *array = wrapped(OF_F32, 1, (int64_t[]){6}, NULL, data, OF_WRAP_READ_ONLY, NULL);
    of_array *back = NULL;
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    of_error err = {0};
    assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
    assert_true(tensor->flags == OF__DL_READ_ONLY);
    assert_int_equal(of_dlpack_import(tensor, 0, &back, NULL), OF_OK);
    assert_true(of_array_is_read_only(back));
    assert_null(of_array_mutable_data(back));
    assert_int_equal(of_array_fill(back, of_scalar_i64(1), NULL), OF_ERR_VALUE);
    of_array_release(back);
    assert_int_equal(of_dlpack_export_unversioned(array, &old, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "array is read-only");
    assert_null(old);
    of_array_release(array);
}

static void what_cannot_be_lent_is_refused(void **state) {
    (void)state;
    char data[64] = {0};
    int calls = 0;
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    of_error err = {0};
    of_array *array = wrapped(OF_F32, 2, (int64_t[]){2, 3}, (int64_t[]){30, 8}, data, 0, &calls);
    assert_int_equal(of_dlpack_export(array, 0, &tensor, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "a stride of 30 bytes along dimension 0");
    assert_int_equal(of_dlpack_export_unversioned(array, &old, &err), OF_ERR_VALUE);
    assert_int_equal(of_dlpack_export(array, 6, &tensor, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "flags 0x6");
    assert_int_equal(of_dlpack_export(NULL, 0, &tensor, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "array is NULL");
    assert_int_equal(of_dlpack_export_unversioned(NULL, &old, &err), OF_ERR_VALUE);
    assert_null(tensor);
    assert_null(old);
    of_array_release(array);
    assert_int_equal(calls, 1);
}

/* ---- Taking ---- */

/* A tensor of somebody else. Its deleter counts; `manager_ctx` is the counter. */
static void count_versioned(struct DLManagedTensorVersioned *self) {
    ++*(int *)self->manager_ctx;
}

static void count_unversioned(struct DLManagedTensor *self) {
    ++*(int *)self->manager_ctx;
}

static struct DLManagedTensorVersioned foreign(int ndim, int64_t *shape, int64_t *strides,
                                               void *data, int *calls) {
    return (struct DLManagedTensorVersioned){
        .version = {1, 0},
        .manager_ctx = calls,
        .deleter = count_versioned,
        .dl_tensor = {data, {1, 0}, ndim, {2, 32, 1}, shape, strides, 0},
    };
}

static void a_taken_tensor_is_let_go_once_with_the_last_view(void **state) {
    (void)state;
    float data[12] = {0};
    int64_t shape[2] = {3, 4};
    for (int versioned = 0; versioned < 2; versioned++) {
        int calls = 0;
        of_array *array = NULL, *view = NULL;
        struct DLManagedTensorVersioned tensor = foreign(2, shape, NULL, data, &calls);
        struct DLManagedTensor old = {tensor.dl_tensor, &calls, count_unversioned};
        assert_int_equal(versioned ? of_dlpack_import(&tensor, 0, &array, NULL)
                                   : of_dlpack_import_unversioned(&old, 0, &array, NULL),
                         OF_OK);
        assert_ptr_equal(of_array_data(array), data);
        assert_false(of_array_is_read_only(array));
        assert_memory_equal(of_array_strides(array), ((int64_t[]){16, 4}), 16);
        assert_int_equal(of_array_slice(array, 0, 1, 2, 1, &view, NULL), OF_OK);
        of_array_release(array);
        assert_int_equal(calls, 0);
        of_array_release(view);
        assert_int_equal(calls, 1);
    }
}

static void a_tensor_may_have_no_deleter(void **state) {
    (void)state;
    float data[2] = {0};
    int64_t shape[1] = {2};
    of_array *array = NULL;
    struct DLManagedTensorVersioned tensor = foreign(1, shape, NULL, data, NULL);
    tensor.deleter = NULL;
    assert_int_equal(of_dlpack_import(&tensor, 0, &array, NULL), OF_OK);
    of_array_release(array);
    of_dlpack_release(&tensor);
    struct DLManagedTensor old = {.dl_tensor = tensor.dl_tensor};
    assert_int_equal(of_dlpack_import_unversioned(&old, 0, &array, NULL), OF_OK);
    of_array_release(array);
    of_dlpack_release_unversioned(&old);
}

static void offsets_and_strides_lead_to_the_elements(void **state) {
    (void)state;
    float data[24];
    for (int i = 0; i < 24; i++) data[i] = (float)i;
    int calls = 0;
    int64_t shape[4] = {2, 3, 1, 2}, strides[4] = {-8, 2, INT64_MIN, 0};
    of_array *array = NULL;
    struct DLManagedTensorVersioned tensor = foreign(4, shape, strides, data, &calls);
    tensor.dl_tensor.byte_offset = 40;
    tensor.dl_tensor.device = (of__dl_device){OF__DL_CUDA_HOST, 3};
    tensor.version.minor = 99;
    tensor.flags = ~OF__DL_READ_ONLY;
    assert_int_equal(of_dlpack_import(&tensor, 0, &array, NULL), OF_OK);
    assert_false(of_array_is_read_only(array));
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            for (int64_t k = 0; k < 2; k++) {
                of_scalar value;
                assert_int_equal(of_array_get(array, (int64_t[]){i, j, 0, k}, &value, NULL), OF_OK);
                assert_true(value.as.f32 == (float)(10 - 8 * i + 2 * j));
            }
    of_array_release(array);
    assert_int_equal(calls, 1);
}

static void tensors_of_no_elements_may_point_nowhere(void **state) {
    (void)state;
    int calls = 0;
    int64_t shape[3] = {4, 0, 2}, strides[3] = {INT64_MAX, INT64_MIN, INT64_MAX};
    of_array *array = NULL;
    struct DLManagedTensorVersioned tensor = foreign(3, shape, strides, NULL, &calls);
    tensor.dl_tensor.byte_offset = UINT64_MAX;
    assert_int_equal(of_dlpack_import(&tensor, 0, &array, NULL), OF_OK);
    assert_int_equal(of_array_size(array), 0);
    assert_null(of_array_data(array));
    of_array_release(array);
    assert_int_equal(calls, 1);
}

static void who_takes_may_renounce_writing(void **state) {
    (void)state;
    float data[2] = {0};
    int calls = 0;
    int64_t shape[1] = {2};
    of_array *array = NULL;
    of_error err = {0};
    struct DLManagedTensorVersioned tensor = foreign(1, shape, NULL, data, &calls);
    struct DLManagedTensor old = {tensor.dl_tensor, &calls, count_unversioned};
    assert_int_equal(of_dlpack_import(&tensor, OF_WRAP_READ_ONLY, &array, NULL), OF_OK);
    assert_true(of_array_is_read_only(array));
    of_array_release(array);
    assert_int_equal(of_dlpack_import_unversioned(&old, OF_WRAP_READ_ONLY, &array, NULL), OF_OK);
    assert_true(of_array_is_read_only(array));
    of_array_release(array);
    assert_int_equal(calls, 2);
    array = NULL;
    assert_int_equal(of_dlpack_import(&tensor, 2, &array, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "flags 0x2");
    assert_int_equal(of_dlpack_import_unversioned(&old, 2, &array, &err), OF_ERR_VALUE);
    assert_null(array);
    assert_int_equal(calls, 2);
}

/* ---- Structs that mean no good ---- */

#define LARGE      (INT64_C(1) << 61)
#define SOME       ((void *)1)
#define SHAPE(...) ((int64_t[]){__VA_ARGS__})

static const struct hostile {
    of_status status;
    const char *words;
    of__dl_tensor tensor; /* data: 1 for some, NULL for none */
    uint32_t major;
} hostile[] = {
    {OF_ERR_UNSUPPORTED, "version 2.7", {0}, 2},
    {OF_ERR_UNSUPPORTED, "version 0.7", {0}, 0},
    {OF_ERR_UNSUPPORTED, "version 4294967295.7", {0}, UINT32_MAX},
    {OF_ERR_DEVICE, "kind CUDA", {SOME, {2, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_DEVICE, "kind oneAPI", {SOME, {14, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_DEVICE, "kind 15", {SOME, {15, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_DEVICE, "kind 3000000", {SOME, {3000000, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_DEVICE, "kind 0", {SOME, {0, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_DEVICE, "kind -1", {SOME, {-1, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "4 lanes", {SOME, {1, 0}, 1, {2, 32, 4}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "0 lanes", {SOME, {1, 0}, 1, {2, 32, 0}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "64 bits of type complex", {SOME, {1, 0}, 1, {5, 64, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "128 bits of type float", {SOME, {1, 0}, 1, {2, 128, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "8 bits of type float", {SOME, {1, 0}, 1, {2, 8, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "1 bits of type bool", {SOME, {1, 0}, 1, {6, 1, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "4 bits of type int", {SOME, {1, 0}, 1, {0, 4, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "0 bits of type uint", {SOME, {1, 0}, 1, {1, 0, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "32 bits of type bfloat", {SOME, {1, 0}, 1, {4, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "64 bits of type handle", {SOME, {1, 0}, 1, {3, 64, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_TYPE, "8 bits of type code 255", {SOME, {1, 0}, 1, {255, 8, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_VALUE, "-1 dimensions", {SOME, {1, 0}, -1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_VALUE, "9 dimensions", {SOME, {1, 0}, 9, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_VALUE, "2147483647 dim", {SOME, {1, 0}, INT32_MAX, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_VALUE, "no shape", {SOME, {1, 0}, 2, {2, 32, 1}, NULL, NULL, 0}, 1},
    {OF_ERR_VALUE, "size -5", {SOME, {1, 0}, 2, {2, 32, 1}, SHAPE(2, -5), NULL, 0}, 1},
    {OF_ERR_VALUE, "size -5", {SOME, {1, 0}, 2, {2, 32, 1}, SHAPE(0, -5), SHAPE(1, 1), 0}, 1},
    {OF_ERR_VALUE, "2^63", {SOME, {1, 0}, 1, {2, 32, 1}, SHAPE(LARGE), NULL, 0}, 1},
    {OF_ERR_VALUE, "2^63", {SOME, {1, 0}, 2, {2, 32, 1}, SHAPE(LARGE, LARGE), SHAPE(0, 0), 0}, 1},
    {OF_ERR_VALUE, "2^63", {SOME, {1, 0}, 3, {2, 32, 1}, SHAPE(LARGE, 0, LARGE), NULL, 0}, 1},
    {OF_ERR_VALUE, "stride", {SOME, {1, 0}, 1, {2, 32, 1}, SHAPE(2), SHAPE(LARGE), 0}, 1},
    {OF_ERR_VALUE, "stride", {SOME, {1, 0}, 1, {2, 32, 1}, SHAPE(2), SHAPE(INT64_MIN), 0}, 1},
    {OF_ERR_VALUE, "strides", {SOME, {1, 0}, 1, {2, 32, 1}, SHAPE(5), SHAPE(LARGE / 2), 0}, 1},
    {OF_ERR_VALUE, "offset", {SOME, {1, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, UINT64_MAX}, 1},
    {OF_ERR_VALUE, "offset", {SOME, {1, 0}, 0, {2, 32, 1}, NULL, NULL, UINT64_MAX / 2 + 1}, 1},
    {OF_ERR_VALUE, "data is missing", {NULL, {1, 0}, 1, {2, 32, 1}, SHAPE(1), NULL, 0}, 1},
    {OF_ERR_VALUE, "data is missing", {NULL, {1, 0}, 0, {2, 32, 1}, NULL, NULL, 4}, 1},
};

static void hostile_structs_are_refused_and_left_alone(void **state) {
    (void)state;
    char element[16] = {0};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        int calls = 0;
        of_array *array = NULL;
        of_error err = {0};
        struct DLManagedTensorVersioned tensor = {
            .version = {hostile[i].major, 7},
            .manager_ctx = &calls,
            .deleter = count_versioned,
            .dl_tensor = hostile[i].tensor,
        };
        if (tensor.dl_tensor.data != NULL) tensor.dl_tensor.data = element;
        struct DLManagedTensorVersioned before = tensor;
        assert_int_equal(of_dlpack_import(&tensor, 0, &array, &err), hostile[i].status);
        assert_says(&err, hostile[i].status, hostile[i].words);
        if (hostile[i].status != OF_ERR_UNSUPPORTED) {
            struct DLManagedTensor old = {tensor.dl_tensor, &calls, count_unversioned};
            err = (of_error){0};
            assert_int_equal(of_dlpack_import_unversioned(&old, 0, &array, &err),
                             hostile[i].status);
            assert_says(&err, hostile[i].status, hostile[i].words);
        }
        assert_null(array);
        assert_memory_equal(&tensor, &before, sizeof tensor);
        assert_int_equal(calls, 0);
        of_dlpack_release(&tensor);
        assert_int_equal(calls, 1);
    }
    of_array *array = NULL;
    of_error err = {0};
    assert_int_equal(of_dlpack_import(NULL, 0, &array, &err), OF_ERR_VALUE);
    assert_says(&err, OF_ERR_VALUE, "tensor is NULL");
    assert_int_equal(of_dlpack_import_unversioned(NULL, 0, &array, &err), OF_ERR_VALUE);
}

static int64_t any_size(void) {
    static const int64_t sizes[] = {0, 1, 2, 3, 7, -1, INT64_MAX, INT64_MIN, LARGE, 1 << 20};
    return sizes[random_below(sizeof sizes / sizeof *sizes)];
}

/* Whatever the struct says, it is taken as it says or refused as a whole. */
static void any_struct_is_taken_or_refused(void **state) {
    (void)state;
    char memory[64];
    int taken = 0;
    for (int i = 0; i < 200000; i++) {
        int calls = 0;
        int64_t shape[9], strides[9];
        of__dl_type type = types[random_below(13)].type;
        struct DLManagedTensorVersioned tensor = foreign(0, shape, strides, memory, &calls);
        tensor.dl_tensor.ndim = (int32_t)(random_below(12)) - 1;
        if (random_below(8) == 0) type.bits ^= (uint8_t)random_bits();
        if (random_below(8) == 0) type.lanes = (uint16_t)random_bits();
        tensor.dl_tensor.type = type;
        for (int d = 0; d < 9; d++) {
            shape[d] = random_below(4) == 0 ? any_size() : 1 + (int64_t)(i % 3);
            strides[d] = any_size() / (1 + random_below(3));
        }
        if (random_below(2) == 0) tensor.dl_tensor.strides = NULL;
        if (random_below(8) == 0) tensor.dl_tensor.byte_offset = random_bits();
        if (random_below(8) == 0) tensor.dl_tensor.data = NULL;
        of_array *array = NULL;
        of_error err = {0};
        of_status status = of_dlpack_import(&tensor, 0, &array, &err);
        if (status == OF_OK) {
            taken++;
            assert_int_equal(of_array_ndim(array), tensor.dl_tensor.ndim);
            for (int d = 0; d < of_array_ndim(array); d++)
                assert_true(of_array_shape(array)[d] == shape[d]);
            assert_true(of_array_nbytes(array) >= 0);
            assert_int_equal(8 * of_dtype_size(of_array_dtype(array)), type.bits);
            assert_int_equal(calls, 0);
            of_array_release(array);
            assert_int_equal(calls, 1);
        } else {
            assert_int_equal(err.code, status);
            assert_true(err.message[0] != '\0');
            assert_null(array);
            assert_int_equal(calls, 0);
        }
    }
    assert_in_range(taken, 10000, 190000);
}

/* ---- Memory and threads ---- */

static void each_allocation_may_fail(void **state) {
    (void)state;
    float data[4] = {0};
    int64_t shape[1] = {4};
    int calls = 0, arrays = 0;
    of_array *array = wrapped(OF_F32, 1, shape, NULL, data, 0, &arrays), *taken = NULL;
    struct DLManagedTensorVersioned *lent = NULL, tensor = foreign(1, shape, NULL, data, &calls);
    struct DLManagedTensor *old = NULL;
    of_error err = {0};
    of__alloc_fail_after(0);
    assert_int_equal(of_dlpack_export(array, 0, &lent, &err), OF_ERR_MEMORY);
    assert_says(&err, OF_ERR_MEMORY, "memory");
    of__alloc_fail_after(0);
    assert_int_equal(of_dlpack_export_unversioned(array, &old, &err), OF_ERR_MEMORY);
    for (int i = 0; i < 2; i++) {
        of__alloc_fail_after(i);
        assert_int_equal(of_dlpack_import(&tensor, 0, &taken, &err), OF_ERR_MEMORY);
        assert_null(taken);
        assert_int_equal(calls, 0);
    }
    of__alloc_fail_after(-1);
    assert_int_equal(of_dlpack_import(&tensor, 0, &taken, &err), OF_OK);
    of_array_release(taken);
    assert_int_equal(calls, 1);
    of_array_release(array);
    assert_int_equal(arrays, 1);
}

static void *release_in_thread(void *tensor) {
    of_dlpack_release(tensor);
    return NULL;
}

static void any_thread_may_give_a_tensor_back(void **state) {
    (void)state;
    float data[4] = {0};
    int calls = 0;
    of_array *array = wrapped(OF_F32, 1, (int64_t[]){4}, NULL, data, 0, &calls);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        struct DLManagedTensorVersioned *tensor = NULL;
        assert_int_equal(of_dlpack_export(array, 0, &tensor, NULL), OF_OK);
        assert_int_equal(pthread_create(&threads[i], NULL, release_in_thread, tensor), 0);
    }
    of_array_release(array);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    assert_int_equal(calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_goes_there_and_back),
        cmocka_unit_test(a_lent_tensor_describes_the_array),
        cmocka_unit_test(arrays_of_no_elements_are_lent_without_data),
        cmocka_unit_test(the_tensor_keeps_the_array_alive),
        cmocka_unit_test(read_only_arrays_are_lent_as_such),
        cmocka_unit_test(what_cannot_be_lent_is_refused),
        cmocka_unit_test(a_taken_tensor_is_let_go_once_with_the_last_view),
        cmocka_unit_test(a_tensor_may_have_no_deleter),
        cmocka_unit_test(offsets_and_strides_lead_to_the_elements),
        cmocka_unit_test(tensors_of_no_elements_may_point_nowhere),
        cmocka_unit_test(who_takes_may_renounce_writing),
        cmocka_unit_test(hostile_structs_are_refused_and_left_alone),
        cmocka_unit_test(any_struct_is_taken_or_refused),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(any_thread_may_give_a_tensor_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
