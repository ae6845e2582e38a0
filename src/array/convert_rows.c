/* The conversion loops: convert_from.inc, stamped for each type. */
#include "array/convert_rows.h"

#include "core/convert.h"

#undef bool /* below it is the name of an element type */

#define PASTE(a, b)          PASTE_EXPANDED(a, b)
#define PASTE_EXPANDED(a, b) a##b

#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) typedef storage storage_##name;
#include <onefold/dtypes.def>
#undef OF_DTYPE

#define FROM bool
#include "array/convert_from.inc"
#define FROM i8
#include "array/convert_from.inc"
#define FROM i16
#include "array/convert_from.inc"
#define FROM i32
#include "array/convert_from.inc"
#define FROM i64
#include "array/convert_from.inc"
#define FROM u8
#include "array/convert_from.inc"
#define FROM u16
#include "array/convert_from.inc"
#define FROM u32
#include "array/convert_from.inc"
#define FROM u64
#include "array/convert_from.inc"
#define FROM f16
#include "array/convert_from.inc"
#define FROM bf16
#include "array/convert_from.inc"
#define FROM f32
#include "array/convert_from.inc"
#define FROM f64
#include "array/convert_from.inc"

of__convert_row of__convert_row_for(of_dtype to, of_dtype from) {
    static const of__convert_row *const tables[OF_DTYPE_END] = {
#define OF_DTYPE(SYMBOL, name, storage, member, kind, bytes) [OF_##SYMBOL] = rows_from_##name,
#include <onefold/dtypes.def>
#undef OF_DTYPE
    };
    return to == from ? NULL : tables[from][to];
}
