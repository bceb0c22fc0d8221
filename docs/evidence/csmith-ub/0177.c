#include <stdint.h>
union U0 { volatile uint64_t f0; int32_t f1; const volatile int16_t f2; uint32_t f3; };
static union U0 g_218 = { 18446744073709551606UL };
int main(void) { uint32_t *l_1067 = &g_218.f3; *l_1067 ^= 0xC9D76F6C; }
