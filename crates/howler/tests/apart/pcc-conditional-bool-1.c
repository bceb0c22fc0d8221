/* pcc: a conditional of char and _Bool has type _Bool. */
int printf(const char *, ...);

static int fact(int n) {
    return n < 2 ? 1 : n * fact(n - 1);
}

int main(void) {
    _Bool flag = 0;
    char level = -5;
    int chosen = fact(5) > 100 ? level : flag;
    printf("%d %d\n", fact(6), chosen);
    return 0;
}
