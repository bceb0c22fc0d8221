/* pcc: a condition turned round is no longer the opposite for a NaN. */
int printf(const char *, ...);

static double zero = 0.0;

static int gcd(int a, int b) {
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void) {
    double nan = zero / zero;
    printf("%d\n", gcd(84, 36));
    if (!(nan < 1.0))
        printf("not less\n");
    else
        printf("less\n");
    return 0;
}
