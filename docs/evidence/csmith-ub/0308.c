#include <stdint.h>
union U6 { uint64_t f0; int8_t f1; volatile int16_t f2; int32_t f3; volatile uint32_t f4; };
static union U6 g_2213 = { 0x73A94629713F6FCE };
int main(void) { int32_t *l_2853 = &g_2213.f3; *l_2853 |= 1; }
