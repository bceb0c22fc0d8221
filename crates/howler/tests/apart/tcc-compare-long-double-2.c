/* tcc: the same, as a value and in a loop. */
int printf(const char *, ...);

double values[4] = {0.0, 0.25, 2.5, 3.5};
short step = 0;

int main(void) {
    int above = 0;
    unsigned check = 17;
    for (int i = 0; i < 4; i++) {
        int is = values[i] > 1.0L + step;
        above = above * 2 + is;
        check = check * 31 + (unsigned)i;
    }
    printf("%d %u\n", above, check);
    return 0;
}
