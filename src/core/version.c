#include <onefold/version.h>

#define TEXT(number)          TEXT_EXPANDED(number)
#define TEXT_EXPANDED(number) #number

const char *of_version(void) {
    return TEXT(OF_VERSION_MAJOR) "." TEXT(OF_VERSION_MINOR) "." TEXT(OF_VERSION_PATCH);
}
