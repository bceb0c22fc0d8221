//=== fail: leading zeros of zero
// exploited
#include <stdio.h>
static int width(unsigned x) {
    return 32 - __builtin_clz(x); // UB
}
int main(void) {
    printf("%d\n", width(0));
    return 0;
}
//=== fail: trailing zeros in a loop
// exploited
#include <stdio.h>
int main(void) {
    unsigned set = 6;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += __builtin_ctz(set); // UB
        set &= set - 1;
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: of a long long member
// exploited
#include <stdio.h>
struct bits { unsigned long long w[2]; };
static int last(const struct bits *b, int i) {
    return __builtin_ctzll(b->w[i]); // UB
}
int main(void) {
    struct bits b = { { 8, 0 } };
    printf("%d\n", last(&b, 0) + last(&b, 1));
    return 0;
}
//=== fail: range known from the builtin
#include <stdio.h>
volatile unsigned long in = 0;
__attribute__((noinline)) static int in_range(unsigned long x) {
    int n = __builtin_clzl(x); // UB
    if (x == 0)
        return 64;
    return n < 64;
}
int main(void) {
    printf("%d\n", in_range(in));
    return 0;
}
//=== pass: the smallest and the largest argument
volatile unsigned one = 1, high = 0x80000000u;
int main(void) { return __builtin_clz(one) != 31 || __builtin_ctz(high) != 31 || __builtin_clz(high) != 0; }
//=== pass: builtins that take zero
volatile unsigned zero = 0;
int main(void) { return __builtin_popcount(zero) != 0 || __builtin_ffs(zero) != 0 || __builtin_parity(zero) != 0; }
//=== pass: not evaluated
volatile unsigned zero = 0;
int main(void) {
    unsigned z = zero;
    return (z ? __builtin_clz(z) : 32) != 32 || sizeof(__builtin_ctz(z)) != sizeof(int);
}
