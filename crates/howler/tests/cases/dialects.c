// a wide character is long to gcc on i386, int to clang
// RUN: check --target i386 --dialect clang %
// NEEDS: gcc
// STDOUT-HAS: dialects.c: ok
#include <stddef.h>
_Static_assert(_Generic(L'x', int: 1, default: 0), "int");
_Static_assert(_Generic((wchar_t)0, int: 1, default: 0), "int");
_Static_assert(sizeof(size_t) == 4, "i386");
