static int g_716;
static int *volatile g_1068 = &g_716;
int main(void) { (*g_1068) = (1, (*g_1068)); }
