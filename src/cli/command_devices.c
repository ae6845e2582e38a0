/* devices: what this machine computes with. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/json.h"

static void print_text(void) {
    fputs("devices\n", stdout);
    for (int i = 0; i < of_device_count(); i++) {
        const of_device *device = of_device_at(i);
        printf("  %-12s%s\n", of_device_name(device), of_device_description(device));
    }
    fputs("instruction sets\n", stdout);
    const char *name;
    for (int i = 0; (name = of_isa_at(i)) != NULL; i++) printf("  %s\n", name);
    printf("in use\n  %s, %d threads\n", of_isa_get(), of_threads_get());
}

static void print_json(void) {
    fputs("{\"op\":\"devices\",\"devices\":[", stdout);
    for (int i = 0; i < of_device_count(); i++) {
        const of_device *device = of_device_at(i);
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", stdout);
        json_print_string(of_device_name(device));
        fputs(",\"description\":", stdout);
        json_print_string(of_device_description(device));
        putchar('}');
    }
    fputs("],\"isas\":[", stdout);
    const char *name;
    for (int i = 0; (name = of_isa_at(i)) != NULL; i++) printf("%s\"%s\"", i > 0 ? "," : "", name);
    printf("],\"isa\":\"%s\",\"threads\":%d}\n", of_isa_get(), of_threads_get());
}

int run_devices(const struct command *command, const struct settings *settings) {
    (void)command;
    (settings->json ? print_json : print_text)();
    return EXIT_SUCCESS;
}
