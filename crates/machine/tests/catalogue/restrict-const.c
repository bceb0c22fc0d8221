//=== fail: read, then modified through a cast of the same pointer
#include <stdio.h>
__attribute__((noinline)) static int f(const int *restrict p) {
    int a = *p;
    *(int *)p = 5; // UB
    return a + *p;
}
int main(void) {
    int x = 1;
    printf("%d\n", f(&x));
    return 0;
}
//=== fail: modified through a copy, then read
#include <stdio.h>
__attribute__((noinline)) static int f(const int *restrict p) {
    int *q = (int *)p;
    *q = 5; // UB
    return *p;
}
int main(void) {
    int x = 1;
    printf("%d\n", f(&x));
    return 0;
}
//=== fail: a text that is cut
#include <stdio.h>
static void cut(const char *restrict text, int at) {
    char *end = (char *)text + at;
    *end = 0; // UB
}
int main(void) {
    char text[] = "abcdef";
    cut(text, 3);
    puts(text);
    return 0;
}
//=== pass: only read
static int sum(const int *restrict p, const int *restrict q, int n) {
    int s = 0;
    while (n--)
        s += *p++ * *q++;
    return s;
}
int main(void) {
    int a[3] = { 1, 2, 3 };
    return sum(a, a, 3) != 14;
}
//=== pass: modified by the caller afterwards
static char *find(const char *restrict text, char c) {
    while (*text && *text != c)
        text++;
    return (char *)text;
}
int main(void) {
    char text[] = "abc";
    *find(text, 'b') = 'x';
    return text[1] != 'x';
}
//=== pass: a pointer to what is not const
static int f(int *restrict p) {
    const int *q = p;
    int a = *q;
    *p = 5;
    return a + *q;
}
int main(void) {
    int x = 1;
    return f(&x) != 6;
}
//=== pass: the program goes on
// letter
static int f(const int *restrict p) {
    int a = *p;
    *(int *)p = 5;
    return a + *p;
}
int main(void) {
    int x = 1;
    return f(&x) != 6;
}
