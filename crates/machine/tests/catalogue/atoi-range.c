//=== fail: too large for int
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int v = atoi("99999999999"); // UB
    printf("%d\n", v);
    return 0;
}
//=== fail: too small for int, from a table
#include <stdio.h>
#include <stdlib.h>
static const char *words[3] = { "1", "-2147483648", "-2147483649" };
int main(void) {
    long sum = 0;
    for (int i = 0; i < 3; i++)
        sum += atoi(words[i]); // UB
    printf("%ld\n", sum);
    return 0;
}
//=== fail: too large for long
#include <stdio.h>
#include <stdlib.h>
struct option { const char *value; };
static long number(const struct option *o) {
    return atol(o->value); // UB
}
int main(void) {
    struct option o = { "  9223372036854775808" };
    printf("%ld\n", number(&o));
    return 0;
}
//=== fail: atoll
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char digits[25];
    for (int i = 0; i < 24; i++)
        digits[i] = '9';
    digits[24] = 0;
    printf("%lld\n", atoll(digits)); // UB
    return 0;
}
//=== pass: the largest and the smallest
#include <limits.h>
#include <stdlib.h>
int main(void) {
    return atoi("2147483647") != INT_MAX || atoi("-2147483648") != INT_MIN || atol("-9223372036854775808") != LONG_MIN;
}
//=== pass: strtol says so
#include <limits.h>
#include <stdlib.h>
int main(void) { return strtol("99999999999999999999", 0, 10) != LONG_MAX || strtoul("-1", 0, 10) != ULONG_MAX; }
//=== pass: no number, and text behind it
#include <stdlib.h>
int main(void) { return atoi("abc") != 0 || atoi(" +12xyz") != 12 || atoi("") != 0 || atoi("000000000000005") != 5; }
