// editors look for a place at the start of a line
// RUN: run %
// NEEDS: gcc
// STATUS: 2
#include "no-such-header.h"
int main(void) { return 0; }
