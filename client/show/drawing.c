/* SPDX-License-Identifier: MIT */
#include "client/show/drawing.h"

#include "client/session/whole_file.h"
#include "client/show/picture.h"

#include <string.h>

bool drawing_wanted(const struct arguments *arguments)
{
    return arguments_option(arguments, "show") != NULL || arguments_option(arguments, "frames") != NULL ||
           frames_pictured(arguments);
}

/* Says why there is no file, where boards were to be drawn and the daemon draws none. */
static enum exit_code no_drawings(struct session *session, const struct arguments *arguments,
                                  const struct frames *frames)
{
    struct pz_error error;
    if (!frames->refused || !frames_pictured(arguments))
        return EXIT_FOUND;
    (void)pz_fail(&error, PZ_UNSUPPORTED, "no picture was written: %s", session->refusal);
    return session_fail(session, EXIT_TROUBLE, "output", error.text);
}

static enum exit_code write_drawing_file(struct session *session, const char *path, const struct text *text)
{
    struct whole_file file;
    if (!text->failed && whole_file_open(&file, path) &&
        whole_file_end(&file, fwrite(text->data, 1, text->length, file.file) == text->length))
        return EXIT_FOUND;
    return session_unwritten(session, path);
}

/* html: what --html writes. */
static enum exit_code write_drawings(struct session *session, const struct arguments *arguments,
                                     const struct frames *frames, const char *title,
                                     void (*html)(const struct frames *, const char *, struct text *))
{
    const struct {
        const char *option;
        void (*make)(const struct frames *frames, const char *title, struct text *out);
    } files[] = {{"svg", picture_svg}, {"html", html}, {"png", picture_svg}};
    const char *caption = arguments_option(arguments, "caption");
    enum exit_code code = EXIT_FOUND;
    if (frames->count == 0)
        return no_drawings(session, arguments, frames);
    for (size_t i = 0; i < sizeof files / sizeof *files && code == EXIT_FOUND; i++) {
        const char *path = arguments_option(arguments, files[i].option);
        struct text text = {0};
        if (path == NULL)
            continue;
        files[i].make(frames, caption != NULL ? caption : title, &text);
        code = strcmp(files[i].option, "png") == 0 ? png_write(session, &text, path)
                                                   : write_drawing_file(session, path, &text);
        text_free(&text);
    }
    return code;
}

enum exit_code drawing_files(struct session *session, const struct arguments *arguments,
                             const struct frames *frames, const char *title)
{
    return write_drawings(session, arguments, frames, title, picture_html);
}

enum exit_code drawing_sheet(struct session *session, const struct arguments *arguments,
                             const struct frames *frames, const char *title)
{
    return write_drawings(session, arguments, frames, title, picture_sheet);
}

enum exit_code drawing(struct session *session, const struct arguments *arguments,
                       const struct frames *frames, const char *title, struct text *out)
{
    if (frames->count > 0 && arguments_option(arguments, "show") != NULL)
        frames_draw(frames, session->terminal->width, out);
    if (arguments_option(arguments, "frames") != NULL)
        frames_list(frames, out);
    return drawing_files(session, arguments, frames, title);
}

bool drawing_reply(const struct reply *reply, const struct frames *frames, FILE *out)
{
    json_t *object = json_of_reply(reply);
    json_t *array = json_array();
    for (size_t i = 0; i < frames->count; i++) {
        const struct play_frame *frame = &frames->frames[i];
        (void)json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "caption", frame->caption, "board",
                                                     frame->board, "drawing", frame->drawing));
    }
    if (object != NULL && frames->count > 0)
        (void)json_object_set(object, "frames", array);
    json_decref(array);
    return json_write(object, out);
}
