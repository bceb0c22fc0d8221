//=== fail: an empty list, from its begin
#include <stdio.h>
struct list { int *items; long n; };
static int *end(const struct list *l) {
    return l->items + l->n; // UB
}
int main(void) {
    struct list empty = { 0, 0 };
    printf("%d\n", end(&empty) == 0);
    return 0;
}
//=== fail: address of the first element of nothing
#include <stdio.h>
static int *table;
int main(void) {
    int *p = &table[0]; // UB
    printf("%d\n", p == 0);
    return 0;
}
//=== fail: null minus zero
#include <stdio.h>
volatile long none = 0;
int main(void) {
    char *p = 0;
    p -= none; // UB
    puts(p ? "some" : "none");
    return 0;
}
//=== fail: a loop of no rounds
#include <stdio.h>
static int sum(const int *p, int n) {
    int s = 0;
    for (const int *end = p + n; p != end; p++) // UB
        s += *p;
    return s;
}
int main(void) {
    printf("%d\n", sum(0, 0));
    return 0;
}
//=== pass: zero added to a pointer to an object, and to one past it
int main(void) {
    int a[2] = { 1, 2 };
    volatile int none = 0;
    int *p = a + none, *q = a + 2 + none;
    return *p != 1 || q - p != 2;
}
//=== pass: tested first
static int *end(int *items, long n) { return n ? items + n : items; }
int main(void) { return end(0, 0) != 0; }
//=== pass: zero added to the integer, and what null points to not accessed
#include <stdint.h>
int main(void) {
    int *p = 0;
    return (uintptr_t)p + 0 != 0 || &*p != 0;
}
//=== pass: the plain result, where the letter does not count
// letter
struct list { int *items; long n; };
int main(void) {
    struct list empty = { 0, 0 };
    int *end = empty.items + empty.n, n = 0;
    for (int *p = &empty.items[0]; p != end; p++)
        n++;
    return n != 0 || end;
}
