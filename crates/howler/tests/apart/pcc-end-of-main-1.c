/* pcc: a main that ends without a return does not end with status 0. */
int printf(const char *, ...);

static int digits(int n) {
    int d = 0;
    do
        d++;
    while (n /= 10);
    return d;
}

int main(void) {
    int all = 0;
    for (int i = 1; i < 2000; i *= 7)
        all += digits(i);
    printf("%d\n", all);
}
