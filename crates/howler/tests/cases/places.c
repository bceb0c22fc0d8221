// Places are those of this file, whatever the preprocessor made of its lines.
// RUN: check %
// STATUS: 1
#include <stddef.h>
#define TWICE(x) ((x) + (x))
int a = 1;   /* a comment */   int b = /* another */    missing;
int   c   =   TWICE(   lost   )  ;
int   d   =   TWICE(1)   +   gone;
