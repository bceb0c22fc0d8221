//=== fail: freed pointer compared
// exploited
// thirty-one: 19
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(16);
    free(p);
    int *q = malloc(16);
    printf("%d\n", p == q); // UB
    return 0;
}
//=== fail: did realloc move
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(16);
    if (!p)
        return 1;
    int *q = realloc(p, 16);
    if (!q)
        return 1;
    puts(p == q ? "stayed" : "moved"); // UB
    return 0;
}
//=== fail: freed pointer copied
#include <stdio.h>
#include <stdlib.h>
struct slot { char *p; } slots[2];
int main(void) {
    slots[0].p = malloc(4);
    free(slots[0].p);
    slots[1].p = slots[0].p; // UB
    puts("copied");
    return 0;
}
//=== fail: address of a local that is gone, compared
#include <stdio.h>
static int *kept;
__attribute__((noinline)) static int visit(void) {
    int x = 1;
    int same = kept == &x; // UB
    kept = &x;
    return same;
}
int main(void) {
    visit();
    printf("%d\n", visit());
    return 0;
}
//=== fail: tested for null after its block
#include <stdio.h>
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int local = i;
        if (i == 0)
            p = &local;
    }
    puts(p ? "set" : "null"); // UB
    return 0;
}
//=== fail: returned address of a local tested
// exploited
#include <stdio.h>
__attribute__((noinline)) static char *make(void) {
    char buf[8] = "text";
    char *p = buf;
    return p;
}
int main(void) {
    if (make()) // UB
        puts("something");
    else
        puts("nothing");
    return 0;
}
//=== pass: overwritten after the free
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    p = 0;
    return p != 0 || sizeof p == 0;
}
//=== pass: compared before the free
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    int same = p == q && p;
    free(p);
    free(q);
    return same;
}
//=== pass: a struct with a dead pointer copied as a whole
#include <stdlib.h>
struct owner { int *p; int n; };
int main(void) {
    struct owner a = { malloc(4), 5 }, b;
    free(a.p);
    b = a;
    return b.n != 5;
}
//=== pass: a dead pointer goes out of scope
int main(void) {
    int *outer = 0;
    {
        int x = 1;
        int *p = &x;
        outer = p;
        if (*outer != 1)
            return 1;
    }
    outer = 0;
    return outer != 0;
}
//=== fail: memory of alloca that ended with an array of variable length
// differs
#include <stdio.h>
int main(void) {
    volatile int n = 16;
    char *p = 0;
    {
        char v[n];
        v[0] = 1;
        p = __builtin_alloca(100);
        p[5] = 'x';
    }
    printf("%c\n", p[5]); // UB
    return 0;
}
