static int g_52;
static int *volatile g_51 = &g_52;
int main(void) { (*g_51) = (*g_51); }
