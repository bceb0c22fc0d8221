// Signed overflow with -fwrapv: all of `+ - *`, negation, `++`, `--` and their compound forms wrap, division does not.
//=== pass: sums, differences and products
// wrapv
#include <limits.h>
volatile int top = INT_MAX, bottom = INT_MIN;
volatile long long large = LLONG_MAX;
int main(void) {
    long long wide = large;
    if (top + 1 != INT_MIN || bottom - 1 != INT_MAX || top * 2 != -2)
        return 1;
    if (wide + wide != -2 || wide * wide != 1 || (__int128)wide * wide < 0)
        return 2;
    return 0;
}
//=== pass: negation and steps
// wrapv
#include <limits.h>
volatile int top = INT_MAX, bottom = INT_MIN;
int main(void) {
    int x = top, y = bottom;
    long z = LONG_MIN;
    if (-y != INT_MIN || x++ != INT_MAX || x != INT_MIN || --y != INT_MAX || -z != LONG_MIN)
        return 1;
    top++;
    return top != INT_MIN || z-- != LONG_MIN || z != LONG_MAX;
}
//=== pass: compound assignments, members and elements
// wrapv
#include <limits.h>
struct pair { int a; long long b; } p = { INT_MAX, LLONG_MIN };
int main(void) {
    int row[2] = { INT_MIN, 65536 };
    p.a += 10;
    p.b -= 1;
    row[0] += row[0];
    row[1] *= row[1];
    return p.a != INT_MIN + 9 || p.b != LLONG_MAX || row[0] || row[1];
}
//=== pass: complex integers and vectors
// wrapv
#include <limits.h>
typedef int lanes __attribute__((vector_size(16)));
volatile int top = INT_MAX;
int main(void) {
    int x = top;
    _Complex int z = x + 1i;
    z += 1;
    z = z * z;
    lanes v = { x, 1, -1, x }, w = v + v;
    w = -w;
    return __real__ z != -1 || __imag__ z != 0 || w[0] != 2 || w[1] != -2 || w[2] != 2;
}
//=== pass: a loop that ends by wrapping
// wrapv
#include <limits.h>
int main(void) {
    int n = 0;
    for (int i = INT_MAX - 3; i > 0; i++)
        n++;
    return n != 4;
}
