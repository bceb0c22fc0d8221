static int *volatile g_67;
static int *volatile *volatile g_1590 = &g_67;
int main(void) { (*g_1590) = (*g_1590); }
