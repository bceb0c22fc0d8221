//=== fail: both arms write a bound
// exploited
#include <stdio.h>
volatile int which;
int main(void) {
    int a[12] = { 0 }, n = 3, m = 3;
    void *p = a;
    printf("%d\n", (int)sizeof(*(which ? (int (*)[n])p : (int (*)[m])p))); // UB
    return 0;
}
//=== fail: the arm that is not taken has the bound
// exploited
#include <stdio.h>
volatile int which;
int main(void) {
    int a[3] = { 1, 2, 3 }, n = 3;
    int (*q)[n] = &a;
    int (*r)[n] = which ? (int (*)[n + 0])a : q; // UB
    printf("%d %d\n", (*r)[0], (int)sizeof(*(which ? (int (*)[n + 0])a : q)));
    return 0;
}
//=== fail: chosen by what is null
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 }, n = 2, m = 2;
    int (*p)[n] = &a;
    int *q = *(p ?: (int (*)[m + 0])a); // UB
    printf("%d\n", q[1]);
    return 0;
}
//=== fail: different bounds
// exploited
#include <stdio.h>
volatile int which;
int main(void) {
    int a[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, n = 3, m = 4;
    void *p = a;
    printf("%d\n", (which ? (int (*)[n])p : (int (*)[m])p)[1][0]); // UB
    return 0;
}
//=== pass: bounds that were evaluated before
int main(int argc, char **argv) {
    int a[4] = { 1, 2, 3, 4 }, n = 2, m = 2;
    int (*p)[n] = (void *)a, (*q)[m] = (void *)(a + 2);
    (void)argv;
    return sizeof(*(argc > 9 ? p : q)) != 8 || (argc > 9 ? p : q)[0][1] != 4;
}
//=== pass: a constant bound decides
int main(int argc, char **argv) {
    int a[3] = { 1, 2, 3 }, n = 3;
    (void)argv;
    return sizeof(*(argc > 9 ? (int (*)[n])(void *)a : &a)) != 12;
}
//=== pass: a null pointer has no bounds
int main(int argc, char **argv) {
    int a[3] = { 1, 2, 3 }, n = 3;
    (void)argv;
    int (*p)[n] = argc > 9 ? 0 : (int (*)[n])(void *)a;
    int (*q)[n] = argc > 9 ? (void *)0 : p;
    return (*q)[2] != 3;
}
//=== pass: one type in both arms
int main(int argc, char **argv) {
    int n = 2;
    typedef int row[n];
    row a, b;
    n = 5;
    (void)argv;
    b[1] = a[1] = 7;
    return (argc > 9 ? &a : &b)[0][1] != 7 || sizeof *(argc > 9 ? &a : &b) != 8;
}
