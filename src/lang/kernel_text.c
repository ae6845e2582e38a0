#include "lang/kernel_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"

/* Well-formed sequences are those of table 3-7 of the Unicode Standard. */
int of__utf8_read(const char *text, const char *end, int32_t *code) {
    const unsigned char *byte = (const unsigned char *)text;
    int32_t value = byte[0], least;
    int size;
    *code = -1;
    if (value < 0x80) {
        *code = value;
        return 1;
    }
    if (value >= 0xc2 && value <= 0xdf)
        size = 2, value &= 0x1f, least = 0x80;
    else if (value >= 0xe0 && value <= 0xef)
        size = 3, value &= 0xf, least = 0x800;
    else if (value >= 0xf0 && value <= 0xf4)
        size = 4, value &= 0x7, least = 0x10000;
    else
        return 1;
    if (end - text < size) return 1;
    for (int i = 1; i < size; i++) {
        if ((byte[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (byte[i] & 0x3f);
    }
    bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < least || value > 0x10ffff || is_surrogate) return 1;
    *code = value;
    return size;
}

/* A line's first byte, and the byte after its last. */
typedef struct line_range {
    const char *start, *end;
} line_range;

static bool ends_line(char byte) {
    return byte == '\n' || byte == '\r';
}

static line_range line_around(const of__kernel_text *source, int32_t offset) {
    const char *text = source->text, *all_end = text + source->size;
    line_range line = {text + offset, text + offset};
    while (line.start > text && !ends_line(line.start[-1])) line.start--;
    while (line.end < all_end && !ends_line(*line.end)) line.end++;
    return line;
}

of__place of__text_place(const of__kernel_text *source, int32_t offset) {
    of__place place = {source->first_line, 1};
    const char *text = source->text, *end = text + source->size;
    line_range line = line_around(source, offset);
    for (const char *at = text; at < line.start; at++)
        place.line += *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] != '\n'));
    int32_t code;
    for (const char *at = line.start; at < text + offset; at += of__utf8_read(at, end, &code))
        place.column++;
    return place;
}

/* Writes the characters first..last of a line, and a caret below one of them; what is no character
 * to be shown in one column is replaced. False when it does not fit. */
static bool show(line_range line, int64_t first, int64_t caret, int64_t last, char *to,
                 size_t room) {
    size_t used = 0;
    int64_t column = 1;
    int32_t code;
    if (room < 8) return false;
    to[used++] = '\n';
    for (const char *at = line.start; at < line.end && column <= last; column++) {
        int size = of__utf8_read(at, line.end, &code);
        if (column >= first) {
            if (used + 8 > room) return false;
            bool is_shown = code >= 0x20 && code != 0x7f;
            if (is_shown)
                memcpy(to + used, at, (size_t)size), used += (size_t)size;
            else
                to[used++] = code < 0 ? '?' : ' ';
        }
        at += size;
    }
    if (used + 3 + (size_t)(caret - first) > room) return false;
    to[used++] = '\n';
    for (int64_t i = first; i < caret; i++) to[used++] = ' ';
    to[used++] = '^';
    to[used] = 0;
    return true;
}

of_status of__text_fail(const of__kernel_text *source, int32_t offset, of_error *err,
                        of_status code, const char *format, ...) {
    if (err == NULL) return code;
    of__place place = of__text_place(source, offset);

    /* The end of a long path says most; it is cut before a whole character. */
    const int most_name = 120;
    const char *name = source->name, *dots = "";
    size_t length = strlen(name);
    if (length > (size_t)most_name) {
        name += length - (size_t)most_name;
        while ((*name & 0xc0) == 0x80) name++;
        dots = "...";
    }

    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    of__fail(err, code, "%s%s:%lld:%lld: %s", dots, name, (long long)place.line,
             (long long)place.column, sentence);

    size_t used = strlen(err->message), room = sizeof err->message - used;
    for (int64_t half = 38; half >= 8; half /= 2) {
        int64_t first = place.column > half ? place.column - half : 1;
        if (show(line_around(source, offset), first, place.column, first + 2 * half,
                 err->message + used, room))
            return code;
        err->message[used] = 0;
    }
    return code;
}

of_status of__text_fail_memory(const of__kernel_text *source, int32_t offset,
                               const of__arena *arena, of_error *err) {
    if (arena->is_exhausted)
        return of__text_fail(source, offset, err, OF_ERR_VALUE,
                             "the text is too large for a kernel; split it");
    return of__fail(err, OF_ERR_MEMORY, "no memory to read %.100s", source->name);
}
