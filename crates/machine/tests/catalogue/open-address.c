//=== open: an address printed
// differs
#include <stdio.h>
static int x;
int main(void) {
    printf("%p\n", (void *)&x);
    return 0;
}
//=== open: order of two addresses as integers
// differs
#include <stdint.h>
#include <stdio.h>
int x, y;
int main(void) {
    puts((uintptr_t)&x < (uintptr_t)&y ? "up" : "down");
    return 0;
}
//=== open: one past equal to a neighbour
// differs
#include <stdio.h>
int a[1], b[1];
int main(void) {
    printf("%d %d\n", a + 1 == b, b + 1 == a);
    return 0;
}
//=== open: hash of an address
// differs
#include <stdint.h>
#include <stdio.h>
static int table[8];
static char c[3];
int main(void) {
    for (int i = 0; i < 3; i++)
        table[((uintptr_t)&c[i] >> 4) % 8]++;
    for (int i = 0; i < 8; i++)
        printf("%d", table[i]);
    printf("\n");
    return 0;
}
//=== open: distance of two locals
// differs
#include <stdint.h>
#include <stdio.h>
int main(void) {
    int x = 1, y = 2;
    long d = (long)((uintptr_t)&x - (uintptr_t)&y);
    printf("%ld\n", d);
    return 0;
}
//=== open: alignment beyond what is promised
// differs
#include <stdint.h>
#include <stdio.h>
static char a, buf[5], b;
int main(void) {
    printf("%d\n", (int)((uintptr_t)buf & 7) + a + b);
    return 0;
}
//=== pass: there and back
#include <stdint.h>
int main(void) {
    int x = 4;
    uintptr_t n = (uintptr_t)&x;
    return *(int *)n != 4 || (int *)n != &x;
}
//=== pass: low bits of an aligned object
#include <stdint.h>
static int x;
static _Alignas(32) char buf[32];
int main(void) { return ((uintptr_t)&x & 3) != 0 || ((uintptr_t)buf & 31) != 0; }
//=== pass: distance inside one object
#include <stdint.h>
int main(void) {
    int a[4];
    return (uintptr_t)&a[3] - (uintptr_t)&a[0] != 12;
}
//=== pass: equal and different by their objects
#include <stdint.h>
int x, y;
int main(void) {
    int *p = &x, *q = &y;
    return p == q || p != &x || (uintptr_t)p != (uintptr_t)&x || !p;
}
//=== pass: a flag kept in the low bit
#include <stdint.h>
int main(void) {
    int x = 5;
    uintptr_t tagged = (uintptr_t)&x | 1;
    int flag = tagged & 1;
    int *p = (int *)(tagged & ~(uintptr_t)1);
    return !flag || *p != 5;
}
//=== pass: narrowed and not used
int main(void) {
    int x = 4, *p = &x;
    short s = (short)(long)p;
    char c = (char)(long)&x;
    (void)s;
    (void)c;
    return *p != 4;
}
//=== open: differences of labels' addresses
// differs
#include <stdio.h>
int main(void) {
    static const int table[] = { &&a - &&a, &&b - &&a };
    printf("%d\n", table[1]);
    goto *(&&a + table[1]);
a:
    return 1;
b:
    return 0;
}
//=== open: whether a character array happens to be aligned
// exploited
#include <stdint.h>
#include <stdio.h>
static int aligned(char *p) { return ((uintptr_t)p & 3) == 0; }
int main(void) {
    char a[3] = "ab", b[5] = "cd", c[7] = "ef";
    printf("%d %d %d\n", aligned(a), aligned(b), aligned(c));
    return 0;
}
//=== open: a word at a time where it is aligned
#include <stdint.h>
#include <stdio.h>
static int words(const char *p, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        if (((uintptr_t)(p + i) & 7) == 0) {
            const long *word = (const long *)(p + i);
            count += word != 0;
        }
    return count;
}
int main(void) {
    char text[20] = "";
    printf("%d\n", words(text, 20));
    return 0;
}
//=== open: how much rounding takes
// differs
#include <stdint.h>
#include <stdio.h>
static char a[3], pool[15];
int main(void) {
    char *p = (char *)(((uintptr_t)(pool + 1) + 3) & ~(uintptr_t)3);
    printf("%d\n", (int)(p - pool) + a[0]);
    return 0;
}
//=== pass: offsets of labels in a table
static int run(const char *code) {
    static const int jump[] = { &&stop - &&stop, &&add - &&stop, &&twice - &&stop };
    int r = 0;
    goto *(&&stop + jump[*code++ - '0']);
add:
    r++;
    goto *(&&stop + jump[*code++ - '0']);
twice:
    r *= 2;
    goto *(&&stop + jump[*code++ - '0']);
stop:
    return r;
}
int main(void) { return run("11210") != 5; }
//=== pass: an offset of a label in a long
int main(void) {
    long d = (char *)&&b - (char *)&&a;
    void *p = &&a;
    goto *((char *)p + d);
a:
    return 1;
b:
    return 0;
}
//=== open: the distance of two labels is printed
// differs
#include <stdio.h>
int main(void) {
    void *volatile v = &&b;
    int d = v - &&a;
    printf("%d\n", d);
    goto *v;
a:
    puts("a");
b:
    return 0;
}
//=== open: an address taken away twice
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    uintptr_t p = (uintptr_t)malloc(8);
    printf("%d\n", (int)(((0 - p) - p) >> 12 & 1));
    return 0;
}
//=== open: negative address compared with the address
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    uintptr_t p = (uintptr_t)malloc(8);
    printf("%d\n", -p < p + 5);
    return 0;
}
//=== pass: what is missing to the next multiple
// prints: 5 4 5 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *start = malloc(100);
    uintptr_t p = (uintptr_t)(start + 3);
    printf("%d %d %d %d\n", (int)(-p & 7), (int)(~p & 7), (int)((0 - p) % 8), (int)(p + -p));
    char *q = start + 3 + (-p & 7);
    *(long *)q = 1;
    free(start);
    return 0;
}
//=== pass: tags by exclusive or
// prints: 7
#include <stdint.h>
#include <stdio.h>
int main(void) {
    static int x = 7;
    uintptr_t u = (uintptr_t)&x ^ 2;
    printf("%d\n", *(int *)(u ^ 2));
    return 0;
}
//=== open: labels at one place
// differs
#include <stdio.h>
int main(void) {
    void *p = &&a, *q = &&b;
    printf("%d\n", p == q);
    goto *p;
a:
b:
    return 0;
}
//=== open: a table of labels searched
// differs
#include <stdio.h>
int main(void) {
    void *t[] = { &&a, &&b, &&c }, *want = &&c;
    int i = 0;
    while (t[i] != want)
        i++;
    printf("%d\n", i);
    goto *want;
a:
b:
c:
    return 0;
}
//=== open: labels as integers
// differs
#include <stdint.h>
#include <stdio.h>
int main(void) {
    uintptr_t p = (uintptr_t)&&a, q = (uintptr_t)&&b;
    printf("%d\n", p == q);
a:
b:
    return 0;
}
//=== pass: a label compared with itself and with null
#include <stdint.h>
int main(void) {
    void *p = &&a, *q = p;
    uintptr_t n = (uintptr_t)&&b;
    if (p != q || !p || p == 0 || !n)
        return 1;
    goto *p;
a:
b:
    return n != (uintptr_t)&&b;
}
//=== pass: whether two labels are one is not used
int main(void) {
    void *t[] = { &&a, &&b };
    int same = t[0] == t[1];
    (void)same;
    goto *t[1];
a:
    return 1;
b:
    return 0;
}
