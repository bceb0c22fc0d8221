//=== fail: minus one shifted left
#include <stdio.h>
volatile int x = -1;
int main(void) {
    int y = x << 4; // UB
    printf("%d\n", y);
    return 0;
}
//=== fail: sign extension by hand in a function
#include <stdio.h>
static int extend(signed char c) {
    return c << 8; // UB
}
int main(void) {
    int sum = 0;
    for (int i = 1; i > -2; i--)
        sum += extend((signed char)i);
    printf("%d\n", sum);
    return 0;
}
//=== fail: compound, by zero, in a struct
#include <stdio.h>
struct fixed { long value; int scale; };
int main(void) {
    struct fixed f = { -3, 0 };
    struct fixed *p = &f;
    p->value <<= p->scale; // UB
    printf("%ld\n", f.value);
    return 0;
}
//=== fail: a negative bit-field
#include <stdio.h>
struct packed { signed int a : 5; unsigned b : 3; };
int main(void) {
    struct packed s = { -2, 1 };
    printf("%d\n", s.a << s.b); // UB
    return 0;
}
//=== pass: shifted as unsigned
volatile int x = -1;
int main(void) { return (unsigned)x << 4 != 0xfffffff0u || (int)((unsigned)x << 4) != -16; }
//=== pass: multiplied instead
volatile int x = -5;
int main(void) { return x * 16 != -80; }
//=== pass: right shift of a negative value
volatile int x = -16;
int main(void) { return x >> 2 != -4; }
//=== pass: a positive bit-field
struct packed { signed int a : 5; unsigned u : 5; };
int main(void) {
    struct packed s = { 15, 31 };
    return s.a << 4 != 240 || s.u << 2 != 124;
}
