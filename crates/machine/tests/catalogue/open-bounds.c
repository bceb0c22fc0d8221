//=== open: two calls in one declarator
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    int a[next()][next()];
    printf("%d\n", (int)sizeof a[0]);
    return 0;
}
//=== open: two calls that print
// differs
#include <stdio.h>
static int two(void) { return puts("two"), 2; }
static int three(void) { return puts("three"), 3; }
int main(void) { return sizeof(char[two()][three()]) != 6; }
//=== open: bounds of two parameters
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
static int width(int (*a)[next()], int (*b)[next()]) { return sizeof *a; }
int main(void) {
    printf("%d\n", width(0, 0));
    return 0;
}
//=== open: bounds of one parameter
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
static int width(int a[next()][next()]) { return sizeof *a; }
int main(void) {
    printf("%d\n", width(0));
    return 0;
}
//=== open: a bound that does not matter to sizeof
// differs
#include <stdio.h>
int main(void) {
    int n = 2;
    int size = sizeof(int (*)[n++]);
    printf("%d %d\n", size, n);
    return 0;
}
//=== open: a bound in an operand of sizeof
// differs
#include <stdio.h>
static int n = 2;
static int next(void) { return n++; }
int main(void) {
    void *p = 0;
    int size = sizeof((int (*)[next()])p);
    printf("%d %d\n", size, n);
    return 0;
}
//=== pass: calls that have nothing in common
static int rows = 2, cols = 3;
static int more_rows(void) { return rows++; }
static int more_cols(void) { return cols++; }
int main(void) {
    int a[more_rows()][more_cols()];
    return sizeof a != 24 || rows != 3 || cols != 4;
}
//=== pass: declarators are in order
int main(void) {
    int n = 1;
    char a[n++], b[n++], (*p)[n++] = 0;
    return sizeof a != 1 || sizeof b != 2 || sizeof *p != 3 || n != 4;
}
//=== pass: a typedef is evaluated where it is declared
int main(void) {
    int n = 2;
    typedef int row[n++];
    row a;
    n = 7;
    row b, c[2];
    typedef row twice[2];
    return sizeof a != 8 || sizeof b != 8 || sizeof(row) != 8 || sizeof c != 16 || sizeof(twice) != 16 || n != 7;
}
//=== pass: typeof is evaluated where it is written
int main(void) {
    int n = 2;
    __typeof__(int[n++]) a, b;
    n = 9;
    __typeof__(a) c;
    __typeof__(&a) d = &c;
    return sizeof a != 8 || sizeof b != 8 || sizeof c != 8 || sizeof *d != 8 || n != 9;
}
//=== pass: a typedef in a loop
int main(void) {
    int sum = 0;
    for (int i = 1; i < 4; i++) {
        typedef char block[i];
        block a, b;
        i += 0 * (sizeof a + sizeof b);
        sum += sizeof a + sizeof b + sizeof(block[i]);
    }
    return sum != 26;
}
//=== pass: casts evaluate their bounds
int main(void) {
    int a[12] = { 0 }, n = 2;
    void *p = a;
    int k = (int)(((int (*)[n++])p)[1] - a);
    (void)(int (*)[n++])p;
    int size = (int)sizeof(*(int (*)[n++])p);
    return k != 2 || size != 16 || n != 5;
}
//=== pass: types of other things
int main(void) {
    int n = 2;
    int (*(*f)(void))[n++] = 0;
    int (*table[2])[n++] = { 0, 0 };
    int (*prototype)(int (*)[n++]) = 0;
    int (**literal)[3] = (int (**)[3])(int (*[1])[n++]){ 0 };
    return f || table[0] || prototype || !literal || n != 5 || sizeof *table[0] != 12;
}
//=== pass: a pointer that is not set has a size
#include <stdlib.h>
int main(void) {
    int n = 3;
    int (*a)[n] = malloc(2 * sizeof *a);
    if (!a)
        return 0;
    a[1][2] = 4;
    int r = a[1][2] != 4 || sizeof a[0] != 12;
    free(a);
    return r;
}
