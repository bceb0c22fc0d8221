//=== open: value of strcmp
// differs
#include <stdio.h>
#include <string.h>
volatile char c = 'f';
int main(void) {
    char a[2] = { c, 0 };
    printf("%d\n", strcmp("abc", "abf") + strcmp("a", a));
    return 0;
}
//=== open: value of memcmp
// differs
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned char a[2] = { 1, 200 }, b[2] = { 1, 3 };
    printf("%d\n", memcmp(a, b, 2));
    return 0;
}
//=== open: value of a character test
#include <ctype.h>
#include <stdio.h>
int main(void) {
    printf("%d %d\n", isdigit('5'), isalpha('a'));
    return 0;
}
//=== open: value of the sign
// differs
#include <stdio.h>
int main(void) {
    volatile double d = -1.0;
    float f = -2.0f;
    printf("%d %d\n", __builtin_signbit(d), __builtin_signbitf(f));
    return 0;
}
//=== open: order of equal elements
#include <stdio.h>
#include <stdlib.h>
struct item { int key, id; };
static int by_key(const void *a, const void *b) {
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
int main(void) {
    struct item v[4] = { { 1, 1 }, { 0, 2 }, { 1, 3 }, { 0, 4 } };
    qsort(v, 4, sizeof *v, by_key);
    printf("%d%d%d%d\n", v[0].id, v[1].id, v[2].id, v[3].id);
    return 0;
}
//=== open: one literal or two
// differs
#include <stdio.h>
static const char *first(void) { return "text"; }
static const char *second(void) { return "text"; }
int main(void) {
    printf("%d\n", first() == second());
    return 0;
}
//=== open: the tail of another literal
// differs
#include <stdio.h>
int main(void) {
    const char *a = "some text", *b = "text";
    printf("%d\n", a + 5 == b);
    return 0;
}
//=== open: did realloc move
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(16);
    uintptr_t old = (uintptr_t)p;
    char *q = realloc(p, 4000);
    printf("%d\n", (uintptr_t)q == old);
    return 0;
}
//=== open: nothing allocated
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    void *p = malloc(0);
    printf("%d\n", p == NULL);
    free(p);
    return 0;
}
//=== open: one constant compound literal or two
#include <stdio.h>
int main(void) {
    const int *a = (const int[]){ 1, 2 }, *b = (const int[]){ 1, 2 };
    printf("%d\n", a == b);
    return 0;
}
//=== pass: only the sign
#include <string.h>
int main(void) {
    return strcmp("a", "b") >= 0 || strcmp("b", "a") <= 0 || strcmp("x", "x") != 0 || memcmp("\1\310", "\1\3", 2) <= 0
        || strncmp("abc", "abd", 2) != 0;
}
//=== pass: only the truth
#include <ctype.h>
int main(void) { return !isdigit('5') || isalpha('5') || !(isspace(' ') && isupper('A')) || !__builtin_signbit(-1.0); }
//=== pass: equal elements that cannot be told apart
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
    char s[6] = { 'b', 'a', 'b', 'a', 'c', 0 };
    qsort(s, 5, 1, compare);
    return s[0] != 'a' || s[1] != 'a' || s[2] != 'b' || s[4] != 'c';
}
//=== pass: moved or not, empty or not
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    if (!p)
        return 0;
    p[3] = 7;
    p = realloc(p, 1000);
    if (!p)
        return 0;
    int r = p[3] != 7;
    free(p);
    free(malloc(0));
    return r;
}
//=== pass: text of literals, not their place
#include <string.h>
int main(void) {
    const char *a = "text", *b = "text", *c = "other";
    return strcmp(a, b) != 0 || a == c || a != a;
}
//=== pass: the sign of a comparison in all forms
// prints: -1 1 1 1 1 1 1 1
#include <stdio.h>
#include <string.h>
struct pair { int first; long second; };
static int descending(const char *a, const char *b) { return -strcmp(a, b); }
static int times(const char *a, const char *b, int way) { return way * strcmp(a, b); }
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    struct pair p = { strcmp("a", "b"), 0 };
    p.second = p.first;
    int other = 0, *q = &other;
    switch (strcmp("b", "a")) {
    case 0: return 1;
    default: *q = memcmp("b", "a", 1);
    }
    printf("%d %d %d %d", sign(p.first), sign(0 - strcmp("a", "b")), p.second <= -1, descending("a", "b") >= 1);
    printf(" %d %d %d %d\n", times("a", "b", -1) > 0, !!strcmp("a", "b"), other > 0 ? 1 : 0, (unsigned)p.first >> 31);
    return strcmp("a", "b") < 0 ? 0 : 1;
}
//=== open: a case for one of its values
#include <string.h>
int main(void) {
    switch (strcmp("b", "a")) {
    case 1: return 1;
    default: return 0;
    }
}
//=== pass: two character tests at once
// prints: 1 0 1
#include <ctype.h>
#include <stdio.h>
int main(void) {
    int seen = 0;
    seen |= isalpha('a');
    printf("%d %d %d\n", (isalpha('a') | isdigit('a')) != 0, (isalpha('1') | isspace('1')) != 0, !!seen);
    return 0;
}
//=== pass: equal structs with pointers are equal
// prints: 0 1 1
#include <stdio.h>
#include <string.h>
struct node { const char *name; int *value; struct node *next; };
static int a, b;
int main(void) {
    static const char name[] = "n";
    struct node x, y, z, tail = { name, &b, 0 };
    memset(&x, 0, sizeof x);
    x.name = name;
    x.value = &a;
    x.next = &tail;
    y = x;
    z = x;
    z.value = &b;
    printf("%d %d %d\n", memcmp(&x, &y, sizeof x), memcmp(&x, &z, sizeof x) != 0, !!memcmp(&x, &tail, sizeof x));
    return 0;
}
//=== open: which pointer has the greater bytes
// differs
#include <string.h>
static int a, b;
int main(void) {
    int *x[1] = { &a }, *y[1] = { &b };
    return memcmp(x, y, sizeof x) > 0;
}
//=== pass: wide strings
// prints: abcdef 6 1 1
// prints: def|cd|12
// prints: A 1 2
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
    wchar_t text[16], *rest, copy[4];
    wcscpy(text, L"abc");
    wcsncat(text, L"defg", 3);
    printf("%ls %zu %d %d\n", text, wcslen(text), wcscmp(text, L"abd") < 0, wmemcmp(text, L"abc", 3) == 0);
    wmemcpy(copy, text + 2, 2);
    copy[2] = L'\0';
    printf("%ls|%ls|%ld\n", wcschr(text, L'd'), copy, wcstol(L"12!", &rest, 10));
    char bytes[8];
    size_t made = wcstombs(bytes, L"xy", sizeof bytes);
    printf("%lc %d %d\n", (wint_t)towupper(L'a'), iswdigit(L'7') != 0, (int)made);
    return *rest != L'!';
}
