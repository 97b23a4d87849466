/* SPDX-License-Identifier: MIT */
#include "daemon/host/plugins.h"

#include "base/log.h"
#include "base/status_word.h"
#include "space/plugin.h"

static void log_plugin(void *context, const char *file, const struct pz_puzzle *puzzle,
                       const struct pz_error *error)
{
    struct log_quote name, reason;
    (void)context;
    if (puzzle != NULL)
        log_event(LOG_LEVEL_INFO, 0, "event=plugin-loaded file=%s puzzle=%s", file, puzzle->name);
    else
        log_event(LOG_LEVEL_ERROR, 0, "event=plugin-refused file=%s error=\"%s\"", log_quote(&name, file),
                  log_quote(&reason, error->text));
}

enum pz_status plugins_of_config(const struct config *config, struct pz_error *error)
{
    struct pz_error own;
    if (*config->plugin_directory == '\0')
        return PZ_OK;
    enum pz_status status = plugins_load(config->plugin_directory, log_plugin, NULL, &own);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "[daemon] plugin-directory: %s", own.text);
}
