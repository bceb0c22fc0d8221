//=== fail: memset of too much
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    char guard[8] = "guard";
    char buf[8];
    char after[8] = "after";
    memset(buf, 'x', 12); // UB
    printf("%.5s %.5s\n", guard, after);
    return 0;
}
//=== fail: strcpy into too little
// exploited
#include <stdio.h>
#include <string.h>
static char first[8] = "one", second[8] = "two";
int main(void) {
    strcpy(first, "longer than eight"); // UB
    printf("%.7s\n", second);
    return 0;
}
//=== fail: memcpy reads beyond its source
// exploited
#include <stdio.h>
#include <string.h>
static void load(char *to, const char *from, int n) {
    memcpy(to, from, n); // UB
}
int main(void) {
    char small[4] = "abc", large[16] = "";
    load(large, small, 12);
    printf("%d\n", large[8]);
    return 0;
}
//=== fail: strncpy fills with zeros
// exploited
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if (!p || !q)
        return 1;
    strcpy(q, "kept");
    strncpy(p, "ab", 40); // UB
    printf("%.4s\n", q);
    return 0;
}
//=== fail: sprintf longer than expected
// exploited
#include <stdio.h>
struct label { char text[4]; };
int main(void) {
    struct label a;
    int guard = 7;
    sprintf(a.text, "%d", 1234567); // UB
    printf("%d %.3s\n", guard, a.text);
    return 0;
}
//=== fail: strcat past the end
#include <stdio.h>
#include <string.h>
int main(void) {
    char path[8] = "/tmp", guard[8] = "guard";
    for (int i = 0; i < 2; i++)
        strcat(path, "/ab"); // UB
    printf("%.5s\n", guard);
    return 0;
}
//=== pass: exactly full
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[4], b[4], c[4];
    memset(a, 1, sizeof a);
    strcpy(b, "abc");
    int n = snprintf(c, sizeof c, "%d", 1234567);
    return a[3] != 1 || b[3] != 0 || n != 7 || strcmp(c, "123") != 0;
}
//=== pass: from the middle to the end
#include <string.h>
int main(void) {
    int a[6] = { 1, 2, 3, 4, 5, 6 }, b[3];
    memcpy(b, a + 3, sizeof b);
    memset(a + 4, 0, 2 * sizeof *a);
    return b[2] != 6 || a[5] != 0;
}
//=== pass: a whole struct with its members
#include <string.h>
struct s { char a[3]; int b; };
int main(void) {
    struct s x = { "ab", 5 }, y;
    memcpy(&y, &x, sizeof y);
    memset(&x, 0, sizeof x);
    return y.b != 5 || x.b != 0 || y.a[1] != 'b';
}
//=== pass: a whole struct from its first member
#include <string.h>
struct s { int a[2]; int b; };
struct point { int x, y; };
int main(void) {
    struct s v = { { 1, 2 }, 3 };
    struct point p = { 0, 0 };
    int from[2] = { 4, 5 };
    memset(v.a, 0, sizeof v);
    memcpy(&p.x, from, sizeof from);
    return v.b != 0 || p.y != 5 || memcmp(&p.x, from, sizeof p) != 0;
}
//=== pass: the rest of a struct from one of its members
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct state { int id; int count; double sum; char name[8]; };
static int by_value(const void *x, const void *y) {
    float d = *(const float *)x - *(const float *)y;
    return (d > 0) - (d < 0);
}
int main(void) {
    struct state a = { 1, 2, 3.0, "abc" }, *p = malloc(sizeof *p);
    struct { float x, y, z; } v = { 3, 1, 2 };
    if (!p)
        return 0;
    *p = a;
    memset(&a.count, 0, sizeof a - offsetof(struct state, count));
    memmove(&p->count, &a.count, sizeof a - offsetof(struct state, count));
    qsort(&v.x, 3, sizeof(float), by_value);
    int wrong = a.id != 1 || a.name[0] != 0 || p->id != 1 || p->sum != 0 || v.x != 1 || v.z != 3;
    free(p);
    return wrong;
}
//=== fail: more than the whole allocation from a member
// exploited
#include <stdio.h>
#include <string.h>
struct point { int x, y; };
int main(void) {
    int guard = 7;
    struct point p = { 1, 2 };
    int after = 8;
    memset(&p.y, 0, sizeof p); // UB
    printf("%d %d\n", guard, after);
    return 0;
}
