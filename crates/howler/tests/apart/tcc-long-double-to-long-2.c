/* tcc: the same, by a cast in an expression. */
int printf(const char *, ...);

static long odd(long double x) {
    return (long)x & 7;
}

int main(void) {
    unsigned char small[3] = {1, 2, 3};
    int all = 0;
    for (int i = 0; i < 3; i++)
        all = all * 10 + small[i];
    printf("%d\n", all);
    printf("%ld\n", odd(9007199254740995.0L));
    return 0;
}
