// our stdio.h has no fopen; the system's has
// RUN: check --json %
// NEEDS: gcc
// STDOUT-HAS: "headers":["system"]
// STDOUT-HAS: "status":"ok"
#include <stdio.h>
int f(void) { return fopen("x", "r") == NULL; }
