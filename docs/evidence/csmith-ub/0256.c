volatile int *volatile *volatile *volatile g_388;
volatile int *volatile *volatile *volatile *g_387 = &g_388;
int func_1() { (**g_387) = *g_387; }
int main() { func_1(); }
