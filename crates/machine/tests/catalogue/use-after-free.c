//=== fail: read after free
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 42;
    free(p);
    printf("%d\n", *p == 42); // UB
    return 0;
}
//=== fail: address reused, written through the old pointer
// exploited
// thirty-one: 20
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(16);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    int *q = malloc(16);
    if (!q)
        return 1;
    *q = 2;
    *p = 3; // UB
    printf("%d\n", *q);
    return 0;
}
//=== fail: list freed while walked
#include <stdio.h>
#include <stdlib.h>
struct node { long v; struct node *next; };
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->v = i;
        n->next = list;
        list = n;
    }
    long sum = 0;
    for (struct node *n = list; n; n = n->next) { // UB
        sum += n->v;
        free(n);
    }
    printf("%ld\n", sum);
    return 0;
}
//=== fail: old block after realloc
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(16), *q;
    if (!p)
        return 1;
    *p = 1;
    q = realloc(p, 16);
    if (!q)
        return 1;
    *q = 2;
    *p = 3; // UB
    printf("%d\n", *q);
    return 0;
}
//=== fail: second owner
#include <stdio.h>
#include <stdlib.h>
struct text { char *s; };
static void drop(struct text *t) { free(t->s); }
int main(void) {
    struct text a = { calloc(8, 1) }, b;
    if (!a.s)
        return 1;
    b = a;
    drop(&a);
    *b.s = 'x'; // UB
    puts("written");
    return 0;
}
//=== pass: written before the free, another block after
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    int v = *p;
    free(p);
    p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 2;
    v += *p;
    free(p);
    return v != 3;
}
//=== pass: list freed with its successor kept
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
    struct node *list = 0, *next;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        *n = (struct node){ i, list };
        list = n;
    }
    for (; list; list = next) {
        next = list->next;
        sum += list->v;
        free(list);
    }
    return sum != 3;
}
//=== pass: the block realloc returned
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return 0;
    p[0] = 4;
    p[1] = 5;
    int *q = realloc(p, 100 * sizeof *q);
    if (!q)
        return 0;
    int sum = q[0] + q[1];
    free(q);
    return sum != 9;
}
