/* tcc: the same, in an initialiser. */
int printf(const char *, ...);

struct bound {
    int number;
    long double least;
} bounds[2] = {{1, 0.5L}, {2, 0x1.fffffffffffffffp+0L}};

static int below(int at, long double limit) {
    return bounds[at].least < limit;
}

int main(void) {
    int seen = 0;
    for (int i = 1; i < 4; i++)
        seen ^= i << i;
    printf("%d %d\n", seen, bounds[0].number);
    printf("%d\n", below(1, 2.0L));
    return 0;
}
