static int g_127;
static int *volatile g_706 = &g_127;
static int safe_sub(int a, int b) { return a - b; }
int main(void) { (*g_706) = (1 < safe_sub((1, (*g_706)), 0)) && 1; }
