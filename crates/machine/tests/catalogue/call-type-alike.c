//=== fail: a comparison of ints given to qsort
#include <stdio.h>
#include <stdlib.h>
static int order(const int *a, const int *b) { return (*a > *b) - (*a < *b); }
int main(void) {
    int v[3] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, (int (*)(const void *, const void *))order); // UB
    printf("%d %d %d\n", v[0], v[1], v[2]);
    return 0;
}
//=== fail: strcmp as a comparison for bsearch
#include <stdio.h>
#include <stdlib.h>
static int order(const char *a, const char *b) { return *a - *b; }
int main(void) {
    char v[4] = "abc";
    char *p = bsearch("b", v, 3, 1, (int (*)(const void *, const void *))order); // UB
    printf("%d\n", (int)(p - v));
    return 0;
}
//=== fail: another pointer in a table of functions
#include <stdio.h>
struct shape { int sides; };
struct square { struct shape base; int side; };
static int area(struct square *s) { return s->side * s->side; }
static int (*table[])(struct shape *) = { (int (*)(struct shape *))area };
int main(void) {
    struct square s = { { 4 }, 3 };
    printf("%d\n", table[0](&s.base)); // UB
    return 0;
}
//=== fail: a result that is not wanted
#include <stdio.h>
static int count;
static int next(void) { return ++count; }
int main(void) {
    void (*f)(void) = (void (*)(void))next;
    f(); // UB
    printf("%d\n", count);
    return 0;
}
//=== fail: the other sign through a pointer
#include <stdio.h>
static unsigned half(unsigned x) { return x / 2; }
int main(void) {
    int (*f)(int) = (int (*)(int))half;
    printf("%d\n", f(8)); // UB
    return 0;
}
//=== fail: free as a function of char pointers
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    void (*release)(char *) = (void (*)(char *))free;
    char *p = malloc(3);
    release(p); // UB
    puts("done");
    return 0;
}
//=== fail: a definition with an identifier list, through a prototype
#include <stdio.h>
static int twice(x)
    unsigned x;
{
    return 2 * x;
}
int main(void) {
    int (*f)(int) = (int (*)(int))twice;
    printf("%d\n", f(8)); // UB
    return 0;
}
//=== fail: a result of atexit's function
#include <stdio.h>
#include <stdlib.h>
static int last(void) { return puts("last"); }
int main(void) {
    atexit((void (*)(void))last);
    return 0; // UB
}
//=== pass: the comparison takes what qsort gives
// prints: 1 2 3
#include <stdio.h>
#include <stdlib.h>
static int order(const void *a, const void *b) {
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}
int main(void) {
    int v[3] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, order);
    printf("%d %d %d\n", v[0], v[1], v[2]);
    return 0;
}
//=== pass: cast back before the call
struct shape { int sides; };
struct square { struct shape base; int side; };
static int area(struct square *s) { return s->side * s->side; }
static int (*table[])(struct shape *) = { (int (*)(struct shape *))area };
int main(void) {
    struct square s = { { 4 }, 3 };
    return ((int (*)(struct square *))table[0])(&s) != 9;
}
//=== pass: a comparison without a prototype, one that is never called
#include <stdlib.h>
static int order(a, b)
    const void *a, *b;
{
    return *(const char *)a - *(const char *)b;
}
static int wrong(const int *a, const int *b) { return *a - *b; }
int main(void) {
    char v[3] = { 3, 1, 2 };
    qsort(v, 3, 1, order);
    qsort(v, 0, 1, (int (*)(const void *, const void *))wrong);
    return v[0] != 1 || v[2] != 3;
}
//=== pass: the plain result, where the letter does not count
// letter
#include <stdlib.h>
static int order(const int *a, const int *b) { return (*a > *b) - (*a < *b); }
static int last(void) { return 0; }
int main(void) {
    int v[3] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, (int (*)(const void *, const void *))order);
    atexit((void (*)(void))last);
    return v[0] != 1;
}
//=== pass: functions of the library through pointers to their own types
#include <stdlib.h>
#include <string.h>
int main(void) {
    void *(*get)(size_t) = malloc;
    void (*put)(void *) = free;
    size_t (*len)(const char *) = strlen;
    int (*any)() = strcmp;
    char *p = get(3);
    strcpy(p, "ab");
    const char *q = p;
    int r = len(p) != 2 || any(q, q) != 0;
    put(p);
    return r;
}
