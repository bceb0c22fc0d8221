//=== fail: no elements
#include <stdio.h>
volatile int n = 0;
int main(void) {
    int a[n]; // UB
    printf("%d\n", (int)sizeof a);
    return 0;
}
//=== fail: a negative number
// exploited
#include <stdio.h>
__attribute__((noinline)) static int fill(int n) {
    char buf[n]; // UB
    buf[0] = 1;
    return n < 0 ? -1 : buf[0];
}
int main(void) {
    printf("%d\n", fill(-8));
    return 0;
}
//=== fail: one dimension of a matrix
#include <stdio.h>
struct size { int rows, cols; };
static unsigned long bytes(struct size s) {
    int m[s.rows][s.cols]; // UB
    return sizeof m;
}
int main(void) {
    struct size s = { 3, 0 };
    printf("%lu\n", bytes(s));
    return 0;
}
//=== fail: a type name in a loop
// differs
#include <stdio.h>
int main(void) {
    unsigned long sum = 0;
    for (int i = 2; i >= -1; i--)
        sum += sizeof(char[i]); // UB
    printf("%lu\n", sum);
    return 0;
}
//=== fail: neighbour of a negative array
// differs
#include <stdio.h>
volatile int n = -4;
int main(void) {
    int guard = 1;
    int a[n]; // UB
    int *p = &guard;
    printf("%d %d\n", *p, (int)(sizeof a / 4) < 0);
    return 0;
}
//=== pass: one element
volatile int n = 1;
int main(void) {
    int a[n];
    a[0] = 3;
    return a[0] != 3 || sizeof a != 4;
}
//=== pass: bound with a side effect
int main(void) {
    int n = 2;
    int a[n++], b[n];
    n = 7;
    return sizeof a != 8 || sizeof b != 12;
}
//=== pass: size from an unsigned char
unsigned char n = 200;
int main(void) {
    char a[n + 100];
    return sizeof a != 300;
}
//=== fail: bound of a cast
#include <stdio.h>
volatile int n = 0;
int main(void) {
    int a[2] = { 1, 2 };
    void *p = a;
    int (*q)[1] = (int (*)[1])(int (*)[n])p; // UB
    printf("%d\n", (*q)[0]);
    return 0;
}
//=== fail: a typedef that nothing uses
#include <stdio.h>
volatile int n = -1;
int main(void) {
    typedef int row[n]; // UB
    printf("%d\n", n);
    return 0;
}
