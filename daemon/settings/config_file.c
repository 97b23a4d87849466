/* SPDX-License-Identifier: MIT */
/* Reads puzzled.conf. It counts lines itself, since Debian's inih does not pass them on. */
#include "base/status_word.h"
#include "daemon/settings/config.h"

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

struct config_reading {
    FILE *file;
    struct config *config;
    const char *name; /* the path's last part, for errors */
    unsigned line;
    enum pz_status status;
    struct pz_error *error;
};

/* Returns the comment behind a value, cut at the line's end; NULL if there is none. */
static const char *comment_behind(char *line)
{
    char *at = line + strspn(line, " \t");
    if (*at == '#' || *at == ';' || *at == '[' || (at = strchr(at, '=')) == NULL)
        return NULL;
    while ((at = strpbrk(at, "#;")) != NULL && at[-1] != ' ' && at[-1] != '\t')
        at++;
    if (at != NULL)
        at[strcspn(at, "\r\n")] = '\0';
    return at;
}

/* Returns what stands behind a section's bracket and would be lost; NULL for nothing or a comment. */
static const char *behind_section(const char *line)
{
    const char *at = *line == '[' ? strchr(line, ']') : NULL;
    if (at == NULL)
        return NULL;
    at += 1 + strspn(at + 1, " \t\r\n");
    return *at == '\0' || *at == '#' || *at == ';' ? NULL : at;
}

/* Takes the blanks in front away: by them inih would take a line for more of the value above. */
static void strip_indent(char *line)
{
    const char *at = line + strspn(line, " \t");
    memmove(line, at, strlen(at) + 1);
}

static char *next_config_line(char *line, int size, void *stream)
{
    struct config_reading *reading = stream;
    if (reading->status != PZ_OK || fgets(line, size, reading->file) == NULL)
        return NULL;
    reading->line++;
    const char *comment = NULL;
    const char *lost = NULL;
    const bool cut = strchr(line, '\n') == NULL && !feof(reading->file);
    strip_indent(line);
    if (cut)
        reading->status = pz_fail(reading->error, PZ_BAD_REQUEST, "%s:%u: the line is longer than %d bytes",
                                  reading->name, reading->line, size - 3);
    else if ((comment = comment_behind(line)) != NULL)
        reading->status = pz_fail(reading->error, PZ_BAD_REQUEST,
                                  "%s:%u: '%.20s' behind a value: a comment needs a line of its own",
                                  reading->name, reading->line, comment);
    else if ((lost = behind_section(line)) != NULL)
        reading->status = pz_fail(reading->error, PZ_BAD_REQUEST,
                                  "%s:%u: '%.*s' behind a [section] needs a line of its own", reading->name,
                                  reading->line, (int)strcspn(lost, "\r\n"), lost);
    return line;
}

static int config_take_value(void *context, const char *section, const char *key, const char *value)
{
    struct config_reading *reading = context;
    struct pz_error own;
    if (reading->status != PZ_OK)
        return 1;
    struct config *config = reading->config;
    enum pz_status status = config_set(config, section, key, value, &own);
    if (status == PZ_OK)
        status = config_note_line(config, section, key, reading->line, &own);
    if (status != PZ_OK)
        reading->status =
            pz_fail(reading->error, status, "%s:%u: %s", reading->name, reading->line, own.text);
    return 1;
}

enum pz_status config_read_stream(struct config *config, FILE *file, const char *name, struct pz_error *error)
{
    struct config_reading reading = {.file = file, .config = config, .name = name, .error = error};
    free(config->file);
    config->file = strdup(name); /* without memory errors lack it */
    memset(config->lines, 0, sizeof config->lines);
    int wrong = ini_parse_stream(next_config_line, &reading, config_take_value, &reading);
    if (wrong != 0 && (reading.status == PZ_OK || wrong < (int)reading.line)) /* the first fault */
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
