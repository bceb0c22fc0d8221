/* tcc: the same, through an argument and a global. */
int printf(const char *, ...);

char key = -17;
unsigned table[4] = {10, 20, 30, 40};

static unsigned mix(unsigned a, unsigned b) {
    return (a << 3) ^ b;
}

static int large(int value) {
    if (value > 60000)
        return 1;
    return 0;
}

int main(void) {
    unsigned h = 7;
    for (int i = 0; i < 4; i++)
        h = mix(h, table[i]);
    printf("%u\n", h % 1000);
    printf("%d\n", large((unsigned short)key));
    return 0;
}
