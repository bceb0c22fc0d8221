typedef int int8_t;
typedef int int32_t;
typedef int int64_t;
typedef int uint32_t;
int g_255;
int *volatile g_1083;
int *volatile *g_1082 = &g_1083;
int func_1() { func_20(0, 0); }
int func_20(int8_t, uint32_t) { int32_t l_784 = 0; func_50(0, g_255, l_784); }
int func_50(int8_t, int64_t, const) { ((**g_1082) = g_1083); }
int main() { func_1(); }
