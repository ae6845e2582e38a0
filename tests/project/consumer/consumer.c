#include <onefold/onefold.h>

#include <stdio.h>

int main(void) {
    printf("%s %d\n", of_version(), OF_CONTRACT_VERSION);
    return 0;
}
