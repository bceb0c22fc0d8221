#include <stdint.h>
union U5 { volatile uint64_t f0; int8_t f1; int32_t f2; volatile int8_t *volatile f3; volatile int8_t *f4; };
static union U5 g_1558 = { 18446744073709551615UL };
int main(void) { int32_t *const g_3581 = &g_1558.f2; return 0 || *g_3581; }
