typedef int int16_t;
typedef int int32_t;
typedef int int64_t;
typedef int uint8_t;
int g_6;
int *volatile g_81;
int *func_77();
int func_1() { int64_t l_5 = 0xAD374006310FECAFLL; func_2(l_5, g_6); }
int func_2(int16_t, uint8_t) { int32_t l_1248[3]; l_1248[0] = func_7(0); }
int func_7(p_8) { func_77(0); }
int *func_77(p_78) { *g_81 = g_81; }
int main() { func_1(); }
