/* The command onefold: finds the command, reads its options, runs it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/message.h"

/* The instruction set, threads and device that the options ask for, before any work. */
static int choose_machine(const struct command *command, const struct settings *settings) {
    of_error err = {0};
    if (settings->isa != NULL && of_isa_set(settings->isa, &err) != OF_OK) {
        if (err.code == OF_ERR_VALUE) return misuse(command, "--isa: %s", err.message);
        return fail(NULL, "--isa: %s", err.message);
    }
    if (settings->threads > 0 && of_threads_set(settings->threads, &err) != OF_OK)
        return fail(NULL, "--threads: %s", err.message);
    if (settings->device != NULL) {
        of_device *device;
        if (of_device_find(settings->device, &device, &err) != OF_OK)
            return fail(NULL, "--device: %s", err.message);
        of_device_set_default(device);
    }
    return EXIT_SUCCESS;
}

static int run_command(int word_count, char **words) {
    if (word_count == 0) {
        help_print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = words[0];
    if (strcmp(name, "--version") == 0) {
        printf("onefold %s (numerical contract %d)\n", of_version(), OF_CONTRACT_VERSION);
        return EXIT_SUCCESS;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (name[0] == '-') return misuse(NULL, "a command comes first, not %s", name);
    const struct command *command = command_find(name);
    if (command == NULL) return EXIT_USAGE;
    struct settings settings;
    int status = settings_read(command, word_count - 1, words + 1, &settings);
    if (status != EXIT_SUCCESS) return status;
    if (settings.help) {
        help_print_command(command);
        return EXIT_SUCCESS;
    }
    status = choose_machine(command, &settings);
    return status == EXIT_SUCCESS ? command->run(command, &settings) : status;
}

/* A result that did not reach its reader is a failure. */
static int close_output(int status) {
    bool failed_before = ferror(stdout);
    errno = 0;
    if (fclose(stdout) == 0 && !failed_before) return status;
    return fail("standard output", "%s", errno != 0 ? strerror(errno) : "writing failed");
}

int main(int argc, char **argv) {
    return close_output(run_command(argc - 1, argv + 1));
}
