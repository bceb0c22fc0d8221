//=== fail: more elements than room
#include <stdio.h>
#include <stdlib.h>
struct vec { int n; int d[]; };
int main(void) {
    struct vec *v = malloc(sizeof *v + 2 * sizeof(int));
    if (!v)
        return 1;
    v->n = 2;
    v->d[0] = v->d[1] = 1;
    v->d[3] = 4; // UB
    printf("%d\n", v->n);
    free(v);
    return 0;
}
//=== fail: element of an empty one
// or: one-past-deref
#include <stdio.h>
#include <stdlib.h>
struct text { long length; char s[]; };
static void first(struct text *t, char c) {
    t->s[0] = c; // UB
}
int main(void) {
    struct text *t = malloc(sizeof *t);
    if (!t)
        return 1;
    t->length = 1;
    first(t, 'x');
    printf("%ld\n", t->length);
    free(t);
    return 0;
}
//=== fail: a declared struct has no elements
// exploited
// or: one-past-deref
#include <stdio.h>
struct vec { int n; int d[]; };
int main(void) {
    struct vec v = { 1 };
    int guard = 2;
    for (int i = 0; i < v.n; i++)
        v.d[i] = 9; // UB
    printf("%d\n", guard);
    return 0;
}
//=== fail: count larger than the allocation
#include <stdio.h>
#include <stdlib.h>
struct row { unsigned n; short v[]; };
static int sum(const struct row *r) {
    int s = 0;
    for (unsigned i = 0; i < r->n; i += 3)
        s += r->v[i]; // UB
    return s;
}
int main(void) {
    struct row *r = calloc(1, sizeof *r + 4 * sizeof(short)), *other = calloc(1, 64);
    if (!r || !other)
        return 1;
    r->n = 40;
    printf("%d\n", sum(r));
    return 0;
}
//=== pass: as many elements as there is room
#include <stdlib.h>
struct vec { int n; int d[]; };
int main(void) {
    struct vec *v = malloc(sizeof *v + 3 * sizeof(int));
    if (!v)
        return 0;
    v->n = 3;
    int sum = 0;
    for (int i = 0; i < v->n; i++)
        v->d[i] = i;
    for (int *p = v->d, *end = v->d + v->n; p < end; p++)
        sum += *p;
    free(v);
    return sum != 3;
}
//=== pass: initialised elements of a static object
static struct vec { int n; int d[]; } v = { 2, { 5, 6 } };
int main(void) { return v.d[1] != 6 || sizeof v != 4; }
//=== pass: allocated by the offset
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct text { int length; char s[]; };
int main(void) {
    struct text *t = malloc(offsetof(struct text, s) + 4);
    if (!t)
        return 0;
    t->length = 3;
    strcpy(t->s, "abc");
    int r = t->s[2] != 'c' || strlen(t->s) != 3;
    free(t);
    return r;
}
