//=== open: printed
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0;
    printf("%f\n", zero / zero);
    return 0;
}
//=== open: its sign
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0, n = zero / zero;
    printf("%d\n", __builtin_signbit(n) != 0);
    return 0;
}
//=== open: its bytes
// differs
#include <stdio.h>
#include <string.h>
int main(void) {
    float inf = __builtin_inff(), n = inf - inf;
    unsigned u;
    memcpy(&u, &n, sizeof u);
    printf("%x\n", u);
    return 0;
}
//=== open: its sign copied
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0;
    printf("%g\n", __builtin_copysign(1.0, 0.0 * (1.0 / zero)));
    return 0;
}
//=== pass: compared
volatile double zero = 0.0;
int main(void) {
    double z = zero, n = z / z;
    return n == n || n < 0 || n >= 0 || !(n != n);
}
//=== pass: asked for
volatile float zero = 0.0f;
int main(void) {
    float z = zero, n = z / z;
    return !__builtin_isnan(n) || __builtin_isinf(n) || !__builtin_isunordered(n, 1.0f);
}
//=== pass: spread through arithmetic, then asked for
volatile double zero = 0.0;
int main(void) {
    double z = zero, n = z / z;
    double s[2] = { n + 1, 2 * n };
    return s[0] == s[0] || s[1] == s[1] || !__builtin_isnan(-n);
}
//=== pass: the exponent in its bits
// prints: 1 1 1 1 1
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    double zero = 0.0, n = zero / zero;
    union { double value; uint32_t words[2]; struct { uint32_t low, high : 20, exponent : 11, sign : 1; } parts; } u = { n };
    uint64_t bits;
    float f = (float)n;
    uint32_t small;
    memcpy(&bits, &n, sizeof bits);
    memcpy(&small, &f, sizeof small);
    printf("%d %d %d", (bits >> 52 & 0x7ff) == 0x7ff, (bits & ~0ull >> 1) > 0x7ffull << 52, (u.words[1] & 0x7ff00000) == 0x7ff00000);
    printf(" %d %d\n", u.parts.exponent == 0x7ff, (small & 0x7f800000) == 0x7f800000 && (small & 0x7fffff) != 0);
    return 0;
}
//=== pass: boxes with a tag are no numbers
// prints: 1 0 1 7
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t value;
#define BOX 0xfffa000000000000u
static value of_double(double d) {
    value v;
    memcpy(&v, &d, sizeof v);
    return v;
}
static int is_double(value v) { return (v & 0x7ff0000000000000u) != 0x7ff0000000000000u; }
int main(void) {
    double zero = 0.0;
    value box = BOX | 7;
    printf("%d %d %d %d\n", is_double(of_double(1.5)), is_double(of_double(zero / zero)), !is_double(box), (int)(box & 0xffff));
    return 0;
}
//=== open: the sign in its bits
// differs
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    double zero = 0.0, n = zero / zero;
    uint64_t bits;
    memcpy(&bits, &n, sizeof bits);
    printf("%d\n", (int)(bits >> 63));
    return 0;
}
//=== open: all twelve bits in front
// differs
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    double zero = 0.0, n = zero / zero;
    uint64_t bits;
    memcpy(&bits, &n, sizeof bits);
    printf("%d\n", bits >> 52 == 0x7ff);
    return 0;
}
//=== open: a signalling one returned on i386
// target: i386
// differs
#include <stdio.h>
static float same(float f) { return f; }
int main(void) {
    union { unsigned u; float f; } x = { 0x7fa00000 }, y;
    volatile unsigned k = x.u;
    x.u = k;
    y.f = same(x.f);
    printf("%x\n", y.u);
    return 0;
}
//=== open: a signalling double returned on i386
// target: i386
// differs
#include <stdio.h>
__attribute__((noinline)) static double same(double d) { return d; }
int main(void) {
    union { unsigned long long u; double d; } x, y;
    volatile unsigned long long k = 0x7ff4000000000000ULL;
    x.u = k;
    y.d = same(x.d);
    printf("%llx\n", y.u);
    return 0;
}
//=== pass: a signalling one returned on x86-64
static float same(float f) { return f; }
int main(void) {
    union { unsigned u; float f; } x, y;
    volatile unsigned k = 0x7fa00000;
    x.u = k;
    y.f = same(x.f);
    return y.u != 0x7fa00000;
}
//=== pass: a quiet one returned on i386, and a signalling one in a struct
// target: i386
union bits { unsigned u; float f; };
static float same(float f) { return f; }
static union bits whole(union bits b) { return b; }
int main(void) {
    volatile unsigned k = 0x7fc00001, s = 0x7fa00000;
    union bits x, y;
    x.u = k;
    y.f = same(x.f);
    if (y.u != 0x7fc00001)
        return 1;
    x.u = s;
    return whole(x).u != 0x7fa00000;
}
