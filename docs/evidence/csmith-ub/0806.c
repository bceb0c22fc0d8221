#include <stdint.h>
union U2 { int64_t f0; uint8_t f1; uint16_t f2; signed f3 : 10; const int32_t f4; };
static union U2 g_59 = { 0x5A0BF3FD26F36103 };
int main(void) { uint16_t *g_918 = &g_59.f2; return *g_918 > 1; }
