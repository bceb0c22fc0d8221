// another day, another output
// RUN: run --judge %
// NEEDS: gcc
// STATUS: 3
// STDERR-HAS: unsupported: '__DATE__' on line 8 of judge-date.c
int puts(const char *);
int main(void) {
    puts(__DATE__);
    return 0;
}
