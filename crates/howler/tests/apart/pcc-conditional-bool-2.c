/* pcc: the same, from a struct and with the other order. */
int printf(const char *, ...);

struct state {
    _Bool ready;
    signed char depth;
} state = {1, -42};

int log2of(unsigned x) {
    int r = 0;
    while (x >>= 1)
        r++;
    return r;
}

int main(void) {
    int a = log2of(1000), b = 0;
    for (int i = 0; i < a; i++)
        b += i % 3;
    printf("%d\n", a < b ? 0 : b);
    printf("%d\n", (a > 100 ? state.ready : state.depth) + 1);
    return 0;
}
