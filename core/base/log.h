/* SPDX-License-Identifier: MIT */
/*
 * One line an event, key=value. The library itself prints nothing: lines go to the writer that the
 * program installed, and nowhere before that. Any thread may log; the writer is called by the thread
 * that logs and must not log itself.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* The numbers are syslog's priorities. */
enum log_level { LOG_LEVEL_ERROR = 3, LOG_LEVEL_WARNING = 4, LOG_LEVEL_INFO = 6, LOG_LEVEL_DEBUG = 7 };

/* job is the job's number, 0 for none; line has no LF. */
typedef void log_writer(enum log_level level, unsigned long job, const char *line);

/* Before any thread that logs is started. */
void log_set_writer(log_writer *writer);
/* Any thread, any time. Lines above the level are dropped. */
void log_set_level(enum log_level level);
enum log_level log_level_now(void);

/* log_event(LOG_LEVEL_INFO, 7, "event=job-done states=%" PRIu64, n) */
__attribute__((format(printf, 3, 4))) void log_event(enum log_level level, unsigned long job,
                                                     const char *format, ...);

#endif
