/* SPDX-License-Identifier: MIT */
/* A whole configuration file: it is taken, or refused with a reason that names a line. */
#include "fuzz.h"

#include "daemon/settings/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config config;
    struct pz_error error = {.text = ""};
    if (size == 0 || config_defaults(&config, &error) != PZ_OK)
        return 0;
    char *copy = malloc(size);
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, data, size);
    FILE *file = fmemopen(copy, size, "r");
    FUZZ_REQUIRE(file != NULL);
    enum pz_status status = config_read_stream(&config, file, "fuzzed", &error);
    (void)fclose(file);
    free(copy);
    if (status != PZ_OK)
        FUZZ_REQUIRE(strncmp(error.text, "fuzzed:", 7) == 0);
    else
        (void)config_check(&config, &error);
    FUZZ_REQUIRE(config.threads >= 1 && config.threads <= 64 && config.socket_mode <= 0777);
    config_free(&config);
    return 0;
}
