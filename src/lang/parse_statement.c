/* Statements and blocks. */
#include "lang/parser.h"

typedef struct augment_row {
    of__token_kind token;
    of__operator operator;
} augment_row;

static const augment_row augment_rows[] = {
#define OF_BINARY(symbol, text, token, assigning, binds)                                           \
    {OF__TOKEN_##assigning, OF__OPERATOR_##symbol},
#include "lang/operators.def"
};

static of__operator augmented_by(of__token_kind kind) {
    for (size_t i = 0; i < sizeof augment_rows / sizeof *augment_rows; i++)
        if (augment_rows[i].token == kind) return augment_rows[i].operator;
    return OF__OPERATOR_NONE;
}

/* ---- Simple statements ---- */

// target = NAME | subscript | attribute | target ("," target)*
static void check_target(of__parser *parser, const of__node *target) {
    if (parser->status != OF_OK) return;
    switch (target->kind) {
    case OF__NODE_NAME:
    case OF__NODE_SUBSCRIPT:
    case OF__NODE_ATTRIBUTE: return;
    case OF__NODE_TUPLE:
        for (const of__node *item = target->as.items.items; item != NULL; item = item->next)
            check_target(parser, item);
        if (target->as.items.items != NULL) return;
        break;
    case OF__NODE_COMPARE:
    case OF__NODE_AND:
    case OF__NODE_OR:
    case OF__NODE_CONDITIONAL:
    case OF__NODE_UNARY:
    case OF__NODE_BINARY:
        of__parser_fail(parser, target->offset,
                        "an operation cannot be assigned to; compare with ==");
        return;
    default: break;
    }
    of__parser_fail(
        parser, target->offset,
        "this cannot be assigned to; a target is a name, an element a[i] or a component "
        "v.x");
}

// augmentation = target ("+=" | "-=" | ...) exprs
static of__node *parse_augmentation(of__parser *parser, of__node *target, of__operator operator) {
    of__node *node = of__parser_node(parser, OF__NODE_AUGMENT, parser->token.offset);
    check_target(parser, target);
    if (parser->status == OF_OK && target->kind == OF__NODE_TUPLE)
        return of__parser_fail(parser, target->offset,
                               "a tuple cannot be changed in place; change its values one by one");
    of__parser_advance(parser);
    of__node *value = of__parse_exprs(parser);
    if (parser->status != OF_OK) return NULL;
    node->operator= operator;
    node->as.augment.target = target;
    node->as.augment.value = value;
    return node;
}

// assignment = exprs ("=" exprs)+, all but the last being targets
static of__node *parse_assignment(of__parser *parser, of__node *first) {
    of__node *node = of__parser_node(parser, OF__NODE_ASSIGN, parser->token.offset);
    of__node_list targets = {0};
    of__node *value = first;
    while (of__parser_accept(parser, OF__TOKEN_ASSIGN)) {
        check_target(parser, value);
        of__node_list_add(&targets, value);
        value = of__parse_exprs(parser);
    }
    if (parser->status != OF_OK) return NULL;
    node->as.assign.targets = targets.first;
    node->as.assign.value = value;
    return node;
}

/* `match x:` reads as a name and something after it. */
static void refuse_after(of__parser *parser, const of__node *node) {
    bool may_match = node->kind == OF__NODE_NAME || node->kind == OF__NODE_CALL;
    const of__node *name = node->kind == OF__NODE_CALL ? node->as.call.callee : node;
    if (may_match && name->kind == OF__NODE_NAME && of__node_is_named(name, "match"))
        of__parser_fail(parser, name->offset, "kernels have no match; write if, elif and else");
    if (parser->token.kind == OF__TOKEN_COLON)
        of__parser_fail(parser, parser->token.offset,
                        "locals have no annotations; cast the value, as in x = f32(0)");
}

// expression_statement = exprs | assignment | augmentation
static of__node *parse_expression_statement(of__parser *parser) {
    of__node *first = of__parse_exprs(parser);
    if (parser->status != OF_OK) return NULL;
    of__operator operator= augmented_by(parser->token.kind);
    if (operator!= OF__OPERATOR_NONE) return parse_augmentation(parser, first, operator);
    if (parser->token.kind == OF__TOKEN_ASSIGN) return parse_assignment(parser, first);
    if (parser->token.kind != OF__TOKEN_NEWLINE && parser->token.kind != OF__TOKEN_SEMICOLON)
        refuse_after(parser, first);
    of__node *node = of__parser_node(parser, OF__NODE_DISCARD, first->offset);
    if (node == NULL) return NULL;
    node->as.discard.value = first;
    return node;
}

// return = "return" [exprs]
static of__node *parse_return(of__parser *parser) {
    of__node *node = of__parser_node(parser, OF__NODE_RETURN, parser->token.offset);
    of__parser_advance(parser);
    bool has_value =
        parser->token.kind != OF__TOKEN_NEWLINE && parser->token.kind != OF__TOKEN_SEMICOLON;
    of__node *value = has_value ? of__parse_exprs(parser) : NULL;
    if (parser->status != OF_OK) return NULL;
    node->as.returned.value = value;
    return node;
}

static of__node *parse_word(of__parser *parser, of__node_kind kind) {
    of__node *node = of__parser_node(parser, kind, parser->token.offset);
    if (kind != OF__NODE_PASS && parser->loops == 0)
        return of__parser_fail(parser, parser->token.offset, "%s stands outside a loop",
                               kind == OF__NODE_BREAK ? "break" : "continue");
    of__parser_advance(parser);
    return node;
}

// simple = "pass" | "break" | "continue" | return | expression_statement
static of__node *parse_simple(of__parser *parser) {
    switch (parser->token.kind) {
    case OF__TOKEN_PASS: return parse_word(parser, OF__NODE_PASS);
    case OF__TOKEN_BREAK: return parse_word(parser, OF__NODE_BREAK);
    case OF__TOKEN_CONTINUE: return parse_word(parser, OF__NODE_CONTINUE);
    case OF__TOKEN_RETURN: return parse_return(parser);
    default: return parse_expression_statement(parser);
    }
}

// simples = simple (";" simple)* [";"] NEWLINE
static void parse_simples(of__parser *parser, of__node_list *list) {
    do {
        of__node_list_add(list, parse_simple(parser));
    } while (of__parser_accept(parser, OF__TOKEN_SEMICOLON) &&
             parser->token.kind != OF__TOKEN_NEWLINE);
    of__parser_expect(parser, OF__TOKEN_NEWLINE);
}

/* ---- Compound statements ---- */

/* The test of an if, elif or while, up to its colon. */
static of__node *parse_condition(of__parser *parser) {
    of__node *condition = of__parse_expr(parser);
    if (parser->token.kind == OF__TOKEN_ASSIGN)
        of__parser_fail(parser, parser->token.offset,
                        "a condition assigns nothing; compare with ==");
    return condition;
}

// loop_body = block, and no "else"
static of__node *parse_loop_body(of__parser *parser, const char *word) {
    parser->loops++;
    of__node *body = of__parse_block(parser, false);
    parser->loops--;
    if (parser->token.kind == OF__TOKEN_ELSE)
        of__parser_fail(parser, parser->token.offset,
                        "a %s has no else; set a local before break, and test it after the loop",
                        word);
    return body;
}

// clause = ("if" | "elif") expr block
static of__node *parse_clause(of__parser *parser) {
    of__node *node = of__parser_node(parser, OF__NODE_CLAUSE, parser->token.offset);
    of__parser_advance(parser);
    of__node *condition = parse_condition(parser), *body = of__parse_block(parser, false);
    if (parser->status != OF_OK) return NULL;
    node->as.clause.condition = condition;
    node->as.clause.body = body;
    return node;
}

// if = "if" expr block ("elif" expr block)* ["else" block]
static of__node *parse_if(of__parser *parser) {
    of__node *node = of__parser_node(parser, OF__NODE_IF, parser->token.offset);
    of__node_list clauses = {0};
    do {
        of__node_list_add(&clauses, parse_clause(parser));
    } while (parser->token.kind == OF__TOKEN_ELIF);
    of__node *otherwise = NULL;
    if (of__parser_accept(parser, OF__TOKEN_ELSE)) {
        if (parser->token.kind == OF__TOKEN_IF)
            return of__parser_fail(parser, parser->token.offset, "write elif instead of else if");
        otherwise = of__parse_block(parser, false);
    }
    if (parser->status != OF_OK) return NULL;
    node->as.branch.clauses = clauses.first;
    node->as.branch.otherwise = otherwise;
    return node;
}

// while = "while" expr block
static of__node *parse_while(of__parser *parser) {
    of__node *node = of__parser_node(parser, OF__NODE_WHILE, parser->token.offset);
    of__parser_advance(parser);
    of__node *condition = parse_condition(parser), *body = parse_loop_body(parser, "while");
    if (parser->status != OF_OK) return NULL;
    node->as.loop_while.condition = condition;
    node->as.loop_while.body = body;
    return node;
}

static int list_length(const of__node *list) {
    int length = 0;
    for (; list != NULL; list = list->next) length++;
    return length;
}

// range = [primary "."] ("range" | "ndindex") "(" expr ["," expr ["," expr]] ")"
static void check_range(of__parser *parser, const of__node *range, const of__node *target) {
    if (parser->status != OF_OK) return;
    const of__node *callee = range->kind == OF__NODE_CALL ? range->as.call.callee : range;
    bool is_named = callee->kind == OF__NODE_NAME || callee->kind == OF__NODE_ATTRIBUTE;
    bool is_ndindex = is_named && of__node_is_named(callee, "ndindex");
    if (range->kind != OF__NODE_CALL ||
        (!is_ndindex && !(is_named && of__node_is_named(callee, "range")))) {
        of__parser_fail(parser, range->offset,
                        "a for goes over range(...) or ndindex(...); index arrays in it");
        return;
    }
    int arguments = list_length(range->as.call.arguments);
    const char *word = is_ndindex ? "ndindex" : "range";
    if (arguments < 1 || arguments > 3) {
        of__parser_fail(parser, range->offset, "%s takes 1 to 3 arguments, not %d", word,
                        arguments);
        return;
    }
    if (target->kind != OF__NODE_TUPLE) return;
    int names = list_length(target->as.items.items), given = is_ndindex ? arguments : 1;
    if (names != given || !is_ndindex)
        of__parser_fail(parser, target->offset,
                        is_ndindex ? "%s of %d gives %d indices, not %d"
                                   : "%s gives one index; write one name",
                        word, arguments, given, names);
}

// for_target = NAME ("," NAME)* [","] | "(" NAME ("," NAME)* [","] ")"
static of__node *parse_for_target(of__parser *parser) {
    of__node *target = of__parse_primary(parser);
    if (parser->token.kind == OF__TOKEN_COMMA && target != NULL) {
        of__node *node = of__parser_node(parser, OF__NODE_TUPLE, target->offset);
        of__node_list names = {target, target};
        while (of__parser_accept(parser, OF__TOKEN_COMMA) && parser->token.kind != OF__TOKEN_IN)
            of__node_list_add(&names, of__parse_primary(parser));
        if (node == NULL) return NULL;
        node->as.items.items = names.first;
        target = node;
    }
    if (parser->status != OF_OK) return NULL;
    const of__node *name = target->kind == OF__NODE_TUPLE ? target->as.items.items : target;
    for (; name != NULL; name = target->kind == OF__NODE_TUPLE ? name->next : NULL)
        if (name->kind != OF__NODE_NAME)
            return of__parser_fail(parser, name->offset, "the index of a for is a name");
    return target;
}

// for = "for" for_target "in" range block
static of__node *parse_for(of__parser *parser) {
    of__node *node = of__parser_node(parser, OF__NODE_FOR, parser->token.offset);
    of__parser_advance(parser);
    of__node *target = parse_for_target(parser);
    of__parser_expect(parser, OF__TOKEN_IN);
    of__node *range = of__parse_expr(parser);
    check_range(parser, range, target);
    of__node *body = parse_loop_body(parser, "for");
    if (parser->status != OF_OK) return NULL;
    node->as.loop_for.target = target;
    node->as.loop_for.range = range;
    node->as.loop_for.body = body;
    return node;
}

/* ---- Blocks ---- */

// statement = if | for | while | simples
static void parse_statement(of__parser *parser, of__node_list *list) {
    switch (parser->token.kind) {
    case OF__TOKEN_IF: of__node_list_add(list, parse_if(parser)); break;
    case OF__TOKEN_FOR: of__node_list_add(list, parse_for(parser)); break;
    case OF__TOKEN_WHILE: of__node_list_add(list, parse_while(parser)); break;
    case OF__TOKEN_DEF:
    case OF__TOKEN_AT:
        of__parser_fail(parser, parser->token.offset,
                        "functions are not nested; define helpers at the top level");
        break;
    default: parse_simples(parser, list);
    }
}

// docstring = STRING+ (NEWLINE | ";")
static bool skip_docstring(of__parser *parser) {
    if (parser->token.kind != OF__TOKEN_STRING) return false;
    while (of__parser_accept(parser, OF__TOKEN_STRING)) continue;
    if (of__parser_accept(parser, OF__TOKEN_SEMICOLON) && parser->token.kind != OF__TOKEN_NEWLINE)
        return false;
    of__parser_expect(parser, OF__TOKEN_NEWLINE);
    return true;
}

// block = ":" NEWLINE INDENT [docstring] statement* DEDENT | ":" [docstring] simples
of__node *of__parse_block(of__parser *parser, bool is_function) {
    of__node_list list = {0};
    if (!of__parser_expect(parser, OF__TOKEN_COLON)) return NULL;
    if (!of__parser_accept(parser, OF__TOKEN_NEWLINE)) {
        if (!is_function || !skip_docstring(parser)) parse_simples(parser, &list);
        return list.first;
    }
    if (!of__parser_expect(parser, OF__TOKEN_INDENT)) return NULL;
    if (is_function) skip_docstring(parser);
    while (parser->status == OF_OK && parser->token.kind != OF__TOKEN_DEDENT)
        parse_statement(parser, &list);
    of__parser_expect(parser, OF__TOKEN_DEDENT);
    return list.first;
}
