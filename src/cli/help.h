/* Help texts, made from the tables of commands and options. */
#ifndef ONEFOLD_CLI_HELP_H
#define ONEFOLD_CLI_HELP_H

#include <stdio.h>

struct command;

void help_print_overview(FILE *out);
void help_print_command(const struct command *command);

#endif
