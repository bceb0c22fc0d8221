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
