//=== open: a product and a sum
// exploited
#include <stdio.h>
__attribute__((noinline)) static double add(double a, double b, double c) { return a * b + c; }
int main(void) {
    printf("%a\n", add(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0));
    return 0;
}
//=== open: a difference from a product
// exploited
#include <stdio.h>
__attribute__((noinline)) static float rest(float a, float b, float c) { return c - a * b; }
int main(void) {
    printf("%d\n", rest(0x1.001p0f, 0x1.001p0f, 0x1.002p0f) == 0);
    return 0;
}
//=== open: a sum that grows
// exploited
#include <stdio.h>
int main(void) {
    double a[3] = { 0.1, 0.1, 0.2 }, b[3] = { 0.7, 0.11, 0.13 }, s = 0;
    for (int i = 0; i < 3; i++)
        s += a[i] * b[i];
    printf("%a\n", s);
    return 0;
}
//=== pass: exact results
int main(void) {
    double a = 3, b = 0.5, c = 1;
    float x = 2, s = 0;
    for (int i = 0; i < 4; i++)
        s += x * i;
    return a * b + c != 2.5 || c - a * b != -0.5 || s != 12;
}
//=== pass: too small to be printed
// prints: 0.11
#include <stdio.h>
int main(void) {
    double a[3] = { 0.1, 0.1, 0.2 }, b[3] = { 0.7, 0.11, 0.13 }, s = 0;
    for (int i = 0; i < 3; i++)
        s += a[i] * b[i];
    printf("%.2f\n", s);
    return 0;
}
//=== pass: rounded by an assignment
volatile double v;
int main(void) {
    double a = 0x1.0000001p0, product;
    v = a * a;
    product = v;
    return product + -0x1.0000002p0 != 0;
}
