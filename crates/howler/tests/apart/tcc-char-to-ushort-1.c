/* tcc: a negative char converted to unsigned short stays negative. */
int printf(const char *, ...);

struct pair {
    int first;
    signed char second;
};

static struct pair pairs[3] = {{1, 2}, {3, -4}, {5, 6}};

static int sum(int n) {
    int all = 0;
    for (int i = 0; i < n; i++)
        all += pairs[i].first;
    return all;
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int wide = (unsigned short)pairs[i].second;
        total = (total + wide) % 100003;
    }
    printf("%d %d\n", sum(3), total);
    return 0;
}
