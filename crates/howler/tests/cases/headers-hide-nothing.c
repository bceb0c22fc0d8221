// our stdio.h has no fopen: the system's result counts, errors and all
// RUN: check %
// NEEDS: gcc
// STATUS: 1
// STDERR-HAS: too few arguments to function 'fopen'
// STDERR-HAS: too many arguments to function 'fclose'
#include <stdio.h>
int main(void) { FILE *f = fopen("x"); return fclose(f, 2); }
