//=== fail: one path returns nothing
// exploited
#include <stdio.h>
volatile int in = 0;
__attribute__((noinline)) static int code(int x) {
    if (x > 0)
        return 4;
}
int main(void) {
    printf("%d\n", code(in)); // UB
    return 0;
}
//=== fail: loop that ends without a find
// exploited
#include <stdio.h>
static int keys[3] = { 4, 5, 6 };
__attribute__((noinline)) static int find(const int *a, int n, int key) {
    for (int i = 0; i < n; i++)
        if (a[i] == key)
            return i;
}
int main(void) {
    int at = find(keys, 3, 9); // UB
    printf("%d\n", at < 3);
    return 0;
}
//=== fail: a struct
// exploited
#include <stdio.h>
struct pair { int a, b; };
static struct pair half(int c) {
    if (c)
        return (struct pair){ 1, 2 };
}
int main(void) {
    struct pair p = half(0); // UB
    printf("%d\n", p.a == 1);
    return 0;
}
//=== fail: an old function without a type, in a condition
// exploited
// std: gnu89
#include <stdio.h>
static check(x)
{
    if (x >= 10)
        return 1;
}
int main(void)
{
    int v = 5;
    puts(check(v) ? "yes" : "no"); // UB
    return 0;
}
//=== fail: recursion that forgets to return
// exploited
#include <stdio.h>
static int depth(int n) {
    if (n == 0)
        return 7;
    depth(n - 1);
}
int main(void) {
    int d = depth(3); // UB
    printf("%d\n", d);
    return 0;
}
//=== pass: the value is not used
static int calls;
static int note(int x) {
    calls += x;
    if (x > 1)
        return x;
}
int main(void) {
    note(1);
    (void)note(0);
    for (int i = 0; i < 2; note(1))
        i++;
    return calls != 3;
}
//=== pass: end of main
static int done = 1;
int main(void) {
    if (!done)
        return 1;
}
//=== pass: left operand of a comma, and a function that never ends
#include <stdlib.h>
static int quiet(void) { }
static int stop(int x) {
    if (x)
        return 3;
    exit(1);
}
int main(void) {
    int v = (quiet(), 2);
    return v + stop(1) != 5;
}
