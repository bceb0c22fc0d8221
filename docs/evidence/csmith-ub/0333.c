int g_15;
int *volatile g_54;
int *func_52();
int func_1() { func_52(g_15); }
int *func_52(p_53) { *g_54 = g_54; }
int main() { func_1(); }
