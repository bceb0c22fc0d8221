//=== fail: zero divided by zero as int
// exploited
#include <stdio.h>
int main(void) {
    double zero = 0.0;
    double nan = zero / zero;
    printf("%d\n", (int)nan); // UB
    return 0;
}
//=== fail: average of nothing
// exploited
#include <stdio.h>
static unsigned average(const float *v, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n; // UB
}
int main(void) {
    float v[1] = { 1 };
    printf("%u\n", average(v, 0));
    return 0;
}
//=== fail: infinity minus infinity in a struct
// exploited
#include <stdio.h>
struct cell { long v; };
int main(void) {
    double inf = __builtin_inf();
    struct cell c;
    c.v = inf - inf; // UB
    printf("%ld\n", c.v);
    return 0;
}
//=== fail: checked for order only
// exploited
#include <stdio.h>
static int clamp(double d) {
    if (d < -100.0)
        return -100;
    if (d > 100.0)
        return 100;
    return d; // UB
}
int main(void) {
    printf("%d\n", clamp(__builtin_nan("")));
    return 0;
}
//=== pass: not a number as a bool
volatile double zero = 0.0;
int main(void) {
    double z = zero;
    _Bool b = z / z;
    return b != 1;
}
//=== pass: only compared
volatile double zero = 0.0;
int main(void) {
    double z = zero, n = z / z;
    return n == n || n < 1 || n > 1 || !(n != n);
}
//=== pass: tested before the conversion
volatile double zero = 0.0;
static int whole(double d) { return d == d ? (int)d : -1; }
int main(void) {
    double z = zero;
    return whole(z / z) != -1 || whole(7.5) != 7;
}
