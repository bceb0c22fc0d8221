static int *volatile g_265;
static int *volatile *volatile g_1399 = &g_265;
int main(void) { (*g_1399) = (*g_1399); }
