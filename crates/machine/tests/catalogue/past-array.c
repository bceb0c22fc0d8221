//=== fail: the row after the last as a pointer
#include <stdio.h>
int main(void) {
    int a[3][4] = { { 0 } }, n = 0;
    int *end = a[3]; // UB
    for (int *p = a[2]; p != end; p++)
        n++;
    printf("%d\n", n);
    return 0;
}
//=== fail: star of one past
#include <stdio.h>
int main(void) {
    int a[3][4] = { { 0 } };
    int *p = *(a + 3); // UB
    printf("%d\n", (int)(p - a[2]));
    return 0;
}
//=== fail: its first element's address
#include <stdio.h>
static int m[2][5];
int main(void) {
    int *end = &m[2][0]; // UB
    printf("%d\n", (int)(end - m[1]));
    return 0;
}
//=== fail: alone in a statement
int main(void) {
    int a[3][4] = { { 0 } };
    a[3]; // UB
    return 0;
}
//=== pass: the address of the row
int main(void) {
    int a[3][4] = { { 0 } };
    int (*end)[4] = &a[3], (*p)[4], n = 0;
    for (p = a; p != end; p++)
        n += sizeof a[3] == 16;
    return n != 3 || &*(a + 3) != end;
}
//=== pass: the end of the last row
int main(void) {
    int a[3][4] = { { 0 } }, n = 0;
    for (int *p = a[2]; p != a[2] + 4; p++)
        n++;
    return n != 4 || &a[2][4] != a[2] + 4;
}
//=== pass: every row
int main(void) {
    int a[3][4] = { { 1 }, { 2 }, { 3 } }, s = 0;
    for (int i = 0; i < 3; i++) {
        int *row = a[i], (*p)[4] = a + i;
        s += *row + **p + (*p)[0] + *a[i];
    }
    return s != 24;
}
