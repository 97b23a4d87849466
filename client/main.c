/* SPDX-License-Identifier: MIT */
#include "client/shell/puzzlectl.h"
#include "protocol/text/standard_descriptors.h"

#include <locale.h>

int main(int argc, char **argv)
{
    struct terminal terminal;
    standard_descriptors_fill();
    (void)setlocale(LC_CTYPE, "");
    terminal_standard(&terminal);
    return (int)puzzlectl(argc, argv, &terminal);
}
