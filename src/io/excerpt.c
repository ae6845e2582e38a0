#include "io/excerpt.h"

#include <stdbool.h>
#include <string.h>

char *of__text_excerpt(const char *text, int64_t length, char *excerpt, int64_t size) {
    int64_t shown = length < size ? length : size - 4;
    for (int64_t i = 0; i < shown; i++) {
        bool printable = text[i] >= 0x20 && text[i] < 0x7f;
        excerpt[i] = printable ? text[i] : '?';
    }
    strcpy(excerpt + shown, shown < length ? "..." : "");
    return excerpt;
}
