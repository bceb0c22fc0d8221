#include <stdint.h>
union U1 { volatile uint64_t f0; int32_t f1; int16_t f2; const int32_t f3; };
static volatile union U1 g_263 = { 0x226B48D14C743066 };
int main(void) { volatile int16_t *g_467 = &g_263.f2; return 1 && *g_467; }
