//=== unsupported: ffs of another meaning
// differs
#include <stdio.h>
int ffs(int x) { return x * 7; }
int main(void) {
    printf("%d\n", ffs(8));
    return 0;
}
//=== unsupported: ffs, in strict C17
// std: c17
// differs
#include <stdio.h>
int ffs(int x) { return x * 7; }
int main(int argc, char **argv) {
    printf("%d\n", ffs(8 * argc));
    return 0;
}
//=== unsupported: stpcpy in a second file
char *stpcpy(char *, const char *);
int main(void) {
    char b[4] = "";
    stpcpy(b, "abc");
    return b[0] != 'X';
}
//=== file: b.c
char *stpcpy(char *to, const char *from) {
    to[0] = 'X';
    to[1] = 0;
    return to;
}
//=== unsupported: an unused call of index has an effect
// differs
#include <stdio.h>
static int n;
char *index(const char *s, int c) {
    n++;
    return (char *)s;
}
int main(void) {
    index("abc", 'b');
    printf("%d\n", n);
    return 0;
}
//=== unsupported: another name for a function
static int times7(int x) { return x * 7; }
int ffs(int x) __attribute__((alias("times7")));
int main(void) { return ffs(8) != 56; }
//=== pass: static functions with names that C17 does not reserve
static int ffs(int x) { return x * 7; }
static char *index(const char *s, int c) { return (char *)s + c; }
static int toascii(int c) { return c + 1; }
int main(void) { return ffs(8) != 56 || *index("abc", 2) != 'c' || toascii(65) != 66; }
//=== pass: similar names
int my_ffs(int x) { return x * 7; }
int ffs2(int x) { return x * 7; }
int __my_own(int x) { return x + 1; }
int main(void) { return my_ffs(8) != ffs2(8) || __my_own(1) != 2; }
//=== pass: an object with the name of a function that compilers do not call
int gamma = 3;
static int index = 2, ffs = 4;
int main(void) { return gamma + index + ffs != 9; }
//=== unsupported: static puts, which printf becomes
// differs
int printf(const char *, ...);
static int n;
__attribute__((noinline, used)) static int puts(const char *s) {
    n++;
    return 1;
}
int main(void) {
    printf("hello\n");
    printf("%d\n", n);
    return puts("x") - 1;
}
//=== unsupported: static memcpy, which copies structs
// differs
struct s { int a[500]; };
static struct s x, y;
__attribute__((noinline)) static int memcpy(int a) { return a + 1; }
__attribute__((noinline)) static void copy(struct s *p, const struct s *q) { *p = *q; }
int main(void) {
    y.a[3] = 7;
    copy(&x, &y);
    return x.a[3] != 7 || memcpy(3) != 4;
}
//=== unsupported: static floor, computed for a constant
// exploited
#include <stdio.h>
static double floor(double x) { return x + 1; }
int main(void) {
    printf("%g\n", floor(2.0));
    return 0;
}
//=== unsupported: a static object that is called
// differs
int printf(const char *, ...);
static int putchar = 5;
int main(int argc, char **argv) {
    putchar += argc;
    printf("%c", 'a');
    printf("\n");
    return putchar != 6;
}
//=== pass: in a block the name is the block's
#include <string.h>
struct s { int a[200]; };
static struct s x;
int main(void) {
    static int memcpy = 4, memset = 5;
    struct s y = x;
    return memcpy + memset + y.a[3] != 9;
}
//=== unsupported: static __divti3, which divides
// differs
#include <stdio.h>
__attribute__((noinline, used)) static __int128 __divti3(__int128 a, __int128 b) { return 42; }
int main(int argc, char **argv) {
    __int128 a = (__int128)1 << 100;
    printf("%d\n", (int)(a / (argc * 1000003) & 1023));
    return 0;
}
//=== unsupported: own __memcpy_chk
void *__memcpy_chk(void *to, const void *from, unsigned long size, unsigned long room) { return to; }
int main(void) { return __memcpy_chk(0, 0, 0, 0) != 0; }
