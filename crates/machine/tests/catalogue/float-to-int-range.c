//=== fail: a large double as int
// exploited
#include <stdio.h>
int main(void) {
    double d = 1e10;
    int i = (int)d; // UB
    printf("%d\n", i);
    return 0;
}
//=== fail: stored in an unsigned char
// exploited
#include <stdio.h>
struct pixel { unsigned char level; };
static void brighten(struct pixel *p, float by) {
    p->level = 200.0f * by; // UB
}
int main(void) {
    struct pixel p;
    brighten(&p, 1.5f);
    printf("%d\n", p.level);
    return 0;
}
//=== fail: minus one as unsigned
// exploited
#include <stdio.h>
int main(void) {
    double steps[3] = { 1.0, 0.0, -1.0 };
    unsigned sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (unsigned)steps[i]; // UB
    printf("%u\n", sum);
    return 0;
}
//=== fail: infinity as long, as an argument
// exploited
#include <stdio.h>
static long keep(long x) { return x; }
int main(void) {
    float zero = 0.0f;
    long v = keep(1.0f / zero); // UB
    printf("%ld\n", v);
    return 0;
}
//=== fail: just above the largest int, by return
// exploited
#include <stdio.h>
static int rounded(double d) {
    return d + 0.5; // UB
}
int main(void) {
    printf("%d\n", rounded(2147483647.5));
    return 0;
}
//=== fail: compound assignment to a short
// exploited
#include <stdio.h>
int main(void) {
    short s = 1000;
    s *= 33.0; // UB
    printf("%d\n", s);
    return 0;
}
//=== pass: the fraction is dropped first
volatile double top = 2147483647.9, low = -2147483648.9, small = -0.9, byte = 255.9;
int main(void) {
    int a = top, b = low;
    unsigned u = small;
    unsigned char c = byte;
    return a != 2147483647 || b != -2147483647 - 1 || u != 0 || c != 255;
}
//=== pass: any number as a bool
volatile double d = 1e300, e = 0.1, z = -0.0;
int main(void) {
    _Bool a = d, b = (_Bool)e, c = z;
    return a != 1 || b != 1 || c != 0;
}
//=== pass: too large for float becomes infinity
volatile double d = 1e300;
int main(void) {
    float f = d;
    return !(f > 3e38f);
}
//=== pass: through a wider type
volatile double d = 300.0, m = -1.0;
int main(void) { return (unsigned char)(int)d != 44 || (unsigned)(int)m != 4294967295u; }
//=== pass: overflow to infinity
volatile double big = 1e308;
volatile float small = 3e38f;
int main(void) {
    double d = big * 10;
    float s = small, f = s + s;
    return !(d > 1.7e308) || !(f > 3.3e38f) || !(-d < 0) || 1 / d != 0;
}
