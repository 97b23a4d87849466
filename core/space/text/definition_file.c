/* SPDX-License-Identifier: MIT */
#include "space/text/definition_file.h"

#include "base/status_word.h"
#include "space/text/formats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pz_status definition_file_compile(const char *path, struct definition **out, struct pz_error *error)
{
    char name[DEFINITION_NAME_MAX];
    enum definition_format format;
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    if (dot == NULL || !definition_format_find(dot + 1, &format))
        return pz_fail(error, PZ_UNSUPPORTED, "its format is not known");
    if (snprintf(name, sizeof name, "%.*s", (int)(dot - file), file) >= (int)sizeof name)
        return pz_fail(error, PZ_BAD_REQUEST, "its name is too long");
    FILE *stream = fopen(path, "re");
    char *text = malloc(DEFINITION_TEXT_MAX + 1);
    enum pz_status status = PZ_OK;
    if (stream == NULL)
        status = status_from_errno(error, errno, path);
    else if (text == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    else {
        const size_t length = fread(text, 1, DEFINITION_TEXT_MAX + 1, stream);
        status = ferror(stream) != 0 ? status_from_errno(error, errno, path)
                                     : definition_compile(format, name, text, length, out, error);
    }
    free(text);
    if (stream != NULL)
        (void)fclose(stream);
    return status;
}
