/* What standard output can show. */
#ifndef ONEFOLD_CLI_TERMINAL_H
#define ONEFOLD_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether it is a terminal. */
bool terminal_is_there(void);

/* The columns of the terminal; 80 where there is none. */
int terminal_width(void);

/* Whether the locale writes UTF-8. */
bool terminal_takes_utf8(void);

#endif
