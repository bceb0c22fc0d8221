//=== fail: always greater
#include <stdio.h>
#include <stdlib.h>
static int bad(const void *a, const void *b) { return 1; }
int main(void) {
    int v[4] = { 3, 1, 4, 1 };
    qsort(v, 4, sizeof *v, bad); // UB
    printf("%d\n", v[0]);
    return 0;
}
//=== fail: only less or not less
#include <stdio.h>
#include <stdlib.h>
static int greater(const void *a, const void *b) { return *(const int *)a <= *(const int *)b; }
int main(void) {
    int v[6] = { 2, 2, 1, 1, 3, 3 };
    qsort(v, 6, sizeof *v, greater); // UB
    printf("%d\n", v[0]);
    return 0;
}
//=== fail: changes its mind
#include <stdio.h>
#include <stdlib.h>
static int calls;
static int moody(const void *a, const void *b) {
    int d = *(const char *)a - *(const char *)b;
    return calls++ % 2 ? -d : d;
}
int main(void) {
    char s[] = "hgfedcba";
    qsort(s, 8, 1, moody); // UB
    puts(s);
    return 0;
}
//=== fail: a circle
#include <stdio.h>
#include <stdlib.h>
static int beats(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x == y ? 0 : (x - y + 3) % 3 == 1 ? 1 : -1;
}
int main(void) {
    int v[3] = { 0, 1, 2 };
    qsort(v, 3, sizeof *v, beats); // UB
    printf("%d\n", v[0]);
    return 0;
}
//=== fail: search in an array that is not in order
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int v[5] = { 5, 1, 4, 2, 3 }, key = 5;
    puts(bsearch(&key, v, 5, sizeof *v, compare) ? "found" : "none"); // UB
    return 0;
}
//=== pass: a total order
#include <stdlib.h>
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int v[5] = { 5, 1, 4, 2, 3 }, key = 4;
    qsort(v, 5, sizeof *v, compare);
    int *at = bsearch(&key, v, 5, sizeof *v, compare);
    return v[0] != 1 || v[4] != 5 || at != v + 3;
}
//=== pass: all equal
#include <stdlib.h>
static int same(const void *a, const void *b) { return 0; }
int main(void) {
    int v[4] = { 7, 7, 7, 7 };
    qsort(v, 4, sizeof *v, same);
    return v[0] != 7 || v[3] != 7;
}
//=== pass: downwards, any size of result
#include <stdlib.h>
static int down(const void *a, const void *b) { return 100 * (*(const char *)b - *(const char *)a); }
int main(void) {
    char s[] = "badc";
    qsort(s, 4, 1, down);
    return s[0] != 'd' || s[3] != 'a';
}
