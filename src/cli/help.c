#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"

enum { PAGE_WIDTH = 79, OPTION_TEXT_COLUMN = 26, COMMAND_TEXT_COLUMN = 17 };

static void print_blanks(FILE *out, int count) {
    for (int i = 0; i < count; i++) fputc(' ', out);
}

/* Prints a paragraph that starts at column `at` and whose lines start at column `indent`. */
static void print_wrapped(FILE *out, const char *text, int indent, int at) {
    if (at < indent) print_blanks(out, indent - at);
    int column = at < indent ? indent : at;
    bool line_is_empty = true;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (!line_is_empty && column + 1 + length > PAGE_WIDTH) {
            fputc('\n', out);
            print_blanks(out, indent);
            column = indent;
            line_is_empty = true;
        }
        if (!line_is_empty) fputc(' ', out);
        column += length + !line_is_empty;
        fwrite(text, 1, (size_t)length, out);
        line_is_empty = false;
        text += length;
        if (*text == ' ') text++;
    }
    fputc('\n', out);
}

static void print_option(const struct option *option) {
    char head[64];
    char letter[8] = "    ";
    if (option->letter != 0) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    bool valued = option->argument != NULL;
    int length = snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name,
                          valued ? " " : "", valued ? option->argument : "");
    fputs(head, stdout);
    print_wrapped(stdout, option->sentences, OPTION_TEXT_COLUMN, length);
}

static void print_section(const struct command *command, const char *title, unsigned groups) {
    if ((command->takes & groups) == 0) return;
    printf("\n%s:\n", title);
    for (int i = 0; i < option_count; i++)
        if (command->takes & groups & options[i].group) print_option(&options[i]);
}

static void print_examples(const char *lines) {
    fputs("\nExamples:\n", stdout);
    while (*lines != '\0') {
        int length = (int)strcspn(lines, "\n");
        printf("  %.*s\n", length, lines);
        lines += length;
        if (*lines == '\n') lines++;
    }
}

void help_print_command(const struct command *command) {
    printf("Usage: onefold %s", command->name);
    if (command->operand != NULL)
        printf(command->takes & TAKES_INPUT ? " %s" : " [%s]", command->operand);
    if (command->needs != NULL) printf(" %s", command->needs);
    puts(" [OPTION]...\n");
    char sentence[128];
    snprintf(sentence, sizeof sentence, "Prints %s.", command->prints);
    print_wrapped(stdout, sentence, 0, 0);
    if (command->details != NULL) {
        putchar('\n');
        print_wrapped(stdout, command->details, 0, 0);
    }
    const unsigned computing = TAKES_RUNNING | TAKES_DEVICE;
    const unsigned subject = TAKES_ALONG | TAKES_SCAN | TAKES_SORTING | TAKES_GROUPING |
                             TAKES_COUNTS | TAKES_KEYS | TAKES_FLAGS | TAKES_SEGMENTS |
                             TAKES_HISTOGRAM;
    const unsigned reduction = TAKES_REDUCTION | TAKES_ORDER | TAKES_FACTOR | TAKES_WEIGHTS;
    print_section(command, "What to reduce", reduction);
    print_section(command, "What to compute", subject);
    print_section(command, "How to read FILE", TAKES_INPUT);
    print_section(command, "How to compute, which never changes the answer", computing);
    print_section(command, "Other options", ~(reduction | TAKES_INPUT | computing | subject));
    if (command->examples != NULL) print_examples(command->examples);
}

void help_print_overview(FILE *out) {
    fputs("Usage: onefold COMMAND [FILE] [OPTION]...\n\n", out);
    print_wrapped(out,
                  "Exact, reproducible computing on files of numbers: every sum is the exact sum, "
                  "rounded once, "
                  "and every answer has the same bits on every machine.",
                  0, 0);
    fputs("\nCommands:\n", out);
    for (int i = 0; i < command_count; i++) {
        int length = fprintf(out, "  %s", commands[i].name);
        print_wrapped(out, commands[i].prints, COMMAND_TEXT_COLUMN, length);
    }
    fputs("\n\"onefold help COMMAND\" says more about one; \"man onefold\" is the manual.\n"
          "onefold --version prints the version.\n",
          out);
}

int run_help(const struct command *command, const struct settings *settings) {
    (void)command;
    if (settings->operand == NULL) {
        help_print_overview(stdout);
        return EXIT_SUCCESS;
    }
    const struct command *topic = command_find(settings->operand);
    if (topic == NULL) return EXIT_USAGE;
    help_print_command(topic);
    return EXIT_SUCCESS;
}
