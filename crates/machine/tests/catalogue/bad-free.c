//=== fail: a local
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int x = 1;
    free(&x); // UB
    puts("freed");
    return 0;
}
//=== fail: inside a block
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    if (!p)
        return 1;
    for (int i = 0; i < 3; i++)
        *p++ = 'a';
    free(p); // UB
    puts("freed");
    return 0;
}
//=== fail: a string literal
#include <stdio.h>
#include <stdlib.h>
struct entry { const char *name; };
static void drop(struct entry *e) {
    free((void *)e->name); // UB
}
int main(void) {
    struct entry e = { "default" };
    drop(&e);
    puts("freed");
    return 0;
}
//=== fail: realloc of a global array
#include <stdio.h>
#include <stdlib.h>
static int start[4];
static int *data = start;
int main(void) {
    int *p = realloc(data, 64); // UB
    puts(p ? "grown" : "no");
    return 0;
}
//=== fail: memory of alloca
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = __builtin_alloca(16);
    p[0] = 1;
    free(p); // UB
    puts("freed");
    return 0;
}
//=== pass: null, and the start found again
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    if (!p)
        return 0;
    p += 5;
    free(p - 5);
    free(NULL);
    return 0;
}
//=== pass: through another type
#include <stdlib.h>
struct s { int a[3]; };
int main(void) {
    struct s *p = calloc(1, sizeof *p);
    if (!p)
        return 0;
    int *first = p->a;
    free(first);
    return 0;
}
//=== pass: from every allocation function
#include <stdlib.h>
int main(void) {
    free(malloc(1));
    free(calloc(2, 3));
    free(realloc(NULL, 5));
    free(aligned_alloc(16, 32));
    return 0;
}
