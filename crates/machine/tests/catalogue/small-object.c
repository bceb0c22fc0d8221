//=== fail: half a struct allocated
#include <stdio.h>
#include <stdlib.h>
struct pair { int a, b; };
int main(void) {
    struct pair *p = malloc(sizeof(int));
    if (!p)
        return 1;
    p->a = 3; // UB
    printf("%d\n", p->a);
    free(p);
    return 0;
}
//=== fail: size of the pointer
#include <stdio.h>
#include <stdlib.h>
struct big { long v[4]; char name[40]; };
static struct big *make(void) {
    struct big *b = malloc(sizeof b);
    if (b)
        b->v[0] = 1; // UB
    return b;
}
int main(void) {
    struct big *b = make();
    printf("%d\n", b != 0);
    free(b);
    return 0;
}
//=== fail: a shorter header read as the longer one
#include <stdio.h>
#include <stdlib.h>
struct header { int kind; };
struct message { int kind; int length; char body[8]; };
static int kind(void *p) {
    return ((struct message *)p)->kind; // UB
}
int main(void) {
    int *h = malloc(sizeof(struct header));
    if (!h)
        return 1;
    *h = 5;
    printf("%d\n", kind(h));
    free(h);
    return 0;
}
//=== fail: last element of an array is cut
#include <stdio.h>
#include <stdlib.h>
struct rgb { short r, g, b; };
int main(void) {
    struct rgb *p = malloc(3 * sizeof *p - 2);
    if (!p)
        return 1;
    for (int i = 0; i < 3; i++)
        p[i].r = i; // UB
    printf("%d\n", p[1].r);
    free(p);
    return 0;
}
//=== pass: exactly as large
#include <stdlib.h>
struct pair { int a, b; };
int main(void) {
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->a = 1;
    p->b = 2;
    int sum = p->a + p->b;
    free(p);
    return sum != 3;
}
//=== pass: a flexible member without elements
#include <stdlib.h>
struct vec { int n; int d[]; };
int main(void) {
    struct vec *v = malloc(sizeof *v);
    if (!v)
        return 0;
    v->n = 0;
    int n = v->n;
    free(v);
    return n;
}
//=== pass: a small allocation used by its scalar
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    if (!p)
        return 0;
    *p = 4;
    int v = *p;
    free(p);
    return v != 4;
}
//=== fail: an int as a larger struct
// exploited
#include <stdio.h>
struct pair { int a, b; };
static int x;
__attribute__((noinline)) static int both(struct pair *p) {
    x = 1;
    p->a = 2; // UB
    return x;
}
int main(void) {
    printf("%d\n", both((struct pair *)&x));
    return 0;
}
