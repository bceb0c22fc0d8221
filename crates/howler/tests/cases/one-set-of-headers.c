// our stdio.h has no ctermid: both files get the system's headers, or their jmp_buf would differ
// RUN: check --link --json % inputs/frame.c
// NEEDS: gcc
// STDOUT-HAS: "headers":["system","system"]
// STDOUT-HAS: "status":"ok"
#include <setjmp.h>
#include <stdio.h>
struct frame { int n; jmp_buf place; };
extern struct frame frame;
int main(void) { return ctermid(0) == NULL || setjmp(frame.place); }
