int **volatile g_2654;
int **volatile *g_2653 = &g_2654;
int func_1() { ((**g_2653) = g_2654); }
int main() { func_1(); }
