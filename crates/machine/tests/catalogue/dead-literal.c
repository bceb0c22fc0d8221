//=== fail: after its block
#include <stdio.h>
int main(void) {
    int *p = 0;
    {
        p = (int[]){ 1, 2, 3 };
    }
    int other[3] = { 7, 8, 9 };
    printf("%d %d\n", other[0], *p); // UB
    return 0;
}
//=== fail: default in one branch
// exploited
#include <stdio.h>
struct opts { int level; };
__attribute__((noinline)) static int use(const struct opts *o) {
    if (!o) {
        o = &(struct opts){ 3 };
    }
    struct opts mine = { 4 };
    return (mine.level += 0) * 0 + o->level; // UB
}
int main(void) {
    printf("%d\n", use(0));
    return 0;
}
//=== fail: returned
// exploited
#include <stdio.h>
struct point { int x, y; };
__attribute__((noinline)) static struct point *at(int x, int y) {
    return &(struct point){ x, y };
}
int main(void) {
    printf("%d\n", at(1, 2)->x); // UB
    return 0;
}
//=== fail: collected in a loop
// exploited
#include <stdio.h>
int main(void) {
    int *v[3], sum = 0;
    for (int i = 0; i < 3; i++)
        v[i] = &(int){ i + 1 };
    for (int i = 0; i < 3; i++)
        sum += *v[i]; // UB
    printf("%d\n", sum);
    return 0;
}
//=== pass: in the same block
int main(void) {
    int *p = (int[]){ 1, 2, 3 };
    p[1] += 5;
    return p[1] != 7;
}
//=== pass: at file scope
static int *table = (int[]){ 4, 5 };
static int *get(void) { return table; }
int main(void) {
    get()[1]++;
    return table[1] != 6;
}
//=== pass: alive through a call and to the end of the block
struct point { int x, y; };
static struct point *same(struct point *p) { return p; }
int main(void) {
    struct point *p = same(&(struct point){ 1, 2 });
    int *q = &p->y;
    return *q != 2;
}
//=== fail: made in the condition of an if
// exploited
#include <stdio.h>
__attribute__((noinline)) static int use(void) {
    int *p = 0;
    if ((p = &(int){ 7 }) != 0)
        *p += 1;
    int other[4] = { 9, 8, 7, 6 };
    return *p + other[1] * 0; // UB
}
int main(void) {
    printf("%d\n", use());
    return 0;
}
//=== fail: made in the head of a for
// differs
#include <stdio.h>
__attribute__((noinline)) static int use(void) {
    int *p = 0;
    for (p = (int[]){ 7, 8 }; *p < 8; p++)
        ;
    int other[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    return *p + other[3] * 0; // UB
}
int main(void) {
    printf("%d\n", use());
    return 0;
}
//=== fail: made in the value of a switch
// exploited
#include <stdio.h>
struct opts { int level; };
__attribute__((noinline)) static int use(int n) {
    struct opts *p = 0;
    switch ((p = &(struct opts){ n })->level) {
    case 1: p->level = 5; break;
    default: break;
    }
    struct opts mine = { 4 };
    return p->level + mine.level * 0; // UB
}
int main(void) {
    printf("%d\n", use(2));
    return 0;
}
//=== fail: made in the condition of a loop that is over
// exploited
#include <stdio.h>
int main(void) {
    int n = 0, *p = 0;
    while ((p = &(int){ n++ }), *p < 3)
        ;
    int other = 9;
    printf("%d %d\n", other, *p); // UB
    return 0;
}
//=== fail: made in the step of a for
// exploited
#include <stdio.h>
int main(void) {
    int *q = &(int){ 1 };
    for (int i = 0; i < 2; i++, q = &(int){ i })
        *q += 1;
    printf("%d\n", *q); // UB
    return 0;
}
//=== fail: made in the condition of a do
// exploited
#include <stdio.h>
int main(void) {
    int *r = 0, n = 0;
    do
        n++;
    while ((r = &(int){ n }, *r < 4));
    printf("%d\n", *r); // UB
    return 0;
}
//=== fail: made by the statement under a switch
// exploited
#include <stdio.h>
int main(void) {
    int *p = 0;
    switch (1)
    case 1:
        p = &(int){ 3 };
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: in an if inside a statement expression under return
// exploited
#include <stdio.h>
static int get(int n) {
    return ({
        int *p = &(int){ 1 };
        if (n > *(p = &(int){ 2 }))
            *p = 3;
        *p; // UB
    });
}
int main(void) {
    printf("%d\n", get(5));
    return 0;
}
//=== pass: used within the statement whose condition makes it
#include <stdio.h>
struct opts { int level; };
static int use(int n) {
    struct opts *p;
    int *q, sum = 0;
    if ((p = &(struct opts){ n })->level > 0)
        sum += p->level;
    else
        sum -= p->level;
    for (q = (int[]){ 1, 2, 3, 0 }; *q; q++)
        sum += *q;
    while ((q = &(int){ n-- }), *q > 0)
        sum += *q;
    switch (*(q = &(int){ 2 })) {
    case 2: sum += *q;
    }
    do
        q = &(int){ 3 }, sum += *q;
    while ((q = &(int){ 0 }, *q));
    return sum;
}
int main(void) {
    printf("%d\n", use(3));
    return 0;
}
// prints: 20
//=== pass: one object in all rounds of a loop
int main(void) {
    int *first = 0, n = 0;
    for (int *p; (p = &(int){ 0 }), n < 3; n++) {
        if (!first)
            first = p;
        if (first != p)
            return 1;
        *first += 1;
        if (*p != 1)
            return 2;
    }
    return 0;
}
//=== pass: a declaration's literal in the block around a loop
int main(void) {
    int *p = &(int){ 5 };
    for (int i = 0, *q = (int[]){ 1, 2 }; i < 2; i++)
        p[0] += q[i];
    while (*p > 8)
        return 1;
    return *p != 8;
}
//=== pass: selections were no blocks before C99
// std: gnu89
int main(void) {
    int *p = 0, n;
    if ((p = &(int){ 7 }) != 0)
        *p += 1;
    for (n = 0; n < 1; n++)
        p[0]++;
    return *p != 9;
}
