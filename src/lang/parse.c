/* Whole texts: functions, or one expression. */
#include "lang/parse.h"

#include "lang/functions.h"
#include "lang/parser.h"

// parameter = NAME [":" expr]
static of__node *parse_parameter(of__parser *parser) {
    if (parser->token.kind == OF__TOKEN_STAR || parser->token.kind == OF__TOKEN_POWER ||
        parser->token.kind == OF__TOKEN_SLASH)
        return of__parser_fail(parser, parser->token.offset,
                               "parameters are names, given by position; list them one by one");
    of__node *node = of__parser_named(parser, OF__NODE_PARAMETER);
    if (node != NULL && of__parser_accept(parser, OF__TOKEN_COLON))
        node->as.parameter.annotation = of__parse_expr(parser);
    if (parser->token.kind == OF__TOKEN_ASSIGN)
        return of__parser_fail(parser, parser->token.offset,
                               "parameters have no defaults; pass every argument");
    return node;
}

// parameters = "(" [parameter ("," parameter)* [","]] ")"
static of__node *parse_parameters(of__parser *parser) {
    of__node_list list = {0};
    int count = 0;
    int32_t open = parser->token.offset;
    of__parser_expect(parser, OF__TOKEN_OPEN);
    while (parser->status == OF_OK && parser->token.kind != OF__TOKEN_CLOSE) {
        of__node *parameter = parse_parameter(parser);
        if (parameter == NULL) return NULL;
        for (const of__node *other = list.first; other != NULL; other = other->next)
            if (of__node_same_name(other, parameter))
                return of__parser_fail(parser, parameter->offset, "two parameters are called %.*s",
                                       OF__NAME_SHOWN(parameter));
        if (++count > OF__PARAMETERS_MOST)
            return of__parser_fail(parser, parameter->offset,
                                   "the function has more than %d parameters; pass an array",
                                   OF__PARAMETERS_MOST);
        of__node_list_add(&list, parameter);
        if (!of__parser_accept(parser, OF__TOKEN_COMMA)) break;
    }
    of__parser_close(parser, OF__TOKEN_CLOSE, open);
    return list.first;
}

// decorator = "@" NAME ("." NAME)* NEWLINE, the last name being kernel or func
static of__role parse_decorator(of__parser *parser) {
    of__node *name = NULL;
    of__parser_expect(parser, OF__TOKEN_AT);
    do {
        name = of__parser_named(parser, OF__NODE_NAME);
    } while (of__parser_accept(parser, OF__TOKEN_DOT));
    if (name == NULL || parser->status != OF_OK) return OF__ROLE_UNMARKED;
    if (parser->token.kind == OF__TOKEN_OPEN)
        of__parser_fail(
            parser, parser->token.offset,
            "a decorator takes no arguments here; give them where the kernel is called");
    of__parser_expect(parser, OF__TOKEN_NEWLINE);
    if (of__node_is_named(name, "kernel")) return OF__ROLE_KERNEL;
    if (of__node_is_named(name, "func")) return OF__ROLE_FUNCTION;
    of__parser_fail(parser, name->offset,
                    "decorator %.*s is unknown; functions are marked @kernel or @func",
                    OF__NAME_SHOWN(name));
    return OF__ROLE_UNMARKED;
}

// def = decorator* "def" NAME parameters ["->" expr] block
static of__node *parse_def(of__parser *parser) {
    of__role role = OF__ROLE_UNMARKED;
    while (parser->token.kind == OF__TOKEN_AT) {
        int32_t offset = parser->token.offset;
        of__role other = parse_decorator(parser);
        if (role != OF__ROLE_UNMARKED && role != other)
            of__parser_fail(parser, offset, "a function is a kernel or a helper, not both");
        role = other;
    }
    if (!of__parser_expect(parser, OF__TOKEN_DEF)) return NULL;
    of__node *node = of__parser_named(parser, OF__NODE_DEF);
    if (node == NULL) return NULL;
    node->role = role;
    parser->next_call = &node->next_call;
    node->as.def.parameters = parse_parameters(parser);
    if (of__parser_accept(parser, OF__TOKEN_ARROW)) node->as.def.result = of__parse_expr(parser);
    parser->next_call = &node->next_call; /* calls in annotations are none of the function's */
    node->next_call = NULL;
    node->as.def.body = of__parse_block(parser, true);
    return parser->status == OF_OK ? node : NULL;
}

/* A docstring of the text's own. */
static void skip_strings(of__parser *parser) {
    if (parser->token.kind != OF__TOKEN_STRING) return;
    while (of__parser_accept(parser, OF__TOKEN_STRING)) continue;
    of__parser_expect(parser, OF__TOKEN_NEWLINE);
}

// module = [STRING+ NEWLINE] def+ END
static of__node *parse_defs(of__parser *parser) {
    of__node_list defs = {0};
    int count = 0;
    skip_strings(parser);
    while (parser->token.kind == OF__TOKEN_DEF || parser->token.kind == OF__TOKEN_AT) {
        of__node *def = parse_def(parser);
        if (def != NULL && ++count > OF__FUNCTIONS_MOST)
            of__parser_fail(parser, def->offset, "the text has more than %d functions",
                            OF__FUNCTIONS_MOST);
        of__node_list_add(&defs, def);
    }
    if (parser->status != OF_OK) return NULL;
    if (of__starts_expr(parser) || parser->token.kind == OF__TOKEN_FOR ||
        parser->token.kind == OF__TOKEN_IF || parser->token.kind == OF__TOKEN_WHILE)
        return of__parser_fail(
            parser, parser->token.offset,
            "only functions stand at the top level; move the statement into one");
    if (parser->token.kind != OF__TOKEN_END || defs.first == NULL)
        of__parser_unexpected(parser, "a function, def name(parameters):");
    of__node *module = of__parser_node(parser, OF__NODE_MODULE, 0);
    if (module != NULL) module->as.module.defs = defs.first;
    return module;
}

of_status of__parse_module(const of__kernel_text *source, of__arena *arena, of__node **out,
                           of_error *err) {
    of__parser parser;
    of__parser_begin(&parser, source, arena, err);
    of__node *module = parse_defs(&parser);
    if (parser.status != OF_OK) return parser.status;
    of_status status = of__functions_check(module, source, err);
    if (status == OF_OK) *out = module;
    return status;
}

of_status of__parse_expression(const of__kernel_text *source, of__arena *arena, of__node **out,
                               of_error *err) {
    of__parser parser;
    of__parser_begin(&parser, source, arena, err);
    of__parser_accept(&parser, OF__TOKEN_INDENT); /* blanks before it mean nothing */
    of__node *value = of__parse_exprs(&parser);
    of__parser_expect(&parser, OF__TOKEN_NEWLINE);
    of__parser_accept(&parser, OF__TOKEN_DEDENT);
    of__parser_expect(&parser, OF__TOKEN_END);
    if (parser.status == OF_OK) *out = value;
    return parser.status;
}
