//=== fail: abs
// exploited
#include <stdio.h>
int abs(int x) { // UB
    return x + 100;
}
int main(void) {
    printf("%d\n", abs(-3));
    return 0;
}
//=== fail: memset
// exploited
#include <stdio.h>
static int calls;
void *memset(void *p, int c, unsigned long n) { // UB
    char *s = p;
    calls++;
    for (unsigned long i = 0; i < n; i++)
        s[i] = (char)c;
    return p;
}
int main(void) {
    char buf[4];
    memset(buf, 1, sizeof buf);
    printf("%d\n", calls);
    return 0;
}
//=== fail: strlen
// differs
#include <stdio.h>
unsigned long strlen(const char *s) { // UB
    return 42;
}
int main(void) {
    printf("%lu\n", strlen("abc"));
    return 0;
}
//=== fail: toupper in a second file
#include <stdio.h>
int toupper(int);
int main(void) {
    putchar(toupper('a'));
    putchar('\n');
    return 0;
}
//=== file: b.c
int toupper(int c) { // UB
    return c == 'a' ? 'Z' : c;
}
//=== fail: labs with other meaning
// exploited
#include <stdio.h>
long labs(long x) { // UB
    return -x;
}
int main(void) {
    printf("%ld\n", labs(5));
    return 0;
}
//=== pass: not external
static int abs(int x) { return x + 100; }
static int isdigit(int c) { return c + 1; }
static int rand(void) { return 4; }
int main(void) { return abs(-3) != 97 || isdigit('a') != 'b' || rand() != 4; }
//=== pass: members, labels and locals
struct ops { int malloc, free; };
int main(void) {
    struct ops o = { 1, 2 };
    int exit = 3, strlen = 4;
    goto printf;
printf:
    return o.malloc + o.free + exit + strlen != 10;
}
//=== pass: similar names
#include <string.h>
int my_abs(int x) { return x < 0 ? -x : x; }
unsigned mystrlen(const char *s) { return s[0] ? 1 + mystrlen(s + 1) : 0; }
int main(void) { return my_abs(-3) != 3 || mystrlen("abc") != strlen("abc"); }
//=== fail: an object
int time = 4; // UB
int main(void) { return time != 4; }
//=== pass: a static object
static int time = 4;
int main(void) { return time != 4; }
