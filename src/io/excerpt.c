#include "io/excerpt.h"

#include <string.h>

/* The bytes of the character that starts a text, when it is printable ASCII or another character of
 * well-formed UTF-8; else 0. */
static int64_t character_size(const char *text, int64_t length) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)*text;
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7f;
    int size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc0 || lead > 0xf4 || size > length) return 0;
    uint32_t code = lead & (0x7fu >> size);
    for (int i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    int is_surrogate = code >= 0xd800 && code < 0xe000, is_control = code < 0xa0;
    return code < smallest[size] || code > 0x10ffff || is_surrogate || is_control ? 0 : size;
}

char *of__text_excerpt(const char *text, int64_t length, char *excerpt, int64_t size) {
    const int64_t room = length < size ? length : size - (int64_t)sizeof "...";
    int64_t used = 0;
    while (used < length) {
        int64_t step = character_size(text + used, length - used);
        if (used + (step > 0 ? step : 1) > room) break;
        if (step > 0) {
            memcpy(excerpt + used, text + used, (size_t)step);
            used += step;
        } else {
            excerpt[used++] = '?';
        }
    }
    strcpy(excerpt + used, used < length ? "..." : "");
    return excerpt;
}
