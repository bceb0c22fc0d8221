# 7 "wrong.c"
int f(void) { return 1 +; }
