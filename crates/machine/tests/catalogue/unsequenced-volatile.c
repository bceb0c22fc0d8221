//=== fail: read twice in a sum
#include <stdio.h>
volatile int v = 2;
int main(void) {
    int s = v + v; // UB
    printf("%d\n", s);
    return 0;
}
//=== fail: two arguments
#include <stdio.h>
volatile int port = 7;
static int add(int a, int b) { return a + b; }
int main(void) {
    printf("%d\n", add(port, port)); // UB
    return 0;
}
//=== fail: through two pointers
#include <stdio.h>
static volatile int cell = 3;
static int product(volatile int *p, volatile int *q) {
    return *p * *q; // UB
}
int main(void) {
    printf("%d\n", product(&cell, &cell));
    return 0;
}
//=== fail: as an index and a value
#include <stdio.h>
volatile unsigned n = 1;
int main(void) {
    int a[2] = { 4, 5 };
    int r = 0;
    for (int i = 0; i < 2; i++)
        r += a[n] - (int)n; // UB
    printf("%d\n", r);
    return 0;
}
//=== fail: a pointer read on both sides of an assignment
#include <stdio.h>
static int x = 3;
static int *volatile p = &x;
int main(void) {
    *p = *p + 1; // UB
    printf("%d\n", x);
    return 0;
}
//=== pass: with a sequence point between
volatile int v = 2;
int main(void) {
    int a = v;
    int b = v;
    int c = v && v;
    int d = (v, v);
    int e = v ? v : 0;
    return a + b + c + d + e != 9;
}
//=== pass: two different objects
volatile int v = 2, w = 3;
volatile int a[2] = { 4, 5 };
int main(void) {
    int s = v + w;
    return s + a[0] * a[1] != 25;
}
//=== pass: read and written by one operator
volatile int v = 2;
int main(void) {
    v += 3;
    v++;
    --v;
    return v != 5;
}
