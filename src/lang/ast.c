#include "lang/ast.h"

#include <inttypes.h>
#include <string.h>

#include <onefold/dtype.h>

typedef struct kind_row {
    const char *word, *parts;
} kind_row;

static const kind_row kinds[] = {
#define OF_NODE(symbol, word, parts) {word, parts},
#include "lang/nodes.def"
};

of__node *of__node_make(of__arena *arena, of__node_kind kind, int32_t offset) {
    of__node *node = of__arena_take(arena, sizeof *node);
    if (node == NULL) return NULL;
    node->kind = kind;
    node->offset = offset;
    node->height = 1;
    return node;
}

bool of__node_measure(of__node *node) {
    int highest = 0;
    const char *parts = kinds[node->kind].parts;
    for (int i = 0; parts[i] != 0; i++)
        for (const of__node *part = node->as.part[i]; part != NULL;
             part = parts[i] == '*' ? part->next : NULL)
            if (part->height > highest) highest = part->height;
    node->height = highest + 1;
    return node->height <= OF__HEIGHT_MOST;
}

bool of__node_is_named(const of__node *node, const char *name) {
    return (size_t)node->size == strlen(name) && memcmp(node->name, name, strlen(name)) == 0;
}

bool of__node_same_name(const of__node *a, const of__node *b) {
    return a->size == b->size && memcmp(a->name, b->name, (size_t)a->size) == 0;
}

const char *of__operator_text(of__operator operator) {
    static const char *const texts[] = {
        "",
#define OF_BINARY(symbol, text, token, assigning, binds) text,
#define OF_COMPARISON(symbol, text, token)               text,
#define OF_UNARY(symbol, text)                           text,
#include "lang/operators.def"
    };
    return texts[operator];
}

/* Names and numbers; false for what has parts. */
static bool print_leaf(const of__node *node, FILE *to) {
    char text[OF_SCALAR_TEXT_SIZE];
    switch (node->kind) {
    case OF__NODE_NAME: fprintf(to, "%.*s", (int)node->size, node->name); return true;
    case OF__NODE_INTEGER: fprintf(to, "%" PRIu64, node->integer); return true;
    case OF__NODE_FLOAT: fputs(of_scalar_format(of_scalar_f64(node->real), text), to); return true;
    case OF__NODE_BOOL: fputs(node->integer ? "True" : "False", to); return true;
    default: return false;
    }
}

static void print_part(const of__node *part, char how, FILE *to) {
    if (how == '*') {
        fputc('[', to);
        for (const of__node *item = part; item != NULL; item = item->next) {
            if (item != part) fputc(' ', to);
            of__node_print(item, to);
        }
        fputc(']', to);
    } else if (part == NULL) {
        fputc('-', to);
    } else {
        of__node_print(part, to);
    }
}

void of__node_print(const of__node *node, FILE *to) {
    if (print_leaf(node, to)) return;
    fprintf(to, "(%s", kinds[node->kind].word);
    if (node->role == OF__ROLE_KERNEL) fputs(" @kernel", to);
    if (node->role == OF__ROLE_FUNCTION) fputs(" @func", to);
    if (node->name != NULL) fprintf(to, " %.*s", (int)node->size, node->name);
    if (node->operator!= OF__OPERATOR_NONE) fprintf(to, " %s", of__operator_text(node->operator));
    const char *parts = kinds[node->kind].parts;
    for (int i = 0; parts[i] != 0; i++) {
        fputc(' ', to);
        print_part(node->as.part[i], parts[i], to);
    }
    fputc(')', to);
}
