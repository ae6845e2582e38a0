/* Versions: of the library, and of the numerical contract that fixes its bits (docs/contract.md).
 */
#ifndef ONEFOLD_VERSION_H
#define ONEFOLD_VERSION_H

#include <onefold/export.h>

/* The version that a program was compiled with. */
#define OF_VERSION_MAJOR 0
#define OF_VERSION_MINOR 1
#define OF_VERSION_PATCH 0
/* The version of the contract. */
#define OF_CONTRACT_VERSION 1

OF_BEGIN_C

/** The version of the library in use, such as "0.1.0". */
OF_API const char *of_version(void);

OF_END_C

#endif
