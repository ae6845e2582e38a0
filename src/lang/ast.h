/* The tree of a kernel's text, as it is written: no types, no names looked up. */
#ifndef ONEFOLD_LANG_AST_H
#define ONEFOLD_LANG_AST_H

#include <stdbool.h>
#include <stdio.h>

#include "lang/arena.h"
#include "lang/kernel_text.h"

typedef enum of__node_kind {
#define OF_NODE(symbol, word, parts) OF__NODE_##symbol,
#include "lang/nodes.def"
} of__node_kind;

typedef enum of__operator {
    OF__OPERATOR_NONE,
#define OF_BINARY(symbol, text, token, assigning, binds) OF__OPERATOR_##symbol,
#define OF_COMPARISON(symbol, text, token)               OF__OPERATOR_##symbol,
#define OF_UNARY(symbol, text)                           OF__OPERATOR_UNARY_##symbol,
#include "lang/operators.def"
} of__operator;

/* What a function's decorator says that it is. */
typedef enum of__role { OF__ROLE_UNMARKED, OF__ROLE_KERNEL, OF__ROLE_FUNCTION } of__role;

enum {
    OF__PARTS_MOST = 3,
    OF__FUNCTIONS_MOST = 256,
    OF__HEIGHT_MOST = 1000, /* of a tree, so that walks may recurse on any thread's stack */
};

typedef struct of__node of__node;

/* A list is its first node, or NULL; `next` leads on. */
struct of__node {
    of__node_kind kind;
    of__operator operator; /* UNARY, BINARY, AUGMENT, LINK */
    of__role role;         /* DEF */
    int32_t offset;        /* of its operator where it has one, else where it starts */
    int32_t size;          /* of the name */
    int height;            /* 1 and that of its highest part */
    const char *name;      /* NAME, ATTRIBUTE, PARAMETER, DEF: in the source, no zero follows.
                              FLOAT: its digits, as a token's, ended by zero */
    uint64_t integer;      /* INTEGER; BOOL: 0 or 1 */
    double real;           /* FLOAT */
    of__node *next;
    of__node *next_call; /* DEF: its first call of a name; CALL: the function's next one */
    /* clang-format off */
    union {
        of__node *part[OF__PARTS_MOST];
        struct { of__node *defs; } module;
        struct { of__node *parameters, *result, *body; } def; /* result: its annotation */
        struct { of__node *annotation; } parameter;
        struct { of__node *targets, *value; } assign; /* targets from left to right */
        struct { of__node *target, *value; } augment;
        struct { of__node *value; } discard;
        struct { of__node *target, *range, *body; } loop_for; /* range: a call of range or ndindex */
        struct { of__node *condition, *body; } loop_while;
        struct { of__node *clauses, *otherwise; } branch; /* "if" and each "elif" are a clause */
        struct { of__node *condition, *body; } clause;
        struct { of__node *value; } returned;
        struct { of__node *items; } items; /* TUPLE, AND, OR */
        struct { of__node *operand; } unary;
        struct { of__node *left, *right; } binary;
        struct { of__node *left, *links; } compare; /* a link is an operator and its right side */
        struct { of__node *right; } link;
        struct { of__node *condition, *yes, *no; } conditional;
        struct { of__node *base, *indices; } subscript; /* no indices in f[()] */
        struct { of__node *base; } attribute;
        struct { of__node *callee, *arguments; } call;
    } as;
    /* clang-format on */
};

/* A node without parts; NULL when the arena has no room. */
of__node *of__node_make(of__arena *arena, of__node_kind kind, int32_t offset);

/* Computes its height from those of its parts; false when it is more than OF__HEIGHT_MOST. */
bool of__node_measure(of__node *node);

/* A node's name for the format "%.*s", cut where it is very long. */
#define OF__NAME_SHOWN(node) (int)((node)->size < 40 ? (node)->size : 40), (node)->name

/* Whether a node's name is `name`. */
bool of__node_is_named(const of__node *node, const char *name);
bool of__node_same_name(const of__node *a, const of__node *b);

/* An operator as it is written. */
const char *of__operator_text(of__operator operator);

/*
 * Prints a tree in one line: (kind name-or-operator parts), a list in brackets, - for a part that is
 * not there; names and numbers stand for themselves.
 *
 *     x[i] = -2      (assign [(subscript x [i])] (unary - 2))
 */
void of__node_print(const of__node *node, FILE *to);

#endif
