/* SPDX-License-Identifier: MIT */
#include "client/shell/puzzlectl.h"

#include <locale.h>

int main(int argc, char **argv)
{
    struct terminal terminal;
    (void)setlocale(LC_CTYPE, "");
    terminal_standard(&terminal);
    return (int)puzzlectl(argc, argv, &terminal);
}
