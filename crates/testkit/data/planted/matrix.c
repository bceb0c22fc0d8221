/* Has an array of two dimensions. */
#include <stdio.h>

int x[4][4];

int main(void)
{
    for (int i = 0; i != 4; i++)
        x[i][i] = i;
    printf("%d\n", x[3][3]);
    return 0;
}
