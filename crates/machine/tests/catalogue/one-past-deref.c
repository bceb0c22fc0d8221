//=== fail: one element too many
// exploited
#include <stdio.h>
int main(void) {
    int a[4] = { 1, 2, 3, 4 };
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i]; // UB
    printf("%d\n", sum == 10);
    return 0;
}
//=== fail: the end pointer read
// exploited
#include <stdio.h>
static int last(const int *begin, const int *end) {
    return begin == end ? 0 : *end; // UB
}
int main(void) {
    int a[3] = { 7, 8, 9 };
    printf("%d\n", last(a, a + 3));
    return 0;
}
//=== fail: neighbour reached from one past
// exploited
// thirty-one: 13
#include <stdio.h>
int first[1] = { 1 }, second = 2;
int main(void) {
    int *p = first + 1;
    *p = 11; // UB
    printf("%d\n", second);
    return 0;
}
//=== fail: neighbour, if it is one
// exploited
// or: unspecified
#include <stdint.h>
#include <stdio.h>
int first[1] = { 1 }, second[1] = { 2 };
int main(void) {
    int *p = first + 1, *q = second;
    if ((uintptr_t)p == (uintptr_t)q) {
        *p = 11; // UB
        printf("%d\n", second[0]);
    }
    return 0;
}
//=== fail: next member through the address of one
// thirty-one: 16
#include <stdio.h>
struct point { int x, y; };
__attribute__((noinline)) static int swap(struct point *s) {
    s->y = 1;
    (&s->x)[1] = 2; // UB
    return s->y;
}
int main(void) {
    struct point s = { 0, 0 };
    printf("%d\n", swap(&s));
    return 0;
}
//=== fail: a matrix walked as one line
#include <stdio.h>
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int sum = 0, *p = m[0];
    for (int i = 0; i < 6; i++)
        sum += p[i]; // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: a search that trusts its sentinel
// exploited
#include <stdio.h>
static int table[4] = { 3, 5, 7, 9 };
__attribute__((noinline)) static int exists(int v) {
    for (int i = 0; i <= 4; i++)
        if (table[i] == v) // UB
            return 1;
    return 0;
}
int main(void) {
    printf("%d\n", exists(4));
    return 0;
}
//=== fail: string without room for its end
// exploited
#include <stdio.h>
int main(void) {
    char s[3] = "abc";
    int n = 0;
    while (s[n]) // UB
        n++;
    printf("%d\n", n == 3);
    return 0;
}
//=== fail: one past a single object on the heap
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if (!p || !q)
        return 1;
    for (int i = 0; i < 8; i++)
        p[i] = q[i] = 1;
    char *end = p + 8;
    *end = 5; // UB
    printf("%d\n", q[0]);
    return 0;
}
//=== pass: the end is formed, compared and walked back from
int main(void) {
    int a[4] = { 1, 2, 3, 4 }, sum = 0;
    int *end = &a[4];
    for (int *p = end; p > a;)
        sum += *--p;
    return sum != 10 || end - a != 4;
}
//=== pass: address of one past, by the operators
int main(void) {
    int a[3] = { 0 }, x = 1;
    int *p = &*(a + 3), *q = &a[3], *r = &x + 1;
    return p != q || r - 1 != &x || r[-1] != 1;
}
//=== pass: a whole row as the last element
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int sum = 0;
    for (int (*row)[3] = m; row < m + 2; row++)
        for (int *p = *row; p < *row + 3; p++)
            sum += *p;
    return sum != 21;
}
//=== pass: one member as an array of one
struct point { int x, y; };
int main(void) {
    struct point s = { 1, 2 };
    int *p = &s.x;
    return p[0] != 1 || *(&s.y) != 2 || (&s.y)[0] != 2;
}
//=== fail: one past the last row in a larger array
#include <stdio.h>
int main(void) {
    int a[2][3][4] = { { { 0 } } };
    a[1][0][0] = 7;
    int i = 3;
    printf("%d\n", a[0][i][0]); // UB
    return 0;
}
//=== fail: one past the last row of a member
#include <stdio.h>
struct table { int rows[3][4], next[4]; };
int main(void) {
    struct table t = { { { 0 } }, { 7 } };
    int i = 3;
    printf("%d\n", t.rows[i][0]); // UB
    return 0;
}
//=== fail: a row too many written beside the next member
// exploited
#include <stdio.h>
struct table { int rows[3][4], next[4]; };
__attribute__((noinline)) static int set(struct table *t, int i) {
    t->next[0] = 1;
    t->rows[i][0] = 2; // UB
    return t->next[0];
}
int main(void) {
    struct table t = { { { 0 } }, { 7 } };
    printf("%d\n", set(&t, 3));
    return 0;
}
