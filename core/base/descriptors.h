/* SPDX-License-Identifier: MIT */
#ifndef BASE_DESCRIPTORS_H
#define BASE_DESCRIPTORS_H

/* Raises this process's limit of open files as far as the system allows: connections, and files of scratch
 * space, have limits of their own. To be called before threads start. */
void descriptors_raise(void);

#endif
