/* tcc: a hexadecimal constant of type long double has the precision of double. */
int printf(const char *, ...);

static int digits(int n) {
    int d = 0;
    do
        d++;
    while (n /= 10);
    return d;
}

int main(void) {
    long double wide = 0x1.00000000000001p0L;
    printf("%d\n", digits(98765));
    if (wide == 1.0L)
        printf("rounded\n");
    else
        printf("kept\n");
    return 0;
}
