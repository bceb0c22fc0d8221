/* What is taken from here into other programs: functions that need nothing else. */
static unsigned hash(unsigned a, unsigned b)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < 4; i++) {
        h = (h ^ (a & 255)) * 16777619u;
        a >>= 8;
        h += b << (i & 7);
    }
    return h;
}

int gcd(int a, int b)
{
    if (a < 0)
        a = -(a + 1);
    if (b < 0)
        b = -(b + 1);
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

long fib(unsigned char n)
{
    long a = 0, b = 1;
    n &= 31;
    do {
        long t = a + b;
        a = b;
        b = t;
    } while (n-- > 0);
    return a;
}

short pick(int i, short x)
{
    short t[4] = { 3, -1, 4, -1 };
    t[i & 3] = x;
    return t[(i + 1) & 3] + (short)sizeof x;
}

int kind(int c)
{
    switch (c & 15) {
    case 0:
    case 7:
        return 1;
    case 3:
        c += 5;
    case 4:
        return c * 2 & 1023;
    default:
        return -c / 3;
    }
}

unsigned long long mul(unsigned long long a, unsigned b)
{
    unsigned long long r = 0;
    while (b) {
        if (b & 1)
            r += a;
        a <<= 1;
        b >>= 1;
    }
    return r;
}

int ack(int m, int n)
{
    m &= 1;
    n &= 7;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

int main(void)
{
    return 0;
}
