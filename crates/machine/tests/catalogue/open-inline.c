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
