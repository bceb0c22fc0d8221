/* pcc: the same, of values of a function. */
int printf(const char *, ...);

double weights[3] = {0.0, 1.5, 2.5};

static double ratio(double a, double b) {
    return a / b;
}

int main(void) {
    unsigned hash = 5381;
    for (int i = 0; i < 6; i++)
        hash = hash * 33 ^ (unsigned)i;
    printf("%u\n", hash);
    int below = !(ratio(weights[0], weights[0]) > weights[1]);
    printf("%d\n", below);
    return 0;
}
