typedef int int8_t;
int g_137[] = { 0 };
int *volatile g_223 = &g_137;
int *func_2();
int func_1() { int8_t l_8 = func_2(0); }
int *func_2(int8_t) { *g_223 = g_223; }
int main() { func_1(); }
