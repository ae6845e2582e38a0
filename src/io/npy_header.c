#include "io/npy_header.h"

#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "io/excerpt.h"
#include "io/npy_descr.h"

typedef struct parser {
    const char *text, *next, *end;
    const of__source *source;
    of_error *err;
} parser;

/* A part of the text. */
typedef struct piece {
    const char *text;
    int64_t length;
} piece;

static of_status fail_expecting(parser *p, const char *expected) {
    int64_t offset = p->next - p->text;
    if (p->next == p->end) {
        return of__source_fail(p->source, p->err, OF_ERR_FORMAT,
                               "the header ends after %lld bytes without %s", (long long)offset,
                               expected);
    }
    unsigned char byte = (unsigned char)*p->next;
    char shown[8];
    snprintf(shown, sizeof shown, byte >= 0x20 && byte < 0x7f ? "'%c'" : "0x%02x", byte);
    return of__source_fail(p->source, p->err, OF_ERR_FORMAT,
                           "byte %lld of the header is %s where %s is expected", (long long)offset,
                           shown, expected);
}

static void skip_blanks(parser *p) {
    while (p->next < p->end && memchr(" \t\r\n", *p->next, 4) != NULL) p->next++;
}

/* Takes a character, blanks before it skipped, when it comes next. */
static bool take(parser *p, char wanted) {
    skip_blanks(p);
    if (p->next == p->end || *p->next != wanted) return false;
    p->next++;
    return true;
}

static of_status expect(parser *p, char wanted) {
    char name[] = {'\'', wanted, '\'', 0};
    return take(p, wanted) ? OF_OK : fail_expecting(p, name);
}

/* Takes a word when it comes next. */
static bool take_word(parser *p, const char *word) {
    size_t length = strlen(word);
    skip_blanks(p);
    if ((size_t)(p->end - p->next) < length || memcmp(p->next, word, length) != 0) return false;
    p->next += length;
    return true;
}

/* string = "'" characters "'" | '"' characters '"', without escapes */
static of_status parse_string(parser *p, piece *out) {
    char quote = take(p, '\'') ? '\'' : take(p, '"') ? '"' : 0;
    if (quote == 0) return fail_expecting(p, "a quoted string");
    out->text = p->next;
    while (p->next < p->end && *p->next != quote) {
        if (*p->next < 0x20 || *p->next >= 0x7f || *p->next == '\\')
            return fail_expecting(p, "a plain character");
        p->next++;
    }
    if (p->next == p->end) return fail_expecting(p, "the string's closing quote");
    out->length = p->next++ - out->text;
    return OF_OK;
}

/* A list or tuple, up to the bracket that closes it; whatever stands in strings is passed over. */
static of_status skip_brackets(parser *p, piece *out) {
    int64_t depth = 0;
    char quote = 0;
    out->text = p->next;
    do {
        if (p->next == p->end) return fail_expecting(p, "the closing bracket of 'descr'");
        char c = *p->next++;
        if (quote != 0) {
            if (c == '\\' && p->next < p->end) p->next++;
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            depth--;
        }
    } while (depth > 0);
    out->length = p->next - out->text;
    return OF_OK;
}

/* descr = string | list | tuple; the latter two are record types */
static of_status parse_descr(parser *p, piece *out, bool *is_record) {
    skip_blanks(p);
    *is_record = p->next < p->end && (*p->next == '[' || *p->next == '(');
    return *is_record ? skip_brackets(p, out) : parse_string(p, out);
}

static of_status parse_bool(parser *p, bool *out) {
    *out = take_word(p, "True");
    return *out || take_word(p, "False") ? OF_OK : fail_expecting(p, "True or False");
}

/* size = digit digit* ["L"], the L from Python 2 */
static of_status parse_size(parser *p, int64_t *out) {
    skip_blanks(p);
    const char *start = p->next;
    int64_t size = 0;
    while (p->next < p->end && *p->next >= '0' && *p->next <= '9') {
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, *p->next - '0', &size)) {
            p->next = start;
            return fail_expecting(p, "a size below 2^63");
        }
        p->next++;
    }
    if (p->next == start) return fail_expecting(p, "a size of 0 or more");
    if (p->next < p->end && *p->next == 'L') p->next++;
    *out = size;
    return OF_OK;
}

/* shape = "(" ")" | "(" size "," ")" | "(" size ("," size)+ [","] ")" */
static of_status parse_shape(parser *p, of__file_layout *layout) {
    layout->ndim = 0;
    OF_TRY(expect(p, '('));
    while (!take(p, ')')) {
        if (layout->ndim == OF_MAX_DIMS) {
            return of__source_fail(p->source, p->err, OF_ERR_FORMAT,
                                   "the shape has more than %d dimensions", OF_MAX_DIMS);
        }
        OF_TRY(parse_size(p, &layout->shape[layout->ndim++]));
        if (take(p, ',')) continue;
        return layout->ndim == 1 ? fail_expecting(p, "','") : expect(p, ')');
    }
    return OF_OK;
}

/* The values of the dictionary, and which keys had been met. */
typedef struct dictionary {
    bool has_descr, has_order, has_shape;
    piece descr;
    bool is_record;
    bool fortran;
} dictionary;

/* pair = string ":" value */
static of_status parse_pair(parser *p, dictionary *found, of__file_layout *layout) {
    skip_blanks(p);
    const char *start = p->next;
    piece key;
    OF_TRY(parse_string(p, &key));
    bool *seen = NULL;
    if (key.length == 5 && memcmp(key.text, "descr", 5) == 0) seen = &found->has_descr;
    if (key.length == 13 && memcmp(key.text, "fortran_order", 13) == 0) seen = &found->has_order;
    if (key.length == 5 && memcmp(key.text, "shape", 5) == 0) seen = &found->has_shape;
    if (seen == NULL || *seen) {
        char shown[40];
        return of__source_fail(p->source, p->err, OF_ERR_FORMAT,
                               "byte %lld of the header: key '%s' is %s",
                               (long long)(start - p->text),
                               of__text_excerpt(key.text, key.length, shown, sizeof shown),
                               seen == NULL ? "unknown" : "there twice");
    }
    *seen = true;
    OF_TRY(expect(p, ':'));
    if (seen == &found->has_descr) return parse_descr(p, &found->descr, &found->is_record);
    if (seen == &found->has_order) return parse_bool(p, &found->fortran);
    return parse_shape(p, layout);
}

/* dictionary = "{" [pair ("," pair)* [","]] "}" blanks */
static of_status parse_dictionary(parser *p, dictionary *found, of__file_layout *layout) {
    OF_TRY(expect(p, '{'));
    while (!take(p, '}')) {
        OF_TRY(parse_pair(p, found, layout));
        if (take(p, ',')) continue;
        OF_TRY(expect(p, '}'));
        break;
    }
    skip_blanks(p);
    if (p->next < p->end) return fail_expecting(p, "nothing but blanks");
    const char *missing = !found->has_descr   ? "descr"
                          : !found->has_order ? "fortran_order"
                          : !found->has_shape ? "shape"
                                              : NULL;
    if (missing == NULL) return OF_OK;
    return of__source_fail(p->source, p->err, OF_ERR_FORMAT, "the header has no key '%s'", missing);
}

/* Whether the first index running fastest differs from the last one doing so. */
static bool order_matters(const of__file_layout *layout) {
    int long_dims = 0;
    for (int dim = 0; dim < layout->ndim; dim++) long_dims += layout->shape[dim] > 1;
    return layout->size > 0 && long_dims > 1;
}

of_status of__npy_header_parse(const char *text, int64_t length, of_dtype dtype,
                               const of__source *source, of__file_layout *layout, of_error *err) {
    parser p = {text, text, text + length, source, err};
    dictionary found = {0};
    of__file_layout read = {0};
    OF_TRY(parse_dictionary(&p, &found, &read));
    if (found.is_record) {
        char shown[80];
        return of__source_fail(
            source, err, OF_ERR_TYPE, "descr %s is a record type, which Onefold does not have",
            of__text_excerpt(found.descr.text, found.descr.length, shown, sizeof shown));
    }
    OF_TRY(of__npy_descr_parse(found.descr.text, found.descr.length, dtype, source, &read, err));
    if (!of__file_layout_measure(&read)) {
        return of__source_fail(source, err, OF_ERR_FORMAT,
                               "the shape's size in bytes is past 2^63 - 1");
    }
    read.fortran = found.fortran && order_matters(&read);
    *layout = read;
    return OF_OK;
}

int64_t of__npy_header_write(const of_array *array, char *text) {
    char *dictionary = text + OF__NPY_PREFIX_SIZE;
    int room = OF__NPY_HEADER_ROOM - OF__NPY_PREFIX_SIZE;
    int length =
        snprintf(dictionary, (size_t)room, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                 of__npy_descr(of_array_dtype(array)));
    int ndim = of_array_ndim(array);
    for (int dim = 0; dim < ndim; dim++) {
        length +=
            snprintf(dictionary + length, (size_t)(room - length), "%s%lld%s", dim > 0 ? ", " : "",
                     (long long)of_array_shape(array)[dim], ndim == 1 ? "," : "");
    }
    length += snprintf(dictionary + length, (size_t)(room - length), "), }");
    while ((OF__NPY_PREFIX_SIZE + length) % 64 != 63) dictionary[length++] = ' ';
    dictionary[length++] = '\n';

    memcpy(text, OF__NPY_MAGIC "\x01\x00", 8);
    text[8] = (char)(length & 0xff);
    text[9] = (char)(length >> 8);
    return OF__NPY_PREFIX_SIZE + length;
}
