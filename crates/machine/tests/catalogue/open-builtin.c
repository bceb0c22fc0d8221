//=== open: is a local constant
// differs
#include <stdio.h>
int main(void) {
    int x = 5;
    printf("%d\n", __builtin_constant_p(x));
    return 0;
}
//=== open: is a parameter constant
// differs
#include <stdio.h>
static inline int scale(int n) { return __builtin_constant_p(n) ? n * 2 : n * 3; }
int main(void) {
    printf("%d\n", scale(4));
    return 0;
}
//=== open: size of what a pointer points to
// differs
#include <stdio.h>
static char buf[16];
static long room(char *p) { return (long)__builtin_object_size(p, 0); }
int main(void) {
    printf("%ld\n", room(buf + 4));
    return 0;
}
//=== open: size of an allocation
// differs
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(24);
    if (p && __builtin_object_size(p, 1) == 24)
        puts("known");
    else
        puts("unknown");
    free(p);
    return 0;
}
//=== pass: a literal is constant
int main(void) { return __builtin_constant_p(5) != 1 || __builtin_constant_p(2 * 3 + 1) != 1; }
//=== pass: chosen when compiled
int main(void) {
    int x = 4;
    return __builtin_choose_expr(1, x, "no") != 4 || !__builtin_types_compatible_p(int, signed int) || __builtin_expect(x == 4, 1) != 1;
}
//=== pass: the answer is not used
int main(void) {
    int x = 4;
    (void)__builtin_constant_p(x);
    return x != 4;
}
//=== pass: string and floating literals are constant
int main(void) { return !__builtin_constant_p("hi") || !__builtin_constant_p(1.5); }
//=== pass: a literal where a constant is needed
enum { A = __builtin_constant_p(3), B = __builtin_constant_p("x"), C = __builtin_constant_p(1.5) };
struct s { unsigned b : 1 + __builtin_constant_p(2 * 3); };
static const int one = __builtin_constant_p(sizeof(int)) ? 1 : 2;
int main(void) {
    char a[__builtin_constant_p(7) ? 3 : 5];
    struct s s = { 3 };
    return A + B + C != 3 || sizeof a != 3 || s.b != 3 || __builtin_choose_expr(__builtin_constant_p('a'), 1, 2) != one;
}
//=== pass: the answer is not used, in a static initialiser
static const int k = 4;
static int known = __builtin_constant_p(k);
int main(void) {
    known = k;
    return known != 4;
}
//=== unsupported: constant_p chooses
// differs
#include <stdio.h>
static const int k = 4;
int main(void) {
    printf("%d\n", __builtin_choose_expr(__builtin_constant_p(k), 1, 2));
    return 0;
}
//=== unsupported: constant_p as the size of an array
// differs
#include <stdio.h>
static const int k = 4;
int main(void) {
    char a[__builtin_constant_p(k) ? 3 : 5];
    printf("%d\n", (int)sizeof a);
    return 0;
}
//=== unsupported: constant_p as the width of a bit-field
// differs
static const int k = 3;
struct s { unsigned a : 1 + __builtin_constant_p(k); };
int main(void) {
    struct s s = { 1 };
    return s.a != 1;
}
//=== unsupported: constant_p in an enumerator
// differs
#include <stdio.h>
static const int k = 3;
enum { A = __builtin_constant_p(k) };
int main(void) {
    printf("%d\n", A);
    return 0;
}
//=== open: constant_p in a static initialiser
// or: unsupported
// differs
#include <stdio.h>
static const int k = 3;
static int known = __builtin_constant_p(k);
int main(void) {
    printf("%d\n", known);
    return 0;
}
