#include <stdlib.h>
#include <string.h>

#include <onefold/names.h>

#include "core/alloc.h"
#include "core/fail.h"
#include "io/csv_column.h"
#include "io/growing.h"

/* A name, and its number by first appearance. */
typedef struct name {
    const char *text;
    int64_t length;
    int64_t first;
} name;

struct of_names {
    int64_t count;
    name *sorted;
    char *text; /* all of them, each ended by a zero */
};

/* What is known of a name while its text may still move. */
typedef struct entry {
    uint64_t hash;
    int64_t start, length;
} entry;

typedef struct builder {
    of__growing text;
    of__growing entries; /* of `entry`, by first appearance */
    of__growing rows;    /* of int64_t: the entry of each row */
    int64_t *slots;      /* entry + 1, or 0; found by hash and linear probing */
    int64_t slot_count;  /* a power of two, or 0 */
} builder;

/* ---- Collecting ---- */

static of_status append(of__growing *bytes, const void *data, int64_t size, of_error *err) {
    while (bytes->capacity - bytes->used < size) {
        int64_t used = bytes->used;
        bytes->used =
            bytes->capacity; /* it grows when it is full; what is not used is copied too */
        of_status status = of__growing_extend(bytes, -1, err);
        bytes->used = used;
        if (status != OF_OK) return status;
    }
    memcpy(bytes->data + bytes->used, data, (size_t)size);
    bytes->used += size;
    return OF_OK;
}

/* FNV-1a (public domain, Fowler, Noll and Vo). */
static uint64_t hash_text(const char *text, int64_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static int64_t entry_count(const builder *b) {
    return b->entries.used / (int64_t)sizeof(entry);
}

/* The slot of a name, or the free one where it belongs. */
static int64_t *find_slot(const builder *b, const char *text, const entry *wanted) {
    const entry *entries = (const entry *)b->entries.data;
    int64_t mask = b->slot_count - 1, at = (int64_t)wanted->hash & mask;
    for (; b->slots[at] != 0; at = (at + 1) & mask) {
        const entry *found = &entries[b->slots[at] - 1];
        if (found->hash == wanted->hash && found->length == wanted->length &&
            memcmp(b->text.data + found->start, text, (size_t)wanted->length) == 0)
            break;
    }
    return &b->slots[at];
}

/* Keeps at least half of the slots free. */
static of_status make_room(builder *b, of_error *err) {
    const entry *entries = (const entry *)b->entries.data;
    int64_t count = entry_count(b);
    if (2 * (count + 1) <= b->slot_count) return OF_OK;
    int64_t slot_count = b->slot_count == 0 ? 64 : 2 * b->slot_count;
    int64_t *slots = of__alloc_zeroed((size_t)slot_count * sizeof *slots);
    if (slots == NULL)
        return of__fail(err, OF_ERR_MEMORY, "no memory for a table of %lld names",
                        (long long)slot_count);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = (int64_t)entries[i].hash & (slot_count - 1);
        while (slots[at] != 0) at = (at + 1) & (slot_count - 1);
        slots[at] = i + 1;
    }
    of__free(b->slots);
    b->slots = slots;
    b->slot_count = slot_count;
    return OF_OK;
}

/* Takes the cell of the next row. */
static of_status take_cell(void *context, const char *text, int64_t length, of_error *err) {
    builder *b = context;
    OF_TRY(make_room(b, err));
    const entry wanted = {hash_text(text, length), b->text.used, length};
    int64_t *slot = find_slot(b, text, &wanted);
    if (*slot == 0) {
        OF_TRY(append(&b->text, text, length, err));
        OF_TRY(append(&b->text, "", 1, err));
        OF_TRY(append(&b->entries, &wanted, sizeof wanted, err));
        *slot = entry_count(b);
    }
    int64_t number = *slot - 1;
    return append(&b->rows, &number, sizeof number, err);
}

/* ---- Putting in order ---- */

static int compare_names(const void *a, const void *b) {
    const name *x = a, *y = b;
    int64_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, (size_t)shorter);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* Sorts the names, which then own the text. */
static of_status make_names(builder *b, of_names **out, of_error *err) {
    const entry *entries = (const entry *)b->entries.data;
    int64_t count = entry_count(b);
    of_names *names = of__alloc_zeroed(sizeof *names);
    name *sorted = of__alloc((size_t)count * sizeof *sorted);
    if (names == NULL || sorted == NULL) {
        of__free(names);
        of__free(sorted);
        return of__fail(err, OF_ERR_MEMORY, "no memory for %lld names", (long long)count);
    }
    for (int64_t i = 0; i < count; i++)
        sorted[i] = (name){b->text.data + entries[i].start, entries[i].length, i};
    if (count > 0) qsort(sorted, (size_t)count, sizeof *sorted, compare_names);
    *names = (of_names){count, sorted, b->text.data};
    b->text = (of__growing){0};
    *out = names;
    return OF_OK;
}

/* The rank of each row's name. The slots are done with by then; they are as many as it takes. */
static of_status make_numbers(builder *b, const of_names *names, of_array **out, of_error *err) {
    const int64_t *rows = (const int64_t *)b->rows.data;
    int64_t count = b->rows.used / (int64_t)sizeof *rows;
    OF_TRY(of_array_create(of_device_at(0), OF_I64, 1, &count, out, err));
    for (int64_t rank = 0; rank < names->count; rank++) b->slots[names->sorted[rank].first] = rank;
    int64_t *numbers = of_array_mutable_data(*out);
    for (int64_t i = 0; i < count; i++) numbers[i] = b->slots[rows[i]];
    return OF_OK;
}

static of_status read_cells(builder *b, const char *path, const of_reader_opts *opts,
                            of_error *err) {
    of__source source;
    of__csv_column column;
    OF_TRY(of__source_open(path, &source, err));
    of_status status = of__csv_column_begin_text(&column, &source, opts->column, opts->delimiter,
                                                 opts->skip_missing, err);
    if (status == OF_OK) {
        status = of__csv_column_read_text(&column, take_cell, b, err);
        of__csv_column_end(&column);
    }
    of__source_close(&source);
    return status;
}

of_status of_names_load(const char *path, const of_reader_opts *opts, of_array **numbers,
                        of_names **names, of_error *err) {
    static const of_reader_opts defaults = {0};
    builder b = {0};
    of_names *made = NULL;
    of_status status = read_cells(&b, path, opts == NULL ? &defaults : opts, err);
    if (status == OF_OK) status = make_names(&b, &made, err);
    if (status == OF_OK) status = make_numbers(&b, made, numbers, err);
    if (status == OF_OK)
        *names = made;
    else
        of_names_free(made);
    of__growing_free(&b.text);
    of__growing_free(&b.entries);
    of__growing_free(&b.rows);
    of__free(b.slots);
    return status;
}

/* ---- Looking at names ---- */

int64_t of_names_count(const of_names *names) {
    return names->count;
}

const char *of_names_at(const of_names *names, int64_t number) {
    return number >= 0 && number < names->count ? names->sorted[number].text : NULL;
}

void of_names_free(of_names *names) {
    if (names == NULL) return;
    of__free(names->sorted);
    of__free(names->text);
    of__free(names);
}
