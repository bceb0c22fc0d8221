//=== fail: a table of strings as one of constant strings
#include <stdio.h>
int main(void) {
    char *words[2] = { "a", "b" };
    const char **p = (const char **)words;
    printf("%s\n", p[1]); // UB
    return 0;
}
//=== fail: two pointers swapped as void pointers
#include <stdio.h>
static void swap(void **a, void **b) {
    void *t = *a; // UB
    *a = *b;
    *b = t;
}
int main(void) {
    int x = 1, y = 2, *p = &x, *q = &y;
    swap((void **)&p, (void **)&q);
    printf("%d\n", *p);
    return 0;
}
//=== fail: written through a pointer to a pointer to void
#include <stdio.h>
static int value = 3;
static int find(void **found) {
    *found = &value; // UB
    return 1;
}
int main(void) {
    int *p = 0;
    if (find((void **)&p))
        printf("%d\n", *p);
    return 0;
}
//=== fail: qualifiers further down
#include <stdio.h>
__attribute__((noinline)) static int both(char ***p, const char *const **q, char **a, char **b) {
    *p = a;
    *q = (const char *const *)b; // UB
    return *p == a;
}
int main(void) {
    char *c[2], **s;
    printf("%d\n", both(&s, (const char *const **)&s, c, c + 1));
    return 0;
}
//=== fail: allocated memory
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char **words = malloc(2 * sizeof *words);
    if (!words)
        return 1;
    words[0] = "a";
    printf("%s\n", *(const char **)words); // UB
    free(words);
    return 0;
}
//=== pass: the program goes on
// letter
#include <stdio.h>
// prints: b 2
static void swap(void **a, void **b) {
    void *t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    char *words[2] = { "a", "b" };
    const char **w = (const char **)words;
    int x = 1, y = 2, *p = &x, *q = &y;
    swap((void **)&p, (void **)&q);
    printf("%s %d\n", w[1], *p);
    return 0;
}
//=== pass: a pointer that is const itself
int main(void) {
    int x = 1, *p = &x;
    int *const *q = &p;
    int *volatile *r = (int *volatile *)&p;
    return **q != 1 || **r != 1;
}
//=== pass: copied into a pointer of the other type
#include <string.h>
int main(void) {
    char *words[2] = { "a", "b" };
    const char *constant[2] = { words[0], words[1] };
    void *any = words[1];
    return constant[1][0] != 'b' || *(char *)any != 'b';
}
//=== pass: bytes of a pointer
#include <string.h>
int main(void) {
    int x = 1, *p = &x;
    void *v;
    memcpy(&v, &p, sizeof v);
    return *(int *)v != 1;
}
