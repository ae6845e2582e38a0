/* The conversion loops of the instruction set in use. */
#include "array/convert_rows.h"

#include "core/isa.h"

/* By source type, then by target type. */
typedef const of__convert_row *const rows_table[OF_DTYPE_END];

extern rows_table of__convert_rows_baseline;
#if defined(__x86_64__)
extern rows_table of__convert_rows_avx2, of__convert_rows_avx512;
#endif

of__convert_row of__convert_row_for(of_dtype to, of_dtype from) {
    if (to == from) return NULL;
    switch (of__isa_current()) {
#if defined(__x86_64__)
    case OF__ISA_AVX512: return of__convert_rows_avx512[from][to];
    case OF__ISA_AVX2: return of__convert_rows_avx2[from][to];
#endif
    default: return of__convert_rows_baseline[from][to];
    }
}
