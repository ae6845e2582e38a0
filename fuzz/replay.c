/* Runs a fuzzer's entry over every file of a folder, so that what it once found stays mended, with
 * any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Runs one file; false when it cannot be read. */
static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 0;
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size + 1);
    int is_read = bytes != NULL && fread(bytes, 1, size, file) == size;
    fclose(file);
    if (is_read) LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return is_read;
}

int main(int argc, char **argv) {
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int count = 0, failures = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        printf("%s\n", entry->d_name);
        fflush(stdout); /* the last name shown is the one that fails */
        failures += !replay(path);
        count++;
    }
    closedir(folder);
    printf("%d inputs replayed, %d could not be read\n", count, failures);
    return count == 0 || failures > 0;
}
