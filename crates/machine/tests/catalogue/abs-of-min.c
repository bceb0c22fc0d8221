//=== fail: abs
// exploited
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
volatile int low = INT_MIN;
__attribute__((noinline)) static int positive(int x) {
    return abs(x) >= 0; // UB
}
int main(void) {
    printf("%d\n", positive(low));
    return 0;
}
//=== fail: labs in a hash
// exploited
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
struct key { long h; };
static long bucket(const struct key *k) {
    long h = labs(k->h); // UB
    return h < 0 ? -1 : h % 8;
}
int main(void) {
    struct key k = { LONG_MIN };
    printf("%ld\n", bucket(&k));
    return 0;
}
//=== fail: llabs in a loop
// exploited
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
static long long v[3] = { -1, 5, LLONG_MIN };
int main(void) {
    int good = 0;
    for (int i = 0; i < 3; i++)
        good += llabs(v[i]) > 0; // UB
    printf("%d\n", good);
    return 0;
}
//=== fail: the builtin
// differs
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN;
int main(void) {
    int x = low;
    printf("%d\n", __builtin_abs(x) == x); // UB
    return 0;
}
//=== pass: the smallest value but one
#include <limits.h>
#include <stdlib.h>
volatile int low = INT_MIN + 1;
int main(void) { return abs(low) != INT_MAX; }
//=== pass: widened first
#include <limits.h>
#include <stdlib.h>
volatile int low = INT_MIN;
int main(void) { return labs((long)low) != 2147483648L || llabs(low) != 2147483648LL; }
//=== pass: zero and ordinary values
#include <stdlib.h>
volatile int z = 0, m = -7;
int main(void) { return abs(z) != 0 || abs(m) != 7 || abs(-m) != 7; }
//=== fail: -fwrapv says nothing of the library
// wrapv
#include <limits.h>
#include <stdlib.h>
volatile int bottom = INT_MIN;
int main(void) {
    return abs(bottom) < 0; // UB
}
