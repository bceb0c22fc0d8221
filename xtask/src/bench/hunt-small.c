int printf(const char *, ...);
static unsigned crc = 7u;
static int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
static struct { int a : 5; unsigned b : 11; long c; } record = { 3, 700, -5 };
static volatile short watched = 12;

static void mix(long value)
{
    crc = (crc << 5 | crc >> 27) ^ (unsigned)value;
}

static int step(int x, unsigned y)
{
    for (int i = 0; i < 16; i++) {
        table[i] = (table[i] * 31 + x) % 1009;
        if ((table[i] ^ y) & 1)
            record.c += table[i] >> 2;
        else
            record.b += i;
    }
    return table[x & 15] - watched;
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        mix(step(i, crc % 13) + record.c + record.b);
    mix(record.a * table[watched & 15]);
    printf("checksum = %X\n", crc);
    return 0;
}
