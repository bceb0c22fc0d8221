//=== fail: incremented and compared
// exploited
#include <limits.h>
#include <stdio.h>
volatile int top = INT_MAX;
__attribute__((noinline)) static int next_is_larger(int x) {
    int before = x;
    ++x; // UB
    return x > before;
}
int main(void) {
    printf("%d\n", next_is_larger(top));
    return 0;
}
//=== fail: counter of a loop
// exploited
#include <limits.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = INT_MAX - 3; i > 0; i++) { // UB
        if (++n >= 8)
            break;
    }
    printf("%d\n", n);
    return 0;
}
//=== fail: a member behind two pointers
// exploited
#include <limits.h>
#include <stdio.h>
struct counter { long ticks; };
struct clock { struct counter *c; };
__attribute__((noinline)) static int tick(struct clock *k) {
    if (k->c->ticks < 0)
        return 2;
    k->c->ticks++; // UB
    return k->c->ticks < 0;
}
int main(void) {
    struct counter c = { LONG_MAX };
    struct clock k = { &c };
    printf("%d\n", tick(&k));
    return 0;
}
//=== fail: loop up to and including the largest value
// exploited
#include <limits.h>
#include <stdio.h>
volatile int last = INT_MAX;
int main(void) {
    int n = 0, end = last;
    for (int i = INT_MAX - 1; i <= end; ++i) // UB
        if (++n == 5)
            break;
    printf("%d\n", n);
    return 0;
}
//=== pass: narrow counters wrap
int main(void) {
    short s = 32767;
    signed char c = 127;
    s++;
    ++c;
    return s != -32768 || c != -128;
}
//=== pass: up to the largest value
#include <limits.h>
int main(void) {
    int i = INT_MAX - 1;
    i++;
    unsigned u = UINT_MAX;
    u++;
    return i != INT_MAX || u != 0;
}
//=== pass: a bool stays true, a bit-field wraps
struct bits { signed int f : 3; unsigned int u : 2; };
int main(void) {
    _Bool b = 1;
    struct bits s = { 3, 3 };
    b++;
    s.f++;
    s.u++;
    return b != 1 || s.f != -4 || s.u != 0;
}
//=== pass: a bit-field keeps the low bits of what is stored
struct bits { signed int a : 3; unsigned b : 3; };
volatile int nine = 9;
int main(void) {
    struct bits s = { 0, 0 };
    s.a = nine + 3;
    s.b = nine;
    return s.a != -4 || s.b != 1;
}
