//=== fail: address of a member of nothing
#include <stdio.h>
struct s { int a, b; };
__attribute__((noinline)) static int check(struct s *p) {
    int *q = &p->b; // UB
    return q == 0 ? 1 : p == 0 ? 2 : 3;
}
int main(void) {
    printf("%d\n", check(0));
    return 0;
}
//=== fail: member read before the check
// exploited
// or: null-deref
#include <stdio.h>
struct sock { int fd; int flags; };
__attribute__((noinline)) static int poll(struct sock *s) {
    int flags = s->flags; // UB
    if (!s)
        return -1;
    return flags & 0;
}
int main(void) {
    printf("%d\n", poll(0));
    return 0;
}
//=== fail: array member of nothing
#include <stdio.h>
struct name { int length; char text[8]; };
static struct name *table[2];
int main(void) {
    char *s = table[1]->text; // UB
    printf("%d\n", s != 0);
    return 0;
}
//=== fail: last element of a list
// exploited
// or: null-deref
#include <stdio.h>
struct node { int v; struct node *next; };
int main(void) {
    struct node b = { 2, 0 }, a = { 1, &b };
    int n = 0;
    for (struct node *p = &a; n < 3; p = p->next) // UB
        n++;
    printf("%d\n", n);
    return 0;
}
//=== fail: store that nothing reads
// exploited
// or: null-deref
#include <stdio.h>
struct stat { long hits, misses; };
static void count(struct stat *s, int hit) {
    if (hit)
        s->hits = 1; // UB
}
int main(void) {
    count(0, 1);
    puts("counted");
    return 0;
}
//=== pass: offset of a member
#include <stddef.h>
struct s { int a; struct { char x, y; } b[2]; };
int main(void) {
    return offsetof(struct s, b[1].y) != 7 || (size_t)&((struct s *)0)->b != 4 || (size_t)(char *)&((struct s *)0)->b[1] != 6;
}
//=== pass: size of a member
struct s { int a; char b[7]; };
int main(void) {
    struct s *p = 0;
    return sizeof p->b != 7 || sizeof(((struct s *)0)->a) != 4;
}
//=== pass: checked before
struct node { int v; struct node *next; };
int main(void) {
    struct node b = { 2, 0 }, a = { 1, &b };
    int n = 0;
    for (struct node *p = &a; p; p = p->next)
        n += p->v;
    return n != 3;
}
