// RUN: check -I inputs -DWANTED=42 -DOTHER %
// STDOUT-HAS: macros-and-folders.c: ok (
// NEEDS: gcc
#include <answer.h>
#if ANSWER != WANTED || OTHER != 1
#error wrong macros
#endif
