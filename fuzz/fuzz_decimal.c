/* Any text as a number: where the quick reading of decimals takes it, the general one gives the
 * same bits. */
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

#include "io/decimal.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, bytes, size);
    text[size] = 0;
    for (of_dtype dtype = OF_BOOL; dtype < OF_DTYPE_END; dtype++) {
        of_scalar quick, general;
        if (!of__decimal_parse(text, (int64_t)size, dtype, &quick)) continue;
        REQUIRE(of_scalar_parse(text, dtype, &general, NULL) == OF_OK);
        REQUIRE(quick.dtype == dtype && quick.as.bits == general.as.bits);
    }
    free(text);
    return 0;
}
