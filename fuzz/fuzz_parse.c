/* Any bytes as a kernel's text, and as an expression: a tree that can be walked, or a message about a
 * place, within bounded memory. */
#include <stdio.h>
#include <string.h>

#include "lang/functions.h"
#include "lang/parse.h"
#include "memory_file.h"

typedef of_status parse_function(const of__kernel_text *, of__arena *, of__node **, of_error *);

static void check_tree(const of__node *tree, const of__kernel_text *source) {
    char printed[64];
    FILE *file = fmemopen(printed, sizeof printed, "w"); /* the walk matters, not the rest of it */
    REQUIRE(file != NULL);
    of__node_print(tree, file);
    fclose(file);
    if (tree->kind != OF__NODE_MODULE) return;
    of__node *kernel;
    of_error err = {0};
    of_status status = of__function_kernel(tree, NULL, source, &kernel, &err);
    REQUIRE(status == err.code);
    REQUIRE(status != OF_OK || of__function_find(tree, kernel) == kernel);
}

static void check(parse_function *parse, const uint8_t *bytes, size_t size) {
    of__kernel_text source = {"k", (const char *)bytes, (int64_t)size, 1};
    of__arena arena = of__arena_make((size_t)4 << 20);
    of__node *tree = NULL;
    of_error err = {0};
    of_status status = parse(&source, &arena, &tree, &err);
    REQUIRE(status == err.code && (status == OF_OK) == (tree != NULL));
    REQUIRE(status == OF_OK || status == OF_ERR_VALUE);
    if (status == OF_OK)
        check_tree(tree, &source);
    else
        REQUIRE(strncmp(err.message, "k:", 2) == 0 && strchr(err.message, '^') != NULL);
    for (const char *at = err.message, *end = at + strlen(at); at < end;) {
        int32_t code;
        at += of__utf8_read(at, end, &code);
        REQUIRE(code >= 0);
    }
    of__arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    check(of__parse_module, bytes, size);
    check(of__parse_expression, bytes, size);
    return 0;
}
