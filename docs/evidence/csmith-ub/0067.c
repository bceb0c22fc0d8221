typedef int int8_t;
typedef int int32_t;
union U0 { int32_t f0 };
int *g_221;
int **g_220 = &g_221;
const int ****g_1597;
const int *****volatile g_1596 = &g_1597;
int *func_29();
int func_1() { union U0 l_35[8][6] = { }; (func_29(0, *g_220, l_35[4][2].f0)); }
int *func_29(int32_t p_30, int8_t *, const) { { { { *g_1596 = g_1596; } } } }
int main() { func_1(); }
