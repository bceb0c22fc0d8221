// RUN: run --judge % -- first second
// NEEDS: gcc
// STDIN: 3 4\nrest of it
// STDOUT-HAS: 7 rest first second 3
// STDERR-HAS: defined: exit status 0
#include <stdio.h>
int main(int argc, char **argv) {
    int a, b;
    char word[8];
    if (argc == 3 && scanf("%d %d %7s", &a, &b, word) == 3)
        printf("%d %s %s %s %d\n", a + b, word, argv[1], argv[2], argc);
    return 0;
}
