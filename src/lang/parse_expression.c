/* Expressions, with Python's precedence. */
#include "lang/parser.h"

typedef struct operator_row {
    of__token_kind token;
    of__operator operator;
    int binds;
} operator_row;

static const operator_row binary_rows[] = {
#define OF_BINARY(symbol, text, token, assigning, binds)                                           \
    {OF__TOKEN_##token, OF__OPERATOR_##symbol, binds},
#include "lang/operators.def"
    {0, OF__OPERATOR_NONE, 0}};

static const operator_row comparison_rows[] = {
#define OF_COMPARISON(symbol, text, token) {OF__TOKEN_##token, OF__OPERATOR_##symbol, 0},
#include "lang/operators.def"
    {0, OF__OPERATOR_NONE, 0}};

static of__node *parse_factor(of__parser *parser);

/* The row of the token; the last one, of no operator, if it has none. */
static const operator_row *find_row(const operator_row *row, const of__parser *parser) {
    while (row->operator!= OF__OPERATOR_NONE && row->token != parser->token.kind) row++;
    return row;
}

bool of__starts_expr(const of__parser *parser) {
    switch (parser->token.kind) {
    case OF__TOKEN_NAME:
    case OF__TOKEN_INTEGER:
    case OF__TOKEN_FLOAT:
    case OF__TOKEN_TRUE:
    case OF__TOKEN_FALSE:
    case OF__TOKEN_PLUS:
    case OF__TOKEN_MINUS:
    case OF__TOKEN_TILDE:
    case OF__TOKEN_NOT:
    case OF__TOKEN_OPEN: return true;
    default: return false;
    }
}

/* ---- Atoms ---- */

static of__node *parse_number(of__parser *parser, of__node_kind kind) {
    of__token token = parser->token;
    of__node *node = of__parser_node(parser, kind, token.offset);
    if (node == NULL) return NULL;
    node->name = token.digits;
    node->integer = kind == OF__NODE_BOOL ? token.kind == OF__TOKEN_TRUE : token.integer;
    node->real = token.real;
    of__parser_advance(parser);
    return parser->status == OF_OK ? node : NULL;
}

// parenthesized = "(" [expr ["," [expr ("," expr)* [","]]]] ")"
static of__node *parse_parenthesized(of__parser *parser) {
    int32_t open = parser->token.offset;
    of__parser_advance(parser);
    of__node *node;
    if (parser->token.kind == OF__TOKEN_CLOSE) {
        node = of__parser_node(parser, OF__NODE_TUPLE, open);
    } else {
        node = of__parse_exprs(parser);
        if (parser->token.kind == OF__TOKEN_FOR)
            return of__parser_fail(parser, open,
                                   "kernels have no generators; write a for loop over range(...)");
    }
    of__parser_close(parser, OF__TOKEN_CLOSE, open);
    return parser->status == OF_OK ? node : NULL;
}

/* What brackets without a base, or braces, would have been; their first item tells. */
static of__node *refuse_display(of__parser *parser) {
    int32_t open = parser->token.offset;
    bool is_list = parser->token.kind == OF__TOKEN_OPEN_SQUARE;
    of__parser_advance(parser);
    if (of__starts_expr(parser)) of__parse_expr(parser);
    if (parser->token.kind == OF__TOKEN_FOR)
        return of__parser_fail(parser, open,
                               "kernels have no comprehensions; write a for loop over range(...)");
    return of__parser_fail(parser, open,
                           "kernels have no %s; use a vector, or local_array(dtype, size)",
                           is_list ? "lists" : "dicts and sets");
}

// atom = NAME | INTEGER | FLOAT | "True" | "False" | parenthesized
static of__node *parse_atom(of__parser *parser) {
    switch (parser->token.kind) {
    case OF__TOKEN_NAME: return of__parser_named(parser, OF__NODE_NAME);
    case OF__TOKEN_INTEGER: return parse_number(parser, OF__NODE_INTEGER);
    case OF__TOKEN_FLOAT: return parse_number(parser, OF__NODE_FLOAT);
    case OF__TOKEN_TRUE:
    case OF__TOKEN_FALSE: return parse_number(parser, OF__NODE_BOOL);
    case OF__TOKEN_OPEN: return parse_parenthesized(parser);
    case OF__TOKEN_OPEN_SQUARE:
    case OF__TOKEN_OPEN_BRACE: return refuse_display(parser);
    case OF__TOKEN_STAR:
    case OF__TOKEN_POWER:
        return of__parser_fail(parser, parser->token.offset,
                               "kernels have no starred values; write them one by one");
    default: of__parser_unexpected(parser, "an expression"); return NULL;
    }
}

/* ---- Calls, indices, attributes ---- */

// argument = expr
static of__node *parse_argument(of__parser *parser) {
    of__token start = parser->token;
    if (start.kind == OF__TOKEN_STAR || start.kind == OF__TOKEN_POWER)
        return of__parser_fail(parser, start.offset,
                               "kernels have no starred arguments; write them one by one");
    of__node *argument = of__parse_expr(parser);
    if (parser->token.kind == OF__TOKEN_ASSIGN)
        return of__parser_fail(parser, start.offset,
                               "kernels have no keyword arguments; pass them in order");
    if (parser->token.kind == OF__TOKEN_FOR)
        return of__parser_fail(parser, start.offset,
                               "kernels have no generators; write a for loop over range(...)");
    return argument;
}

// call = primary "(" [argument ("," argument)* [","]] ")"
static of__node *parse_call(of__parser *parser, of__node *callee) {
    of__node *node = of__parser_node(parser, OF__NODE_CALL, callee->offset);
    of__node_list arguments = {0};
    int32_t open = parser->token.offset;
    of__parser_advance(parser);
    while (parser->token.kind != OF__TOKEN_CLOSE && parser->token.kind != OF__TOKEN_NEWLINE) {
        of__node_list_add(&arguments, parse_argument(parser));
        if (!of__parser_accept(parser, OF__TOKEN_COMMA)) break;
    }
    of__parser_close(parser, OF__TOKEN_CLOSE, open);
    if (parser->status != OF_OK) return NULL;
    node->as.call.callee = callee;
    node->as.call.arguments = arguments.first;
    if (callee->kind == OF__NODE_NAME && parser->next_call != NULL) {
        *parser->next_call = node;
        parser->next_call = &node->next_call;
    }
    return of__parser_measured(parser, node);
}

// index = expr
static of__node *parse_index(of__parser *parser) {
    of__node *index = parser->token.kind == OF__TOKEN_COLON ? NULL : of__parse_expr(parser);
    if (parser->token.kind == OF__TOKEN_COLON)
        return of__parser_fail(parser, parser->token.offset,
                               "kernels have no slices; loop over the elements, or pass "
                               "View(base, start, size)");
    return index;
}

// subscript = primary "[" index ("," index)* [","] "]"
static of__node *parse_subscript(of__parser *parser, of__node *base) {
    of__node *node = of__parser_node(parser, OF__NODE_SUBSCRIPT, base->offset);
    of__node_list indices = {0};
    int32_t open = parser->token.offset;
    of__parser_advance(parser);
    bool has_comma = false;
    do {
        of__node_list_add(&indices, parse_index(parser));
        if (!of__parser_accept(parser, OF__TOKEN_COMMA)) break;
        has_comma = true;
    } while (parser->token.kind != OF__TOKEN_CLOSE_SQUARE);
    of__parser_close(parser, OF__TOKEN_CLOSE_SQUARE, open);
    if (parser->status != OF_OK) return NULL;
    node->as.subscript.base = base;
    node->as.subscript.indices = indices.first;
    /* f[(i, j)] is f[i, j], and f[()] has no index. */
    bool is_tuple = !has_comma && indices.first->kind == OF__NODE_TUPLE;
    if (is_tuple) node->as.subscript.indices = indices.first->as.items.items;
    return of__parser_measured(parser, node);
}

// attribute = primary "." NAME
static of__node *parse_attribute(of__parser *parser, of__node *base) {
    of__parser_advance(parser);
    of__node *node = of__parser_named(parser, OF__NODE_ATTRIBUTE);
    if (node == NULL) return NULL;
    node->as.attribute.base = base;
    return of__parser_measured(parser, node);
}

// primary = atom | call | subscript | attribute
of__node *of__parse_primary(of__parser *parser) {
    of__node *node = parse_atom(parser);
    while (node != NULL && parser->status == OF_OK) {
        switch (parser->token.kind) {
        case OF__TOKEN_OPEN: node = parse_call(parser, node); break;
        case OF__TOKEN_OPEN_SQUARE: node = parse_subscript(parser, node); break;
        case OF__TOKEN_DOT: node = parse_attribute(parser, node); break;
        default: return node;
        }
    }
    return NULL;
}

/* ---- Operators ---- */

static of__node *make_unary(of__parser *parser, of__operator operator, int32_t offset,
                            of__node *operand) {
    of__node *node = of__parser_node(parser, OF__NODE_UNARY, offset);
    if (node == NULL) return NULL;
    node->operator= operator;
    node->as.unary.operand = operand;
    return of__parser_measured(parser, node);
}

static of__node *make_binary(of__parser *parser, of__operator operator, int32_t offset,
                             of__node *left, of__node *right) {
    of__node *node = of__parser_node(parser, OF__NODE_BINARY, offset);
    if (node == NULL) return NULL;
    node->operator= operator;
    node->as.binary.left = left;
    node->as.binary.right = right;
    return of__parser_measured(parser, node);
}

// power = primary ["**" factor]
static of__node *parse_power(of__parser *parser) {
    of__node *base = of__parse_primary(parser), *exponent = NULL;
    int32_t offset = parser->token.offset;
    if (parser->token.kind != OF__TOKEN_POWER) return base;
    if (of__parser_enter(parser)) {
        of__parser_advance(parser);
        exponent = parse_factor(parser);
    }
    of__parser_leave(parser);
    return make_binary(parser, OF__OPERATOR_POWER, offset, base, exponent);
}

static of__operator sign_of(of__token_kind kind) {
    switch (kind) {
    case OF__TOKEN_MINUS: return OF__OPERATOR_UNARY_NEGATE;
    case OF__TOKEN_PLUS: return OF__OPERATOR_UNARY_PLUS;
    case OF__TOKEN_TILDE: return OF__OPERATOR_UNARY_INVERT;
    default: return OF__OPERATOR_NONE;
    }
}

// factor = ("+" | "-" | "~") factor | power
static of__node *parse_factor(of__parser *parser) {
    of__operator sign = sign_of(parser->token.kind);
    int32_t offset = parser->token.offset;
    if (sign == OF__OPERATOR_NONE) return parse_power(parser);
    of__node *node = NULL;
    if (of__parser_enter(parser)) {
        of__parser_advance(parser);
        node = make_unary(parser, sign, offset, parse_factor(parser));
    }
    of__parser_leave(parser);
    return node;
}

// binary = factor (operator binary)*, where operators that bind less than `least` are left to the
// caller: | ^ & << >> + - * @ / // %
static of__node *parse_binary(of__parser *parser, int least) {
    of__node *left = parse_factor(parser);
    while (true) {
        const operator_row *row = find_row(binary_rows, parser);
        int32_t offset = parser->token.offset;
        if (row->operator== OF__OPERATOR_NONE || row->binds<least) return left;
        of__parser_advance(parser);
        left =
            make_binary(parser, row->operator, offset, left, parse_binary(parser, row->binds + 1));
    }
}

/* `in`, `not in`; `is` has a message as a word. */
static of__node *refuse_membership(of__parser *parser) {
    return of__parser_fail(parser, parser->token.offset,
                           "kernels do not search with in; compare the values with ==");
}

// comparison = binary (("<" | "<=" | ">" | ">=" | "==" | "!=") binary)*
static of__node *parse_comparison(of__parser *parser) {
    of__node *left = parse_binary(parser, 1);
    of__node_list links = {0};
    int32_t first = parser->token.offset;
    const operator_row *row;
    while ((row = find_row(comparison_rows, parser))->operator!= OF__OPERATOR_NONE) {
        of__node *link = of__parser_node(parser, OF__NODE_LINK, parser->token.offset);
        of__parser_advance(parser);
        of__node *right = parse_binary(parser, 1);
        if (parser->status != OF_OK) return NULL;
        link->operator= row->operator;
        link->as.link.right = right;
        of__node_list_add(&links, of__parser_measured(parser, link));
    }
    if (parser->token.kind == OF__TOKEN_IN || parser->token.kind == OF__TOKEN_NOT)
        return refuse_membership(parser);
    if (links.first == NULL) return left;
    of__node *node = of__parser_node(parser, OF__NODE_COMPARE, first);
    if (node == NULL) return NULL;
    node->as.compare.left = left;
    node->as.compare.links = links.first;
    return of__parser_measured(parser, node);
}

// not_test = "not" not_test | comparison
static of__node *parse_not(of__parser *parser) {
    int32_t offset = parser->token.offset;
    if (parser->token.kind != OF__TOKEN_NOT) return parse_comparison(parser);
    of__node *node = NULL;
    if (of__parser_enter(parser)) {
        of__parser_advance(parser);
        node = make_unary(parser, OF__OPERATOR_UNARY_NOT, offset, parse_not(parser));
    }
    of__parser_leave(parser);
    return node;
}

/* operand (word operand)*: one node for all, as they are evaluated from left to right until one
 * decides. */
static of__node *parse_sequence(of__parser *parser, of__token_kind word, of__node_kind kind,
                                of__node *(*parse_operand)(of__parser *)) {
    of__node *first = parse_operand(parser);
    if (parser->token.kind != word) return first;
    of__node *node = of__parser_node(parser, kind, parser->token.offset);
    of__node_list items = {first, first};
    while (of__parser_accept(parser, word)) of__node_list_add(&items, parse_operand(parser));
    if (parser->status != OF_OK) return NULL;
    node->as.items.items = items.first;
    return of__parser_measured(parser, node);
}

// and_test = not_test ("and" not_test)*
static of__node *parse_and(of__parser *parser) {
    return parse_sequence(parser, OF__TOKEN_AND, OF__NODE_AND, parse_not);
}

// or_test = and_test ("or" and_test)*
static of__node *parse_or(of__parser *parser) {
    return parse_sequence(parser, OF__TOKEN_OR, OF__NODE_OR, parse_and);
}

// conditional = or_test ["if" or_test "else" expr]
static of__node *parse_conditional(of__parser *parser) {
    of__node *yes = parse_or(parser);
    int32_t offset = parser->token.offset;
    if (!of__parser_accept(parser, OF__TOKEN_IF)) return yes;
    of__node *node = of__parser_node(parser, OF__NODE_CONDITIONAL, offset);
    of__node *condition = parse_or(parser);
    of__parser_expect(parser, OF__TOKEN_ELSE);
    of__node *no = of__parse_expr(parser);
    if (parser->status != OF_OK) return NULL;
    node->as.conditional.condition = condition;
    node->as.conditional.yes = yes;
    node->as.conditional.no = no;
    return of__parser_measured(parser, node);
}

// expr = conditional
of__node *of__parse_expr(of__parser *parser) {
    of__node *node = of__parser_enter(parser) ? parse_conditional(parser) : NULL;
    of__parser_leave(parser);
    return node;
}

/* What may follow a trailing comma. */
static bool ends_exprs(of__token_kind kind) {
    return kind == OF__TOKEN_CLOSE || kind == OF__TOKEN_ASSIGN || kind == OF__TOKEN_NEWLINE ||
           kind == OF__TOKEN_SEMICOLON || kind == OF__TOKEN_END;
}

// exprs = expr ("," expr)* [","]
of__node *of__parse_exprs(of__parser *parser) {
    of__node *first = of__parse_expr(parser);
    if (parser->token.kind != OF__TOKEN_COMMA) return first;
    of__node *node = of__parser_node(parser, OF__NODE_TUPLE, first != NULL ? first->offset : 0);
    of__node_list items = {first, first};
    while (of__parser_accept(parser, OF__TOKEN_COMMA)) {
        if (ends_exprs(parser->token.kind)) break;
        of__node_list_add(&items, of__parse_expr(parser));
    }
    if (parser->status != OF_OK) return NULL;
    node->as.items.items = items.first;
    return of__parser_measured(parser, node);
}
