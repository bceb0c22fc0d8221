#include <stdint.h>
union U0 { volatile int64_t f0; int8_t *f1; uint32_t f2; int16_t f3; };
static union U0 g_341 = { 0x5529E1FA4D6B5EC5 };
int main(void) { uint32_t *l_941 = &g_341.f2; return *l_941 < 1; }
