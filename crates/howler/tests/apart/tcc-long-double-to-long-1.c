/* tcc: a long double loses bits when it becomes a long. */
int printf(const char *, ...);

long double far = 14603698710941763.0L;

struct item {
    long id;
    int kind;
};

static struct item make(int kind) {
    struct item one = {0, kind};
    one.id = far;
    return one;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += i * i;
    struct item one = make(sum);
    printf("%ld %d\n", one.id, one.kind);
    return 0;
}
