#include <stdint.h>
union U1 { const volatile uint32_t f0; uint16_t f1; const int8_t *volatile f2; uint8_t f3; int16_t f4; };
static union U1 g_760 = { 0x02408196 };
int main(void) { int16_t *l_1065 = &g_760.f4; *l_1065 &= 1; }
