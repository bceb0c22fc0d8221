//=== fail: twice in a row
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    free(p);
    free(p); // UB
    puts("twice");
    return 0;
}
//=== fail: two owners
// exploited
#include <stdio.h>
#include <stdlib.h>
struct text { char *s; };
static void drop(struct text *t) {
    free(t->s); // UB
    t->s = 0;
}
int main(void) {
    struct text a = { malloc(8) }, b = a;
    drop(&a);
    drop(&b);
    puts("dropped");
    return 0;
}
//=== fail: realloc of a freed block
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(40), *q;
    if (!p)
        return 1;
    free(p);
    q = realloc(p, 80); // UB
    puts(q ? "grown" : "no");
    return 0;
}
//=== fail: freed with another block in between
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *v[2];
    for (int i = 0; i < 2; i++)
        v[i] = malloc(32);
    for (int i = 0; i < 3; i++)
        free(v[i & 1]); // UB
    char *x = malloc(32), *y = malloc(32);
    puts(x == y ? "one" : "two");
    return 0;
}
//=== pass: null is freed as often as one likes
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    free(p);
    p = NULL;
    free(p);
    free(p);
    free(0);
    return 0;
}
//=== pass: a new block at the old address
#include <stdlib.h>
int main(void) {
    for (int i = 0; i < 4; i++) {
        char *p = malloc(24);
        free(p);
    }
    return 0;
}
//=== pass: realloc ends the old block, the new one is freed
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q = realloc(p, 4000);
    if (q)
        free(q);
    else
        free(p);
    return 0;
}
