/* tcc: 0.0 is greater than 1.0 when the right side is a sum with a long double. */
int printf(const char *, ...);

static int count(int n) {
    int c = 0;
    while (n) {
        c += n & 1;
        n >>= 1;
    }
    return c;
}

int main(void) {
    double low = 0.0;
    int offset = 0;
    int bits = count(1234);
    printf("%d\n", bits);
    if (low > 1.0L + offset)
        printf("greater\n");
    else
        printf("not greater\n");
    return 0;
}
