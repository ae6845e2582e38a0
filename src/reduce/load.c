#include "reduce/load.h"

#include "core/convert.h"

#define INTO of__load_f64s
#define AS   double
#include "reduce/load_as.inc"

#define INTO of__load_u64s
#define AS   uint64_t
#include "reduce/load_as.inc"

#define INTO of__load_i32s
#define AS   int32_t
#include "reduce/load_as.inc"
