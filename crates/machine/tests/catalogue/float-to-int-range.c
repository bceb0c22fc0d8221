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
//=== fail: too large for a bit-field, in an initialiser
// differs
#include <stdio.h>
struct flags { unsigned b : 3; int c : 4; };
static double given(void) {
    volatile double d = 9.5;
    return d;
}
int main(void) {
    struct flags s = { given(), 1 }; // UB
    printf("%u\n", s.b);
    return 0;
}
//=== fail: too large for a bit-field of a static object
// differs
#include <stdio.h>
struct flags { int k : 3; };
static struct flags table[3] = { { 3.0 }, { -4.0 },
    { 5.0 } }; // UB
int main(void) {
    printf("%d %d %d\n", table[0].k, table[1].k, table[2].k);
    return 0;
}
//=== fail: too large for a bit-field of a compound literal, of 33 bits
// differs
#include <stdio.h>
struct wide { long long a : 33; };
int main(void) {
    struct wide s;
    s = (struct wide){ .a = 4294967296.0 }; // UB
    printf("%lld\n", (long long)s.a);
    return 0;
}
//=== fail: the real part of a complex number, in a bit-field's initialiser
#include <stdio.h>
struct flags { unsigned b : 3; };
static double _Complex z = 9.5;
int main(void) {
    struct flags s = { z }; // UB
    printf("%u\n", s.b);
    return 0;
}
//=== fail: clang's dialect, assigned to a bit-field
// clang
// differs
#include <stdio.h>
struct flags { unsigned b : 3; } s;
static volatile double d = 9.5;
int main(void) {
    s.b = d; // UB
    printf("%u\n", s.b);
    return 0;
}
//=== fail: clang's dialect, added to a bit-field
// clang
// differs
#include <stdio.h>
struct flags { unsigned b : 3; } s = { 6 };
static volatile double d = 2.5;
int main(void) {
    s.b += d; // UB
    printf("%u\n", s.b);
    return 0;
}
//=== fail: clang's dialect, multiplied and added to a bit-field
// clang
#include <stdio.h>
struct flags { int b : 3; } s = { 2 };
static volatile double d = 1.5;
int main(void) {
    double factor = d;
    s.b += factor * d; // UB
    printf("%d\n", s.b);
    return 0;
}
//=== pass: numbers that fit the bit-fields they initialise
static double seven = 7.9, low = -4.9, small = -0.9, half = 0.5;
static struct { unsigned a : 3; int b : 3; _Bool c : 1; unsigned long d : 40; } s = { 7.5, -4.5, 0.3, 1099511627775.5 };
int main(void) {
    struct { unsigned a : 3; int b : 3; unsigned c : 2; _Bool d : 1; unsigned char e : 8; } t = { seven, low, small, half, 255.5 };
    return s.a != 7 || s.b != -4 || !s.c || s.d != 1099511627775 || t.a != 7 || t.b != -4 || t.c || !t.d || t.e != 255;
}
//=== pass: a bit-field's initialiser by way of an integer
static double nine = 9.5;
static struct { unsigned a : 3; int b : 3; } s = { (unsigned)9.5, 1 ? 13 : 9.5f > 1 };
int main(void) {
    struct { unsigned a : 3; int b : 3; } t = { (int)nine, 12 };
    return s.a != 1 || s.b != -3 || t.a != 1 || t.b != -4;
}
//=== pass: clang's dialect, numbers that fit the bit-fields they go to
// clang
static double two = 2.5, low = -0.5;
static double _Complex z = 6.5;
static struct { unsigned a : 3; int b : 3; _Bool c : 1; } s = { 5, -3, 0 };
int main(void) {
    s.a += two;
    if (s.a != 7)
        return 1;
    s.a = low;
    s.b = -4.5;
    s.c = low;
    if (s.a || s.b != -4 || !s.c)
        return 2;
    s.a = z;
    s.a -= two * two;
    s.b = (int)(two * 4);
    return s.a != 0 || s.b != 2;
}
