//=== fail: after its block
// exploited
// thirty-one: 21
#include <stdio.h>
volatile int n = 4;
int main(void) {
    int *p;
    {
        int a[n];
        a[0] = 5;
        p = a;
    }
    {
        int b[n];
        b[0] = 6;
        printf("%d ", b[0]);
    }
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: ended by a backward goto
// exploited
// thirty-one: 22
#include <stdio.h>
int main(void) {
    int n = 3, round = 0, *p = 0;
again:
    if (round == 1) {
        printf("%d\n", *p); // UB
        return 0;
    }
    int a[n];
    a[0] = 8;
    p = a;
    round++;
    n += 100;
    goto again;
}
//=== fail: array of the last round
// exploited
#include <stdio.h>
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 1; i < 4; i++) {
        int v[i];
        for (int k = 0; k < i; k++)
            v[k] = i;
        if (i > 1)
            sum += *last; // UB
        last = v;
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: row of a matrix after the function
// exploited
#include <stdio.h>
static int *row;
__attribute__((noinline)) static void fill(int n) {
    int m[n][n];
    for (int i = 0; i < n * n; i++)
        m[i / n][i % n] = i;
    row = m[1];
}
int main(void) {
    fill(3);
    printf("%d\n", *row); // UB
    return 0;
}
//=== pass: backward goto behind the declaration
int main(void) {
    int n = 3, round = 0;
    int a[n];
    int *p = a;
    a[0] = 0;
again:
    *p += 1;
    if (++round < 3)
        goto again;
    return a[0] != 3;
}
//=== pass: a new array in every round
int main(void) {
    int sum = 0;
    for (int i = 1; i <= 3; i++) {
        int a[i], *p = a;
        a[i - 1] = i;
        sum += p[i - 1];
    }
    return sum != 6;
}
//=== pass: passed down, returned before the end
static int sum(int n, const int a[n]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
int main(void) {
    int n = 4, a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return sum(n, a) != 6;
}
