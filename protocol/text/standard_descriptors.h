/* SPDX-License-Identifier: MIT */
/* Standard input, output and error of a program that was started without them. Every program begins with
 * this. */
#ifndef TEXT_STANDARD_DESCRIPTORS_H
#define TEXT_STANDARD_DESCRIPTORS_H

#include <fcntl.h>

/* Opens those of the descriptors 0 to 2 that are closed, so that no file, pipe or socket takes their place
 * and gets what was meant for people. As before, nothing can be read from 0 nor written to 1 and 2. */
static inline void standard_descriptors_fill(void)
{
    for (int standard = 0; standard <= 2; standard++)
        if (fcntl(standard, F_GETFD) < 0)
            (void)open("/dev/null",
                       standard == 0 ? O_WRONLY : O_RDONLY); /* the lowest that is free: this one */
}

#endif
