/* SPDX-License-Identifier: MIT */
/*
 * The log: one line for each event, as key=value. The library itself prints nothing. Lines go to the writer
 * that the program installed; before that they are dropped. Any thread may log. The writer runs on the thread
 * that logs and must not log itself.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* The numbers are syslog's priorities. */
enum log_level { LOG_LEVEL_ERROR = 3, LOG_LEVEL_WARNING = 4, LOG_LEVEL_INFO = 6, LOG_LEVEL_DEBUG = 7 };

/* job: the job's number, 0 for none. line: without an LF. */
typedef void log_writer(enum log_level level, unsigned long job, const char *line);

/* Call it before any thread that logs is started. */
void log_set_writer(log_writer *writer);
/* Drops lines above the level from now on. Any thread, any time. */
void log_set_level(enum log_level level);

/* log_event(LOG_LEVEL_INFO, 7, "event=job-done states=%" PRIu64, n) */
__attribute__((format(printf, 3, 4))) void log_event(enum log_level level, unsigned long job,
                                                     const char *format, ...);

/* Text to stand between quotes in a line: quotes, backslashes and control characters escaped, long ones cut.
 */
struct log_quote {
    char text[640];
};
/* Returns quote->text, "" for NULL: log_event(…, "event=x reason=\"%s\"", log_quote(&quote, error.text)). */
const char *log_quote(struct log_quote *quote, const char *text);

/* Logs head="text", the text escaped: log_event_text(LOG_LEVEL_INFO, 7, "event=ranks-wait reason", text). */
void log_event_text(enum log_level level, unsigned long job, const char *head, const char *text);

#endif
