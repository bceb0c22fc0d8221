#include <stdint.h>
union U4 { volatile int32_t f0; uint32_t f1; const volatile int32_t f2; uint16_t f3; signed f4 : 22; };
static union U4 g_381 = { -6 };
int main(void) { const uint16_t *g_1259 = &g_381.f3; return *g_1259 == 1; }
