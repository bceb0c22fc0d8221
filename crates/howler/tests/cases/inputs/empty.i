# 1 "empty.c"
extern int nothing;
