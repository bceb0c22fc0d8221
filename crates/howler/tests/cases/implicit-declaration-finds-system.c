// our stdio.h has no ctermid; the system's has
// RUN: check --json %
// NEEDS: gcc
// STDOUT-HAS: "headers":["system"]
// STDOUT-HAS: "status":"ok"
#include <stdio.h>
int f(void) { return ctermid(0) == NULL; }
