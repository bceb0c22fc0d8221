//=== fail: a struct pointer for void *
#include <stdio.h>
struct s { int x; };
static int get();
int main(void) {
    struct s v = { 5 };
    printf("%d\n", get(&v)); // UB
    return 0;
}
static int get(void *p) { return ((struct s *)p)->x; }
//=== fail: void * for a double pointer
#include <stdio.h>
static double get(p)
    double *p;
{
    return *p;
}
int main(void) {
    double d = 2.5;
    void *p = &d;
    printf("%.1f\n", get(p)); // UB
    return 0;
}
//=== fail: a pointer to the other sign
#include <stdio.h>
static int set();
int main(void) {
    long long n = 0;
    set(&n); // UB
    printf("%lld\n", n);
    return 0;
}
static int set(unsigned long long *p) { return *p = 7; }
//=== fail: an implicit declaration
// std: gnu89
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 };
    printf("%d\n", bytes(a)); // UB
    return 0;
}
int bytes(const void *p) { return *(const char *)p; }
//=== fail: the value fits the first time only
#include <stdio.h>
static int minus();
int main(void) {
    unsigned u = 5;
    int r = 0;
    for (int i = 0; i < 2; i++, u += 0xfffffff0u)
        r += minus(u); // UB
    printf("%d\n", r);
    return 0;
}
static int minus(int x) { return -x; }
//=== fail: an unsigned value above INT_MAX for an int
#include <stdio.h>
static int minus(x)
    int x;
{
    return x < 0;
}
int main(void) {
    printf("%d\n", minus(0xffffffffu)); // UB
    return 0;
}
//=== pass: with a prototype the pointer is converted
struct s { int x; };
static int get(void *p) { return ((struct s *)p)->x; }
int main(void) {
    struct s v = { 5 };
    return get(&v) != 5;
}
//=== pass: converted by a cast
struct s { int x; };
static int get();
int main(void) {
    struct s v = { 5 };
    return get((void *)&v) != 5;
}
static int get(void *p) { return ((struct s *)p)->x; }
//=== pass: other qualifiers, and character pointers for void *
static int get(s, p)
    const char *s;
    void *p;
{
    return s[0] + *(char *)p;
}
int main(void) {
    char text[2] = "a";
    return get(text, text) != 2 * 'a';
}
//=== pass: the plain result, where the letter does not count
// letter
struct s { int x; };
static int get();
int main(void) {
    struct s v = { 5 };
    return get(&v) != 5;
}
static int get(void *p) { return ((struct s *)p)->x; }
//=== pass: an unsigned value that an int holds
static int half(x)
    int x;
{
    return x / 2;
}
int main(void) { return half(6u) != 3; }
//=== pass: the other sign, where the letter does not count
// letter
static int minus();
int main(void) { return minus(0xffffffffu) != 1; }
static int minus(int x) { return -x; }
//=== fail: an int for unsigned, where the definition has a prototype
#include <stdio.h>
static int twice();
int main(void) {
    printf("%d\n", twice(4)); // UB
    return 0;
}
static int twice(unsigned x) { return 2 * x; }
//=== fail: an int for unsigned, in another file
#include <stdio.h>
int twice();
int main(void) {
    printf("%d\n", twice(4)); // UB
    return 0;
}
//=== file: b.c
int twice(unsigned x) { return 2 * x; }
//=== fail: char * for const char *, where the definition has a prototype
#include <stdio.h>
static int first();
int main(void) {
    char text[] = "ab";
    printf("%d\n", first(text)); // UB
    return 0;
}
static int first(const char *s) { return s[0]; }
//=== fail: printf without its prototype
int printf();
int main(void) {
    const char *format = "%d\n";
    printf(format, 4); // UB
    return 0;
}
//=== pass: unsigned for unsigned, and a cast
static int twice();
int main(void) { return twice(4u) + twice((unsigned)'a') != 202; }
static int twice(unsigned x) { return 2 * x; }
