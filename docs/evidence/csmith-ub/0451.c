#include <stdint.h>
#pragma pack(1)
struct S1 { int32_t f0; uint8_t f1; uint32_t f3; };
#pragma pack()
static struct S1 g_690 = { 1, 2, 3 };
static int32_t *func_6(void) { uint32_t *l_1776 = &g_690.f3; return l_1776; }
int main(void) { return func_6() == 0; }
