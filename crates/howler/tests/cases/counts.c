// RUN: check %
// NEEDS: gcc
// STDOUT-HAS: counts.c: ok (2 functions, 2 objects,
int total;
static int twice(int x) { return 2 * x; }
int main(void) { int local = twice(4); total += local; return 0; }
