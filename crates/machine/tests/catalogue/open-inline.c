//=== open: inline and external differ
// differs
#include <stdio.h>
inline int which(void) { return 1; }
int main(void) {
    printf("%d\n", which());
    return 0;
}
//=== file: b.c
int which(void) { return 2; }
//=== open: called in a loop and through a pointer
// differs
#include <stdio.h>
inline int step(int x) { return x + 1; }
int main(void) {
    int (*p)(int) = step, s = 0;
    for (int i = 0; i < 3; i++)
        s = step(s);
    printf("%d %d\n", s, p(0) > 0);
    return 0;
}
//=== file: b.c
int step(int x) { return x + 10; }
//=== open: one global, two ways to read it
// differs
#include <stdio.h>
int level = 1;
inline int get(void) { return level; }
void set(void);
int main(void) {
    set();
    printf("%d\n", get());
    return 0;
}
//=== file: b.c
extern int level;
int get(void) { return -level; }
void set(void) { level = 7; }
//=== open: end of main before C99
// differs
// std: gnu89
#include <stdio.h>
int main(void)
{
    printf("hello\n");
}
//=== open: end of main after a call, before C99
// differs
// std: gnu89
static int seven(void) { return 7; }
int x;
int main(void)
{
    x = seven();
}
//=== pass: static inline
static inline int f(void) { return 1; }
int main(void) { return f() != 1; }
//=== pass: inline and external are one definition
inline int f(int x) { return x + 1; }
extern int f(int x);
int main(void) { return f(1) != 2; }
//=== pass: each file calls its own
static inline int f(void) { return 1; }
int other(void);
int main(void) { return f() + other() != 3; }
//=== file: b.c
int f(void) { return 2; }
int other(void) { return f(); }
//=== pass: end of main since C99, return before it
int main(void) {
}
//=== pass: main returns before C99
// std: gnu89
int main()
{
    return 0;
}
//=== pass: an inline and an external definition that are the same
struct p { int x, y; };
enum { STEP = 2 };
extern int level;
inline int next(const struct p *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i += STEP)
        sum += p->x * i + level;
    return n > 3 ? next(p, n - 3) + sum : sum;
}
int main(void) {
    struct p p = { 3, 4 };
    int (*f)(const struct p *, int) = next;
    return next(&p, 5) != f(&p, 5);
}
//=== file: b.c
struct p { int x, y; };
enum { STEP = 2 };
int level = 1;
int next(const struct p *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i += STEP)
        sum += p->x * i + level;
    return n > 3 ? next(p, n - 3) + sum : sum;
}
//=== pass: one header, the external definition in another file
inline int half(int x) { return x / 2; }
int other(int);
int main(void) { return half(8) + other(6) != 7; }
//=== file: b.c
inline int half(int x) { return x / 2; }
extern int half(int x);
int other(int x) { return half(x); }
//=== open: the same text with another constant
// differs
#include <stdio.h>
enum { STEP = 1 };
inline int next(int x) { return x + STEP; }
int main(void) {
    printf("%d\n", next(1));
    return 0;
}
//=== file: b.c
enum { STEP = 2 };
int next(int x) { return x + STEP; }
//=== open: GNU's copy and another definition
#include <stdio.h>
extern inline __attribute__((gnu_inline)) int f(void) { return 1; }
int main(void) {
    printf("%d\n", f());
    return 0;
}
//=== file: b.c
int f(void) { return 2; }
//=== pass: GNU's copy and the same definition
// prints: 1
#include <stdio.h>
extern inline __attribute__((gnu_inline)) int f(void) { return 1; }
int main(void) {
    printf("%d\n", f());
    return 0;
}
//=== file: b.c
int f(void) { return 1; }
