/* Needs so many live values that one is in %r10d when it is added. */
#include <stdio.h>

volatile unsigned v[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

int main(void)
{
    unsigned a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5];
    unsigned g = v[6], h = v[7], i = v[8], j = v[9], k = v[10], l = v[11];
    for (unsigned n = 0; n < v[3]; n++) {
        a += l, b += k, c += j, d += i, e += h, f += g;
        g += a, h += b, i += c, j += d, k += e, l += f;
    }
    printf("%u %u %u %u %u %u\n", a + l, b + k, c + j, d + i, e + h, f + g);
    return 0;
}
