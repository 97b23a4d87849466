/* SPDX-License-Identifier: MIT */
/* Reads puzzled.conf. It counts lines itself, since Debian's inih does not pass them on. */
#include "base/status.h"
#include "daemon/settings/config.h"

#include <errno.h>
#include <ini.h>
#include <string.h>

struct reading {
    FILE *file;
    struct config *config;
    const char *name; /* the path's last part, for errors */
    unsigned line;
    enum pz_status status;
    struct pz_error *error;
};

static char *next_line(char *line, int size, void *stream)
{
    struct reading *reading = stream;
    if (reading->status != PZ_OK || fgets(line, size, reading->file) == NULL)
        return NULL;
    reading->line++;
    if (strchr(line, '\n') == NULL && !feof(reading->file))
        reading->status = pz_fail(reading->error, PZ_BAD_REQUEST, "%s:%u: the line is longer than %d bytes",
                                  reading->name, reading->line, size - 3);
    return line;
}

static int take_value(void *context, const char *section, const char *key, const char *value)
{
    struct reading *reading = context;
    struct pz_error own;
    if (reading->status != PZ_OK)
        return 1;
    enum pz_status status = config_set(reading->config, section, key, value, &own);
    if (status != PZ_OK)
        reading->status =
            pz_fail(reading->error, status, "%s:%u: %s", reading->name, reading->line, own.text);
    return 1;
}

enum pz_status config_read_stream(struct config *config, FILE *file, const char *name, struct pz_error *error)
{
    struct reading reading = {.file = file, .config = config, .name = name, .error = error};
    int wrong = ini_parse_stream(next_line, &reading, take_value, &reading);
    if (reading.status == PZ_OK && wrong != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "%s:%d: neither a [section], a key = value, nor a # comment",
                       reading.name, wrong);
    return reading.status;
}

enum pz_status config_read(struct config *config, const char *path, struct pz_error *error)
{
    const char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        int number = errno;
        return pz_fail(error, PZ_BAD_REQUEST, "cannot read %.200s: %s", path, strerrordesc_np(number));
    }
    enum pz_status status = config_read_stream(config, file, slash != NULL ? slash + 1 : path, error);
    if (status == PZ_OK && ferror(file) != 0)
        status = pz_fail(error, PZ_BAD_REQUEST, "cannot read %.200s: it is no file, or its disk fails", path);
    (void)fclose(file);
    return status;
}
