int **volatile g_414;
int **volatile *g_413 = &g_414;
int func_1() { ((**g_413) = *g_413); }
int main() { func_1(); }
