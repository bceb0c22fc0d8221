//=== fail: null minus null
#include <stdio.h>
static char *begin, *end;
int main(void) {
    long n = end - begin; // UB
    printf("%ld\n", n);
    return 0;
}
//=== fail: a pointer minus null
#include <stdio.h>
static int x;
static int odd(char *p) {
    return (p - (char *)0) & 1; // UB
}
int main(void) {
    printf("%d\n", odd((char *)&x));
    return 0;
}
//=== fail: length of an empty list
#include <stdio.h>
#include <stdlib.h>
struct vec { int *first, *last; };
static long length(const struct vec *v) {
    return v->last - v->first; // UB
}
int main(void) {
    struct vec v = { NULL, NULL };
    printf("%ld\n", length(&v));
    return 0;
}
//=== fail: null minus a pointer
#include <stdio.h>
int main(void) {
    short a[2] = { 0, 0 };
    short *p = 0;
    for (int i = 0; i < 2; i++)
        if (p - a > 1) // UB
            p = a;
    puts("end");
    return 0;
}
//=== pass: null compared with null
int main(void) {
    char *a = 0, *b = 0;
    return a != b;
}
//=== pass: null as integers
#include <stdint.h>
int main(void) {
    char *a = 0, *b = 0;
    return (uintptr_t)a - (uintptr_t)b != 0;
}
//=== pass: tested first
struct vec { int *first, *last; };
static long length(const struct vec *v) { return v->first ? v->last - v->first : 0; }
int main(void) {
    int a[3];
    struct vec empty = { 0, 0 }, full = { a, a + 3 };
    return length(&empty) != 0 || length(&full) != 3;
}
//=== pass: the plain result, where the letter does not count
// letter
static char *begin, *end;
int main(void) { return end - begin != 0; }
