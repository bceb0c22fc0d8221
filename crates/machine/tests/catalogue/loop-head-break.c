//=== unsupported: break in the condition of a loop
// differs
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 3; i++) {
        int j;
        for (j = 0; ({ if (j == 2) break; j < 5; }); j++)
            ;
        printf("%d %d\n", i, j);
    }
    return 0;
}
//=== unsupported: continue in the condition of do
// differs
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 3; i++) {
        int j = 0;
        do
            j++;
        while (({ if (j == 2) continue; j < 4; }));
        printf("%d %d\n", i, j);
    }
    return 0;
}
//=== unsupported: break in the step of for
// differs
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 3; i++) {
        int j;
        for (j = 0; j < 5; ({ if (j == 2) break; j++; }))
            ;
        printf("%d %d\n", i, j);
    }
    return 0;
}
//=== unsupported: break in the condition of while, in a switch
// differs
#include <stdio.h>
int main(void) {
    int i = 0;
    switch (i) {
    case 0:
        while (({ if (i == 2) break; 1; }))
            i++;
        puts("after the loop");
    }
    return 0;
}
//=== pass: break in a loop of its own in a condition
int main(void) {
    int n = 0, m = 0;
    while (({
        for (int k = 0; k < 9; k++) {
            if (k == 3)
                break;
            if (k == 1)
                continue;
            m++;
        }
        n < 4;
    }))
        n++;
    return n != 4 || m != 10;
}
//=== pass: break in the body of a loop, in a statement expression
int main(void) {
    int n = 0, k = 0;
    for (int i = 0; i < 9; i++) {
        n += ({
            if (i == 1)
                continue;
            if (i == 4)
                break;
            i;
        });
        for (({ if (i == 2) continue; k++; }); k < 2; k++)
            ;
    }
    do
        if (({ if (n) break; 1; }))
            n = 100;
    while (({ switch (n) { case 0: break; } n < 3; }));
    return n != 5 || k != 3;
}
//=== pass: break in a condition to clang
// clang
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++) {
        int j;
        for (j = 0; ({ if (j == 2) break; j < 5; }); j++)
            ;
        n += j;
    }
    return n != 6;
}
