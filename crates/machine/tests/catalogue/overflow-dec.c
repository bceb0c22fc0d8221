//=== fail: decremented and compared
// exploited
#include <limits.h>
#include <stdio.h>
volatile int bottom = INT_MIN;
__attribute__((noinline)) static int previous_is_smaller(int x) {
    int before = x;
    --x; // UB
    return x < before;
}
int main(void) {
    printf("%d\n", previous_is_smaller(bottom));
    return 0;
}
//=== fail: loop that counts down
// exploited
#include <limits.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = INT_MIN + 2; i < 0; i--) { // UB
        if (++n > 6)
            break;
    }
    printf("%d\n", n);
    return 0;
}
//=== fail: budget in a global
// exploited
#include <limits.h>
#include <stdio.h>
static long budget = LONG_MIN;
__attribute__((noinline)) static int spend(long *b) {
    if (*b > 0)
        return 0;
    (*b)--; // UB
    return *b < 1;
}
int main(void) {
    printf("%d\n", spend(&budget));
    return 0;
}
//=== fail: element of an array, used after
// exploited
#include <limits.h>
#include <stdio.h>
__attribute__((noinline)) static const char *back(int *a, int i) {
    if (a[i] >= 0)
        return "no";
    int old = a[i]--; // UB
    return a[i] < old ? "smaller" : "wrapped";
}
int main(void) {
    int a[3] = { 1, INT_MIN, 3 };
    puts(back(a, 1));
    return 0;
}
//=== pass: narrow counters wrap
int main(void) {
    short s = -32768;
    signed char c = -128;
    unsigned char u = 0;
    s--;
    --c;
    u--;
    return s != 32767 || c != 127 || u != 255;
}
//=== pass: down to the smallest value
#include <limits.h>
int main(void) {
    int i = INT_MIN + 1;
    unsigned u = 0;
    i--;
    u--;
    return i != INT_MIN || u != UINT_MAX;
}
//=== pass: a bool flips, a bit-field wraps
struct bits { signed int f : 4; };
int main(void) {
    _Bool b = 0;
    struct bits s = { -8 };
    b--;
    s.f--;
    return b != 1 || s.f != 7;
}
//=== pass: pointer to the first element's successor
int main(void) {
    int a[2] = { 4, 5 }, *p = a + 1;
    p--;
    return *p != 4;
}
