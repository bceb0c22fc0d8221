// what nobody defines is an error where it is used; the library's names are defined
// RUN: check --link %
// NEEDS: gcc
// STATUS: 1
#include <stdlib.h>
int printf(const char *, ...);
int open(const char *, int, ...);
extern char **environ;
int missing(int);
extern int lost, counted, weak __attribute__((weak));
int dead(void);
static int unused(void) { return dead(); }
int main(void)
{
    if (0)
        dead();
    while (0)
        dead();
    if (0) {
        dead();
    label:
        __builtin_alloca(4);
        alloca(4);
    }
    if (weak)
        goto label;
    printf("%d %d\n", open("x", 0), environ != 0 && abs(1) || weak);
    implied();
    return missing((int)sizeof counted) + (1 ? lost : dead()) + (0 && dead());
}
