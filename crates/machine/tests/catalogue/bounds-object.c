//=== fail: far behind the end, in another global
// exploited
// thirty-one: 11
#include <stdio.h>
int before[4096], small[4], after[4096];
volatile int far = 2000;
__attribute__((noinline)) static int put(int *p, int i) {
    p[i] = 77; // UB
    return 0;
}
int main(void) {
    put(small, far);
    int hits = 0;
    for (int i = 0; i < 4096; i++)
        hits += (before[i] == 77) + 2 * (after[i] == 77);
    printf("%d\n", hits);
    return 0;
}
//=== fail: far behind the end, in another heap block
// exploited
// thirty-one: 12
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(16), *q = malloc(16);
    if (!p || !q)
        return 1;
    q[0] = 1;
    p[8] = 2; // UB
    printf("%d\n", q[0]);
    free(p);
    free(q);
    return 0;
}
//=== fail: pointer before the array formed
// thirty-one: 17
#include <stdio.h>
static int values[3] = { 10, 20, 30 };
static int *one_based(int *v) {
    return v - 1; // UB
}
int main(void) {
    int *v = one_based(values);
    printf("%d\n", v[1]);
    return 0;
}
//=== fail: downward loop that steps before the first element
#include <stdio.h>
static int a[3] = { 1, 2, 3 };
int main(void) {
    int sum = 0;
    for (int *p = a + 2; p >= a; p--) // UB
        sum += *p;
    printf("%d\n", sum);
    return 0;
}
//=== fail: index kept in range by its use
// exploited
#include <stdio.h>
volatile int in = 6;
static int pick(int i) {
    int table[4] = { 1, 2, 3, 4 };
    return table[i]; // UB
}
int main(void) {
    printf("%d\n", pick(in) < 100);
    return 0;
}
//=== fail: overflow check by pointer
#include <stdio.h>
#include <stddef.h>
volatile size_t length = (size_t)-8;
__attribute__((noinline)) static int fits(char *buf, char *end, size_t n) {
    if (buf + n < buf) // UB
        return -1;
    return 0;
}
int main(void) {
    char buf[16];
    printf("%d\n", fits(buf, buf + 16, length));
    return 0;
}
//=== fail: out and back
#include <stdio.h>
int main(void) {
    char s[8] = "pointer";
    char *p = s;
    p += 20; // UB
    p -= 18;
    printf("%c\n", *p);
    return 0;
}
//=== fail: a loop whose last read is far out
#include <stdio.h>
static int a[4] = { 1, 1, 1, 1 }, step = 3;
int main(void) {
    int sum = 0;
    for (int i = 0; i < 8; i += step)
        sum += a[i] * 0; // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: negative index of a local
#include <stdio.h>
int main(void) {
    int guard = 5;
    int a[2] = { 1, 2 };
    volatile int i = -1;
    a[i] = 9; // UB
    printf("%d %d\n", guard, a[0]);
    return 0;
}
//=== pass: one past the end formed
int main(void) {
    int a[4] = { 1, 2, 3, 4 };
    int *end = a + 4;
    return end[-1] != 4 || end - a != 4;
}
//=== pass: negative index inside the array
int main(void) {
    int a[5] = { 1, 2, 3, 4, 5 };
    int *mid = &a[2];
    return mid[-2] != 1 || mid[2] != 5 || *(mid - 1) != 2 || 1[mid] != 4;
}
//=== pass: walk downwards without leaving
int main(void) {
    int a[3] = { 1, 2, 3 }, sum = 0;
    int *p = a + 3;
    while (p != a)
        sum += *--p;
    return sum != 6;
}
//=== pass: bytes of a struct up to its end
struct s { int a; char b[5]; };
int main(void) {
    struct s v = { 1, "abcd" };
    char *p = (char *)&v, *end = (char *)(&v + 1);
    int n = 0;
    while (p != end)
        p++, n++;
    return n != sizeof v;
}
//=== fail: arithmetic on an address that is no object
#include <stdio.h>
static int *screen = (int *)0xa000;
int main(void) {
    int *line = screen + 25; // UB
    printf("%d\n", line != 0);
    return 0;
}
